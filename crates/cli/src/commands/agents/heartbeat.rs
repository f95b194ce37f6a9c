//! `quorate agents heartbeat ID`.

use quorate_catalog::text::harmless;
use quorate_verbs::agents::{Beaten, Heartbeat};

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
    /// Knock on the agent's behalf instead: it is told, and it does not count as alive. No epoch is looked at.
    #[arg(long, conflicts_with = "epoch")]
    poke: bool,
    #[command(flatten)]
    epoch: Epoch,
}

pub(crate) async fn run(global: &Global, args: &Args) -> Result<Answer, Failure> {
    let epoch = if args.poke { None } else { args.epoch.get()? };
    let verb = Heartbeat { agent: agent(&args.id)?, epoch, poke: args.poke };
    let plane = connect(global).await?;
    ask(&plane, &verb, |beaten| View::Text(text(beaten))).await
}

fn text(beaten: &Beaten) -> String {
    let Beaten::Acked { agent, lease_until, messages, unread, drain, .. } = beaten else {
        let Beaten::Poked { agent, .. } = beaten else { return String::new() };
        return format!("{agent} was poked");
    };
    let mut text =
        format!("{agent} is alive, lease until {lease_until}; {messages} messages wait, {unread} unread");
    if let Some(reason) = drain {
        text.push_str(&format!("\nit is to finish and take nothing new: {}", harmless(reason)));
    }
    text
}
