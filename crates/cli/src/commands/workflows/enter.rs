//! `quorate workflows enter TASK STAGE`.

use std::time::Duration;

use quorate_catalog::ids::{AgentId, WordId};
use quorate_plane::Plane;
use quorate_verbs::said::{Json, Said, Ttl};
use quorate_verbs::workflows::Enter;

use super::Place;
use crate::ask::ask;
use crate::duration;
use crate::failure::Failure;
use crate::out::{Answer, View};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    place: Place,
    /// What is done [default: the stage's first action].
    #[arg(long)]
    action: Option<WordId>,
    /// What it is done with, in JSON.
    #[arg(long, value_name = "JSON")]
    payload: Option<String>,
    /// Who does it.
    #[arg(long, env = "QUORATE_AGENT")]
    agent: Option<AgentId>,
    /// How long until the attempt counts as lost [default: the stage's timeout, or 60s].
    #[arg(long, value_parser = duration::ttl)]
    lease: Option<Duration>,
}

pub(crate) async fn run(plane: &Plane, args: Args) -> Result<Answer, Failure> {
    let verb = Enter {
        task: Said(args.place.task),
        stage: Said(args.place.stage),
        action: args.action.map(Said),
        payload: args.payload.map(Json),
        agent: args.agent.map(Said),
        lease: args.lease.map(Ttl),
    };
    ask(plane, &verb, |done| View::Text(format!("attempt {} until {}", done.attempt, done.until))).await
}
