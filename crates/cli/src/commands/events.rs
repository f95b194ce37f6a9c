//! `quorate events`: what happened, and who has yet to hear of it.

use clap::Subcommand;
use quorate_plane::Plane;
use quorate_plane::events::{Batch, Entry, Gap};
use serde_json::{Value, json};

use crate::args::{Format, Global};
use crate::failure::Failure;
use crate::out::{Answer, View};
use crate::plane;

mod ack;
mod forget;
mod groups;
mod losses;
mod ls;
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
        Verb::Groups(args) => groups::run(&plane, &args).await,
        Verb::Forget(args) => forget::run(&plane, &args).await,
        Verb::Losses(args) => losses::run(&plane, &args).await,
        Verb::Wake(args) => wake::run(&plane, &args).await,
    }
}

pub(super) use ack::answer as acked;

/// An entry for programs: its id, when it was written, its fields.
pub(super) fn entry_json(entry: &Entry) -> Value {
    let mut document = json!(entry);
    if let Some(all) = document.as_object_mut() {
        all.insert("at".into(), entry.at().iso().into());
    }
    document
}

/// An entry for people, on one line.
pub(super) fn entry_line(entry: &Entry) -> String {
    let fields =
        entry.fields.iter().filter(|(name, _)| name != "request" && name != "timestamp" && name != "ts");
    let fields: Vec<String> = fields.map(|(name, value)| format!("{name}={value}")).collect();
    format!("{} {}", entry.id, fields.join(" "))
}

/// The answer for entries in a table.
pub(super) fn entries(entries: &[Entry]) -> Answer {
    let rows = entries.iter().map(|entry| {
        let (id, fields) =
            entry_line(entry).split_once(' ').map(|(a, b)| (a.to_owned(), b.to_owned())).unwrap_or_default();
        vec![id, entry.at().iso(), fields]
    });
    let json = entries.iter().map(entry_json).collect();
    Answer::new(Value::Array(json), View::Rows { header: &["id", "at", "fields"], rows: rows.collect() })
}

/// What a group was given; for `ndjson` a line for the gap and one for each entry.
pub(super) fn batch(batch: &Batch, format: Format) -> Answer {
    let found: Vec<Value> = batch.entries.iter().map(entry_json).collect();
    let outcome = if found.is_empty() && batch.gap.is_none() { "empty" } else { "read" };
    let json = match format {
        Format::Ndjson => batch.gap.iter().map(gap_json).chain(found).collect(),
        _ => json!({ "outcome": outcome, "gap": batch.gap, "put_aside": batch.put_aside, "entries": found }),
    };
    let rows = batch.entries.iter().map(|entry| {
        let line = entry_line(entry);
        let fields = line.split_once(' ').map_or("", |(_, fields)| fields);
        vec![entry.id.clone(), entry.deliveries.to_string(), fields.to_owned()]
    });
    if let Some(gap) = &batch.gap {
        crate::out::talk(&gap_line(gap));
    }
    Answer::new(json, View::Rows { header: &["id", "deliveries", "fields"], rows: rows.collect() })
}

fn gap_json(gap: &Gap) -> Value {
    json!({ "gap": gap })
}

fn gap_line(gap: &Gap) -> String {
    let exactly = if gap.exact { "" } else { "about " };
    format!(
        "gap ({}): {exactly}{} entries were never read and {} never acknowledged; acknowledge it as {}",
        gap.cause, gap.unread, gap.pending, gap.id
    )
}
