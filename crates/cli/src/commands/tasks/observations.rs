//! `quorate tasks observations TASK`.

use quorate_plane::Plane;
use quorate_plane::tasks::Event;
use quorate_verbs::said::{Said, Within};
use quorate_verbs::tasks::Observations;

use super::Listed;
use crate::ask::ask;
use crate::failure::Failure;
use crate::out::{Answer, View};

pub(crate) async fn run(plane: &Plane, asked: Listed) -> Result<Answer, Failure> {
    let header = &["at", "event", "component"];
    let verb = Observations { task_id: Said(asked.task), limit: Some(Within(asked.limit)) };
    ask(plane, &verb, |found| View::Rows { header, rows: found.events.iter().map(row).collect() }).await
}

fn row(event: &Event) -> Vec<String> {
    let text = |name: &str| event.text(name).unwrap_or("-").to_owned();
    vec![text("timestamp"), text("event_type"), text("component")]
}
