//! `quorate messages broadcast TEXT`.

use quorate_catalog::ids::WordId;
use quorate_plane::Plane;
use quorate_verbs::messages::{Broadcast, Recipient};
use quorate_verbs::said::Said;

use super::Letter;
use crate::ask::ask;
use crate::failure::{Exit, Failure};
use crate::out::{Answer, View};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The message; each recipient gets one of its own.
    text: String,
    #[command(flatten)]
    letter: Letter,
    /// Only agents with this role.
    #[arg(long)]
    role: Option<WordId>,
    /// Only agents with this capability.
    #[arg(long)]
    capability: Option<WordId>,
}

/// A recipient that refused makes the exit code a refusal's, and the rest is sent all the same.
pub(crate) async fn run(plane: &Plane, args: &Args) -> Result<Answer, Failure> {
    let verb = Broadcast {
        letter: args.letter.verb(&args.text)?,
        role: args.role.clone().map(Said),
        capability: args.capability.clone().map(Said),
    };
    let mut partly = false;
    let answer = ask(plane, &verb, |delivered| {
        partly = delivered.refused > 0;
        let rows = delivered.recipients.iter().map(|one| vec![one.to.clone(), word(one)]).collect();
        View::Rows { header: &["to", "outcome"], rows }
    })
    .await?;
    Ok(if partly { Answer { exit: Exit::Refused as u8, ..answer } } else { answer })
}

fn word(one: &Recipient) -> String {
    let refused = || format!("refused: {}", one.reason.as_deref().unwrap_or_default());
    one.id.clone().unwrap_or_else(refused)
}
