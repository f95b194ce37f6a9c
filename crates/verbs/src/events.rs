//! What happened, and who has yet to hear of it.

mod ack;
mod forget;
mod groups;
mod losses;
mod ls;
mod nack;
mod newest;
mod publish;
mod read;

use quorate_plane::{Refusal, events};

use crate::prelude::*;

pub use ack::{Ack, Acked};
pub use forget::{Forget, Forgotten};
pub use groups::Groups;
pub use losses::{Loss, LossLog, Losses};
pub use ls::{Ls, Stream};
pub use nack::{Nack, Nacked};
pub use newest::Newest;
pub use publish::{Publish, Published};
pub use read::Read;

pub(crate) fn all() -> Vec<Entry> {
    vec![
        Entry::of::<Ls>(),
        Entry::of::<Newest>(),
        Entry::of::<Publish>(),
        Entry::of::<Read>(),
        Entry::of::<Ack>(),
        Entry::of::<Nack>(),
        Entry::of::<Groups>(),
        Entry::of::<Forget>(),
        Entry::of::<Losses>(),
        Entry::of::<LossLog>(),
    ]
}

/// An entry of a stream: its id, its fields, and when it was written.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Happened {
    #[serde(flatten)]
    pub entry: events::Entry,
    /// When, in ISO 8601.
    pub at: String,
}

impl From<events::Entry> for Happened {
    fn from(entry: events::Entry) -> Self {
        Self { at: entry.at().iso(), entry }
    }
}

/// Entries as they are listed.
pub(crate) fn listed(entries: Vec<events::Entry>) -> Verdict<Vec<Happened>> {
    Verdict::Done(entries.into_iter().map(Happened::from).collect())
}

/// What a group was given.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Batch {
    /// `read` or `empty`.
    pub outcome: &'static str,
    /// What the group missed before them; acknowledge it by its id.
    pub gap: Option<events::Gap>,
    /// How many were put aside because they had been delivered too often.
    pub put_aside: u64,
    pub entries: Vec<Happened>,
}

impl From<events::Batch> for Batch {
    fn from(batch: events::Batch) -> Self {
        let empty = batch.entries.is_empty() && batch.gap.is_none();
        Self {
            outcome: if empty { "empty" } else { "read" },
            gap: batch.gap,
            put_aside: batch.put_aside,
            entries: batch.entries.into_iter().map(Happened::from).collect(),
        }
    }
}

/// What is with another consumer now is refused; the rest is acknowledged.
pub(crate) fn acknowledged(acked: events::Acked) -> Verdict<Acked> {
    if acked.stale.is_empty() {
        return Verdict::Done(Acked { outcome: "acked", acked: acked.acked, stale: acked.stale });
    }
    let why = Refusal::new("not_yours", Some("another consumer".to_owned()));
    let refused = Refused::new("stale", why).with("acked", acked.acked).with("stale", acked.stale);
    Verdict::Refused(refused)
}
