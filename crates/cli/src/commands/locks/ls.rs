//! `quorate locks ls`.

use quorate_catalog::ids::AgentId;
use quorate_plane::Plane;
use quorate_verbs::locks::{Held, Ls};
use quorate_verbs::said::{Said, Within};

use crate::ask::ask;
use crate::failure::Failure;
use crate::out::{Answer, View};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Only what this agent holds.
    #[arg(long, value_name = "ID")]
    agent: Option<AgentId>,
    /// Most locks to list.
    #[arg(long, default_value_t = 1_000, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    limit: u32,
}

pub(crate) async fn run(plane: &Plane, args: &Args) -> Result<Answer, Failure> {
    let verb = Ls { agent: args.agent.clone().map(Said), limit: Some(Within(args.limit.into())) };
    let row = |held: &Held| {
        let (since, until) = (held.acquired_at.clone(), held.expires_at.clone());
        vec![held.lock.clone(), held.agent.clone(), held.mode.to_owned(), since, until]
    };
    let header = &["lock", "agent", "mode", "since", "until"];
    ask(plane, &verb, |all| View::Rows { header, rows: all.iter().map(row).collect() }).await
}
