//! What became of what is being done, as its workers report it.
//!
//! A task is whatever reports under its name. The seed's list has its last events, newest first; a record of ours beside it
//! says which of them counts, so that an event that comes late, or after the end, stands behind it and takes nobody's place.
//! One script writes all of it and the marker last: an event that was not taken can be sent again, and one that was has one
//! effect.

mod canonical;
mod event;
mod feed;
mod fsck;
mod graph;
mod leases;
mod list;
mod live;
mod model;
mod observations;
mod pressure;
mod recovery;
mod script;
mod settings;
mod together;

use quorate_catalog::ids::{Cursor, EventToken, TaskId, TaskRecord, TaskStore};
use quorate_catalog::{BadName, Key};
use quorate_store::{Error, ErrorKind, Result, args};

use crate::outcome::{Reply, undecodable};
use crate::{Outcome, Plane};
pub(crate) use canonical::token;
pub use event::{Event, Report, TERMINAL, is_terminal, moment};
pub use feed::{FeedGap, FeedPage, Part};
pub use fsck::invariants;
pub use graph::{Edge, Graph, Node, Summary};
pub use leases::{LEASE, Lease, Leases, Recovery, Wish};
pub use live::Seen;
pub use model::{Accepted, Children, History, Kin, Page, Place, Taken, Task};
pub use observations::Observation;
pub use pressure::{Pressure, Severity, Signal};
pub use recovery::{Decision, decide};
pub(crate) use script::Scripts;
pub(crate) use settings::Settings;
pub(crate) use together::Together;

/// Most children of one task that are listed.
pub const MOST_CHILDREN: u64 = 10_000;

/// The verbs of the capability.
#[derive(Debug, Clone, Copy)]
pub struct Tasks<'p> {
    plane: &'p Plane,
}

impl<'p> Tasks<'p> {
    pub(crate) fn new(plane: &'p Plane) -> Self {
        Self { plane }
    }

    /// Takes a status event. However often the same one comes, it is taken once.
    pub async fn report(&self, report: &Report) -> Result<Outcome<Taken>> {
        match together::report(self.plane, report).await?.split() {
            Err(refusal) => Ok(Outcome::Refused(refusal)),
            Ok((word, rest)) => taken(&word, &rest).map(Outcome::Done).ok_or_else(|| undecodable(&word)),
        }
    }

    /// Takes an event by itself, with every case that there is.
    async fn report_alone(&self, report: &Report) -> Result<Reply> {
        let settings = self.plane.task_settings().await?;
        let (own, seed) = (self.plane.keys().quorate(), self.plane.keys().relayna());
        let (short, long) = (report.token.clone(), format!("{}:{}", report.task, report.token));
        let mut keys = vec![
            seed.status_history(&report.task),
            seed.status_event(&report.task, &named(EventToken::parse(&report.token))?),
            seed.status_channel(&report.task),
            own.task_report(&self.record(&report.task)?),
            own.task_recent(&self.store()?),
            seed.feed(),
            own.feed_state(&feed_store(self.plane)?),
            seed.feed_event(&named(Cursor::parse(&short))?),
            seed.feed_event(&named(Cursor::parse(&long))?),
        ];
        keys.extend(report.parent.as_ref().map(|parent| seed.children(parent)));
        let at = report.at.map(|at| at.get().to_string()).unwrap_or_default();
        let args = args![
            self.prefix(),
            report.task.as_key(),
            &report.open,
            &report.status,
            at,
            report.attempt,
            if is_terminal(&report.status) { "1" } else { "" },
            report.parent.as_ref().map_or("", TaskId::as_key),
            &report.offer,
            quoted(&short),
            quoted(&long),
            settings.status.maxlen,
            settings.status.ttl,
            settings.feed.maxlen,
            settings.feed.ttl,
            MOST_CHILDREN,
        ];
        // An event that comes twice is a duplicate, so a lost answer may be asked for again.
        let store = self.plane.store().repeatable();
        store.run(&self.plane.task_scripts().report, &keys, &args).await
    }

    fn prefix(&self) -> &str {
        &self.plane.keys().prefixes().relayna_status
    }

    pub(crate) fn store(&self) -> Result<TaskStore> {
        named(TaskStore::parse(self.prefix()))
    }

    fn record(&self, task: &TaskId) -> Result<TaskRecord> {
        named(TaskRecord::parse(&format!("{}:{task}", self.prefix())))
    }

    fn record_key(&self, task: &TaskId) -> Result<Key> {
        Ok(self.plane.keys().quorate().task_report(&self.record(task)?))
    }
}

/// The feed that events of this deployment go to.
fn feed_store(plane: &Plane) -> Result<TaskStore> {
    named(TaskStore::parse(&plane.keys().prefixes().relayna_feed))
}

/// A text as it stands in a document.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

fn taken(word: &str, rest: &[String]) -> Option<Taken> {
    let number = |text: &String| text.trim_start_matches('#').parse().ok();
    if word == "duplicate" {
        let first = rest.first().filter(|text| text.starts_with('#'));
        return Some(Taken::Duplicate(first.and_then(number)));
    }
    let [seq, place, kin] = rest else { return None };
    let place = match place.as_str() {
        "latest" => Place::Latest,
        "out_of_order" => Place::OutOfOrder,
        _ => Place::AfterEnd,
    };
    let kin = match kin.as_str() {
        "listed" => Kin::Listed,
        "full" => Kin::Full,
        "other" => Kin::OtherParent,
        _ => Kin::None,
    };
    (word == "accepted").then_some(Taken::Accepted(Accepted { seq: number(seq)?, place, kin }))
}

/// A name that was made from what a caller gave.
fn named<T>(name: std::result::Result<T, BadName>) -> Result<T> {
    name.map_err(|bad| Error::new(ErrorKind::InvalidArgument, "tasks", bad.to_string()))
}
