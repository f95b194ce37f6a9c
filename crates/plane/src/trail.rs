//! The audit trail: who changed what, and how it ended.
//!
//! A change leaves one record, however often its request is repeated; nothing trims the stream. Sealers, any number of
//! them, chain batches of records with SHA-256: the hash of a batch covers the hash of the one before it and every byte of
//! its records in their order. The hash is computed outside the store, and the script that commits it checks that the
//! chain has not grown in the meantime. Who can write to the store can still rewrite everything, the chain included;
//! against that, note the head elsewhere and compare with [`Trail::verify_against`].

mod canonical;
mod fsck;
mod list;
mod model;
mod redact;
mod script;
mod seal;
mod verify;

use std::time::Duration;

use quorate_store::{Arg, Error, ErrorKind, Result, cmd};
use serde_json::Value;

use crate::outcome::{Reply, undecodable};
use crate::{Outcome, Plane};
pub use fsck::invariants;
pub use list::{Filter, Page};
pub use model::{Anchor, Entry, Fault, Record, Sealed, Verified};
pub use seal::BATCH;

/// What a record says of a change whose maker died before it could say how it ended.
pub const UNKNOWN: &str = "unknown";
/// How long a change may take before its maker is taken to be dead.
pub const TAKES: Duration = Duration::from_secs(600);
/// Most notes that one look settles.
const SETTLED_AT_ONCE: usize = 100;

/// The verbs of the capability.
#[derive(Debug, Clone, Copy)]
pub struct Trail<'p> {
    plane: &'p Plane,
}

impl<'p> Trail<'p> {
    pub(crate) fn new(plane: &'p Plane) -> Self {
        Self { plane }
    }

    /// Writes a record, unless its request has one. Texts that are too long are cut; secrets in `before` and `after` are
    /// taken out.
    pub async fn record(&self, record: &Record) -> Result<()> {
        if record.request.is_empty() {
            return Err(Error::new(
                ErrorKind::InvalidArgument,
                "trail",
                "a record has the id of its request",
            ));
        }
        let own = self.plane.keys().quorate();
        let keys = [own.trail(), own.trail_head(), own.trail_requests(), own.trail_intents()];
        let args: Vec<Arg<'_>> = record.texts().into_iter().map(Arg::from).collect();
        // A repeat after a lost reply finds its request, and leaves no second record.
        let reply: Reply = self.plane.store().natural().run(&script::RECORD, &keys, &args).await?;
        match reply.split() {
            Ok((word, _)) if word == "recorded" || word == "known" => Ok(()),
            Ok((word, _)) => Err(undecodable(&word)),
            Err(refusal) => Err(Error::new(ErrorKind::WrongType, "trail", refusal.reason)),
        }
    }

    /// Notes a change before it is made, so that it has its record even if whoever makes it dies; [`Trail::record`] takes
    /// the note away. What the note says of the result stands in the record that is made of it. Gives what was there before,
    /// as the first note of the request has it.
    pub async fn intend(&self, record: &Record) -> Result<Option<Value>> {
        let own = self.plane.keys().quorate();
        let keys = [own.trail_intents(), own.trail_requests()];
        let args: Vec<Arg<'_>> = record.texts().into_iter().map(Arg::from).collect();
        let reply: Reply = self.plane.store().natural().run(&script::INTEND, &keys, &args).await?;
        let words = Self::outcome(reply, "noted")?;
        Ok(words.first().and_then(|before| serde_json::from_str(before).ok()))
    }

    /// Takes the note of a change away that was not even begun.
    pub async fn withdraw(&self, request: &str) -> Result<()> {
        let mut drop_it = cmd("HDEL");
        drop_it.arg(self.plane.keys().quorate().trail_intents().as_str()).arg(request);
        self.plane.store().repeatable().change::<u64>(&drop_it).await.map(drop)
    }

    /// Writes the records of changes that were noted so long ago that their makers must be dead; how many.
    pub async fn settle(&self, age: Duration) -> Result<u64> {
        let own = self.plane.keys().quorate();
        let keys = [own.trail(), own.trail_head(), own.trail_requests(), own.trail_intents()];
        let args = [Arg::from(crate::locks::millis(age)), Arg::from(SETTLED_AT_ONCE)];
        let reply: Reply = self.plane.store().natural().run(&script::SETTLE, &keys, &args).await?;
        let words = Self::outcome(reply, "settled")?;
        words.first().and_then(|count| count.parse().ok()).ok_or_else(|| undecodable("settled"))
    }

    fn outcome(reply: Reply, word: &str) -> Result<Vec<String>> {
        match reply.expect(word)? {
            Outcome::Done(words) => Ok(words),
            Outcome::Refused(refusal) => Err(Error::new(ErrorKind::WrongType, "trail", refusal.reason)),
        }
    }
}
