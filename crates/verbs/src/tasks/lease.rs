//! `tasks lease`, `tasks beat`, `tasks release`, `tasks leases`.

use quorate_catalog::ids::TaskId;
use quorate_plane::queues::Queue;
use quorate_plane::tasks::{self, LEASE, Recovery, Wish};

use crate::prelude::*;

/// Leases a task to a worker. If the worker is not heard from before it lapses, what was asked for is done.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Lease {
    /// The task.
    pub task_id: Said<TaskId>,
    /// Who works on it.
    pub owner: String,
    /// For how long; 60s if it is not said.
    #[serde(default)]
    pub ttl: Option<Ttl>,
    /// What is done when it lapses: observe_only, publish_stale_status, requeue, retry or dead_letter.
    #[serde(default)]
    pub action: Recovery,
    /// The queue into which the work is put again: by requeue and retry, or from the dead letters.
    #[serde(default)]
    pub queue: Option<Said<Queue>>,
    /// The work, which goes with its queue.
    #[serde(default)]
    pub payload: Option<String>,
    /// Which attempt it is, counted from 0.
    #[serde(default)]
    pub attempt: Option<Within<0, 1_000_000>>,
    /// How many attempts may follow the first; 3 if it is not said.
    #[serde(default)]
    pub max_retries: Option<Within<0, 1_000_000>>,
}

impl Verb for Lease {
    const ABOUT: About =
        About::new("tasks", "lease", Method::Post, "/tasks/{task_id}/lease", Level::Work, Effect::Hot);
    type Answer = tasks::Lease;

    fn example() -> Value {
        json!({ "task_id": "task-123", "owner": "worker-7", "ttl": "60s", "action": "publish_stale_status" })
    }

    async fn run(&self, call: &Call) -> Result<Verdict<tasks::Lease>, Fault> {
        let small = |number: Option<Within<0, 1_000_000>>, other: u32| {
            number.and_then(|number| u32::try_from(number.0).ok()).unwrap_or(other)
        };
        if self.payload.is_some() && self.queue.is_none() {
            return Err(Fault::bad("payload", "the work needs a queue, to which it can be put again"));
        }
        let work =
            self.queue.as_ref().map(|queue| (queue.0.clone(), self.payload.clone().unwrap_or_default()));
        let wish = Wish {
            ttl: self.ttl.map_or(LEASE, |ttl| ttl.0),
            recovery: self.action,
            work,
            attempt: small(self.attempt, 0),
            max_retries: small(self.max_retries, 3),
            ..Wish::new(self.task_id.0.clone(), &self.owner)
        };
        Ok(Verdict::from(call.plane.tasks().leases().take(&wish).await?))
    }
}

/// Renews the lease of a task from now on.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Beat {
    /// The task.
    pub task_id: Said<TaskId>,
    /// Who works on it.
    pub owner: String,
    /// The token of the lease.
    pub token: String,
    /// For how long; 60s if it is not said.
    #[serde(default)]
    pub ttl: Option<Ttl>,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Beaten {
    /// `renewed`.
    pub outcome: &'static str,
    pub task_id: String,
    /// When it lapses now, in ISO 8601.
    pub until: String,
}

impl Verb for Beat {
    const ABOUT: About =
        About::new("tasks", "beat", Method::Post, "/tasks/{task_id}/lease/beat", Level::Work, Effect::Hot);
    type Answer = Beaten;

    fn example() -> Value {
        json!({ "task_id": "task-123", "owner": "worker-7", "token": "1794768310000123" })
    }

    async fn run(&self, call: &Call) -> Result<Verdict<Beaten>, Fault> {
        let ttl = self.ttl.map_or(LEASE, |ttl| ttl.0);
        let outcome = call.plane.tasks().leases().beat(&self.task_id, &self.owner, &self.token, ttl).await?;
        let task_id = self.task_id.to_string();
        Ok(Verdict::from(outcome).map(|until| Beaten { outcome: "renewed", task_id, until }))
    }
}

/// Gives the lease of a task back.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Release {
    /// The task.
    pub task_id: Said<TaskId>,
    /// Who works on it.
    pub owner: String,
    /// The token of the lease.
    pub token: String,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Released {
    /// `released`.
    pub outcome: &'static str,
    pub task_id: String,
}

impl Verb for Release {
    const ABOUT: About = About::new(
        "tasks",
        "release",
        Method::Post,
        "/tasks/{task_id}/lease/release",
        Level::Work,
        Effect::Hot,
    );
    type Answer = Released;

    fn example() -> Value {
        json!({ "task_id": "task-123", "owner": "worker-7", "token": "1794768310000123" })
    }

    async fn run(&self, call: &Call) -> Result<Verdict<Released>, Fault> {
        let outcome = call.plane.tasks().leases().release(&self.task_id, &self.owner, &self.token).await?;
        let task_id = self.task_id.to_string();
        Ok(Verdict::from(outcome).map(|()| Released { outcome: "released", task_id }))
    }
}

/// Lists the leases of tasks, the one that lapses first first.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Leases {
    /// Most leases; 100 if it is not said.
    #[serde(default)]
    pub limit: Option<Within<1, 1_000>>,
}

impl Verb for Leases {
    const ABOUT: About =
        About::new("tasks", "leases", Method::Get, "/tasks/-/leases", Level::Read, Effect::None);
    type Answer = Vec<tasks::Lease>;

    fn example() -> Value {
        json!({})
    }

    async fn run(&self, call: &Call) -> Result<Verdict<Vec<tasks::Lease>>, Fault> {
        let limit = self.limit.map_or(100, Within::count);
        Ok(Verdict::Done(call.plane.tasks().leases().list(limit).await?))
    }
}
