//! Following a stream from a place, without a group: nothing is acknowledged, and what was missed is said.

use std::time::Duration;

use quorate_store::{Arg, Result, Value, cmd};
use serde::Serialize;

use super::model::{Entry, array, entry, number, refused, text};
use super::{Events, Stream, script};
use crate::Outcome;
use crate::locks::millis;
use crate::outcome::undecodable;

/// Most entries of one step.
const PAGE: u64 = 500;

/// A place in a stream.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tail {
    stream: Stream,
    after: String,
    /// How many entries lie up to the place; unknown for one that a caller named.
    place: Option<u64>,
}

/// What a step gave.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Tailed {
    pub entries: Vec<Entry>,
    /// How many entries were destroyed before this reader got to them.
    pub lost: u64,
}

impl Tail {
    /// Right after an entry; `0-0` for the beginning. What was trimmed before it began is no loss of this reader.
    pub fn after(stream: Stream, id: &str) -> Self {
        Self { stream, after: id.to_owned(), place: None }
    }

    /// The last entry that was read: where another reader may go on.
    pub fn cursor(&self) -> &str {
        &self.after
    }
}

impl Events<'_> {
    /// The end of a stream as it is now.
    pub async fn end(&self, stream: Stream) -> Result<Tail> {
        let last = self.newest(stream, 1).await?.pop().map_or_else(|| "0-0".to_owned(), |entry| entry.id);
        Ok(Tail::after(stream, &last))
    }

    /// The newest entries, oldest first.
    pub async fn newest(&self, stream: Stream, count: u64) -> Result<Vec<Entry>> {
        let mut range = cmd("XREVRANGE");
        range.arg(stream.key(self.plane.keys()).as_str()).arg("+").arg("-").arg("COUNT").arg(count);
        let value: Value = self.plane.store().query(&range).await?;
        let mut entries = array(value)?.into_iter().map(entry).collect::<Result<Vec<_>>>()?;
        entries.reverse();
        Ok(entries)
    }

    /// Reads on, waiting up to `wait` for something.
    pub async fn follow(&self, tail: &mut Tail, wait: Duration) -> Result<Outcome<Tailed>> {
        let step = self.step(tail).await?;
        let nothing = matches!(&step, Outcome::Done(step) if step.entries.is_empty() && step.lost == 0);
        if !nothing || wait.is_zero() {
            return Ok(step);
        }
        let mut xread = cmd("XREAD");
        xread.arg("COUNT").arg(1).arg("BLOCK").arg(millis(wait).max(1)).arg("STREAMS");
        xread.arg(tail.stream.key(self.plane.keys()).as_str()).arg(&tail.after);
        self.plane.store().dedicated().query::<Value>(&xread, wait).await?;
        self.step(tail).await
    }

    async fn step(&self, tail: &mut Tail) -> Result<Outcome<Tailed>> {
        let place = tail.place.and_then(|place| i64::try_from(place).ok()).unwrap_or(-1);
        let args = [Arg::from(tail.after.as_str()), Arg::from(place), Arg::from(PAGE)];
        let keys = [tail.stream.key(self.plane.keys())];
        let words = array(self.plane.store().run(&script::TAIL, &keys, &args).await?)?;
        if text(words.first()) != "tail" {
            return refused(words);
        }
        let [_, place, lost, _, entries] = <[Value; 5]>::try_from(words).map_err(|_| undecodable("tail"))?;
        let entries = array(entries)?.into_iter().map(entry).collect::<Result<Vec<_>>>()?;
        if let Some(last) = entries.last() {
            tail.after.clone_from(&last.id);
        }
        tail.place = text(Some(&place)).parse().ok();
        Ok(Outcome::Done(Tailed { entries, lost: number(&lost) }))
    }
}
