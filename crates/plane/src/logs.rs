//! Logs: every record to a channel and to a capped stream of its service, and the caller is never kept waiting.
//!
//! A [`Logger`] has a bounded buffer and a task that empties it. Handing a record in never blocks and never fails: while the
//! store is slow or away the buffer fills, then records are dropped, counted, and the count is itself logged when the store
//! is back. Logs are declared lossy: their streams are cut to about 10,000 records whoever reads them.

mod envelope;
mod layer;
mod logger;
mod script;
mod tail;
mod watch;

use futures_util::TryStreamExt;
use quorate_catalog::ids::LogServiceId;
use quorate_catalog::{Catalog, Keys, Matcher};
use quorate_store::{Arg, Error, ErrorKind, Result};
use schemars::JsonSchema;
use serde::Serialize;

use crate::outcome::Reply;
use crate::{Outcome, Plane};
pub use envelope::{Level, Record, level_of};
pub use layer::LogLayer;
pub use logger::{Logger, Report};
pub use tail::{Filter, LogGap, LogTail};
pub use watch::Watched;

/// About how many records a service's stream keeps, as the seed has it.
const KEEP: usize = 10_000;
/// Keys the server looks at for one page of services.
const PAGE: usize = 1_000;

/// A service that has logged.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Service {
    pub service: String,
    pub records: u64,
    /// The id of its newest record, which begins with the time.
    pub newest: String,
}

/// The verbs of the capability.
#[derive(Debug, Clone, Copy)]
pub struct Logs<'p> {
    plane: &'p Plane,
}

impl<'p> Logs<'p> {
    pub(crate) fn new(plane: &'p Plane) -> Self {
        Self { plane }
    }

    /// A logger of one service on this plane's store.
    pub fn logger(&self, service: &LogServiceId) -> Logger {
        Logger::start(self.plane.store().clone(), self.plane.keys().clone(), service.clone())
    }

    /// Sends records and waits for it; a [`Logger`] is for callers that cannot wait.
    pub async fn emit(&self, service: &LogServiceId, records: &[Record]) -> Result<()> {
        for record in records {
            let seed = self.plane.keys().reverie();
            let keys = [seed.log_stream(service), seed.log_channel(service, record.level)];
            let mut args = vec![Arg::from(KEEP), Arg::from(record.json().to_string())];
            args.extend(
                record.pairs().into_iter().flat_map(|(name, value)| [Arg::from(name), Arg::from(value)]),
            );
            let reply: Reply = self.plane.store().run(&script::EMIT, &keys, &args).await?;
            if let Outcome::Refused(refusal) = reply.expect("sent")? {
                return Err(Error::new(ErrorKind::WrongType, "logs emit", refusal.reason));
            }
        }
        Ok(())
    }

    /// Every service that has logged, by name. Walks the keyspace.
    pub async fn services(&self) -> Result<Vec<Service>> {
        let mut all = Vec::new();
        for service in self.names().await? {
            let key = self.plane.keys().reverie().log_stream(&service);
            let mut pipeline = redis::pipe();
            pipeline.cmd("XLEN").arg(key.as_str());
            pipeline.cmd("XREVRANGE").arg(key.as_str()).arg("+").arg("-").arg("COUNT").arg(1);
            type Newest = Vec<(String, quorate_store::Value)>;
            let (records, newest): (u64, Newest) = self.plane.store().pipeline(&pipeline).await?;
            let newest = newest.into_iter().next().map(|(id, _)| id).unwrap_or_default();
            all.push(Service { service: service.to_string(), records, newest });
        }
        Ok(all)
    }

    /// How many records are kept of one service; none, if it never logged.
    pub async fn records(&self, service: &LogServiceId) -> Result<u64> {
        let key = self.plane.keys().reverie().log_stream(service);
        self.plane.store().query(quorate_store::cmd("XLEN").arg(key.as_str())).await
    }

    /// The names of the services whose stream is there.
    async fn names(&self) -> Result<Vec<LogServiceId>> {
        let keys = self.plane.keys();
        let matcher = Matcher::new(Catalog::built_in(), keys);
        let mut names = Vec::new();
        let mut pages = std::pin::pin!(self.plane.store().scan(&pattern(keys), PAGE).await?);
        while let Some(page) = pages.try_next().await? {
            for key in page {
                names.extend(service_of(&matcher, &key));
            }
        }
        names.sort_by(|one: &LogServiceId, other| one.as_key().cmp(other.as_key()));
        names.dedup();
        Ok(names)
    }
}

/// What the streams of all services have in common.
fn pattern(keys: &Keys) -> String {
    let catalog = Catalog::built_in();
    let family = catalog.find("reverie.log_stream").into_iter().next().expect("the family is in the catalog");
    let (before, after) = keys.around(catalog, family).expect("it has one name");
    format!("{}*{after}", before.replace(['*', '?', '[', ']', '\\'], "?"))
}

fn service_of(matcher: &Matcher, key: &[u8]) -> Option<LogServiceId> {
    let catalog = Catalog::built_in();
    let found = matcher.find(key)?;
    if catalog.families[found.family].full_name() != "reverie.log_stream" {
        return None;
    }
    LogServiceId::parse(&Matcher::bindings(catalog, &found).first()?.1).ok()
}
