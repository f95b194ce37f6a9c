//! `quorate observations reject ID --reason WHY`.

use quorate_plane::Plane;
use quorate_verbs::observations::Reject;

use crate::ask::ask;
use crate::failure::Failure;
use crate::out::{Answer, View};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The observation.
    id: String,
    /// Why.
    #[arg(long)]
    reason: String,
    /// The group.
    #[arg(long, short, default_value = "consolidator")]
    group: String,
    /// Who has it.
    #[arg(long, short, env = "QUORATE_AGENT")]
    consumer: String,
}

pub(crate) async fn run(plane: &Plane, args: &Args) -> Result<Answer, Failure> {
    let verb = Reject {
        id: args.id.clone(),
        reason: args.reason.clone(),
        group: Some(args.group.clone()),
        consumer: args.consumer.clone(),
    };
    ask(plane, &verb, |done| View::Text(format!("it is with the dead ones as {}", done.id))).await
}
