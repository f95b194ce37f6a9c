//! `quorate agents deregister ID`.

use serde_json::json;

use super::epoch::Epoch;
use super::{agent, connect};
use crate::args::Global;
use crate::failure::Failure;
use crate::out::{Answer, View};
use crate::refusal;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The agent.
    id: String,
    #[command(flatten)]
    epoch: Epoch,
}

pub(crate) async fn run(global: &Global, args: &Args) -> Result<Answer, Failure> {
    let id = agent(&args.id)?;
    let epoch = args.epoch.get()?;
    let outcome = connect(global).await?.agents().deregister(&id, epoch).await?;
    Ok(refusal::or(outcome, |epoch| {
        let json = json!({ "outcome": "deregistered", "agent": id, "epoch": epoch });
        Answer::new(json, View::Text(format!("{id} is deregistered")))
    }))
}
