//! Finding tasks and services by what is known of them.
//!
//! The seed's documents and sets are the index, and whoever reads them finds what it expects. Beside each set that can be
//! large stands a view of ours, the same documents by the time they were last seen: a page walks the shortest of them, newest
//! first, and asks the sets of the other filters about what it meets. However many documents there are, one call looks at a
//! bounded number of them and says where the next goes on.
//!
//! A document is replaced together with everything that lists it (the fragments `search_task` and `search_service` of the
//! store), so that scripts of others can do it in the same step as their own change. What other clients wrote has no place in our views;
//! it is taken in when a search meets it.

mod care;
mod fsck;
mod logs;
mod model;
mod own;
mod script;
mod services;
mod settings;
mod tasks;

use quorate_catalog::ids::{SearchView, ServiceId};
use quorate_store::{Arg, Error, ErrorKind, Result, Script};

use crate::outcome::Reply;
use crate::{Outcome, Plane};
pub use fsck::invariants;
pub use model::{
    ServiceDocument, ServiceHit, ServicePage, ServiceQuery, Sighting, TaskDocument, TaskPage, TaskQuery,
    document, named,
};
pub use own::{ENVIRONMENT, SERVICE};
pub(crate) use script::Scripts;
pub(crate) use settings::Settings;

/// Most documents of a page.
pub const MOST: usize = 200;
/// Most documents that one call looks at.
const LOOKS: usize = 2_000;

/// The verbs of the capability.
#[derive(Debug, Clone, Copy)]
pub struct Search<'p> {
    plane: &'p Plane,
}

impl<'p> Search<'p> {
    pub(crate) fn new(plane: &'p Plane) -> Self {
        Self { plane }
    }

    /// Takes an event of a task into its document.
    pub async fn note(&self, sighting: &Sighting) -> Result<Outcome<()>> {
        let args = self.sighting(sighting).await?;
        let reply = self.run(&self.plane.search_scripts().note, &args).await?;
        Ok(reply.expect("noted")?.map(drop))
    }

    /// What a script that uses `search_event` is given: the index, the document, what is said, and how long it is kept.
    pub async fn sighting(&self, sighting: &Sighting) -> Result<[Arg<'static>; 4]> {
        let settings = self.plane.search_settings().await?;
        Ok([
            Arg::from(self.index().to_owned()),
            Arg::from(document(&sighting.service, &sighting.task).to_string()),
            Arg::from(sighting.said()),
            Arg::from(settings.ttl),
        ])
    }

    /// Puts a service into the search, or what is known of it in the place of what was.
    pub async fn place(&self, service: &ServiceId, known: &ServiceDocument) -> Result<Outcome<()>> {
        self.put(&self.placing(service, Some(known))?).await
    }

    /// Takes a service out of the search; the documents of its tasks follow in small steps.
    pub async fn remove(&self, service: &ServiceId) -> Result<Outcome<()>> {
        self.put(&self.placing(service, None)?).await
    }

    /// What a script that uses `search_service` is given: the index, the service, and its document or nothing.
    pub fn placing(&self, service: &ServiceId, known: Option<&ServiceDocument>) -> Result<[Arg<'static>; 3]> {
        let text = known.map(serde_json::to_string).transpose().map_err(|error| bad(error.to_string()))?;
        let names = [self.index().to_owned(), service.to_string(), text.unwrap_or_default()];
        Ok(names.map(Arg::from))
    }

    async fn put(&self, args: &[Arg<'_>]) -> Result<Outcome<()>> {
        let reply = self.run(&self.plane.search_scripts().place, args).await?;
        Ok(reply.expect("placed")?.map(drop))
    }

    /// Every script finds its keys by itself, and a second delivery of it is harmless.
    async fn run(&self, script: &Script, args: &[Arg<'_>]) -> Result<Reply> {
        let none: [&str; 0] = [];
        self.plane.store().natural().run(script, &none, args).await
    }

    fn index(&self) -> &str {
        &self.plane.keys().prefixes().relayna_search
    }

    /// The key of a view of ours.
    fn view(&self, name: &str) -> Result<quorate_catalog::Key> {
        let view =
            SearchView::parse(&format!("{}:{name}", self.index())).map_err(|error| bad(error.to_string()))?;
        Ok(self.plane.keys().quorate().search_view(&view))
    }
}

fn bad(what: String) -> Error {
    Error::new(ErrorKind::InvalidArgument, "search", what)
}
