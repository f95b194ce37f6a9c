//! A refusal is an answer: it has a stable code, the reason, what stands in the way and what to do next.

mod refusals;

use quorate_store::{Error, ErrorKind, Result};
use serde::Serialize;

use refusals::REFUSALS;

/// What became of a request that the store understood.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome<T> {
    Done(T),
    Refused(Refusal),
}

impl<T> Outcome<T> {
    pub fn map<U>(self, change: impl FnOnce(T) -> U) -> Outcome<U> {
        match self {
            Self::Done(value) => Outcome::Done(change(value)),
            Self::Refused(refusal) => Outcome::Refused(refusal),
        }
    }

    /// The value, or a panic that shows the refusal; for tests.
    pub fn unwrap(self) -> T {
        match self {
            Self::Done(value) => value,
            Self::Refused(refusal) => panic!("refused: {refusal:?}"),
        }
    }

    /// The refusal's code, if it was refused.
    pub fn refusal(&self) -> Option<&Refusal> {
        match self {
            Self::Done(_) => None,
            Self::Refused(refusal) => Some(refusal),
        }
    }
}

/// Why not, and what now.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Refusal {
    /// Stable, for programs.
    pub code: String,
    /// For people.
    pub reason: String,
    /// What to do next.
    pub next: String,
    /// What stands in the way: the holder, the limit, the current epoch.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
}

impl Refusal {
    /// Code, reason and next step of every refusal there is.
    pub fn all() -> &'static [(&'static str, &'static str, &'static str)] {
        REFUSALS
    }

    pub fn new(code: &str, detail: Option<String>) -> Self {
        let known = REFUSALS.iter().find(|(own, ..)| *own == code);
        let (reason, next) =
            known.map_or(("the store refused", "see the code"), |(_, reason, next)| (reason, next));
        let reason = reason.replace("{}", detail.as_deref().unwrap_or("unknown"));
        Self { code: code.to_owned(), reason, next: next.to_owned(), detail }
    }

    pub fn is(&self, code: &str) -> bool {
        self.code == code
    }
}

/// What a script answered: its first word says how to read the rest.
#[derive(Debug, Clone)]
pub(crate) struct Reply(Vec<String>);

impl Reply {
    /// An answer of words with spaces between them.
    pub(crate) fn of(text: &str) -> Self {
        Self(text.split(' ').map(str::to_owned).collect())
    }

    /// Its first word, for a script with several answers that are no refusals.
    pub(crate) fn first(&self) -> &str {
        self.0.first().map_or("", String::as_str)
    }

    pub(crate) fn word(&self, place: usize) -> Option<&str> {
        self.0.get(place).map(String::as_str)
    }

    /// The first word and the rest, or the refusal the script gave instead.
    pub(crate) fn split(self) -> std::result::Result<(String, Vec<String>), Refusal> {
        let mut words = self.0.into_iter();
        let first = words.next().unwrap_or_default();
        if first != "refused" {
            return Ok((first, words.collect()));
        }
        let code = words.next().unwrap_or_default();
        Err(Refusal::new(&code, words.next().filter(|detail| !detail.is_empty())))
    }

    /// The rest after `word`, or the refusal the script gave instead.
    pub(crate) fn expect(self, word: &str) -> Result<Outcome<Vec<String>>> {
        match self.split() {
            Err(refusal) => Ok(Outcome::Refused(refusal)),
            Ok((first, words)) if first == word => Ok(Outcome::Done(words)),
            Ok((first, _)) => Err(undecodable(&first)),
        }
    }
}

/// A list of words, or one text of words with spaces between them, which costs the server less.
impl quorate_store::FromRedisValue for Reply {
    fn from_redis_value(value: quorate_store::Value) -> std::result::Result<Self, redis::ParsingError> {
        if let quorate_store::Value::BulkString(text) = &value {
            return Ok(Self::of(&String::from_utf8_lossy(text)));
        }
        Vec::<String>::from_redis_value(value).map(Self)
    }
}

pub(crate) fn undecodable(what: &str) -> Error {
    Error::new(ErrorKind::Protocol, "script answer", format!("{what:?} was not expected"))
}
