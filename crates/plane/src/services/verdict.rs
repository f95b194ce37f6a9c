//! The verdict on a service, from what was seen of it and what time it is; nothing here asks anybody.

use std::time::Duration;

use quorate_store::Micros;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use super::health::OFFERS_WORKERS;
use super::settings::Stale;
use super::{Activity, Service, Status};
use crate::tasks::moment;

/// The verdict.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Overall {
    Healthy,
    Degraded,
    Stale,
    Unreachable,
    Disabled,
    #[default]
    Unknown,
}

/// Whether it answered.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Reach {
    Reachable,
    Unreachable,
    #[default]
    Unknown,
}

/// How good what is known is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Freshness {
    Fresh,
    Stale,
    #[default]
    Missing,
    Error,
}

/// How workers are.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Working {
    Healthy,
    Stale,
    Unhealthy,
    Unsupported,
    #[default]
    Unknown,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Http {
    pub state: Reach,
    pub checked_at: Option<String>,
    pub error_detail: Option<String>,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Capabilities {
    pub state: Freshness,
    pub checked_at: Option<String>,
    pub last_successful_at: Option<String>,
    pub error_detail: Option<String>,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Observations {
    pub state: Freshness,
    pub latest_status_event_at: Option<String>,
    pub latest_observation_event_at: Option<String>,
    pub latest_ingested_at: Option<String>,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Workers {
    pub state: Working,
    pub reported_at: Option<String>,
    pub latest_heartbeat_at: Option<String>,
    /// As the service said it.
    pub workers: Vec<Json>,
    pub detail: Option<String>,
}

/// How a service fares.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Health {
    pub service_id: String,
    pub registry_status: Status,
    pub http_status: Http,
    pub capability_status: Capabilities,
    pub observation_freshness: Observations,
    pub worker_health: Workers,
    pub last_checked_at: Option<String>,
    pub overall_status: Overall,
    /// Why, the gravest first.
    pub reasons: Vec<String>,
}

impl Health {
    pub(super) fn of(id: &str) -> Self {
        Self { service_id: id.to_owned(), ..Self::default() }
    }

    /// What is kept of a service; nothing is known if it cannot be read or speaks of another one.
    pub(super) fn read(id: &str, kept: Option<&[u8]>) -> Self {
        let known = kept.and_then(|text| serde_json::from_slice::<Self>(text).ok());
        known.filter(|known| known.service_id == id).unwrap_or_else(|| Self::of(id))
    }
}

/// What was seen, judged at this moment.
pub(super) fn judge(
    service: &Service,
    mut seen: Health,
    activity: &Activity,
    now: Micros,
    stale: Stale,
) -> Health {
    seen.registry_status = service.status;
    let known = &mut seen.capability_status;
    if known.last_successful_at.is_none() {
        known.last_successful_at.clone_from(&service.last_seen_at);
    }
    known.state = match age(known.last_successful_at.as_deref(), now) {
        None if known.error_detail.is_some() => Freshness::Error,
        None => Freshness::Missing,
        Some(age) if age > stale.capabilities => Freshness::Stale,
        Some(_) => Freshness::Fresh,
    };
    seen.observation_freshness = observations(activity, now, stale);
    workers(service, &mut seen.worker_health, now, stale);
    let (overall, reasons) = overall(&seen);
    seen.overall_status = overall;
    seen.reasons = reasons;
    seen
}

fn age(text: Option<&str>, now: Micros) -> Option<Duration> {
    text.and_then(moment).map(|at| now.since(at))
}

fn observations(activity: &Activity, now: Micros, stale: Stale) -> Observations {
    let ages = [&activity.latest_status_event_at, &activity.latest_observation_event_at];
    let youngest = ages.iter().filter_map(|text| age(text.as_deref(), now)).min();
    Observations {
        state: match youngest {
            None => Freshness::Missing,
            Some(age) if age > stale.observations => Freshness::Stale,
            Some(_) => Freshness::Fresh,
        },
        latest_status_event_at: activity.latest_status_event_at.clone(),
        latest_observation_event_at: activity.latest_observation_event_at.clone(),
        latest_ingested_at: activity.latest_ingested_at.clone(),
    }
}

/// A worker that does not run is worse than a lease that has run out, and that is as bad as a beat that is old.
fn workers(service: &Service, seen: &mut Workers, now: Micros, stale: Stale) {
    if service.capabilities.is_none() {
        seen.state = Working::Unknown;
        return;
    }
    if !service.offers(OFFERS_WORKERS) {
        *seen = Workers { state: Working::Unsupported, ..Workers::default() };
        return;
    }
    let beats = seen.workers.iter().filter_map(|worker| worker["last_heartbeat_at"].as_str());
    let latest = beats.filter_map(|text| moment(text).map(|at| (at, text.to_owned()))).max();
    let expired = seen.workers.iter().any(|worker| has_expired(worker, now));
    seen.state = match &latest {
        _ if seen.workers.is_empty() => Working::Unknown,
        _ if seen.workers.iter().any(|worker| worker["running"] != true) => Working::Unhealthy,
        _ if expired => Working::Stale,
        None => Working::Stale,
        Some((at, _)) if now.since(*at) > stale.workers => Working::Stale,
        Some(_) => Working::Healthy,
    };
    seen.latest_heartbeat_at = latest.map(|(_, text)| text);
}

fn has_expired(worker: &Json, now: Micros) -> bool {
    let leases = worker["active_leases"].as_array();
    leases.is_some_and(|all| {
        all.iter().any(|lease| {
            let until = lease["expires_at"].as_str().and_then(moment);
            lease["expired"] == true || until.is_some_and(|until| until < now)
        })
    })
}

fn overall(seen: &Health) -> (Overall, Vec<String>) {
    let (capabilities, observed, working) =
        (seen.capability_status.state, seen.observation_freshness.state, seen.worker_health.state);
    let error = |own: &Option<String>| own.clone().map(|why| format!(": {why}")).unwrap_or_default();
    let all = [
        (Overall::Disabled, seen.registry_status == Status::Disabled, "it is disabled".to_owned()),
        (
            Overall::Unreachable,
            seen.http_status.state == Reach::Unreachable,
            format!("it did not answer{}", error(&seen.http_status.error_detail)),
        ),
        (Overall::Stale, capabilities == Freshness::Stale, "it has not answered for long".to_owned()),
        (Overall::Stale, observed == Freshness::Stale, "nothing has happened there for long".to_owned()),
        (
            Overall::Stale,
            working == Working::Stale,
            "its workers are not heard from, or a lease of theirs ran out".to_owned(),
        ),
        (Overall::Degraded, working == Working::Unhealthy, "a worker does not run".to_owned()),
        (
            Overall::Degraded,
            capabilities == Freshness::Error,
            format!("it does not say what it can do{}", error(&seen.capability_status.error_detail)),
        ),
        (Overall::Degraded, working == Working::Unknown, "nobody knows how its workers are".to_owned()),
        (Overall::Unknown, capabilities == Freshness::Missing, "it has not been asked yet".to_owned()),
        (Overall::Unknown, observed == Freshness::Missing, "no event of it is known".to_owned()),
    ];
    let holds: Vec<&(Overall, bool, String)> = all.iter().filter(|(_, holds, _)| *holds).collect();
    let verdict = holds.first().map_or(Overall::Healthy, |(verdict, ..)| *verdict);
    (verdict, holds.into_iter().map(|(.., why)| why.clone()).collect())
}

#[cfg(test)]
mod tests;
