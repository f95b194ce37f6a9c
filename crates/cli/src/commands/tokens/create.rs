//! `quorate tokens create NAME --role ROLE`.

use std::time::Duration;

use quorate_catalog::ids::AgentId;
use quorate_plane::Plane;
use quorate_plane::tokens::{Created, NewToken, Role, Scope, TokenName};
use serde_json::json;

use crate::failure::Failure;
use crate::out::{Answer, View};
use crate::{duration, refusal, who};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// What to call it.
    name: TokenName,
    /// viewer, agent, operator, reviewer or admin.
    #[arg(long)]
    role: Role,
    /// Narrow the role: NOUN:LEVEL, such as queues:read, locks:* or *:read. May be given several times.
    #[arg(long = "scope", value_name = "SCOPE")]
    scopes: Vec<Scope>,
    /// Speak for this agent and its sub-agents alone.
    #[arg(long, value_name = "ID")]
    agent: Option<AgentId>,
    /// How long it lives, such as 30d; until it is revoked, without this.
    #[arg(long, value_name = "TIME", value_parser = duration::parse)]
    ttl: Option<Duration>,
    /// Who makes it, for the audit [default: the user at the command line].
    #[arg(long, value_name = "WHO")]
    by: Option<String>,
}

pub(crate) async fn run(plane: &Plane, args: &Args) -> Result<Answer, Failure> {
    let wanted = NewToken {
        name: args.name.clone(),
        role: args.role,
        scopes: args.scopes.clone(),
        agent: args.agent.clone(),
        ttl: args.ttl,
        by: args.by.clone().unwrap_or_else(who::os_user),
    };
    Ok(refusal::or(plane.tokens().create(&wanted).await?, |made| answer(&wanted, &made)))
}

/// The token alone is what a script reads: `TOKEN=$(quorate tokens create …)`.
fn answer(wanted: &NewToken, made: &Created) -> Answer {
    let json = json!({
        "outcome": "created", "name": made.name, "token": made.token, "role": made.role, "scopes": wanted.scopes,
        "agent": wanted.agent, "created_at": made.created_at.iso(), "expires_at": made.expires_at.map(|end| end.iso()),
    });
    Answer::new(json, View::Text(made.token.clone()))
}
