//! `quorate dead drop ID…`.

use quorate_catalog::ids::DeadLetterId;
use quorate_plane::{Outcome, Plane};
use serde_json::json;

use super::Who;
use crate::failure::Failure;
use crate::out::{Answer, View};
use crate::refusal;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The letters.
    #[arg(required = true, value_name = "ID")]
    ids: Vec<DeadLetterId>,
    #[command(flatten)]
    who: Who,
    /// Why, for the audit.
    #[arg(long, value_name = "TEXT", default_value = "", hide_default_value = true)]
    reason: String,
}

pub(crate) async fn run(plane: &Plane, args: &Args) -> Result<Answer, Failure> {
    let mut dropped = Vec::new();
    for id in &args.ids {
        match plane.dead_letters().drop(id, &args.who.by, &args.reason).await? {
            Outcome::Done(()) => dropped.push(id.to_string()),
            Outcome::Refused(why) => return Ok(refusal::answer(&why, &json!({ "dropped": dropped }))),
        }
    }
    let text = format!("dropped {}", dropped.join(", "));
    Ok(Answer::new(json!({ "outcome": "dropped", "dropped": dropped }), View::Text(text)))
}
