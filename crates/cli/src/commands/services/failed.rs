//! `quorate services failure | review | retry | discard ID FAILURE`: one failed task of a service.

use quorate_catalog::ids::{DeadLetterId, ServiceId};
use quorate_plane::Plane;
use quorate_verbs::said::{Json, Said};
use quorate_verbs::services::{Discard, Failure as Show, Retry, Review};

use crate::ask::{ask, ask_as};
use crate::failure::Failure;
use crate::out::{Answer, View};
use crate::outgoing::{Outgoing, calling};

#[derive(Debug, clap::Args)]
pub(crate) struct One {
    /// The service.
    id: ServiceId,
    /// The failed task.
    failure: DeadLetterId,
    #[command(flatten)]
    outgoing: Outgoing,
}

#[derive(Debug, clap::Args)]
pub(crate) struct ReviewArgs {
    #[command(flatten)]
    one: One,
    /// Who does it.
    #[arg(long, env = "QUORATE_AGENT", value_name = "WHO", default_value = "operator")]
    by: String,
    /// What was found out.
    #[arg(long, value_name = "TEXT", conflicts_with = "undo")]
    note: Option<String>,
    /// Take the mark away.
    #[arg(long)]
    undo: bool,
}

#[derive(Debug, clap::Args)]
pub(crate) struct RetryArgs {
    #[command(flatten)]
    one: One,
    /// Who does it.
    #[arg(long, env = "QUORATE_AGENT", value_name = "WHO", default_value = "operator")]
    by: String,
    /// Another queue than the one it came from.
    #[arg(long, value_name = "NAME")]
    queue: Option<String>,
    /// Another body in the place of its own, in JSON.
    #[arg(long, value_name = "JSON")]
    body: Option<String>,
    /// What there is to say about it.
    #[arg(long, value_name = "TEXT")]
    note: Option<String>,
    /// Also if it was retried before, or nobody knows whether it was.
    #[arg(long)]
    force: bool,
}

pub(crate) async fn show(plane: Plane, args: One) -> Result<Answer, Failure> {
    let plane = calling(plane, args.outgoing.guard()?);
    let verb = Show { service_id: Said(args.id), failure_id: Said(args.failure) };
    ask(&plane, &verb, |said| View::Text(format!("{said:#}"))).await
}

pub(crate) async fn review(plane: Plane, args: ReviewArgs) -> Result<Answer, Failure> {
    let plane = calling(plane, args.one.outgoing.guard()?);
    let (name, undo) = (args.one.failure.to_string(), args.undo);
    let verb = Review {
        service_id: Said(args.one.id),
        failure_id: Said(args.one.failure),
        investigated: Some(!undo),
        note: args.note,
    };
    let word = if undo { "unreviewed" } else { "investigated" };
    ask_as(&plane, &args.by, &verb, |_| View::Text(format!("{name} is {word}"))).await
}

pub(crate) async fn retry(plane: Plane, args: RetryArgs) -> Result<Answer, Failure> {
    let plane = calling(plane, args.one.outgoing.guard()?);
    let name = args.one.failure.to_string();
    let verb = Retry {
        service_id: Said(args.one.id),
        failure_id: Said(args.one.failure),
        target_queue: args.queue,
        override_payload: args.body.map(Json),
        note: args.note,
        force: args.force,
    };
    ask_as(&plane, &args.by, &verb, |_| View::Text(format!("{name} was retried"))).await
}

pub(crate) async fn discard(plane: Plane, args: One) -> Result<Answer, Failure> {
    let plane = calling(plane, args.outgoing.guard()?);
    let name = args.failure.to_string();
    let verb = Discard { service_id: Said(args.id), failure_id: Said(args.failure) };
    ask(&plane, &verb, |_| View::Text(format!("{name} was deleted"))).await
}
