//! `quorate agents drain ID`.

use serde_json::json;

use super::{agent, connect};
use crate::args::Global;
use crate::failure::Failure;
use crate::out::{Answer, View};
use crate::refusal;

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
    let id = agent(&args.id)?;
    let outcome = connect(global).await?.agents().drain(&id, args.epoch, &args.reason).await?;
    Ok(refusal::or(outcome, |epoch| {
        let json = json!({ "outcome": "draining", "agent": id, "epoch": epoch });
        Answer::new(json, View::Text(format!("{id} is to finish and take nothing new")))
    }))
}
