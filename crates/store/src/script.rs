//! A script: a Lua file whose header is parsed, so that it cannot drift from the body (DESIGN D5).
//!
//! The header names the keys and the arguments; the loader turns them into locals and puts the shared fragments of
//! `lua/` before the body, so the body never counts `KEYS[n]`. [`check`](crate::check) holds header and body together in tests.
//! All that is generated stands on the second line, in the place of the header, so that a line number in an error of
//! the server is a line number of the file.

pub(crate) mod arg;
mod assemble;
pub(crate) mod check;
mod fragment;
mod header;
pub(crate) mod once;
mod preamble;
mod run;
mod tokens;

use std::sync::OnceLock;

use quorate_catalog::{Catalog, Keys};

use crate::error::{Error, ErrorKind, Result};
use crate::time::{Clock, Micros};

pub use arg::Arg;
pub use fragment::Fragment;
pub use header::{ArgKind, ArgSpec, Header, KeySpec, Layout};

/// A script ready to run. Make it once, in a `LazyLock` beside its capability.
#[derive(Clone, Debug)]
pub struct Script {
    name: String,
    source: String,
    header: Header,
    fragments: Vec<Fragment>,
    /// What stands before and after the name in the keys of each reached family.
    reach: Vec<(String, String)>,
    code: String,
    sha: String,
    /// The same in the envelope of a request, made when it is first needed.
    once: OnceLock<(String, String)>,
}

impl Script {
    /// Reads a script that uses the shared fragments.
    pub fn parse(name: &str, source: &str) -> Result<Self> {
        Self::parse_with(name, source, &[])
    }

    /// Reads a script that may also use fragments of its own capability.
    pub fn parse_with(name: &str, source: &str, own: &[Fragment]) -> Result<Self> {
        let mut header = Header::parse(source).map_err(|(line, what)| bad(name, line, &what))?;
        let pieces = assemble::pieces(source);
        if pieces != header.later.len() + 1 {
            return Err(bad(name, 1, "the body has a line `-- later` for each group of `later`"));
        }
        let fragments = header
            .uses
            .iter()
            .chain(header.later.iter().flatten())
            .map(|used| find(name, used, own))
            .collect::<Result<Vec<_>>>()?;
        for reached in fragments.iter().flat_map(Fragment::reaches) {
            if header.layout == Layout::Any {
                return Err(bad(name, 1, "a fragment reaches keys, which only a plain-only script can"));
            }
            if header.reaches.iter().all(|known| known.name != reached.name) {
                header.reaches.push(reached);
            }
        }
        let (name, source) = (name.to_owned(), source.to_owned());
        let (reach, code, sha, once) = Default::default();
        let mut script = Self { name, source, header, fragments, reach, code, sha, once };
        script.assemble();
        Ok(script)
    }

    /// The same script for one deployment, whose keys it finds by names that it reads in the store.
    #[must_use]
    pub fn spelled(&self, keys: &Keys) -> Self {
        let catalog = Catalog::built_in();
        let around = |spec: &KeySpec| keys.around(catalog, catalog.find(&spec.family).into_iter().next()?);
        let mut script = self.clone();
        script.reach = self.header.reaches.iter().filter_map(around).collect();
        script.assemble();
        script
    }

    /// Whether it reaches keys and does not know yet how they are spelled.
    pub(crate) fn is_unspelled(&self) -> bool {
        self.reach.len() != self.header.reaches.len()
    }

    /// The same script with another clock in its `now` fragment; for tests.
    #[must_use]
    pub fn with_clock(&self, clock: Clock) -> Self {
        let mut script = self.clone();
        for fragment in script.fragments.iter_mut().filter(|fragment| fragment.name() == "now") {
            *fragment = Fragment::now(clock);
        }
        script.assemble();
        script
    }

    /// The same script at a fixed time, in milliseconds since 1970; for tests.
    #[must_use]
    pub fn with_now(&self, millis: u64) -> Self {
        self.with_clock(Clock::Fixed(Micros::from_millis(millis)))
    }

