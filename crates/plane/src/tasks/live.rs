//! Hearing of status events as they come: one subscription for all tasks of a process.
//!
//! A message is a hint. Whoever follows a task reads its history when something may have been missed, and leaves out what it
//! has seen; [`Seen`] says what that is.

use std::collections::{HashSet, VecDeque};

use quorate_catalog::Catalog;
use quorate_catalog::ids::TaskId;
use quorate_store::{Notice, Result, Subscription, Topics, pipe};
use sha2::{Digest, Sha256};

use super::{Event, Tasks};

/// Events that are remembered as seen; a history is much shorter.
const REMEMBERED: usize = 4_096;

/// The channels of all tasks.
pub struct Channels {
    before: String,
    subscription: Subscription,
}

/// What is heard.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Heard {
    /// An event of a task, as it was published.
    Event { task: String, payload: Vec<u8> },
    /// Something may have been missed, of any task.
    Missed,
}

impl Channels {
    /// The next thing; waits through outages of any length.
    pub async fn next(&mut self) -> Heard {
        loop {
            match self.subscription.next().await {
                Notice::Message { channel, payload, .. } => {
                    if let Some(task) = channel.strip_prefix(&self.before) {
                        return Heard::Event { task: task.to_owned(), payload };
                    }
                }
                _ => return Heard::Missed,
            }
        }
    }
}

impl Tasks<'_> {
    /// Listens to the channels of all tasks; everything that is published from now on is heard.
    pub async fn channels(&self) -> Result<Channels> {
        let any = TaskId::parse("any").expect("a name");
        let keys = self.plane.keys();
        let catalog = Catalog::built_in();
        let name = keys.relayna().status_channel(&any).family().name();
        let family = catalog.find(name).into_iter().next();
        let (before, _) =
            family.and_then(|family| keys.around(catalog, family)).expect("a channel names its task last");
        let subscription = self.plane.store().subscribe(Topics::patterns([format!("{before}*")])).await?;
        Ok(Channels { before, subscription })
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
