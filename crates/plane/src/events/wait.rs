//! Waiting for entries: those who read for a group stand in line, and a stream has one connection that waits for all of them.
//!
//! Who is first in line looks once a second by itself, for what a dead consumer left. How long that may be is each
//! reader's own word, so those of one group stand together only if they say the same.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use quorate_catalog::Keys;
use quorate_store::{Result, Store, Value, cmd};
use tokio::time::{Instant, sleep, timeout};

use super::{Batch, Events, Read, Stream, entries_of};
use crate::feed::order;
use crate::hall::{Ended, Found, Hall, LOOK, Lines, Place, lock};
use crate::locks::millis;
use crate::{Outcome, Plane};

/// Who looks more often than a line is looked after looks by itself, but not all the time.
const SHORTEST: Duration = Duration::from_millis(50);

/// The lines of those who wait, and what is watched for them.
#[derive(Debug, Default)]
pub(crate) struct Streams {
    hall: Hall,
    watched: Watched,
}

type Watched = Arc<Mutex<HashMap<Stream, Watch>>>;

#[derive(Debug)]
struct Watch {
    /// The newest entry that those in line were told of.
    seen: String,
    _task: Ended,
}

impl Events<'_> {
    /// What a dead consumer left and what is new, waiting for it as long as the request says.
    pub async fn read(&self, wanted: &Read) -> Result<Outcome<Batch>> {
        let deadline = Instant::now() + wanted.wait;
        let (mut place, mut turn): (Option<Place>, _) = (None, None);
        loop {
            let batch = match self.read_once(wanted).await? {
                Outcome::Done(batch) => batch,
                refused @ Outcome::Refused(_) => return Ok(refused),
            };
            let found = batch.entries.len() + usize::from(batch.gap.is_some());
            turn.take().into_iter().for_each(|turn: crate::hall::Turn| {
                turn.found(Found { items: found, ..Found::default() });
            });
            let left = deadline.saturating_duration_since(Instant::now());
            if found > 0 || left.is_zero() || self.plane.waits.are_over() {
                return Ok(Outcome::Done(batch));
            }
            let nap = if wanted.idle < LOOK { left.min(wanted.idle.max(SHORTEST)) } else { left };
            let waiting =
                place.get_or_insert_with(|| self.plane.stream_waits().take(self.plane, wanted, &batch.last));
            turn = self.plane.waits.for_what(timeout(nap, waiting.turn())).await.and_then(Result::ok);
        }
    }
}

impl Streams {
    /// Stands behind all who wait for the same, after having seen the stream up to `last`.
    fn take(&self, plane: &Plane, wanted: &Read, last: &str) -> Place {
        let (stream, idle) = (wanted.stream, millis(wanted.idle));
        let mut place = self.hall.arrive();
        // In this order: whatever is seen from now on is told to this line too.
        let mut watched = lock(&self.watched);
        let name = format!("{}{idle} {}", prefix(stream), wanted.group);
        self.hall.enter(&mut place, name, |_, _| None);
        let watch = watched.entry(stream).or_insert_with(|| {
            // Nobody's request: what waits for many outlasts that of one.
            let (store, keys) = (plane.store().natural(), plane.keys().clone());
            let run = watch(store, keys, stream, self.hall.lines.clone(), Arc::downgrade(&self.watched));
            Watch { seen: last.to_owned(), _task: Ended::with(run) }
        });
        if order(&watch.seen) > order(last) {
            place.tell(|news| news.first = true);
        }
        place
    }
}

/// What the names of all lines for a stream begin with.
fn prefix(stream: Stream) -> String {
    format!("{} ", stream.name())
}

/// Waits for new entries of a stream as long as there are lines for it, and tells them.
async fn watch(
    store: Store,
    keys: Keys,
    stream: Stream,
    lines: Lines,
    watched: std::sync::Weak<Mutex<HashMap<Stream, Watch>>>,
) {
    let (mut connection, key, prefix) = (store.dedicated(), stream.key(&keys), prefix(stream));
    let own = |name: &str| name.starts_with(&prefix);
    loop {
        let Some(all) = watched.upgrade() else { return };
        let seen = match lock(&all).get(&stream) {
            Some(watch) => watch.seen.clone(),
            None => return,
        };
        drop(all);
        let mut xread = cmd("XREAD");
        xread.arg("COUNT").arg(1).arg("BLOCK").arg(millis(LOOK)).arg("STREAMS").arg(key.as_str()).arg(&seen);
        let came = match connection.query::<Value>(&xread, LOOK).await {
            Ok(Value::Nil) => false,
            Ok(_) => true,
            // A server that is away is asked again; the first in line looks meanwhile.
            Err(_) => {
                sleep(LOOK / 2).await;
                false
            }
        };
        let newest = if came { newest(&store, key.as_str()).await.unwrap_or(seen) } else { seen };
        let Some(all) = watched.upgrade() else { return };
        let mut all = lock(&all);
        if let Some(watch) = all.get_mut(&stream) {
            watch.seen = newest;
        }
        if came {
            lines.tell_all(own, |news| news.first = true);
        }
        // Whoever comes next watches anew.
        if !lines.any(own) {
            all.remove(&stream);
            return;
        }
    }
}

/// The id of the newest entry: however many came, those in line are told once.
async fn newest(store: &Store, key: &str) -> Option<String> {
    let mut range = cmd("XREVRANGE");
    range.arg(key).arg("+").arg("-").arg("COUNT").arg(1);
    entries_of(store.query(&range).await.ok()?).ok()?.pop().map(|entry| entry.id)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::events::Event;

    /// Between its look and its place in line an entry came, and everybody who stood there was told.
    #[tokio::test]
    async fn who_comes_after_an_entry_was_seen_is_told_of_it_at_once() {
        quorate_testkit::check(&[], async |bench| {
            let plane = Plane::new(bench.scope.clone()).unwrap();
            let (waits, wanted) = (plane.stream_waits(), Read::new(Stream::All, "g", "c"));
            // A line in which nobody stands is kept for a while, and looked after once a second.
            drop(waits.take(&plane, &wanted, "0-0"));
            let event = Event { event: "e".into(), payload: "{}".into(), source: "s".into() };
            plane.events().publish(Stream::All, &[event]).await.unwrap().unwrap();
            sleep(Duration::from_millis(200)).await;
            let mut late = waits.take(&plane, &wanted, "0-0");
            timeout(LOOK / 2, late.turn()).await.expect("it is called").found(Found::default());
            let seen = lock(&waits.watched)[&Stream::All].seen.clone();
            let mut in_time = waits.take(&plane, &wanted, &seen);
            assert!(timeout(LOOK / 4, in_time.turn()).await.is_err(), "there is nothing new for it");
        })
        .await;
    }
}
