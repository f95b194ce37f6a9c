//! Observations: what agents noticed, let in through a gate, consolidated by a group, and never dropped.

use std::time::Duration;

use quorate_catalog::ids::ContentHash;
use quorate_store::{Arg, ErrorKind, Result, Store, cmd};
use serde::Serialize;
use sha2::{Digest, Sha256};
use tokio::time::Instant;

use super::{Acked, Batch, Entry, RETRY_FOR, Read, Stream, bad, is_id, script};
use crate::locks::millis;
use crate::outcome::{Reply, undecodable};
use crate::{Outcome, Plane};

/// The scope under which observations are remembered among everything that was seen.
const SCOPE: &str = "observations";
const MOST_BYTES: usize = 64 * 1024;

/// Something an agent noticed.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Observation {
    pub content: String,
    /// The same content under another topic is another observation.
    pub topic: String,
    pub source: String,
}

/// What became of an observation at the gate.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "outcome", rename_all = "lowercase")]
pub enum Gate {
    Accepted {
        id: String,
    },
    /// It is with the dead ones, under this id and for this reason.
    Rejected {
        id: String,
        reason: String,
    },
}

/// The verbs about observations.
#[derive(Debug, Clone, Copy)]
pub struct Observations<'p> {
    plane: &'p Plane,
}

impl Observation {
    fn check(&self) -> Result<()> {
        let small = self.topic.len() <= 256 && self.source.len() <= 256;
        if self.content.is_empty() || self.content.len() > MOST_BYTES || !small {
            return Err(bad("an observation has 1 to 65,536 bytes, its topic and source 256 at most"));
        }
        Ok(())
    }

    /// What makes it the same as another.
    pub fn hash(&self) -> String {
        let mut hasher = Sha256::new();
        hasher.update(self.topic.as_bytes());
        hasher.update([0]);
        hasher.update(self.content.as_bytes());
        hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

impl<'p> Observations<'p> {
    pub(crate) fn new(plane: &'p Plane) -> Self {
        Self { plane }
    }

    /// Hands an observation in. The same one within the window goes to the dead ones; at the cap the sender is refused.
    pub async fn submit(&self, observation: &Observation) -> Result<Outcome<Gate>> {
        observation.check()?;
        let (request, first, mut age) = (self.plane.new_name(), Instant::now(), 0);
        loop {
            match self.submit_once(observation, &request, age).await {
                Err(error) if error.kind() == ErrorKind::UnknownOutcome && age < RETRY_FOR => {
                    age = millis(first.elapsed()).max(1);
                }
                answer => return answer,
            }
        }
    }

    async fn submit_once(&self, one: &Observation, request: &str, age: i64) -> Result<Outcome<Gate>> {
        let settings = self.plane.event_settings().await?;
        let keys = self.plane.keys();
        let scope = ContentHash::parse(SCOPE).expect("a scope's name");
        let list = [Stream::Pending.key(keys), Stream::Dead.key(keys), keys.reverie().seen(&scope)];
        let mut args = vec![
            Arg::from(request),
            Arg::from(age),
            Arg::from(one.hash()),
            Arg::from(millis(settings.window)),
            Arg::from(settings.observations),
        ];
        for (name, value) in [("content", &one.content), ("topic", &one.topic), ("source", &one.source)] {
            args.extend([Arg::from(name), Arg::from(value)]);
        }
        let reply: Reply = self.plane.store().run(&script::OBSERVE, &list, &args).await?;
        let (first, mut words) = match reply.split() {
            Ok(parts) => parts,
            Err(refusal) => return Ok(Outcome::Refused(refusal)),
        };
        match (first.as_str(), words.len()) {
            ("accepted", 1) => Ok(Outcome::Done(Gate::Accepted { id: words.remove(0) })),
            ("rejected", 2) => {
                let (id, reason) = (words.remove(0), words.remove(0));
                Ok(Outcome::Done(Gate::Rejected { id, reason }))
            }
            _ => Err(undecodable(&first)),
        }
    }

    /// What is pending, for a consumer of a group.
    pub async fn read(
        &self,
        group: &str,
        consumer: &str,
        count: u32,
        wait: Duration,
    ) -> Result<Outcome<Batch>> {
        let wanted = Read { count, wait, ..Read::new(Stream::Pending, group, consumer) };
        self.plane.events().read(&wanted).await
    }

    /// Says that observations are consolidated; they leave the stream with the next look.
    pub async fn ack(&self, group: &str, consumer: Option<&str>, ids: &[String]) -> Result<Outcome<Acked>> {
        self.plane.events().ack(Stream::Pending, group, consumer, ids).await
    }

    /// Puts an observation that failed with the dead ones.
    pub async fn reject(
        &self,
        group: &str,
        consumer: &str,
        id: &str,
        reason: &str,
    ) -> Result<Outcome<String>> {
        if !is_id(id) || reason.is_empty() || reason.len() > 1_024 {
            return Err(bad("a rejection names an entry and a reason of 1 to 1,024 bytes"));
        }
        let settings = self.plane.event_settings().await?;
        let args = [
            Arg::from(group),
            Arg::from(consumer),
            Arg::from(id),
            Arg::from(reason),
            Arg::from(settings.observations),
        ];
        let reply: Reply = self.plane.store().run(&script::REJECT, &self.both(), &args).await?;
        Ok(reply.expect("rejected")?.map(|mut words| words.pop().unwrap_or_default()))
    }

    /// Sends a dead observation through again, past the gate.
    pub async fn revive(&self, id: &str) -> Result<Outcome<String>> {
        if !is_id(id) {
            return Err(bad("an entry is named by its id"));
        }
        let settings = self.plane.event_settings().await?;
        let args = [Arg::from(id), Arg::from(settings.observations)];
        let reply: Reply = self.plane.store().run(&script::REVIVE, &self.both(), &args).await?;
        Ok(reply.expect("revived")?.map(|mut words| words.pop().unwrap_or_default()))
    }

    /// Deletes dead observations; how many there were.
    pub async fn drop(&self, ids: &[String]) -> Result<u64> {
        if ids.is_empty() || !ids.iter().all(|id| is_id(id)) {
            return Err(bad("an entry is named by its id"));
        }
        let mut delete = cmd("XDEL");
        delete.arg(Stream::Dead.key(self.plane.keys()).as_str()).arg(ids);
        self.store().change(&delete).await
    }

    /// The newest of either stream, oldest first.
    pub async fn newest(&self, dead: bool, count: u64) -> Result<Vec<Entry>> {
        self.plane.events().newest(if dead { Stream::Dead } else { Stream::Pending }, count).await
    }

    fn both(&self) -> [quorate_catalog::Key; 2] {
        [Stream::Pending, Stream::Dead].map(|stream| stream.key(self.plane.keys()))
    }

    fn store(&self) -> Store {
        self.plane.store().repeatable()
    }
}
