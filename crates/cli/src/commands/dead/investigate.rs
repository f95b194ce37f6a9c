//! `quorate dead investigate ID`.

use quorate_catalog::ids::DeadLetterId;
use quorate_plane::Plane;
use serde_json::json;

use super::Who;
use crate::failure::Failure;
use crate::out::{Answer, View};
use crate::refusal;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The letter.
    #[arg(value_name = "ID")]
    id: DeadLetterId,
    #[command(flatten)]
    who: Who,
    /// What you found out; without it, the mark is taken away.
    #[arg(long, value_name = "TEXT", default_value = "", hide_default_value = true)]
    note: String,
}

pub(crate) async fn run(plane: &Plane, args: &Args) -> Result<Answer, Failure> {
    let outcome = plane.dead_letters().investigate(&args.id, &args.who.by, &args.note).await?;
    let word = if args.note.is_empty() { "unreviewed" } else { "investigated" };
    Ok(refusal::or(outcome, |()| {
        Answer::new(
            json!({ "outcome": word, "letter": args.id.to_string() }),
            View::Text(format!("{word} {}", args.id)),
        )
    }))
}
