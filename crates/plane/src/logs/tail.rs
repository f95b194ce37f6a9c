//! Following the logs of many services at once, in the order in which the store took them.

use std::collections::{BTreeMap, HashMap};
use std::time::Duration;

use quorate_catalog::ids::LogServiceId;
use quorate_store::{Dedicated, Micros, Result, Value, cmd};

use super::Logs;
use super::envelope::{Level, Record, weight};
use crate::events::{Entry, entries_of};

/// Most records of one service in one step.
const PAGE: usize = 500;
/// How often new services are looked for.
const LOOK_EVERY: Duration = Duration::from_secs(10);

/// Which records are wanted.
#[derive(Debug, Clone, Default)]
pub struct Filter {
    /// At least this serious.
    pub level: Option<Level>,
    /// Text that the message or a field contains, in any case of its letters.
    pub grep: Option<String>,
    pub target: Option<String>,
}

impl Filter {
    pub fn accepts(&self, record: &Record) -> bool {
        let contains = |text: &str, part: &str| text.to_lowercase().contains(&part.to_lowercase());
        self.level.is_none_or(|least| weight(record.level) >= weight(least))
            && self.target.as_ref().is_none_or(|target| record.target.starts_with(target.as_str()))
            && self.grep.as_ref().is_none_or(|part| {
                contains(&record.msg, part)
                    || contains(&serde_json::Value::Object(record.fields.clone()).to_string(), part)
            })
    }
}

/// Records that were trimmed before they could be given: who follows was too slow for them.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct LogGap {
    pub service: String,
    pub lost: u64,
}

/// How far one service was followed.
struct Place {
    service: LogServiceId,
    /// The last record that was given.
    last: String,
    /// The number of that record among all that were ever written; too high at most.
    number: u64,
}

/// A place in the logs of several services.
pub struct LogTail {
    after: BTreeMap<String, Place>,
    gaps: Vec<LogGap>,
    /// Whether services that come later are followed too.
    all: bool,
    looked: tokio::time::Instant,
    waiting: Dedicated,
}

impl LogTail {
    /// What was lost since this was last asked.
    pub fn gaps(&mut self) -> Vec<LogGap> {
        std::mem::take(&mut self.gaps)
    }
}

