//! Pages and sums of relayna's dead letters.
//!
//! A cursor is a place in time and not a name, so a page goes on where the last one ended, also after the record there was
//! deleted. A name is understood too, as the seed's clients give it; one that nobody knows is refused, not read as the beginning.

use futures_util::{StreamExt, TryStreamExt, stream};
use quorate_catalog::ids::{DeadLetterId, QueueNameId, TaskId};
use quorate_store::{Micros, Result, cmd, pipe};

use super::replay::read;
use super::{Adopt, FailedFilter, Page, QueueSum, Record, RecordFilter, Records, refused, word};
use crate::Outcome;
use crate::queues::Queue;

/// Records looked at in one call.
pub(super) const CHUNK: usize = 200;
/// Elements of the seed's list among which records of other clients are looked for in one call.
const FRESH: usize = 500;
/// Most records of other clients taken in for one question; it is more than a page has, so no page misses any.
const ADOPTED: usize = 1_000;
/// Records taken in at once.
const AT_ONCE: usize = 64;

impl Records<'_> {
    /// Records that a filter means, the newest first.
    pub async fn list(
        &self,
        filter: &RecordFilter,
        cursor: Option<&str>,
        limit: usize,
    ) -> Result<Outcome<Page>> {
        self.adopt().await?;
        let own = self.plane.keys().quorate();
        let view = match &filter.queue_name {
            Some(queue) => own.dlq_queue(&word(queue)?),
            None => own.dlq_all(),
        };
        let mut place = match cursor {
            None => None,
            Some(text) => match self.place(text).await? {
                Some(place) => Some(place),
                None => return Ok(refused("unknown_cursor", text)),
            },
        };
        let mut items: Vec<Record> = Vec::new();
        let mut end = None;
        loop {
            let chunk = self.chunk(view.as_str(), place.as_ref(), &filter.failed).await?;
            let Some(last) = chunk.last().cloned() else { break };
            for (text, (at, name)) in self.texts(&chunk).await?.into_iter().zip(&chunk) {
                let Ok(id) = DeadLetterId::parse(name) else { continue };
                let Some(text) = text else {
                    self.expired(&id, None).await?;
                    continue;
                };
                let Some(record) = Record::of(&id, &text) else { continue };
                if !filter.matches(&record) {
                    continue;
                }
                if items.len() == limit {
                    return Ok(Outcome::Done(Page { items, next_cursor: end }));
                }
                // By the index, which also tells where to go on: what a record says may have been changed since.
                end = Some(format!("{at}~{name}"));
                items.push(record.short());
            }
            place = Some(last);
        }
        Ok(Outcome::Done(Page { items, next_cursor: None }))
    }

    /// How many records each queue has, without reading any of them.
    pub async fn queues(&self) -> Result<Vec<QueueSum>> {
        // A sum of some would be wrong, so everything is taken in first.
        self.adopt_most(usize::MAX).await?;
        let own = self.plane.keys().quorate();
        let mut range = cmd("ZRANGE");
        range.arg(own.dlq_queues().as_str()).arg(0).arg(999).arg("REV").arg("WITHSCORES");
        let names: Vec<(String, f64)> = self.plane.store().query(&range).await?;
        let mut sums = Vec::new();
        for (name, last) in names {
            let Ok(queue) = word(&name) else { continue };
            let mut both = pipe();
            both.cmd("ZCARD").arg(own.dlq_queue(&queue).as_str());
            let target =
                read(&name).unwrap_or_else(|| Queue::Job(QueueNameId::parse("none").expect("a name")));
            both.cmd("LLEN").arg(target.list(self.plane.keys()).as_str());
            let (count, waiting): (u64, u64) = self.plane.store().pipeline(&both).await?;
            sums.push(QueueSum {
                queue_name: name,
                indexed_count: count,
                last_indexed_at: Some(Micros::from_millis(last as u64).iso()),
                exists: waiting > 0,
                message_count: Some(waiting),
            });
        }
        Ok(sums)
    }

    /// Takes into our lists what other clients have put into theirs since, the newest first.
    pub(crate) async fn adopt(&self) -> Result<usize> {
        self.adopt_most(ADOPTED).await
    }

    async fn adopt_most(&self, most: usize) -> Result<usize> {
        let list = self.plane.keys().relayna().dead_letter_index();
        let mut both = pipe();
        both.cmd("LLEN").arg(list.as_str());
        both.cmd("ZCARD").arg(self.plane.keys().quorate().dlq_all().as_str());
        let (length, known): (usize, usize) = self.plane.store().pipeline(&both).await?;
        let (mut adopted, mut from) = (0, 0);
        // Where both have as many, a look at the newest is enough.
        while from < length && adopted < most && (from == 0 || length > known) {
            let mut range = cmd("LRANGE");
            range.arg(list.as_str()).arg(from).arg(from + FRESH - 1);
            adopted += self.adopt_all(&self.plane.store().query::<Vec<String>>(&range).await?).await?;
            from += FRESH;
        }
        Ok(adopted)
    }

    async fn adopt_all(&self, names: &[String]) -> Result<usize> {
        let ids: Vec<DeadLetterId> = names.iter().filter_map(|name| DeadLetterId::parse(name).ok()).collect();
        if ids.is_empty() {
            return Ok(0);
        }
        let mut scores = cmd("ZMSCORE");
        scores.arg(self.plane.keys().quorate().dlq_all().as_str());
        ids.iter().for_each(|id| {
            scores.arg(id.as_key());
        });
        let known: Vec<Option<f64>> = self.plane.store().query(&scores).await?;
        let fresh: Vec<(u64, String)> = ids
            .iter()
            .zip(known)
            .filter(|(_, score)| score.is_none())
            .map(|(id, _)| (0, id.to_string()))
            .collect();
        let mut taken = 0;
        // Names whose record is gone stay in the seed's list: they are looked at together, and cost no call each.
        for few in fresh.chunks(AT_ONCE) {
            let mut there = Vec::new();
            for ((_, name), text) in few.iter().zip(self.texts(few).await?) {
                let (Ok(id), Some(text)) = (DeadLetterId::parse(name), text) else { continue };
                there.push(async move { self.adopt_text(&id, &text, Adopt::InTheList).await });
            }
            let all: Vec<bool> = stream::iter(there).buffered(AT_ONCE).try_collect().await?;
            taken += all.into_iter().filter(|taken| *taken).count();
        }
        Ok(taken)
    }

    /// Whether it was taken in: what cannot be read or has no name for a key is left to a person, and stops nobody.
    pub(super) async fn adopt_one(&self, id: &DeadLetterId) -> Result<bool> {
        let Some(text) = self.text(id).await? else { return Ok(false) };
        self.adopt_text(id, &text, Adopt::ByName).await
    }

    async fn adopt_text(&self, id: &DeadLetterId, text: &str, how: Adopt) -> Result<bool> {
        let Some(record) = Record::of(id, text).filter(|record| word(&record.queue_name).is_ok()) else {
            return Ok(false);
        };
        Ok(self.index(id, &record, text, 0, how).await?.refusal().is_none())
    }

    /// Takes the name of a record that is gone out of every list; out of that of its task if somebody knows it.
    pub(super) async fn expired(&self, id: &DeadLetterId, task: Option<&TaskId>) -> Result<()> {
        let own = self.plane.keys().quorate();
        let mut range = cmd("ZRANGE");
        range.arg(own.dlq_queues().as_str()).arg(0).arg(-1);
        let names: Vec<String> = self.plane.store().query(&range).await?;
        let mut counted = Vec::new();
        for name in names {
            let Ok(queue) = word(&name) else { continue };
            let mut score = cmd("ZSCORE");
            score.arg(own.dlq_queue(&queue).as_str()).arg(id.as_key());
            if self.plane.store().query::<Option<f64>>(&score).await?.is_some() {
                counted.push(name);
            }
        }
        if counted.is_empty() {
            counted.push(String::new());
        }
        for name in &counted {
            self.forget(id, (name, task), "", "", true).await?;
        }
        Ok(())
    }

    /// The next names behind a place, each with its own.
    async fn chunk(
        &self,
        view: &str,
        behind: Option<&(u64, String)>,
        window: &FailedFilter,
    ) -> Result<Vec<(u64, String)>> {
        let latest = window.to.map(Micros::millis);
        let from = behind.map(|(moment, _)| *moment).into_iter().chain(latest).min();
        let from = from.map_or_else(|| "+inf".to_owned(), |moment| moment.to_string());
        let to = window.from.map_or_else(|| "-inf".to_owned(), |moment| moment.millis().to_string());
        let mut skipped = 0;
        loop {
            let mut range = cmd("ZRANGE");
            range.arg(view).arg(&from).arg(&to).arg("BYSCORE").arg("REV");
            range.arg("LIMIT").arg(skipped).arg(CHUNK).arg("WITHSCORES");
            let found: Vec<(String, f64)> = self.plane.store().query(&range).await?;
            let full = found.len() == CHUNK;
            skipped += found.len();
            let all = found.into_iter().map(|(name, score)| (score as u64, name));
            // Names of one moment come in falling order.
            let further: Vec<(u64, String)> = all
                .filter(|(at, name)| behind.is_none_or(|(moment, last)| at < moment || name < last))
                .collect();
            if !further.is_empty() || !full {
                return Ok(further);
            }
        }
    }

    pub(super) async fn texts(&self, names: &[(u64, String)]) -> Result<Vec<Option<String>>> {
        let mut mget = cmd("MGET");
        for (_, name) in names {
            let id = DeadLetterId::parse(name).map_err(|error| super::bad(error.to_string()))?;
            mget.arg(self.plane.keys().relayna().dead_letter(&id).as_str());
        }
        let found: Vec<Option<Vec<u8>>> = self.plane.store().query(&mget).await?;
        Ok(found
            .into_iter()
            .map(|bytes| bytes.map(|bytes| String::from_utf8_lossy(&bytes).into_owned()))
            .collect())
    }

    /// `MOMENT~NAME`, or a name alone.
    async fn place(&self, text: &str) -> Result<Option<(u64, String)>> {
        if let Some((moment, name)) = text.split_once('~') {
            let name = DeadLetterId::parse(name).ok().map(|id| id.to_string());
            return Ok(moment.parse().ok().zip(name));
        }
        let Ok(id) = DeadLetterId::parse(text) else { return Ok(None) };
        let mut score = cmd("ZSCORE");
        score.arg(self.plane.keys().quorate().dlq_all().as_str()).arg(id.as_key());
        let found: Option<f64> = self.plane.store().query(&score).await?;
        Ok(found.map(|moment| (moment as u64, id.to_string())))
    }
}
