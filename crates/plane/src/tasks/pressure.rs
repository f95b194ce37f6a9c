//! Where work piles up: signals with a severity, for whoever sends work and whoever is on call.

use quorate_store::Result;
use schemars::JsonSchema;
use serde::Serialize;

use crate::Plane;

/// How serious a signal is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    Normal,
    Unknown,
    Warning,
    Critical,
}

/// One sign of pressure.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Signal {
    /// `queue`, `workers`, `leases`, `dlq` or `collector`.
    pub scope: &'static str,
    /// Which one.
    pub scope_id: Option<String>,
    pub kind: &'static str,
    pub severity: Severity,
    pub observed_at: String,
    pub value: Option<f64>,
    /// The value from which on it is this serious.
    pub threshold: Option<f64>,
    pub reason: Option<String>,
    pub recommended_action: Option<&'static str>,
}

/// What was found.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Pressure {
    pub reported_at: String,
    pub signals: Vec<Signal>,
}

/// Values from which on something is a warning, and critical.
const DEPTH: (u64, u64) = (100, 1_000);
const DEAD: (u64, u64) = (1, 100);

fn severity(value: u64, (warning, critical): (u64, u64)) -> Severity {
    match value {
        value if value >= critical => Severity::Critical,
        value if value >= warning => Severity::Warning,
        _ => Severity::Normal,
    }
}

impl super::Tasks<'_> {
    /// Every signal. What could not be looked at is a signal of its own.
    pub async fn pressure(&self) -> Result<Pressure> {
        let plane = self.plane;
        let at = plane.store().time().await?.iso();
        let mut signals = Vec::new();
        let all = [
            ("queues", queues(plane, &at).await),
            ("workers", workers(plane, &at).await),
            ("leases", leases(plane, &at).await),
            ("dead letters", dead(plane, &at).await),
        ];
        for (name, found) in all {
            match found {
                Ok(found) => signals.extend(found),
                Err(error) => signals.push(Signal {
                    scope: "collector",
                    scope_id: Some(name.to_owned()),
                    severity: Severity::Unknown,
                    reason: Some(error.to_string()),
                    recommended_action: Some("look at the keys it reads with `quorate fsck`"),
                    ..signal(&at, "pressure_collector_unavailable")
                }),
            }
        }
        Ok(Pressure { reported_at: at, signals })
    }
}

fn signal(at: &str, kind: &'static str) -> Signal {
    Signal {
        scope: "plane",
        scope_id: None,
        kind,
        severity: Severity::Normal,
        observed_at: at.to_owned(),
        value: None,
        threshold: None,
        reason: None,
        recommended_action: None,
    }
}

/// A count against its two bounds.
fn counted(at: &str, kind: &'static str, value: u64, bounds: (u64, u64), todo: &'static str) -> Signal {
    let severity = severity(value, bounds);
    let threshold = if severity == Severity::Critical { bounds.1 } else { bounds.0 };
    Signal {
        severity,
        value: Some(value as f64),
        threshold: Some(threshold as f64),
        recommended_action: (severity != Severity::Normal).then_some(todo),
        ..signal(at, kind)
    }
}

async fn queues(plane: &Plane, at: &str) -> Result<Vec<Signal>> {
    let mut found = Vec::new();
    for queue in plane.queues().known().await? {
        let shown = plane.queues().show(&queue, 0).await?;
        found.push(Signal {
            scope: "queue",
            scope_id: Some(shown.queue.clone()),
            reason: Some(format!("{} items wait", shown.depth)),
            ..counted(at, "queue_depth_high", shown.depth, DEPTH, "add workers, or send less")
        });
        if shown.depth > 0 && shown.in_flight == 0 {
            found.push(Signal {
                scope: "queue",
                scope_id: Some(shown.queue),
                severity: Severity::Critical,
                value: Some(0.0),
                threshold: Some(1.0),
                reason: Some("items wait and nobody works on any".to_owned()),
                recommended_action: Some("start a worker for this queue"),
                ..signal(at, "consumer_count_zero")
            });
        }
    }
    Ok(found)
}

async fn workers(plane: &Plane, at: &str) -> Result<Vec<Signal>> {
    let numbers = plane.overview().numbers().await?;
    if numbers.agents_online + numbers.agents_away + numbers.agents_stale == 0 {
        return Ok(vec![Signal {
            scope: "workers",
            severity: Severity::Unknown,
            value: Some(0.0),
            threshold: Some(1.0),
            reason: Some("no agent has registered".to_owned()),
            recommended_action: Some("let workers register and beat"),
            ..signal(at, "worker_count_zero")
        }]);
    }
    let todo = "look at the processes of the agents that `quorate agents ls` shows as stale";
    let silent = counted(at, "worker_heartbeat_stale", numbers.agents_stale, (1, u64::MAX), todo);
    let reason = Some(format!("{} agents were not heard from for five minutes", numbers.agents_stale));
    Ok(vec![Signal { scope: "workers", reason, ..silent }])
}

async fn leases(plane: &Plane, at: &str) -> Result<Vec<Signal>> {
    let lapsed = plane.tasks().leases().lapsed().await?;
    let todo = "look at them with `quorate tasks leases`; a running plane recovers them";
    let reason = Some(format!("{lapsed} leases of tasks have lapsed and wait for their recovery"));
    Ok(vec![Signal {
        scope: "leases",
        reason,
        ..counted(at, "lease_expiry_rate_high", lapsed, (1, 100), todo)
    }])
}

async fn dead(plane: &Plane, at: &str) -> Result<Vec<Signal>> {
    let (count, _) = plane.dead_letters().open().await?;
    let todo = "look at the causes with `quorate dead ls --clusters`, then replay or drop";
    let reason = Some(format!("{count} dead letters are open"));
    Ok(vec![Signal { scope: "dlq", reason, ..counted(at, "dlq_growth_high", count, DEAD, todo) }])
}
