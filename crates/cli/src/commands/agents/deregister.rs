//! `quorate agents deregister ID`.

use quorate_verbs::agents::Deregister;

use super::epoch::Epoch;
use super::{agent, connect};
use crate::args::Global;
use crate::ask::ask;
use crate::failure::Failure;
use crate::out::{Answer, View};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The agent.
    id: String,
    #[command(flatten)]
    epoch: Epoch,
}

pub(crate) async fn run(global: &Global, args: &Args) -> Result<Answer, Failure> {
    let verb = Deregister { agent: agent(&args.id)?, epoch: args.epoch.get()? };
    let plane = connect(global).await?;
    ask(&plane, &verb, |done| View::Text(format!("{} is deregistered", done.agent))).await
}
