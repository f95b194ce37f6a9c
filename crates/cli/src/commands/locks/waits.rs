//! `quorate locks waits`.

use quorate_plane::Plane;
use quorate_verbs::locks::{Wait, Waits};

use crate::ask::ask;
use crate::failure::Failure;
use crate::out::{Answer, View};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {}

pub(crate) async fn run(plane: &Plane, _: &Args) -> Result<Answer, Failure> {
    ask(plane, &Waits { limit: None }, |all| view(all)).await
}

fn view(all: &[Wait]) -> View {
    let line =
        |wait: &Wait| format!("{} waits for {} behind {}", wait.agent, wait.lock, wait.behind.join(", "));
    View::Text(match all.len() {
        0 => "nobody waits for a lock".to_owned(),
        _ => all.iter().map(line).collect::<Vec<_>>().join("\n"),
    })
}
