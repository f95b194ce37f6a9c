//! `quorate agents drain ID`.

use quorate_verbs::agents::Drain;

use super::{agent, connect};
use crate::args::Global;
use crate::ask::ask;
use crate::failure::Failure;
use crate::out::{Answer, View};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The agent.
    id: String,
    /// Why; the agent hears it with its next heartbeat.
    #[arg(long, value_name = "TEXT", default_value = "")]
    reason: String,
    /// Only if this is its epoch [default: whatever incarnation there is].
    #[arg(long, value_name = "N")]
    epoch: Option<u64>,
}

pub(crate) async fn run(global: &Global, args: &Args) -> Result<Answer, Failure> {
    let verb = Drain { agent: agent(&args.id)?, reason: args.reason.clone(), epoch: args.epoch };
    let plane = connect(global).await?;
    ask(&plane, &verb, |done| View::Text(format!("{} is to finish and take nothing new", done.agent))).await
}
