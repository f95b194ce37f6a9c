//! `quorate events`: what happened, and who has yet to hear of it.

use clap::Subcommand;
use quorate_plane::Plane;
use quorate_plane::events::{Entry, Gap};
use quorate_verbs::events::{Acked, Batch, Happened};
use serde_json::{Value, json};

use crate::args::{Format, Global};
use crate::ask::ask;
use crate::failure::Failure;
use crate::out::{Answer, View};
use crate::plane;

mod ack;
mod forget;
mod groups;
mod losses;
mod ls;
mod nack;
mod publish;
mod read;
mod tail;
mod wake;

#[derive(Debug, Subcommand)]
pub(crate) enum Verb {
    /// Puts an event on a stream.
    Publish(publish::Args),
    /// Lists the streams, or the newest entries of one.
    Ls(ls::Args),
    /// Shows the end of a stream, and follows it.
    Tail(tail::Args),
    /// Reads for a group: what a dead consumer left, then what is new.
    #[command(visible_alias = "consume")]
    Read(read::Args),
    /// Acknowledges what was read.
    Ack(ack::Args),
    /// Gives back what was read and is not taken; it is delivered again at once.
    Nack(nack::Args),
    /// Lists the groups and how far they are.
    Groups(groups::Args),
    /// Ends a group, so that nothing is kept for it.
    Forget(forget::Args),
    /// Lists what was destroyed before a group had acknowledged it.
    Losses(losses::Args),
    /// Records a wake or a kill, and only then runs the command that does it.
    Wake(wake::Args),
}

pub(crate) async fn run(global: &Global, verb: Verb) -> Result<Answer, Failure> {
    let plane = Plane::new(plane::connect(global).await?)?;
    match verb {
        Verb::Publish(args) => publish::run(&plane, &args).await,
        Verb::Ls(args) => ls::run(&plane, &args).await,
        Verb::Tail(args) => tail::run(&plane, &args, global.output).await,
        Verb::Read(args) => read::run(&plane, &args, global.output).await,
        Verb::Ack(args) => ack::run(&plane, &args).await,
        Verb::Nack(args) => nack::run(&plane, &args).await,
        Verb::Groups(args) => groups::run(&plane, &args).await,
        Verb::Forget(args) => forget::run(&plane, &args).await,
        Verb::Losses(args) => losses::run(&plane, &args).await,
        Verb::Wake(args) => wake::run(&plane, &args).await,
    }
}

/// An entry for programs: its id, its fields, when it was written.
pub(super) fn entry_json(entry: &Entry) -> Value {
    json!(Happened::from(entry.clone()))
}

/// An entry for people, on one line.
pub(super) fn entry_line(entry: &Entry) -> String {
    format!("{} {}", entry.id, fields(entry))
}

/// What an entry says, without what every entry has.
fn fields(entry: &Entry) -> String {
    let fields =
        entry.fields.iter().filter(|(name, _)| name != "request" && name != "timestamp" && name != "ts");
    let fields: Vec<String> = fields.map(|(name, value)| format!("{name}={value}")).collect();
    fields.join(" ")
}

/// Entries in a table.
pub(super) fn table(entries: &[Happened]) -> View {
    let row = |one: &Happened| vec![one.entry.id.clone(), one.at.clone(), fields(&one.entry)];
    View::Rows { header: &["id", "at", "fields"], rows: entries.iter().map(row).collect() }
}

/// What a group was given; for `ndjson` a line for the gap and one for each entry.
pub(super) async fn batch<V: quorate_verbs::Verb<Answer = Batch>>(
    plane: &Plane,
    verb: &V,
    format: Format,
) -> Result<Answer, Failure> {
    let mut answer = ask(plane, verb, |batch| {
        if let Some(gap) = &batch.gap {
            crate::out::talk(&gap_line(gap));
        }
        let row =
            |one: &Happened| vec![one.entry.id.clone(), one.entry.deliveries.to_string(), fields(&one.entry)];
        View::Rows { header: &["id", "deliveries", "fields"], rows: batch.entries.iter().map(row).collect() }
    })
    .await?;
    if format == Format::Ndjson && answer.exit == 0 {
        let gap = Some(answer.json["gap"].take()).filter(|gap| !gap.is_null());
        let gap = gap.map(|gap| json!({ "gap": gap }));
        let Value::Array(entries) = answer.json["entries"].take() else { return Ok(answer) };
        answer.json = gap.into_iter().chain(entries).collect();
    }
    Ok(answer)
}

/// How many were acknowledged.
pub(super) fn acked(done: &Acked) -> View {
    View::Text(format!("{} acknowledged", done.acked))
}

fn gap_line(gap: &Gap) -> String {
    let exactly = if gap.exact { "" } else { "about " };
    format!(
        "gap ({}): {exactly}{} entries were never read and {} never acknowledged; acknowledge it as {}",
        gap.cause, gap.unread, gap.pending, gap.id
    )
}
