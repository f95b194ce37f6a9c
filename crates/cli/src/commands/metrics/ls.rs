//! `quorate metrics ls`.

use quorate_plane::Plane;
use quorate_verbs::metrics::{Counter, Ls};

use crate::ask::ask;
use crate::failure::Failure;
use crate::out::{Answer, View};

pub(crate) async fn run(plane: &Plane) -> Result<Answer, Failure> {
    let text = |value: Option<i64>| value.map_or("no number".to_owned(), |value| value.to_string());
    let row = |one: &Counter| vec![one.counter.clone(), text(one.value)];
    let header = &["counter", "value"];
    ask(plane, &Ls {}, |all| View::Rows { header, rows: all.iter().map(row).collect() }).await
}
