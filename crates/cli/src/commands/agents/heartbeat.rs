//! `quorate agents heartbeat ID`.

use quorate_plane::agents::Beat;
use serde_json::json;

use super::epoch::Epoch;
use super::{agent, connect};
use crate::args::Global;
use crate::failure::Failure;
use crate::out::{Answer, View};
use crate::refusal;
use quorate_catalog::text::harmless;

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
    let id = agent(&args.id)?;
    let epoch = if args.poke { None } else { args.epoch.get()? };
    let plane = connect(global).await?;
    if args.poke {
        let outcome = plane.agents().poke(&id).await?;
        let json = json!({ "outcome": "poked", "agent": id });
        return Ok(refusal::or(outcome, |()| Answer::new(json, View::Text(format!("{id} was poked")))));
    }
    let outcome = plane.agents().heartbeat(&id, epoch).await?;
    Ok(refusal::or(outcome, |beat| done(&args.id, &beat)))
}

fn done(id: &str, beat: &Beat) -> Answer {
    let lease_until = beat.lease_until.iso();
    let json = json!({
        "outcome": "acked", "agent": id, "epoch": beat.epoch, "lease_until": lease_until,
        "messages": beat.messages, "unread": beat.unread, "drain": beat.drain,
    });
    let mut text = format!(
        "{id} is alive, lease until {lease_until}; {} messages wait, {} unread",
        beat.messages, beat.unread
    );
    if let Some(reason) = &beat.drain {
        text.push_str(&format!("\nit is to finish and take nothing new: {}", harmless(reason)));
    }
    Answer::new(json, View::Text(text))
}
