//! `quorate tasks pressure`.

use quorate_plane::Plane;
use quorate_plane::tasks::Signal;
use quorate_verbs::tasks::Pressure;

use crate::ask::ask;
use crate::failure::Failure;
use crate::out::{Answer, View};

pub(crate) async fn run(plane: &Plane) -> Result<Answer, Failure> {
    let header = &["severity", "scope", "which", "kind", "reason"];
    ask(plane, &Pressure {}, |found| View::Rows { header, rows: found.signals.iter().map(row).collect() })
        .await
}

fn row(signal: &Signal) -> Vec<String> {
    vec![
        format!("{:?}", signal.severity).to_lowercase(),
        signal.scope.to_owned(),
        signal.scope_id.clone().unwrap_or_else(|| "-".to_owned()),
        signal.kind.to_owned(),
        signal.reason.clone().unwrap_or_default(),
    ]
}
