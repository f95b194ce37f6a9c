//! `quorate webhooks rm ID`.

use quorate_catalog::ids::WebhookId;
use quorate_plane::Plane;
use quorate_verbs::said::Said;
use quorate_verbs::webhooks::Rm;

use crate::ask::ask_as;
use crate::failure::Failure;
use crate::out::{Answer, View};
use crate::who;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Which one.
    id: WebhookId,
    /// Who does it, for the audit [default: the user at the command line].
    #[arg(long, value_name = "WHO")]
    by: Option<String>,
}

pub(crate) async fn run(plane: &Plane, args: &Args) -> Result<Answer, Failure> {
    let by = args.by.clone().unwrap_or_else(who::os_user);
    let verb = Rm { id: Said(args.id.clone()) };
    ask_as(plane, &by, &verb, |gone| {
        View::Text(format!("removed {}; {} is told nothing any more", gone.id, gone.url))
    })
    .await
}
