//! `quorate agents revoke ID`.

use quorate_verbs::agents::{Lift, Revoke};

use super::{agent, connect};
use crate::args::Global;
use crate::ask::ask;
use crate::failure::Failure;
use crate::out::{Answer, View};

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
    let agent = agent(&args.id)?;
    let plane = connect(global).await?;
    if args.lift {
        return ask(&plane, &Lift { agent }, |lifted| {
            let text = if lifted.was_banned { "may register again" } else { "was not banned" };
            View::Text(format!("{} {text}", lifted.agent))
        })
        .await;
    }
    let verb = Revoke { agent, ban: args.ban.clone(), epoch: args.epoch };
    ask(&plane, &verb, |revoked| {
        let more = if revoked.banned.is_some() { " and banned" } else { "" };
        View::Text(format!("{} is revoked{more}", revoked.agent))
    })
    .await
}
