//! `quorate events publish STREAM EVENT [PAYLOAD]`.

use quorate_plane::Plane;
use quorate_plane::events::Stream;
use quorate_verbs::events::Publish;
use quorate_verbs::said::{Json, Said};

use crate::ask::ask;
use crate::failure::Failure;
use crate::out::{Answer, View};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Where: all, task, approval or lock, or a full name such as events:all.
    stream: Stream,
    /// What happened, such as task:state_changed.
    event: String,
    /// The details, as JSON.
    #[arg(default_value = "{}")]
    payload: String,
    /// Who says so.
    #[arg(long, env = "QUORATE_AGENT", default_value = "quorate-cli", value_name = "NAME")]
    source: String,
}

pub(crate) async fn run(plane: &Plane, args: &Args) -> Result<Answer, Failure> {
    let verb = Publish {
        stream: Said(args.stream),
        event: args.event.clone(),
        payload: Some(Json(args.payload.clone())),
        source: Some(args.source.clone()),
    };
    ask(plane, &verb, |done| View::Text(format!("published {} on {}", done.id, done.stream))).await
}