    /// Its name, as in messages.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What its header says.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// What the server gets.
    pub fn code(&self) -> &str {
        &self.code
    }

    /// The SHA-1 under which the server keeps it.
    pub fn sha(&self) -> &str {
        &self.sha
    }

    /// The lines after the header, with the number of the first one.
    pub(crate) fn body(&self) -> (usize, &str) {
        let end = self.source.split_inclusive('\n').take(self.header.lines).map(str::len).sum();
        (self.header.lines + 1, &self.source[end..])
    }

    pub(crate) fn fragments(&self) -> &[Fragment] {
        &self.fragments
    }

    fn assemble(&mut self) {
        self.code = assemble::code(self);
        self.sha = redis::Script::new(&self.code).get_hash().to_owned();
        self.once = OnceLock::new();
    }

    /// Code and SHA-1 in the envelope of a request.
    fn enveloped(&self) -> &(String, String) {
        self.once.get_or_init(|| {
            let code = once::wrapped(&self.code);
            let sha = redis::Script::new(&code).get_hash().to_owned();
            (code, sha)
        })
    }
}

fn find(script: &str, used: &str, own: &[Fragment]) -> Result<Fragment> {
    let known =
        own.iter().find(|fragment| fragment.name() == used).cloned().or_else(|| Fragment::shared(used));
    known.ok_or_else(|| bad(script, 1, &format!("there is no fragment `{used}`")))
}

fn bad(script: &str, line: usize, what: &str) -> Error {
    Error::new(ErrorKind::InvalidArgument, "SCRIPT", format!("{script}.lua:{line}: {what}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOURCE: &str = "#!lua flags=allow-oom\n-- purpose: P.\n-- guarantee: G.\n-- keys:\n--   meta  quorate.meta  the record\n\
        -- args:\n--   layout  text     plain or tagged\n--   limit   integer  how many\n-- rest: items\n-- returns: { layout }\n\
        -- writes: 1\n-- use: now\n-- layout: any\nreturn { layout, meta, limit, items, now() }\n";

    #[test]
    fn the_body_keeps_its_line_numbers_and_gets_its_locals() {
        let script = Script::parse("claim", SOURCE).unwrap();
        let (first, body) = script.body();
        assert_eq!(script.code().lines().nth(first - 1), SOURCE.lines().nth(first - 1));
        assert!(body.starts_with("return {"));
        assert!(
            script.code().starts_with("#!lua flags=allow-oom\nlocal meta = KEYS[1] local layout = ARGV[1] ")
        );
        assert_eq!(script.sha().len(), 40);
    }

    #[test]
    fn another_clock_is_another_script() {
        let script = Script::parse("claim", SOURCE).unwrap();
        let fixed = script.with_now(5);
        assert_ne!(script.sha(), fixed.sha());
        assert!(!fixed.code().contains("'TIME'"));
        assert_eq!(fixed.with_clock(Clock::Server).sha(), script.sha());
    }

    #[test]
    fn what_a_fragment_reaches_its_scripts_reach_too() {
        let own = [Fragment::new(
            "note",
            "-- reaches: record_of quorate.agent\nlocal function note(a) return record_of(a) end",
        )];
        let used = SOURCE.replace("use: now", "use: now, note");
        let plain = used.replace("layout: any", "layout: plain-only, tagged counterpart claim_tagged");
        let script = Script::parse_with("claim", &plain, &own).unwrap().spelled(&Keys::default());
        assert!(script.code().contains("return ('~q:reverie:agent:' .. ( a ))"), "{}", script.code());
        let error = Script::parse_with("claim", &used, &own).unwrap_err();
        assert!(error.detail().contains("only a plain-only script"), "{}", error.detail());
    }

    #[test]
    fn an_unknown_fragment_is_refused_by_name() {
        let error = Script::parse("claim", &SOURCE.replace("use: now", "use: never")).unwrap_err();
        assert_eq!(error.detail(), "claim.lua:1: there is no fragment `never`");
    }
}
