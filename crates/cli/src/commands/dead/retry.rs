//! `quorate dead keep`, `dead retry ID`, `dead review ID`, `dead delete ID`: relayna's dead letters, changed.

use quorate_catalog::ids::DeadLetterId;
use quorate_plane::Plane;
use quorate_plane::json::Object;
use quorate_verbs::dead::{Delete, Keep, Mark, Retry};
use quorate_verbs::said::{Blob, Json, Said};

use super::Who;
use crate::ask::{ask, ask_as};
use crate::failure::Failure;
use crate::out::{Answer, View};

#[derive(Debug, clap::Args)]
pub(crate) struct Kept {
    /// The record in JSON; `queue_name` and `reason` are needed, the rest is filled in.
    #[arg(value_name = "JSON")]
    record: String,
}

pub(crate) async fn keep(plane: &Plane, args: Kept) -> Result<Answer, Failure> {
    let record =
        Object::parse(&args.record).map_err(|why| Failure::bad_input(format!("the record: {why}")))?;
    let verb = Keep { record: Blob(record) };
    ask(plane, &verb, |kept| View::Text(format!("{} {}", kept.outcome, kept.dlq_id))).await
}

#[derive(Debug, clap::Args)]
pub(crate) struct Again {
    /// The dead letter.
    #[arg(value_name = "ID")]
    id: DeadLetterId,
    #[command(flatten)]
    who: Who,
    /// Also if it was replayed before, or another client says that it is replaying it.
    #[arg(long)]
    force: bool,
    /// Another body in the place of its own, in JSON.
    #[arg(long, value_name = "JSON")]
    body: Option<String>,
    /// Another queue in the place of its own.
    #[arg(long, value_name = "NAME")]
    queue: Option<String>,
    /// A retry by hand: back to the queue it came from, with headers that say so.
    #[arg(long)]
    by_hand: bool,
    /// What there is to say about it.
    #[arg(long, value_name = "TEXT")]
    note: Option<String>,
}

pub(crate) async fn retry(plane: &Plane, args: Again) -> Result<Answer, Failure> {
    let verb = Retry {
        dlq_id: Said(args.id),
        force: args.force,
        body: args.body.map(Json),
        queue: args.queue,
        by_hand: args.by_hand,
        note: args.note,
    };
    ask_as(plane, &args.who.by, &verb, |done| {
        View::Text(format!("replayed as {} in {}", done.job_id, done.target_queue_name))
    })
    .await
}

#[derive(Debug, clap::Args)]
pub(crate) struct Looked {
    /// The dead letter.
    #[arg(value_name = "ID")]
    id: DeadLetterId,
    #[command(flatten)]
    who: Who,
    /// What was found out; without it, the mark is taken away.
    #[arg(long, value_name = "TEXT")]
    note: Option<String>,
}

pub(crate) async fn review(plane: &Plane, args: Looked) -> Result<Answer, Failure> {
    let verb = Mark { dlq_id: Said(args.id), note: args.note };
    ask_as(plane, &args.who.by, &verb, |record| {
        let state = record.review.as_ref().map_or("unreviewed", |review| review.state.as_str());
        View::Text(format!("{} is {state}", record.dlq_id))
    })
    .await
}

#[derive(Debug, clap::Args)]
pub(crate) struct Gone {
    /// The dead letter.
    #[arg(value_name = "ID")]
    id: DeadLetterId,
    #[command(flatten)]
    who: Who,
    /// Why, for the audit.
    #[arg(long, value_name = "TEXT", default_value = "", hide_default_value = true)]
    reason: String,
}

pub(crate) async fn delete(plane: &Plane, args: Gone) -> Result<Answer, Failure> {
    let verb = Delete { dlq_id: Said(args.id), reason: args.reason };
    ask_as(plane, &args.who.by, &verb, |done| View::Text(format!("deleted {}", done.dlq_id))).await
}
