//! A worker: a handler run over a queue, many items at once.
//!
//! It fetches ahead, and acknowledges what is done in the same round trip that claims the next, as many as there are by
//! then. Leases of what it holds are renewed while it lives. A handler that fails or panics costs its item an attempt and
//! nothing else. The last attempt of an item runs alone, so that one that kills its process takes no other item into the
//! dead letters. SIGTERM lets running handlers finish, and hands back what was not begun with no attempt counted. So does a
//! worker whose agent is to drain, for as long as its handlers take, and then it ends.

mod crew;
mod turn;

use std::fmt::Display;
use std::future::Future;
use std::pin::Pin;
use std::time::Duration;

use quorate_catalog::ids::AgentId;
use quorate_store::{Error, ErrorKind, Result};
use tokio::signal::unix::{SignalKind, signal};

use crate::agents::Registration;
use crate::queues::{Claim, DEFAULT_LEASE, Item, MAX_BATCH, Queue};
use crate::{Outcome, Plane, Refusal};

type Signal = Pin<Box<dyn Future<Output = ()> + Send>>;

/// An item in the hands of a handler.
pub type Job = Item;

/// How a queue is worked off; made by [`Plane::worker`].
pub struct Worker {
    plane: Plane,
    queues: Vec<String>,
    agent: Option<AgentId>,
    concurrency: usize,
    ahead: Option<usize>,
    lease: Duration,
    grace: Duration,
    until: Option<Signal>,
}

/// What a worker did.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Report {
    /// Items whose handler succeeded and whose acknowledgement counted.
    pub done: u64,
    /// Attempts that failed or panicked.
    pub failed: u64,
    /// Items that another worker had got meanwhile.
    pub stale: u64,
    /// Items handed back at the end, with no attempt counted.
    pub returned: u64,
    /// Why it could not go on, if it was not asked to end.
    pub stopped: Option<Refusal>,
}

impl Plane {
    /// A worker for a queue: `plane.worker("normal").concurrency(50).run(handler)`.
    pub fn worker(&self, queue: &str) -> Worker {
        Worker {
            plane: self.clone(),
            queues: vec![queue.to_owned()],
            agent: None,
            concurrency: 10,
            ahead: None,
            lease: DEFAULT_LEASE,
            grace: Duration::from_secs(30),
            until: None,
        }
    }
}

impl Worker {
    /// Another queue; the most urgent is served first.
    #[must_use]
    pub fn and(mut self, queue: &str) -> Self {
        self.queues.push(queue.to_owned());
        self
    }

    /// How many handlers run at once.
    #[must_use]
    pub fn concurrency(self, concurrency: usize) -> Self {
        Self { concurrency: concurrency.clamp(1, 10_000), ..self }
    }

    /// How many items wait in this process while all handlers are busy; as many as handlers, unless it is said.
    #[must_use]
    pub fn ahead(self, ahead: usize) -> Self {
        Self { ahead: Some(ahead.min(10_000)), ..self }
    }

    /// How long an item of a worker that died stays with it.
    #[must_use]
    pub fn lease(self, lease: Duration) -> Self {
        Self { lease, ..self }
    }

    /// How long running handlers have when the worker is to end.
    #[must_use]
    pub fn grace(self, grace: Duration) -> Self {
        Self { grace, ..self }
    }

    /// The agent as which it works; without one it registers a new one.
    #[must_use]
    pub fn agent(self, agent: AgentId) -> Self {
        Self { agent: Some(agent), ..self }
    }

    /// Ends when this does, instead of on SIGTERM and SIGINT.
    #[must_use]
    pub fn until(self, end: impl Future<Output = ()> + Send + 'static) -> Self {
        Self { until: Some(Box::pin(end)), ..self }
    }

    /// Works until it is asked to end, or may not go on.
    pub async fn run<H, F, E>(mut self, handler: H) -> Result<Report>
    where
        H: Fn(Job) -> F + Send + Sync,
        F: Future<Output = std::result::Result<(), E>> + Send + 'static,
        E: Display,
    {
        let queues = self.queues.iter().map(|name| name.parse::<Queue>());
        let queues: Vec<Queue> = queues
            .collect::<std::result::Result<_, _>>()
            .map_err(|bad| Error::new(ErrorKind::InvalidArgument, "worker", bad.to_string()))?;
        let end = match self.until.take() {
            Some(end) => end,
            None => signals()?,
        };
        let agent = match &self.agent {
            Some(agent) => agent.clone(),
            None => AgentId::parse(&format!("worker-{}", &crate::random_id()[..12])).expect("an id"),
        };
        let epoch = match register(&self.plane, &agent).await? {
            Outcome::Done(epoch) => epoch,
            Outcome::Refused(refusal) => return Ok(Report { stopped: Some(refusal), ..Report::default() }),
        };
        let claim =
            Claim { queues, agent, epoch: Some(epoch), lease: self.lease, wait: Duration::ZERO, most: 1 };
        let ahead = self.ahead.unwrap_or(self.concurrency).min(MAX_BATCH);
        let crew = crew::Crew::new(self.concurrency, ahead, self.plane.queue_settings().await?.attempts());
        turn::work(&self.plane, claim, crew, &handler, end, self.grace).await
    }
}

pub(crate) async fn register(plane: &Plane, agent: &AgentId) -> Result<Outcome<u64>> {
    let registration = Registration { kind: Some("worker".to_owned()), ..Registration::new(agent.clone()) };
    Ok(plane.agents().register(&registration).await?.map(|registered| registered.epoch))
}

/// Ends on SIGTERM or SIGINT.
fn signals() -> Result<Signal> {
    let fault = |error: std::io::Error| Error::new(ErrorKind::InvalidArgument, "worker", error.to_string());
    let mut terminate = signal(SignalKind::terminate()).map_err(fault)?;
    let mut interrupt = signal(SignalKind::interrupt()).map_err(fault)?;
    Ok(Box::pin(async move {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
    }))
}
