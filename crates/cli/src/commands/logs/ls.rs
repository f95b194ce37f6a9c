//! `quorate logs ls`.

use quorate_plane::Plane;
use quorate_plane::logs::Service;
use quorate_verbs::logs::Ls;

use crate::ask::ask;
use crate::failure::Failure;
use crate::out::{Answer, View};

pub(crate) async fn run(plane: &Plane) -> Result<Answer, Failure> {
    let row = |one: &Service| vec![one.service.clone(), one.records.to_string(), one.newest.clone()];
    let header = &["service", "records", "newest"];
    ask(plane, &Ls {}, |all| View::Rows { header, rows: all.iter().map(row).collect() }).await
}
