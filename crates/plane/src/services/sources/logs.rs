//! The lines that a service has logged, as its Loki has them, the last first.
//!
//! Many lines can have one moment, so a page that ends among them says how many of them it had. Loki gives what is earlier
//! than `end`; the lines of that moment itself are asked for again only where some of them are still to be shown.

use std::str::FromStr;

use quorate_catalog::ids::ServiceId;
use quorate_outgoing::Call;
use quorate_store::{Micros, Result};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value as Json;

use super::super::{Services, bad};
use super::config::{self, Match};
use super::quote::{literally, matcher, quoted};
use super::{Asked, labels, results, unusable};
use crate::Outcome;

const LOKI: &str = "Loki";
/// Most lines of one moment that a cursor counts: as many as a Loki gives at once.
const MOST_SKIPPED: u64 = 4_000;
/// Longest text of a filter.
const LONGEST: usize = 512;

/// A moment in nanoseconds since 1970.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Nanos(pub u64);

impl Nanos {
    fn iso(self) -> String {
        Micros::new(self.0 / 1_000).iso()
    }
}

impl FromStr for Nanos {
    type Err = String;

    /// Nanoseconds, or ISO 8601.
    fn from_str(text: &str) -> std::result::Result<Self, String> {
        let text = text.trim();
        let known = || Some(Self(crate::tasks::moment(text)?.get().checked_mul(1_000)?));
        let counted = || text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok().map(Self));
        let found = counted().flatten().or_else(known).filter(|own| i64::try_from(own.0).is_ok());
        found.ok_or_else(|| "use a moment in ISO 8601, or nanoseconds since 1970".to_owned())
    }
}

/// Where a page ended: a moment, and how many of its lines were shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Before {
    at: Nanos,
    shown: u64,
}

impl FromStr for Before {
    type Err = String;

    /// A moment, or `loki:NANOSECONDS:SHOWN`.
    fn from_str(text: &str) -> std::result::Result<Self, String> {
        let Some(rest) = text.trim().strip_prefix("loki:") else {
            return Ok(Self { at: text.parse()?, shown: 0 });
        };
        let bad = || "use the next_cursor of a page, or a moment".to_owned();
        let (at, shown) = rest.split_once(':').ok_or_else(bad)?;
        let shown = shown.parse().ok().filter(|shown| *shown <= MOST_SKIPPED).ok_or_else(bad)?;
        Ok(Self { at: Nanos(at.parse().map_err(|_| bad())?), shown })
    }
}

impl Before {
    fn written(self) -> String {
        let Self { at: Nanos(at), shown } = self;
        if shown == 0 { at.to_string() } else { format!("loki:{at}:{shown}") }
    }
}

/// Which lines are asked for; all that is given must hold.
#[derive(Debug, Clone, Default)]
pub struct LogQuery {
    pub task_id: Option<String>,
    pub correlation_id: Option<String>,
    pub level: Option<String>,
    pub source: Option<String>,
    pub pod: Option<String>,
    /// A text that the line has.
    pub query: Option<String>,
    pub before: Option<Before>,
    pub from: Option<Nanos>,
    pub to: Option<Nanos>,
    pub limit: usize,
}

/// A line.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct LogEntry {
    pub service_id: String,
    pub task_id: Option<String>,
    pub correlation_id: Option<String>,
    pub timestamp: String,
    pub level: Option<String>,
    /// What wrote it; `unknown` where nothing says so.
    pub source: String,
    /// The line, as whoever wrote it has it.
    pub message: String,
    /// Its `labels`, and its moment in nanoseconds as `loki_cursor`.
    pub fields: Json,
    #[serde(skip)]
    at: u64,
}

/// A page of lines, the last first.
#[derive(Debug, Clone, Default, Serialize, JsonSchema)]
pub struct LogPage {
    pub count: usize,
    pub items: Vec<LogEntry>,
    /// `before` of the next page.
    pub next_cursor: Option<String>,
}

impl Services<'_> {
    /// The lines of a service, or of one of its tasks.
    pub async fn logs(&self, id: &ServiceId, query: &LogQuery) -> Result<Outcome<LogPage>> {
        check(query).map_err(bad)?;
        let (service, config) = match self.sourced::<config::Logs>(id).await? {
            Outcome::Done(found) => found,
            Outcome::Refused(why) => return Ok(Outcome::Refused(why)),
        };
        Ok(match self.lines(&service.service_id, &config, query).await {
            Ok(page) => Outcome::Done(page),
            Err(why) => Outcome::Refused(why),
        })
    }

    async fn lines(&self, service: &str, config: &config::Logs, query: &LogQuery) -> Asked<LogPage> {
        let shown = query.before.map_or(0, |before| before.shown);
        let most = (query.limit as u64).saturating_add(shown).saturating_add(1);
        let mut call = Call::get()
            .below(["loki", "api", "v1", "query_range"])
            .with("query", &expression(config, query)?)
            .with("limit", &most.to_string())
            .with("direction", "backward");
        if let Some(Nanos(from)) = query.from {
            call = call.with("start", &from.to_string());
        }
        if let Some(end) = end(query) {
            call = call.with("end", &end.to_string());
        }
        if let Some(tenant) = &config.place.tenant_id {
            call = call.header("x-scope-orgid", tenant);
        }
        let said = self.told(LOKI, &config.place.base_url, call).await?;
        let found = entries(service, config, results(LOKI, &said, "streams")?);
        Ok(page(found, query))
    }
}

