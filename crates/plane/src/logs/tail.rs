//! Following the logs of many services at once, in the order in which the store took them.

use std::collections::BTreeMap;
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

/// A place in the logs of several services.
pub struct LogTail {
    /// The last record that was given, by service.
    after: BTreeMap<String, (LogServiceId, String)>,
    /// Whether services that come later are followed too.
    all: bool,
    looked: tokio::time::Instant,
    waiting: Dedicated,
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
            after.insert(service.as_key().to_owned(), (service, newest));
        }
        let mut records = in_order(found, filter);
        let skip = records.len().saturating_sub(last);
        let looked = tokio::time::Instant::now();
        let waiting = self.plane.store().dedicated();
        Ok((records.split_off(skip), LogTail { after, all, looked, waiting }))
    }

    /// What came since, waiting up to `wait` for it. All services are read at one moment, so the order holds from step to step.
    pub async fn follow(&self, tail: &mut LogTail, filter: &Filter, wait: Duration) -> Result<Vec<Record>> {
        if tail.all && tail.looked.elapsed() >= LOOK_EVERY.min(wait.max(Duration::from_secs(1))) {
            tail.looked = tokio::time::Instant::now();
            for service in self.names().await? {
                let name = service.as_key().to_owned();
                tail.after.entry(name).or_insert((service, "0-0".to_owned()));
            }
        }
        if tail.after.is_empty() {
            tokio::time::sleep(wait.min(Duration::from_millis(500))).await;
            return Ok(Vec::new());
        }
        let mut xread = cmd("XREAD");
        xread.arg("COUNT").arg(PAGE).arg("BLOCK").arg(crate::locks::millis(wait).max(1)).arg("STREAMS");
        let keys = self.plane.keys();
        for (service, _) in tail.after.values() {
            xread.arg(keys.reverie().log_stream(service).as_str());
        }
        for (_, id) in tail.after.values() {
            xread.arg(id);
        }
        let streams: Vec<(String, Value)> = match tail.waiting.query(&xread, wait).await? {
            Value::Nil => Vec::new(),
            value => quorate_store::FromRedisValue::from_redis_value(value)
                .map_err(|_| crate::outcome::undecodable("XREAD"))?,
        };
        let mut found = Vec::new();
        for (key, entries) in streams {
            let known = tail.after.values().find(|(own, _)| keys.reverie().log_stream(own).as_str() == key);
            let Some(service) = known.map(|(service, _)| service.clone()) else { continue };
            found.push((service, entries_of(entries)?));
        }
        Ok(in_order(up_to_the_shortest(found, &mut tail.after), filter))
    }
}

/// A page that is full may be followed by records older than those of other services, so nothing behind its end is given yet.
fn up_to_the_shortest(
    found: Vec<(LogServiceId, Vec<Entry>)>,
    after: &mut BTreeMap<String, (LogServiceId, String)>,
) -> Vec<(Entry, LogServiceId)> {
    let full = found.iter().filter(|(_, entries)| entries.len() >= PAGE);
    let horizon = full.filter_map(|(_, entries)| entries.last().map(order)).min();
    let mut ready = Vec::new();
    for (service, entries) in found {
        for entry in entries.into_iter().filter(|entry| horizon.is_none_or(|horizon| order(entry) <= horizon))
        {
            if let Some((_, last)) = after.get_mut(service.as_key()) {
                last.clone_from(&entry.id);
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
