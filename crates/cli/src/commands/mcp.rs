//! `quorate mcp`: the plane as tools of the Model Context Protocol, over standard input and output.

use quorate_plane::Plane;
use quorate_plane::tokens::{Caller, Role};
use serde_json::json;

use crate::args::Global;
use crate::failure::{Exit, Failure};
use crate::out::{Answer, View};
use crate::{plane, who};

/// Serves the plane as MCP tools over standard input and output.
///
/// For a program that starts its tools itself. The tools see what their role may see and do what it may do; over HTTP the
/// same tools are at /mcp of a running `quorate up`, with a token.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// What the client may do: viewer, agent, operator, reviewer or admin.
    #[arg(long, default_value = "agent")]
    role: Role,
    /// Act for this agent and its sub-agents only.
    #[arg(long, value_name = "ID", env = "QUORATE_AGENT")]
    agent: Option<quorate_catalog::ids::AgentId>,
}

pub(crate) async fn run(global: &Global, args: Args) -> Result<Answer, Failure> {
    let plane = Plane::new(plane::connect(global).await?)?;
    let mut caller = Caller::local(who::os_user());
    (caller.role, caller.agent) = (args.role, args.agent);
    let served = quorate_server::serve_stdio(plane, caller).await;
    served.map_err(|why| Failure::new(Exit::Fault, format!("the client went away: {why}")))?;
    Ok(Answer::new(json!({ "outcome": "closed" }), View::Nothing))
}
