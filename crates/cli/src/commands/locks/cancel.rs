//! `quorate locks cancel RES --request ID`.

use quorate_catalog::ids::AgentId;
use quorate_plane::Plane;
use quorate_plane::locks::Resource;
use quorate_verbs::locks::Cancel;
use quorate_verbs::said::Said;

use super::done;
use crate::ask::ask;
use crate::failure::Failure;
use crate::out::Answer;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The lock.
    #[arg(value_name = "RES")]
    on: Resource,
    /// The request, as `acquire --detach` and `show` name it.
    #[arg(long, value_name = "ID")]
    request: String,
    /// Whose request it must be.
    #[arg(long, env = "QUORATE_AGENT", value_name = "ID")]
    agent: Option<AgentId>,
}

pub(crate) async fn run(plane: &Plane, args: &Args) -> Result<Answer, Failure> {
    let verb = Cancel {
        lock: Said(args.on.clone()),
        request: args.request.clone(),
        agent: args.agent.clone().map(Said),
    };
    ask(plane, &verb, done).await
}
