//! `quorate tokens create NAME --role ROLE`.

use std::time::Duration;

use quorate_catalog::ids::AgentId;
use quorate_plane::Plane;
use quorate_plane::tokens::{Role, Scope, TokenName};
use quorate_verbs::said::{Said, Span};
use quorate_verbs::tokens::Create;

use crate::ask::ask_as;
use crate::failure::Failure;
use crate::out::{Answer, View};
use crate::{duration, who};

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

/// The token alone is what a script reads: `TOKEN=$(quorate tokens create …)`.
pub(crate) async fn run(plane: &Plane, args: &Args) -> Result<Answer, Failure> {
    let verb = Create {
        name: Said(args.name.clone()),
        role: Said(args.role),
        scopes: args.scopes.iter().cloned().map(Said).collect(),
        agent: args.agent.clone().map(Said),
        ttl: args.ttl.map(Span),
    };
    let by = args.by.clone().unwrap_or_else(who::os_user);
    ask_as(plane, &by, &verb, |made| View::Text(made.token.clone())).await
}
