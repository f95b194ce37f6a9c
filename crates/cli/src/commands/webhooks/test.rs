//! `quorate webhooks test ID`.

use quorate_catalog::ids::WebhookId;
use quorate_plane::Plane;
use quorate_verbs::said::Said;
use quorate_verbs::webhooks::Test;

use crate::ask::ask;
use crate::failure::{Exit, Failure};
use crate::out::{Answer, View};
use crate::outgoing::{Outgoing, calling};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Which one.
    id: WebhookId,
    #[command(flatten)]
    outgoing: Outgoing,
}

pub(crate) async fn run(plane: Plane, args: &Args) -> Result<Answer, Failure> {
    let plane = calling(plane, args.outgoing.guard()?);
    let verb = Test { id: Said(args.id.clone()) };
    let answer =
        ask(&plane, &verb, |tried| View::Text(format!("{}: {}", tried.outcome, tried.result))).await?;
    let failed = answer.json.get("outcome").is_some_and(|outcome| outcome == "failed");
    Ok(if failed { Answer { exit: Exit::Fault as u8, ..answer } } else { answer })
}
