//! Finding a thing by the id that somebody has at hand, whatever it is the id of.
//!
//! Every noun is asked for exactly that name, all at once: the cost is the same however much there is, and nothing is scanned.
//! A caller finds only what it could also look up.

mod places;

use futures_util::future::join_all;
use quorate_store::ErrorKind;

use crate::prelude::*;

/// Longest text that can be the id of anything.
const LONGEST: usize = 1_024;

pub(crate) fn all() -> Vec<Entry> {
    vec![Entry::of::<Find>()]
}

/// Finds what an id belongs to: an agent, a lock, a task, a run, an item that is being worked on, a dead letter, a failure that letters have in
/// common, a message, a thread, a job, a queue, a workflow, a service, a service that logs, a webhook, a request that changed something, a token or a key.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Find {
    /// The id, whole, as it is shown anywhere.
    pub q: String,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Finds {
    pub q: String,
    /// Nothing, if no noun knows it.
    pub found: Vec<Found>,
}

/// One thing that has the id.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Found {
    pub noun: String,
    pub id: String,
    /// What it is, in a few words.
    pub what: String,
    /// Its page, below the noun.
    pub path: String,
}

impl Found {
    fn new(noun: &str, id: &str, what: impl Into<String>) -> Self {
        Self::at(noun, id, what, &[noun, id])
    }

    /// With a page of these parts.
    fn at(noun: &str, id: &str, what: impl Into<String>, parts: &[&str]) -> Self {
        let path: String = parts.iter().map(|part| format!("/{}", encoded(part))).collect();
        Self { noun: noun.to_owned(), id: id.to_owned(), what: what.into(), path }
    }
}

/// A text as one part of a path.
fn encoded(text: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.~:".contains(&byte);
    text.bytes()
        .map(|byte| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") })
        .collect()
}

impl Verb for Find {
    const ABOUT: About = About::new("find", "find", Method::Get, "/find", Level::Read, Effect::None);
    type Answer = Finds;

    fn example() -> Value {
        json!({ "q": "worker-1" })
    }

    async fn run(&self, call: &Call) -> Result<Verdict<Finds>, Fault> {
        let q = self.q.trim();
        if q.is_empty() || q.len() > LONGEST {
            return Err(Fault::bad("q", format!("an id has from 1 to {LONGEST} bytes")));
        }
        let mut found = Vec::new();
        for answer in join_all(places::looks(call, q)).await {
            match answer {
                Ok(own) => found.extend(own),
                // A key of another type under one noun's name says nothing about the other nouns.
                Err(Fault::Store(error)) if error.kind() == ErrorKind::WrongType => {}
                Err(fault) => return Err(fault),
            }
        }
        Ok(Verdict::Done(Finds { q: q.to_owned(), found }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_never_leaves_its_part_of_a_path() {
        let found = Found::new("locks", "file:../a b?x#y", "");
        assert_eq!(found.path, "/locks/file:..%2Fa%20b%3Fx%23y");
    }
}
