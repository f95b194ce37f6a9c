//! Hearing of status events as they come, and seeing whether something was missed; [`Seen`] says what a follower has seen.

use std::collections::{HashSet, VecDeque};

use quorate_catalog::ids::TaskId;
use quorate_store::{Result, pipe};
use sha2::{Digest, Sha256};

use super::{Event, Tasks};
use crate::channels::Channels;

/// Events that are remembered as seen; a history is much shorter.
const REMEMBERED: usize = 4_096;

impl Tasks<'_> {
    /// Listens to the channels of all tasks; everything that is published from now on is heard.
    pub async fn channels(&self) -> Result<Channels> {
        let any = TaskId::parse("any").expect("a name");
        Channels::like(self.plane, &self.plane.keys().relayna().status_channel(&any)).await
    }

    /// What stands first in the history of each task, as a number that changes with it.
    pub async fn heads(&self, tasks: &[TaskId]) -> Result<Vec<Option<u64>>> {
        let mut found = Vec::with_capacity(tasks.len());
        for few in tasks.chunks(500) {
            let mut all = pipe();
            for task in few {
                all.cmd("LRANGE")
                    .arg(self.plane.keys().relayna().status_history(task).as_str())
                    .arg(0)
                    .arg(1);
            }
            let heads: Vec<Vec<Vec<u8>>> = self.plane.store().pipeline(&all).await?;
            found.extend(heads.iter().map(|items| (!items.is_empty()).then(|| print(&items.concat()))));
        }
        Ok(found)
    }
}

fn print(bytes: &[u8]) -> u64 {
    let hash = Sha256::digest(bytes);
    u64::from_be_bytes(hash[..8].try_into().expect("eight bytes"))
}

/// The events that a follower has seen.
#[derive(Debug, Default)]
pub struct Seen {
    known: HashSet<String>,
    order: VecDeque<String>,
}

impl Seen {
    /// Notes an event; whether it is new. It is known by its id, else by its number, else by what it says.
    pub fn note(&mut self, event: &Event) -> bool {
        let name = match (event.event_id(), event.seq()) {
            (Some(id), _) => format!("i{id}"),
            (None, Some(seq)) => format!("s{seq}"),
            (None, None) => format!("b{}", print(&serde_json::to_vec(event).unwrap_or_default())),
        };
        if !self.known.insert(name.clone()) {
            return false;
        }
        self.order.push_back(name);
        if self.order.len() > REMEMBERED
            && let Some(oldest) = self.order.pop_front()
        {
            self.known.remove(&oldest);
        }
        true
    }
}
