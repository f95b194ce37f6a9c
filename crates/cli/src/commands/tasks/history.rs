//! `quorate tasks history TASK`.

use quorate_plane::Plane;
use quorate_plane::tasks::Event;
use quorate_verbs::said::{Said, Within};
use quorate_verbs::tasks::History;

use super::Listed;
use crate::ask::ask;
use crate::failure::Failure;
use crate::out::{Answer, View};

pub(crate) async fn run(plane: &Plane, asked: Listed) -> Result<Answer, Failure> {
    let header = &["seq", "status", "at", "flags", "message"];
    let verb = History { task_id: Said(asked.task), limit: Some(Within(asked.limit)) };
    ask(plane, &verb, |found| View::Rows { header, rows: found.events.iter().map(row).collect() }).await
}

fn row(event: &Event) -> Vec<String> {
    let text = |name: &str| event.text(name).unwrap_or("-").chars().take(80).collect::<String>();
    let flags = ["out_of_order", "after_end"].into_iter().filter(|flag| event.0.contains_key(*flag));
    vec![
        event.seq().map_or_else(|| "-".to_owned(), |seq| seq.to_string()),
        text("status"),
        text("timestamp"),
        flags.collect::<Vec<_>>().join(" "),
        text("message"),
    ]
}
