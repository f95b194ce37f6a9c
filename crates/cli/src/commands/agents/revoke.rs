//! `quorate agents revoke ID`.

use quorate_catalog::ids::AgentId;
use quorate_plane::Plane;
use serde_json::json;

use super::{agent, connect};
use crate::args::Global;
use crate::failure::Failure;
use crate::out::{Answer, View};
use crate::refusal;

/// Refuses every later write of an agent, whether it listens or not.
///
/// What it held passes on at once. A new incarnation may register, unless there is a ban.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The agent.
    id: String,
    /// Let no new incarnation register either, and say why.
    #[arg(long, value_name = "REASON", value_parser = clap::builder::NonEmptyStringValueParser::new())]
    ban: Option<String>,
    /// Lift a ban instead, so that the agent may register again.
    #[arg(long, conflicts_with_all = ["ban", "epoch"])]
    lift: bool,
    /// Only if this is its epoch [default: whatever incarnation there is].
    #[arg(long, value_name = "N")]
    epoch: Option<u64>,
}

pub(crate) async fn run(global: &Global, args: &Args) -> Result<Answer, Failure> {
    let id = agent(&args.id)?;
    let plane = connect(global).await?;
    if args.lift {
        return lift(&plane, &id).await;
    }
    let outcome = plane.agents().revoke(&id, args.epoch, args.ban.as_deref()).await?;
    Ok(refusal::or(outcome, |epoch| {
        let json = json!({ "outcome": "revoked", "agent": id, "epoch": epoch, "banned": args.ban });
        let more = if args.ban.is_some() { " and banned" } else { "" };
        Answer::new(json, View::Text(format!("{id} is revoked{more}")))
    }))
}

async fn lift(plane: &Plane, id: &AgentId) -> Result<Answer, Failure> {
    let outcome = plane.agents().lift_ban(id).await?;
    Ok(refusal::or(outcome, |was_banned| {
        let json = json!({ "outcome": "lifted", "agent": id, "was_banned": was_banned });
        let text = if was_banned { "may register again" } else { "was not banned" };
        Answer::new(json, View::Text(format!("{id} {text}")))
    }))
}
