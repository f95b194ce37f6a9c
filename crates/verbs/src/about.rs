//! What is fixed about a verb: where it is found, what it needs, and what it does to the world.

use quorate_plane::tokens::Level;
use serde::Serialize;

/// How a route is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Method {
    Get,
    Post,
    Put,
    Patch,
    Delete,
}

/// What a call does to the world.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    /// Nothing.
    None,
    /// A change that agents make all the time: it is counted, and leaves no record of its own.
    Hot,
    /// A change that goes on record.
    Change,
    /// A change that goes on record and takes something away for good.
    Destroys,
}

/// What is fixed about a verb.
#[derive(Debug, Clone, Copy)]
pub struct About {
    pub noun: &'static str,
    pub verb: &'static str,
    pub method: Method,
    /// Below `/api/v1`; a `{name}` is a field of the input.
    pub path: &'static str,
    pub level: Level,
    pub effect: Effect,
    /// The field that names the agent who acts; a caller that is bound to an agent acts for no other.
    pub actor: Option<&'static str>,
    /// Members of the input, or of the answer where the plane makes them up, that name what is changed, where the path has no
    /// name.
    pub names: &'static [&'static str],
    /// Other names of fields, as command lines and older clients say them.
    pub aliases: &'static [(&'static str, &'static str)],
    /// Whether its list is the end of something that grows: `limit` says how much of the end, and no page follows.
    pub tail: bool,
    /// What it is called at a terminal, where that is an option of another verb.
    pub typed: Option<&'static str>,
    /// The list that shows what is changed and the flag it needs for that, where the list without it shows others.
    pub listed: Option<(&'static str, &'static str)>,
    /// Whether what was asked may be yet to come: the answer says `queued` then, and its status is 202.
    pub later: bool,
}

impl About {
    /// A verb of a noun; what it does not say is as most verbs have it.
    pub const fn new(
        noun: &'static str,
        verb: &'static str,
        method: Method,
        path: &'static str,
        level: Level,
        effect: Effect,
    ) -> Self {
        let (actor, names, aliases, tail, typed, listed) = (None, &[], &[], false, None, None);
        let later = false;
        Self { noun, verb, method, path, level, effect, actor, names, aliases, tail, typed, listed, later }
    }

    /// The field `name` says who acts.
    #[must_use]
    pub const fn by(self, name: &'static str) -> Self {
        Self { actor: Some(name), ..self }
    }

    /// The members `names` say what is changed.
    #[must_use]
    pub const fn of(self, names: &'static [&'static str]) -> Self {
        Self { names, ..self }
    }

    #[must_use]
    pub const fn also(self, aliases: &'static [(&'static str, &'static str)]) -> Self {
        Self { aliases, ..self }
    }

    /// Its list is the end of something that grows.
    #[must_use]
    pub const fn tail(self) -> Self {
        Self { tail: true, ..self }
    }

    /// At a terminal it is `line`.
    #[must_use]
    pub const fn typed(self, line: &'static str) -> Self {
        Self { typed: Some(line), ..self }
    }

    /// What it changes is listed at `path` if `flag` is set.
    #[must_use]
    pub const fn listed(self, path: &'static str, flag: &'static str) -> Self {
        Self { listed: Some((path, flag)), ..self }
    }

    /// What was asked may be yet to come.
    #[must_use]
    pub const fn later(self) -> Self {
        Self { later: true, ..self }
    }

    /// The name it has on record, such as `agents.revoke`.
    pub fn action(&self) -> String {
        format!("{}.{}", self.noun, self.verb)
    }

    /// What it is called at a terminal; a noun that is its own verb is said once.
    pub fn line(&self) -> String {
        match self.typed {
            Some(line) => line.to_owned(),
            None if self.noun == self.verb => self.noun.to_owned(),
            None => format!("{} {}", self.noun, self.verb),
        }
    }

    /// The scope a token needs for it, such as `queues:work`.
    pub fn scope(&self) -> String {
        let level = self.level;
        format!("{}:{level}", self.noun)
    }

    pub fn changes(&self) -> bool {
        self.effect != Effect::None
    }
}
