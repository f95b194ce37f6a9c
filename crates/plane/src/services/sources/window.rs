//! When a task ran, as far as its service says so.

use std::time::Duration;

use quorate_catalog::ids::{ServiceId, TaskId};
use quorate_store::{Micros, Result};
use serde_json::Value as Json;

use super::super::{Services, TaskDetail};
use super::config;
use super::metrics::{MetricsQuery, USUAL};
use crate::Outcome;
use crate::tasks::moment;

pub(super) const APPROXIMATE: &str =
    "these are the pods of the service while the task ran; they may have run other tasks too";
const UNKNOWN: &str = "when the task ran is not known, so this is the last hour";
/// Where an event says when it was.
const MOMENTS: [&str; 5] = ["timestamp", "event_timestamp", "created_at", "updated_at", "ingested_at"];

/// What is asked for, or the hour before its end, or the last one.
pub(super) fn usual(query: &MetricsQuery, now: Micros) -> (Micros, Micros) {
    let to = query.to.unwrap_or(now);
    (query.from.unwrap_or_else(|| earlier(to, USUAL)), to.max(query.from.unwrap_or(to)))
}

fn earlier(at: Micros, by: Duration) -> Micros {
    Micros::new(at.get().saturating_sub(u64::try_from(by.as_micros()).unwrap_or(u64::MAX)))
}

impl Services<'_> {
    /// From when to when a task ran, with some time on both sides; what somebody asks for is stronger.
    pub(super) async fn while_it_ran(
        &self,
        id: &ServiceId,
        task: &TaskId,
        config: &config::Metrics,
        query: &MetricsQuery,
        warnings: &mut Vec<String>,
    ) -> Result<(Micros, Micros)> {
        let now = self.plane.store().time().await?;
        if query.from.is_some() || query.to.is_some() {
            return Ok(usual(query, now));
        }
        let (from, to) = match self.task(id, task).await? {
            Outcome::Done(detail) => ran(&detail),
            Outcome::Refused(_) => (None, None),
        };
        if from.is_none() {
            warnings.push(UNKNOWN.to_owned());
        }
        let to = to.filter(|_| from.is_some()).unwrap_or(now);
        let from = from.unwrap_or_else(|| earlier(now, USUAL));
        let padding = Duration::from_secs(config.task_window_padding_seconds);
        Ok((earlier(from, padding), to.max(from).plus(padding)))
    }
}

/// When it began and ended: as its graph has it, else by its first and last event.
fn ran(detail: &TaskDetail) -> (Option<Micros>, Option<Micros>) {
    let at = |value: &Json| value.as_str().and_then(moment);
    let of = |part: &Option<Json>, path: &str| part.as_ref().and_then(|part| part.pointer(path)).cloned();
    let graph = |path: &str| of(&detail.execution_graph, path).as_ref().and_then(at);
    let events =
        of(&detail.history, "/events").and_then(|events| events.as_array().cloned()).unwrap_or_default();
    let moments: Vec<Micros> =
        events.iter().filter_map(|event| MOMENTS.iter().find_map(|name| at(&event[*name]))).collect();
    let began = graph("/summary/started_at").or_else(|| moments.iter().min().copied());
    let ended = graph("/summary/ended_at").or_else(|| moments.iter().max().copied());
    (began, ended)
}
