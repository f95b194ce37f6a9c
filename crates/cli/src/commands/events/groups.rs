//! `quorate events groups [STREAM]`.

use quorate_plane::Plane;
use quorate_plane::events::{Group, Stream};
use quorate_verbs::events::Groups;
use quorate_verbs::said::Said;

use crate::ask::ask;
use crate::failure::Failure;
use crate::out::{Answer, View};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Only the groups of this stream.
    stream: Option<Stream>,
}

pub(crate) async fn run(plane: &Plane, args: &Args) -> Result<Answer, Failure> {
    let header = &["stream", "group", "state", "lag", "pending", "consumers", "idle"];
    let verb = Groups { stream: args.stream.map(Said) };
    ask(plane, &verb, |all| View::Rows { header, rows: all.iter().map(row).collect() }).await
}

fn row(group: &Group) -> Vec<String> {
    let lag = group.lag.map_or_else(|| "?".to_owned(), |lag| lag.to_string());
    let idle = group.idle_ms.map_or_else(|| "never".to_owned(), |idle| format!("{} s", idle / 1_000));
    vec![
        group.stream.clone(),
        group.group.clone(),
        group.state.clone(),
        lag,
        group.pending.to_string(),
        group.consumers.to_string(),
        idle,
    ]
}
