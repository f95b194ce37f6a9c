//! `quorate queues nack TOKEN --agent ID`.

use std::time::Duration;

use quorate_plane::Plane;
use quorate_verbs::queues::Nack;
use quorate_verbs::said::{Said, Span};

use super::Claimed;
use crate::ask::ask;
use crate::duration;
use crate::failure::Failure;
use crate::out::{Answer, View};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    claimed: Claimed,
    /// What went wrong.
    #[arg(long, alias = "reason", value_name = "TEXT", default_value = "", hide_default_value = true)]
    error: String,
    /// How long until it comes again [default: twice as long each time, from 1s to 5m].
    #[arg(long, value_parser = duration::parse)]
    delay: Option<Duration>,
}

pub(crate) async fn run(plane: &Plane, args: Args) -> Result<Answer, Failure> {
    let verb = Nack {
        token: Said(args.claimed.token),
        actor: args.claimed.actor.verb(),
        error: args.error,
        delay: args.delay.map(Span),
    };
    ask(plane, &verb, |done| {
        View::Text(match (&done.due, &done.letter) {
            (Some(due), _) => format!("it comes again at {due}"),
            (_, letter) => {
                let letter = letter.as_deref().unwrap_or_default();
                format!("that was the last attempt; dead letter {letter}")
            }
        })
    })
    .await
}
