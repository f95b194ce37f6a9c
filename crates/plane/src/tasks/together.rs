//! Status events that tasks of one process report in the same moment share a script.
//!
//! The shared script takes those that are simply next of their task, which most are. Whatever else an event meets it meets
//! alone, in the script that knows every case; the shared one has then done nothing for it. An event that has no company goes
//! that way at once.

use std::sync::Arc;

use quorate_catalog::ids::{Cursor, EventToken};
use quorate_store::{Arg, Result, args};

use super::event::{Report, is_terminal};
use super::{feed_store, named, quoted};
use crate::Plane;
use crate::coalesce::{Coalesce, ended, shared};
use crate::outcome::Reply;

/// Calls that are on their way at once, and the most events that go together: while the server takes one lot, this process
/// reads the answers of the other, and nobody waits for long behind a script.
const WIDTH: usize = 2;
const MOST: usize = 24;
/// A larger event is worth a call of its own, in bytes.
const LONG: usize = 16 * 1024;

/// What is under way in this process.
#[derive(Debug)]
pub(crate) struct Together(Arc<Coalesce<Report, Result<Option<Reply>>>>);

impl Default for Together {
    fn default() -> Self {
        Self(Arc::new(Coalesce::new(WIDTH, MOST)))
    }
}

/// Takes an event, with others of this moment where it can.
pub(super) async fn report(plane: &Plane, report: &Report) -> Result<Reply> {
    // What is done in the name of a request goes with nobody else's.
    if report.parent.is_some() || report.open.len() > LONG || plane.store().is_enveloped() {
        return plane.tasks().report_alone(report).await;
    }
    let own = plane.clone();
    let together = plane.tasks_together().0.ask(report.clone(), move |reports| take(own.clone(), reports));
    match together.await.unwrap_or_else(|| Err(ended("tasks")))? {
        Some(reply) => Ok(reply),
        None => plane.tasks().report_alone(report).await,
    }
}

async fn take(plane: Plane, reports: Vec<Report>) -> Vec<Result<Option<Reply>>> {
    if let [report] = &reports[..] {
        return vec![plane.tasks().report_alone(report).await.map(Some)];
    }
    let taken = report_each(&plane, &reports).await;
    taken.unwrap_or_else(|error| vec![Err(error); reports.len()])
}

async fn report_each(plane: &Plane, reports: &[Report]) -> Result<Vec<Result<Option<Reply>>>> {
    let settings = plane.task_settings().await?;
    let (own, seed, tasks) = (plane.keys().quorate(), plane.keys().relayna(), plane.tasks());
    let mut keys = vec![own.task_recent(&tasks.store()?), seed.feed(), own.feed_state(&feed_store(plane)?)];
    for report in reports {
        keys.push(seed.status_event(&report.task, &named(EventToken::parse(&report.token))?));
    }
    for report in reports {
        keys.push(seed.feed_event(&named(Cursor::parse(&report.token))?));
    }
    let (status, feed) = (settings.status, settings.feed);
    let mut args = args![tasks.prefix(), status.maxlen, status.ttl, feed.maxlen, feed.ttl].to_vec();
    args.extend(reports.iter().map(|report| Arg::from(line(report))));
    Ok(shared(plane.store(), &plane.task_scripts().report_each, &keys, &args, reports.len()).await)
}

/// An event as `report_each.lua` reads it. None of its names has a line break; the event itself may, and comes last.
fn line(report: &Report) -> String {
    let at = report.at.map(|at| at.get().to_string()).unwrap_or_default();
    format!(
        "{} {} {} {at}\n{}\n{}\n{}\n{}",
        report.task.as_key(),
        report.attempt,
        if is_terminal(&report.status) { "1" } else { "" },
        report.status,
        quoted(&report.token),
        report.offer,
        report.open,
    )
}
