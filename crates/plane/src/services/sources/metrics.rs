//! What is measured of a service over a time, or while one of its tasks ran.

use std::collections::BTreeMap;
use std::time::Duration;

use futures_util::{StreamExt, TryStreamExt, stream};
use quorate_catalog::ids::{ServiceId, TaskId};
use quorate_outgoing::Call;
use quorate_store::{Micros, Result};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value as Json;

use super::super::{Service, Services, bad};
use super::{Asked, Group, config, failed, labels, results, window};
use crate::Outcome;

pub(super) const PROMETHEUS: &str = "Prometheus";
/// How many questions are asked at once.
const AT_ONCE: usize = 8;
/// Most points of a series: a Prometheus gives no more.
const MOST_POINTS: u64 = 11_000;
/// How far back it goes where nobody says.
pub(super) const USUAL: Duration = Duration::from_secs(3_600);

/// What is asked for.
#[derive(Debug, Clone, Default)]
pub struct MetricsQuery {
    /// While this task ran, unless `from` or `to` say otherwise.
    pub task: Option<TaskId>,
    pub from: Option<Micros>,
    pub to: Option<Micros>,
    /// Seconds between two points.
    pub step: Option<u64>,
    /// Nothing for all of them.
    pub groups: Vec<Group>,
}

/// What was measured at a moment.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct MetricPoint {
    pub timestamp: String,
    /// Nothing where it is no number.
    pub value: Option<f64>,
}

/// What was measured, point by point.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct MetricSeries {
    pub metric: Group,
    pub unit: &'static str,
    pub labels: BTreeMap<String, String>,
    pub points: Vec<MetricPoint>,
}

/// What was measured of a service.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Metrics {
    pub service_id: String,
    pub task_id: Option<String>,
    pub from: String,
    pub to: String,
    pub step_seconds: u64,
    /// Whether it is more than the task: the pods that ran it ran others too.
    pub approximate: bool,
    pub warnings: Vec<String>,
    pub series: Vec<MetricSeries>,
}

/// From when to when, how densely.
pub(super) struct Range {
    pub(super) from: Micros,
    pub(super) to: Micros,
    step: u64,
}

impl Services<'_> {
    /// Measures a service, or what ran beside one of its tasks.
    pub async fn metrics(&self, id: &ServiceId, query: &MetricsQuery) -> Result<Outcome<Metrics>> {
        if matches!((query.from, query.to), (Some(from), Some(to)) if from > to) {
            return Err(bad("from is later than to"));
        }
        let (service, config) = match self.sourced::<config::Metrics>(id).await? {
            Outcome::Done(found) => found,
            Outcome::Refused(why) => return Ok(Outcome::Refused(why)),
        };
        let mut warnings = Vec::new();
        let (from, to) = match &query.task {
            Some(task) => {
                warnings.push(window::APPROXIMATE.to_owned());
                self.while_it_ran(id, task, &config, query, &mut warnings).await?
            }
            None => window::usual(query, self.plane.store().time().await?),
        };
        let range = Range { from, to, step: query.step.unwrap_or(config.step_seconds).max(1) };
        if range.to.since(range.from).as_secs() / range.step > MOST_POINTS {
            return Err(bad(format!(
                "that is more than {MOST_POINTS} points: ask for less time, or a longer step"
            )));
        }
        let series = match self.measured(&service, &config, query, &range).await {
            Ok(series) => series,
            Err(why) => return Ok(Outcome::Refused(why)),
        };
        Ok(Outcome::Done(Metrics {
            service_id: service.service_id,
            task_id: query.task.as_ref().map(TaskId::to_string),
            from: range.from.iso(),
            to: range.to.iso(),
            step_seconds: range.step,
            approximate: query.task.is_some(),
            warnings,
            series,
        }))
    }

    /// Every group that is asked for, some at a time, in the order of the groups; the first that fails ends it.
    async fn measured(
        &self,
        service: &Service,
        config: &config::Metrics,
        query: &MetricsQuery,
        range: &Range,
    ) -> Asked<Vec<MetricSeries>> {
        let mut groups = if query.groups.is_empty() { Group::ALL.to_vec() } else { query.groups.clone() };
        let mut seen = Vec::new();
        groups.retain(|group| {
            !seen.contains(group) && {
                seen.push(*group);
                true
            }
        });
        let asked = groups.into_iter().map(|group| self.group(service, config, group, range));
        let all: Vec<Vec<MetricSeries>> = stream::iter(asked).buffered(AT_ONCE).boxed().try_collect().await?;
        Ok(all.into_iter().flatten().collect())
    }

    async fn group(
        &self,
        service: &Service,
        config: &config::Metrics,
        group: Group,
        range: &Range,
    ) -> Asked<Vec<MetricSeries>> {
        let call = Call::get()
            .below(["api", "v1", "query_range"])
            .with("query", &group.expression(config, &service.service_id))
            .with("start", &seconds(range.from))
            .with("end", &seconds(range.to))
            .with("step", &range.step.to_string());
        let said = self.told(PROMETHEUS, &config.place.base_url, tenant(call, config)).await?;
        results(PROMETHEUS, &said, "matrix")?.iter().map(|one| series(group, one)).collect()
    }
}

pub(super) fn tenant(call: Call, config: &config::Metrics) -> Call {
    match &config.place.tenant_id {
        Some(tenant) => call.header("x-scope-orgid", tenant),
        None => call,
    }
}

fn seconds(at: Micros) -> String {
    format!("{}.{:06}", at.seconds(), at.get() % 1_000_000)
}

fn series(group: Group, said: &Json) -> Asked<MetricSeries> {
    let odd = || failed(PROMETHEUS, "its answer has a series without points");
    let points = said["values"].as_array().filter(|_| said["metric"].is_object()).ok_or_else(odd)?;
    let points = points.iter().map(|one| point(one).ok_or_else(odd)).collect::<Asked<_>>()?;
    Ok(MetricSeries { metric: group, unit: group.unit(), labels: labels(&said["metric"]), points })
}

fn point(said: &Json) -> Option<MetricPoint> {
    let (at, value) = (said[0].as_f64().filter(|at| (0.0..1e11).contains(at))?, said[1].as_str()?);
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "it is positive, and in range"
    )]
    let at = Micros::new((at * 1e6).round() as u64);
    let value: f64 = value.parse().ok()?;
    Some(MetricPoint { timestamp: at.iso(), value: Some(value).filter(|value| value.is_finite()) })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_is_no_number_is_nothing_and_what_is_no_point_is_no_answer() {
        let good = json!({ "metric": { "phase": "Running" }, "values": [[1_775_469_600.5, "1.5"], [1_775_469_630, "NaN"], [1_775_469_660, "+Inf"]] });
        let found = series(Group::PodPhase, &good).unwrap();
        let values: Vec<Option<f64>> = found.points.iter().map(|point| point.value).collect();
        assert_eq!((values, found.unit), (vec![Some(1.5), None, None], "state"));
        assert_eq!(found.points[0].timestamp, "2026-04-06T10:00:00.500000Z");
        for odd in [
            json!({}),
            json!({ "metric": {}, "values": [[1]] }),
            json!({ "metric": {}, "values": [[-1, "1"]] }),
            json!({ "metric": {}, "values": [[1, "x"]] }),
            json!(5),
        ] {
            assert_eq!(series(Group::CpuUsage, &odd).unwrap_err().code, "source_failed", "{odd}");
        }
    }
}
