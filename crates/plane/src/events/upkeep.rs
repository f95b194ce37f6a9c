//! What streams need that nobody asks for: losses are found, silent groups are parked, what everybody has is trimmed.

use std::time::Duration;

use quorate_store::{Arg, Result};
use serde::Serialize;

use super::{Events, Stream, keys, script};
use crate::locks::millis;
use crate::outcome::Reply;

/// How soon a stream is looked at again, by whichever process comes first.
const EVERY: Duration = Duration::from_millis(900);

/// What a look did.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Looked {
    pub trimmed: u64,
    /// Entries that were found to be destroyed before a group had acknowledged them.
    pub lost: u64,
    pub parked: u64,
}

impl Events<'_> {
    /// One round over every stream. Safe in any number of processes: the script knows when a look is due.
    ///
    /// The first fault is reported after every stream has had its turn, so that one bad key holds up nobody.
    pub async fn upkeep(&self) -> Result<Looked> {
        let (mut all, mut fault) = (Looked::default(), Ok(()));
        for stream in Stream::EVERY {
            match self.look(stream).await {
                Ok(one) => {
                    all.trimmed += one.trimmed;
                    all.lost += one.lost;
                    all.parked += one.parked;
                }
                Err(error) => fault = fault.and(Err(error)),
            }
        }
        fault.map(|()| all)
    }

    /// Looks at one stream, if that is due.
    pub async fn look(&self, stream: Stream) -> Result<Looked> {
        let policy = stream.policy(&self.plane.event_settings().await?);
        let args = [
            Arg::from(stream.name()),
            Arg::from(policy.keep),
            Arg::from(policy.cap),
            Arg::from(millis(policy.group_ttl)),
            Arg::from(millis(policy.age)),
            Arg::from(i64::from(policy.work)),
            Arg::from(millis(EVERY)),
        ];
        // A second look finds what the first one left; a loss is counted in the script that sees it.
        let store = self.plane.store().repeatable();
        let keys = keys::upkeep(self.plane.keys(), stream);
        let reply: Reply = store.run(&script::UPKEEP, &keys, &args).await?;
        let number = |place| reply.word(place).and_then(|word| word.parse().ok()).unwrap_or_default();
        match reply.first() {
            "looked" => Ok(Looked { trimmed: number(1), lost: number(2), parked: number(3) }),
            // A key of another type is fsck's to report; the other streams go on.
            _ => Ok(Looked::default()),
        }
    }
}