fn check(query: &LogQuery) -> std::result::Result<(), String> {
    let texts =
        [&query.task_id, &query.correlation_id, &query.level, &query.source, &query.pod, &query.query];
    if texts.into_iter().flatten().any(|text| text.len() > LONGEST) {
        return Err(format!("a filter has at most {LONGEST} bytes"));
    }
    match (query.from, query.to) {
        (Some(from), Some(to)) if from > to => Err("from is later than to".to_owned()),
        _ => Ok(()),
    }
}

fn said(text: &Option<String>) -> Option<&str> {
    text.as_deref().map(str::trim).filter(|text| !text.is_empty())
}

/// The question in Loki's language. What makes out the service always holds; whatever is asked for only adds to it.
fn expression(config: &config::Logs, query: &LogQuery) -> Asked<String> {
    let (mut matchers, mut filters) = (Vec::new(), String::new());
    for (name, value) in &config.service_selector_labels {
        matchers.push(matcher(name.trim(), "=", value.trim()));
    }
    let labelled =
        [("source", &query.source, &config.source_label), ("level", &query.level, &config.level_label)];
    for (what, wanted, label) in labelled {
        let Some(wanted) = said(wanted) else { continue };
        let none =
            || unusable(&format!("log_config names no {what}_label, so lines cannot be chosen by {what}"));
        matchers.push(matcher(label.as_deref().ok_or_else(none)?, "=", wanted));
    }
    matchers.extend(said(&query.pod).map(|pod| matcher("pod", "=", pod)));
    match (said(&query.correlation_id), &config.correlation_id_label) {
        (Some(wanted), Some(label)) => matchers.push(matcher(label, "=", wanted)),
        (Some(wanted), None) => filters += &format!(" |= {}", quoted(wanted)),
        (None, _) => {}
    }
    if let Some(task) = said(&query.task_id) {
        match (config.task_match_mode, &config.task_id_label) {
            (Match::Label, Some(label)) => matchers.push(matcher(label, "=", task)),
            // Without a label the lines of a task are those that have its id.
            (Match::Label, None) => filters += &format!(" |= {}", quoted(task)),
            (Match::Contains, _) => filters += &format!(" |= {}", quoted(&filled(config, task))),
            (Match::Regex, _) => filters += &format!(" |~ {}", quoted(&filled(config, &literally(task)))),
        }
    }
    filters.extend(said(&query.query).map(|text| format!(" |= {}", quoted(text))));
    Ok(format!("{{{}}}{filters}", matchers.join(",")))
}

fn filled(config: &config::Logs, task: &str) -> String {
    config.task_match_template.as_deref().unwrap_or("{task_id}").replace("{task_id}", task)
}

/// The moment before which lines are asked for.
fn end(query: &LogQuery) -> Option<u64> {
    let before = query.before.map(|Before { at: Nanos(at), shown }| at.saturating_add(u64::from(shown > 0)));
    before.into_iter().chain(query.to.map(|Nanos(to)| to)).min()
}

fn entries(service: &str, config: &config::Logs, streams: &[Json]) -> Vec<LogEntry> {
    let mut all: Vec<LogEntry> =
        streams.iter().flat_map(|stream| of_stream(service, config, stream)).collect();
    all.sort_by_key(|entry| std::cmp::Reverse(entry.at));
    all
}

fn of_stream(service: &str, config: &config::Logs, stream: &Json) -> Vec<LogEntry> {
    let labels = labels(&stream["stream"]);
    let of = |label: &Option<String>| label.as_ref().and_then(|label| labels.get(label)).cloned();
    let line = |value: &Json| {
        let at = value[0].as_str()?.trim();
        Some(LogEntry {
            service_id: service.to_owned(),
            task_id: of(&config.task_id_label),
            correlation_id: of(&config.correlation_id_label),
            timestamp: Nanos(at.parse().ok()?).iso(),
            level: of(&config.level_label),
            source: of(&config.source_label).unwrap_or_else(|| "unknown".to_owned()),
            message: value[1].as_str()?.to_owned(),
            fields: serde_json::json!({ "labels": labels, "loki_cursor": at }),
            at: at.parse().ok()?,
        })
    };
    stream["values"].as_array().into_iter().flatten().filter_map(line).collect()
}

/// Cuts the page out of what Loki gave, and says where the next one begins.
fn page(mut all: Vec<LogEntry>, query: &LogQuery) -> LogPage {
    if let Some(Before { at: Nanos(at), shown }) = query.before {
        let mut skip = shown;
        all.retain(|entry| {
            let again = entry.at == at && skip > 0;
            skip -= u64::from(again);
            !again && (entry.at < at || (entry.at == at && shown > 0))
        });
    }
    let rest = all.split_off(all.len().min(query.limit));
    let next = all.last().filter(|_| !rest.is_empty()).map(|last| {
        let same = |entry: &&LogEntry| entry.at == last.at;
        let before = query.before.filter(|before| before.at.0 == last.at).map_or(0, |before| before.shown);
        let shown = all.iter().filter(same).count() as u64 + before;
        let hidden = rest.iter().any(|entry| entry.at == last.at);
        Before { at: Nanos(last.at), shown: if hidden { shown } else { 0 } }
    });
    LogPage { count: all.len(), items: all, next_cursor: next.map(Before::written) }
}

#[cfg(test)]
mod tests;