impl Logs<'_> {
    /// The last records of these services (of all, if none is named), oldest first, and the place behind them.
    pub async fn tail(
        &self,
        services: &[LogServiceId],
        last: usize,
        since: Option<Micros>,
        filter: &Filter,
    ) -> Result<(Vec<Record>, LogTail)> {
        let all = services.is_empty();
        let names = if all { self.names().await? } else { services.to_vec() };
        let from = since.map_or_else(|| "-".to_owned(), |since| since.millis().to_string());
        let mut found: Vec<(Entry, LogServiceId)> = Vec::new();
        let mut after = BTreeMap::new();
        for service in names {
            let mut range = cmd("XREVRANGE");
            range.arg(self.plane.keys().reverie().log_stream(&service).as_str()).arg("+").arg(&from);
            // With a filter most may not fit, so more are looked at than are wanted.
            let most =
                if since.is_some() { super::KEEP } else { last.saturating_mul(4).clamp(1, super::KEEP) };
            let entries = entries_of(self.plane.store().query(range.arg("COUNT").arg(most)).await?)?;
            let newest = entries.first().map_or_else(|| "0-0".to_owned(), |entry| entry.id.clone());
            found.extend(entries.into_iter().map(|entry| (entry, service.clone())));
            let number = self.written(&service).await?.0;
            after.insert(service.as_key().to_owned(), Place { service, last: newest, number });
        }
        let mut records = in_order(found, filter);
        let skip = records.len().saturating_sub(last);
        let looked = tokio::time::Instant::now();
        let waiting = self.plane.store().dedicated();
        Ok((records.split_off(skip), LogTail { after, gaps: Vec::new(), all, looked, waiting }))
    }

    /// What came since, waiting up to `wait` for it. All services are read at one moment, so the order holds from step to step.
    pub async fn follow(&self, tail: &mut LogTail, filter: &Filter, wait: Duration) -> Result<Vec<Record>> {
        if tail.all && tail.looked.elapsed() >= LOOK_EVERY.min(wait.max(Duration::from_secs(1))) {
            tail.looked = tokio::time::Instant::now();
            for service in self.names().await? {
                let name = service.as_key().to_owned();
                tail.after.entry(name).or_insert(Place { service, last: "0-0".to_owned(), number: 0 });
            }
        }
        if tail.after.is_empty() {
            tokio::time::sleep(wait.min(Duration::from_millis(500))).await;
            return Ok(Vec::new());
        }
        let mut xread = cmd("XREAD");
        xread.arg("COUNT").arg(PAGE).arg("BLOCK").arg(crate::locks::millis(wait).max(1)).arg("STREAMS");
        let keys = self.plane.keys();
        for place in tail.after.values() {
            xread.arg(keys.reverie().log_stream(&place.service).as_str());
        }
        for place in tail.after.values() {
            xread.arg(&place.last);
        }
        let streams: Vec<(String, Value)> = match tail.waiting.query(&xread, wait).await? {
            Value::Nil => Vec::new(),
            value => quorate_store::FromRedisValue::from_redis_value(value)
                .map_err(|_| crate::outcome::undecodable("XREAD"))?,
        };
        let mut found = Vec::new();
        for (key, entries) in streams {
            let known =
                tail.after.values().find(|own| keys.reverie().log_stream(&own.service).as_str() == key);
            let Some(service) = known.map(|own| own.service.clone()) else { continue };
            found.push((service, entries_of(entries)?));
        }
        for (service, _) in found.iter().filter(|(_, entries)| entries.len() >= PAGE) {
            let (written, kept) = self.written(service).await?;
            let Some(place) = tail.after.get_mut(service.as_key()) else { continue };
            let lost = written.saturating_sub(kept).saturating_sub(place.number);
            if lost > 0 {
                place.number += lost;
                tail.gaps.push(LogGap { service: service.as_key().to_owned(), lost });
            }
        }
        Ok(in_order(up_to_the_shortest(found, &mut tail.after), filter))
    }

    /// How many records of a service were ever written, and how many are kept.
    async fn written(&self, service: &LogServiceId) -> Result<(u64, u64)> {
        let mut info = cmd("XINFO");
        info.arg("STREAM").arg(self.plane.keys().reverie().log_stream(service).as_str());
        // A service without records has no stream.
        let Ok(facts) = self.plane.store().query::<HashMap<String, Value>>(&info).await else {
            return Ok((0, 0));
        };
        let number = |name: &str| match facts.get(name) {
            Some(Value::Int(number)) => u64::try_from(*number).unwrap_or(0),
            _ => 0,
        };
        Ok((number("entries-added"), number("length")))
    }
}

/// A page that is full may be followed by records older than those of other services, so nothing behind its end is given yet.
fn up_to_the_shortest(
    found: Vec<(LogServiceId, Vec<Entry>)>,
    after: &mut BTreeMap<String, Place>,
) -> Vec<(Entry, LogServiceId)> {
    let full = found.iter().filter(|(_, entries)| entries.len() >= PAGE);
    let horizon = full.filter_map(|(_, entries)| entries.last().map(order)).min();
    let mut ready = Vec::new();
    for (service, entries) in found {
        for entry in entries.into_iter().filter(|entry| horizon.is_none_or(|horizon| order(entry) <= horizon))
        {
            if let Some(place) = after.get_mut(service.as_key()) {
                place.last.clone_from(&entry.id);
                place.number += 1;
            }
            ready.push((entry, service.clone()));
        }
    }
    ready
}

fn in_order(mut found: Vec<(Entry, LogServiceId)>, filter: &Filter) -> Vec<Record> {
    found.sort_by(|(one, a), (other, b)| (order(one), a.as_key()).cmp(&(order(other), b.as_key())));
    let records =
        found.iter().map(|(entry, service)| Record::read(service.as_key(), &entry.id, &entry.fields));
    records.filter(|record| filter.accepts(record)).collect()
}

fn order(entry: &Entry) -> (u64, u64) {
    crate::feed::order(&entry.id)
}
