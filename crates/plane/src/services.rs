//! The services that a studio watches: who is registered, what they report, and how they fare.
//!
//! The seed's keys hold all of it. A record per service decides; the list of services and the index of environment and URL are
//! written with it in one script, over the record that was read, so two registrations of one place cannot both succeed. A
//! service is called through [`quorate_outgoing`] alone, whose rules are asked when it is registered and again at every call.

mod call;
mod event;
mod events;
mod failures;
mod fares;
mod federation;
mod fsck;
mod health;
mod live;
mod model;
mod pull;
mod registry;
mod script;
mod settings;
mod sources;
mod verdict;

use std::time::Duration;

use quorate_catalog::ids::{ServiceId, ServiceRecord, TaskStore};
use quorate_store::{Error, ErrorKind, Result};

use crate::Plane;
use crate::maintenance::every;
pub use event::{Ingest, IngestMethod, Source};
pub use events::{Activity, EventFilter, EventPage, Ingested, StudioEvent, Took};
pub use failures::Act;
pub use fares::Fare;
pub use federation::{Gathered, Missing, TaskDetail, What};
pub use fsck::invariants;
pub use health::OFFERS_WORKERS;
pub use model::{ByHand, Change, Deleted, NewService, Service, Status};
pub use pull::{OFFERS_FEED, Pulled, Reading};
pub use quorate_outgoing::Address;
pub(crate) use script::Scripts;
pub(crate) use settings::Settings;
pub use sources::{
    Before, Group, LogEntry, LogPage, LogQuery, MetricPoint, MetricSeries, Metrics, MetricsQuery, Nanos, Pod,
    Pods, Span, Traces,
};
pub use verdict::{Capabilities, Freshness, Health, Http, Observations, Overall, Reach, Workers, Working};

/// How soon what is due is looked for.
const LOOK: Duration = Duration::from_secs(1);
/// Most services of one registry.
pub const MOST: u32 = 5_000;

/// The verbs of the capability.
#[derive(Debug, Clone, Copy)]
pub struct Services<'p> {
    plane: &'p Plane,
    request: Option<&'p str>,
}

impl<'p> Services<'p> {
    pub(crate) fn new(plane: &'p Plane) -> Self {
        Self { plane, request: None }
    }

    /// The same for a call that has a name: however often it is made, it has one effect.
    #[must_use]
    pub fn asked(self, request: Option<&'p str>) -> Self {
        Self { request, ..self }
    }

    /// Reads feeds, looks at health and clears away, as one of any number of processes, until the future is dropped.
    pub(crate) async fn tend(&self, say: &impl Fn(&str)) {
        tokio::join!(
            every(LOOK, "the feeds of services", say, async || self.pull_due(say).await.map(drop)),
            every(LOOK, "the health of services", say, async || self.check_due().await.map(drop)),
            every(LOOK, "what deleted services left", say, async || self.clear_away().await),
            self.prune_now_and_then(say),
        );
    }

    async fn prune_now_and_then(&self, say: &impl Fn(&str)) {
        let mut known = LOOK;
        loop {
            tokio::time::sleep(known).await;
            match self.plane.service_settings().await {
                Ok(settings) => known = settings.prune,
                Err(_) => continue,
            }
            if let Err(error) = self.prune().await {
                say(&format!("warning: the histories of services: {error}; it is tried again"));
            }
        }
    }

    fn request(&self) -> String {
        self.request.map_or_else(crate::random_id, str::to_owned)
    }

    /// The registry by its prefix: two of them may share a server.
    fn store(&self) -> Result<TaskStore> {
        TaskStore::parse(self.prefix()).map_err(|why| bad(why.to_string()))
    }

    fn own(&self, id: &ServiceId) -> Result<ServiceRecord> {
        ServiceRecord::parse(&format!("{}:{id}", self.prefix())).map_err(|why| bad(why.to_string()))
    }

    /// The prefix of the search index.
    fn index(&self) -> &str {
        &self.plane.keys().prefixes().relayna_search
    }

    fn prefix(&self) -> &str {
        &self.plane.keys().prefixes().relayna_registry
    }
}

fn bad(what: impl Into<String>) -> Error {
    Error::new(ErrorKind::InvalidArgument, "services", what.into())
}
