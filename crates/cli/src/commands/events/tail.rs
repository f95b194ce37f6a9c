//! `quorate events tail STREAM [--follow]`.

use std::time::Duration;

use quorate_plane::events::{Entry, Stream, Tail, Tailed, is_id};
use quorate_plane::{Outcome, Plane};
use quorate_verbs::events::Happened;
use serde_json::{Value, json};

use super::{entry_json, entry_line, table};
use crate::args::Format;
use crate::failure::Failure;
use crate::out::{self, Answer, View};
use crate::refusal;

/// How long one wait lasts; a follower that hears nothing looks again.
const WAIT: Duration = Duration::from_secs(5);

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Which stream.
    stream: Stream,
    /// Go on with what comes, until interrupted.
    #[arg(long, short)]
    follow: bool,
    /// How many entries to begin with.
    #[arg(long, short = 'n', default_value_t = 20, value_parser = clap::value_parser!(u32).range(0..=10_000))]
    lines: u32,
    /// Begin after this entry instead; 0-0 for the beginning.
    #[arg(long, value_name = "ID")]
    after: Option<String>,
}

pub(crate) async fn run(plane: &Plane, args: &Args, format: Format) -> Result<Answer, Failure> {
    if let Some(id) = args.after.as_ref().filter(|id| !id.contains('-') || !is_id(id)) {
        return Err(Failure::bad_input(format!("--after {id}: use an id such as 1794768310000-0")));
    }
    let newest = if args.after.is_some() || args.lines == 0 {
        Vec::new()
    } else {
        plane.events().newest(args.stream, args.lines.into()).await?
    };
    let mut tail = match (&args.after, newest.last()) {
        (Some(id), _) => Tail::after(args.stream, id),
        (None, Some(entry)) => Tail::after(args.stream, &entry.id),
        (None, None) => plane.events().end(args.stream).await?,
    };
    if args.follow {
        return follow(plane, &mut tail, &newest, format).await;
    }
    let mut found = newest;
    loop {
        match plane.events().follow(&mut tail, Duration::ZERO).await? {
            Outcome::Done(step) if step.entries.is_empty() => return Ok(shown(found)),
            Outcome::Done(step) => found.extend(step.entries),
            Outcome::Refused(refusal) => return Ok(refusal::answer(&refusal, &Value::Null)),
        }
    }
}

fn shown(found: Vec<Entry>) -> Answer {
    let all: Vec<Happened> = found.into_iter().map(Happened::from).collect();
    Answer::new(json!(all), table(&all))
}

async fn follow(plane: &Plane, tail: &mut Tail, newest: &[Entry], format: Format) -> Result<Answer, Failure> {
    let first = Tailed { entries: newest.to_vec(), lost: 0 };
    let mut there = show(&first, format);
    while there {
        match plane.events().follow(tail, WAIT).await {
            Ok(Outcome::Done(step)) => there = show(&step, format),
            Ok(Outcome::Refused(refusal)) => return Ok(refusal::answer(&refusal, &Value::Null)),
            // A server that restarts is waited for; the place is kept.
            Err(error) => {
                out::talk(&format!("warning: {error}; trying again"));
                tokio::time::sleep(Duration::from_secs(1)).await;
            }
        }
    }
    Ok(Answer::new(Value::Array(Vec::new()), View::Nothing))
}

fn show(step: &Tailed, format: Format) -> bool {
    let gap = step.lost == 0
        || out::line(
            &json!({ "gap": { "lost": step.lost } }),
            &format!("gap: {} entries are gone", step.lost),
            format,
        );
    gap && step.entries.iter().all(|entry| out::line(&entry_json(entry), &entry_line(entry), format))
}
