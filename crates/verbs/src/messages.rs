//! Who told whom what, and how far it got.

mod ack;
mod broadcast;
mod history;
mod inbox;
mod inboxes;
mod read;
mod send;

use quorate_catalog::ids::{AgentId, ThreadId, WordId};
use quorate_plane::messages::Outgoing;

use crate::prelude::*;

pub use ack::{Ack, Acked, Acknowledged};
pub use broadcast::{Broadcast, Delivered, Recipient};
pub use history::{History, Messages};
pub use inbox::Inbox;
pub use inboxes::{Counted, Inboxes};
pub use read::Read;
pub use send::{Send, Sent};

pub(crate) fn all() -> Vec<Entry> {
    vec![
        Entry::of::<Send>(),
        Entry::of::<Broadcast>(),
        Entry::of::<Inbox>(),
        Entry::of::<Inboxes>(),
        Entry::of::<Read>(),
        Entry::of::<Ack>(),
        Entry::of::<History>(),
    ]
}

/// What is sent, whoever it is for.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Letter {
    /// Who sends it.
    pub from: Said<AgentId>,
    /// The sender's epoch, if it is an agent; a write of an earlier incarnation is refused.
    #[serde(default)]
    pub epoch: Option<u64>,
    /// The message; it is kept byte for byte.
    pub text: String,
    /// handoff, warn, emergency, status, request, reply or another word; status if it is not said.
    #[serde(default)]
    pub kind: Option<Said<WordId>>,
    /// What it belongs to.
    #[serde(default)]
    pub thread: Option<Said<ThreadId>>,
    /// One line about it.
    #[serde(default)]
    pub subject: Option<String>,
    /// A JSON object to go with it, or its text.
    #[serde(default)]
    pub blob: Option<Blob>,
    /// How long there is time to acknowledge it; then the sender is told, and the operator where one is set.
    #[serde(default)]
    pub ack_by: Option<Span>,
}

impl Letter {
    fn outgoing(&self, call: &Call) -> Outgoing {
        let plain = Outgoing::new(self.from.0.clone(), self.text.clone());
        Outgoing {
            epoch: self.epoch,
            kind: self.kind.as_ref().map_or_else(|| plain.kind.clone(), |kind| kind.0.clone()),
            thread: self.thread.as_ref().map(|thread| thread.0.clone()),
            subject: self.subject.clone(),
            blob: self.blob.as_ref().map(|blob| blob.0.clone()),
            ack_within: self.ack_by.map(|time| time.0),
            trace: call.trace.clone(),
            ..plain
        }
    }
}
