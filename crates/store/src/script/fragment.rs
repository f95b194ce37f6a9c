//! Fragments: shared pieces of Lua that stand before the body of the scripts that name them in `use`.
//!
//! A fragment's file says its purpose, the functions it gives and how many write commands it may send. It is put in
//! without its comments and on one line, so that the body keeps its line numbers.

use super::header::KeySpec;
use super::tokens::{Tokens, tokens};
use crate::time::Clock;

const SHARED: &[(&str, &str)] = &[
    ("admit", include_str!("../../lua/admit.lua")),
    ("answers", include_str!("../../lua/answers.lua")),
    ("beat", include_str!("../../lua/beat.lua")),
    ("bury", include_str!("../../lua/bury.lua")),
    ("dead_lists", include_str!("../../lua/dead_lists.lua")),
    ("digits", include_str!("../../lua/digits.lua")),
    ("guard_type", include_str!("../../lua/guard_type.lua")),
    ("hand_back", include_str!("../../lua/hand_back.lua")),
    ("instant", include_str!("../../lua/instant.lua")),
    ("iso", include_str!("../../lua/iso.lua")),
    ("now", include_str!("../../lua/now.lua")),
    ("search_event", include_str!("../../lua/search_event.lua")),
    ("search_places", include_str!("../../lua/search_places.lua")),
    ("search_service", include_str!("../../lua/search_service.lua")),
    ("search_task", include_str!("../../lua/search_task.lua")),
    ("search_word", include_str!("../../lua/search_word.lua")),
    ("service_places", include_str!("../../lua/service_places.lua")),
    ("stay", include_str!("../../lua/stay.lua")),
    ("tasks", include_str!("../../lua/tasks.lua")),
    ("version", include_str!("../../lua/version.lua")),
];

/// A named piece of Lua.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fragment {
    name: String,
    source: String,
}

impl Fragment {
    /// A fragment of one capability.
    pub fn new(name: impl Into<String>, source: impl Into<String>) -> Self {
        Self { name: name.into(), source: source.into() }
    }

    /// A fragment of this crate's `lua/` folder.
    pub fn shared(name: &str) -> Option<Self> {
        SHARED.iter().find(|(known, _)| *known == name).map(|(name, source)| Self::new(*name, *source))
    }

    /// The names of the shared fragments.
    pub fn all_shared() -> impl Iterator<Item = &'static str> {
        SHARED.iter().map(|(name, _)| *name)
    }

    /// The `now` fragment with another clock.
    pub(super) fn now(clock: Clock) -> Self {
        let shared = Self::shared("now").unwrap_or_else(|| Self::new("now", ""));
        let moment = match clock {
            Clock::Server => return shared,
            Clock::Offset(micros) => {
                format!("local time = redis.call('TIME') local us = time[1] * 1000000 + time[2] + ({micros})")
            }
            Clock::Fixed(instant) => format!("local us = {}", instant.get()),
        };
        let source = format!(
            "-- gives: now\nlocal function now() {moment} return us, math.floor(us / 1000), string.format('%.0f', us) end"
        );
        Self { source, ..shared }
    }

    /// Its name, as scripts use it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The functions it gives.
    pub(super) fn gives(&self) -> impl Iterator<Item = &str> {
        self.line("gives").unwrap_or_default().split(',').map(str::trim)
    }

    /// The families whose keys it finds by a name, which its scripts then need not say: `-- reaches: NAME FAMILY, …`.
    pub(super) fn reaches(&self) -> impl Iterator<Item = KeySpec> {
        let entries = self.line("reaches").unwrap_or_default().split(',');
        entries.filter_map(|entry| {
            let (name, family) = entry.trim().split_once(' ')?;
            Some(KeySpec { name: name.to_owned(), family: family.trim().to_owned() })
        })
    }

    /// How many write commands it may send.
    pub(super) fn writes(&self) -> usize {
        self.line("writes").and_then(|number| number.parse().ok()).unwrap_or_default()
    }

    /// Whether the word stands in its code.
    pub(super) fn says(&self, word: &str) -> bool {
        self.tokens().tokens.iter().any(|token| token.text == word)
    }

    pub(super) fn tokens(&self) -> Tokens<'_> {
        tokens(&self.source)
    }

    fn line(&self, section: &str) -> Option<&str> {
        let prefix = format!("-- {section}: ");
        self.source.lines().find_map(|line| line.strip_prefix(prefix.as_str()))
    }

    /// Its code on one line, without comments.
    pub(super) fn flat(&self) -> String {
        tokens(&self.source).tokens.iter().map(|token| token.text).collect::<Vec<_>>().join(" ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::script::tokens::writes_in;
    use crate::time::Micros;

    #[test]
    fn every_shared_fragment_gives_what_it_says_and_writes_no_more_than_it_says() {
        for name in Fragment::all_shared() {
            let fragment = Fragment::shared(name).unwrap();
            assert!(fragment.line("purpose").is_some_and(|purpose| purpose.ends_with('.')), "{name}");
            for given in fragment.gives() {
                assert!(
                    fragment.source.contains(&format!("local function {given}(")),
                    "{name} gives {given}"
                );
            }
            assert_eq!(writes_in(&tokens(&fragment.source).tokens), fragment.writes(), "{name}");
            assert!(fragment.source.lines().count() <= 50, "{name}");
        }
    }

    #[test]
    fn test_clocks_replace_the_source_of_time() {
        assert!(Fragment::now(Clock::Offset(-5)).flat().contains("time [ 2 ] + ( - 5 )"));
        assert!(Fragment::now(Clock::Fixed(Micros::new(7001))).flat().contains("us = 7001 "));
    }
}
