//! `quorate limits ls`.

use quorate_plane::Plane;
use quorate_verbs::limits::{Ls, Ruled};

use super::window;
use crate::ask::ask;
use crate::failure::Failure;
use crate::out::{Answer, View};

pub(crate) async fn run(plane: &Plane) -> Result<Answer, Failure> {
    let row = |one: &Ruled| vec![one.endpoint.clone(), one.limit.to_string(), window(one)];
    let header = &["endpoint", "limit", "window"];
    ask(plane, &Ls {}, |all| View::Rows { header, rows: all.iter().map(row).collect() }).await
}
