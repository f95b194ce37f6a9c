//! `quorate messages tail ID`.

use std::collections::HashMap;
use std::time::Duration;

use quorate_catalog::ids::AgentId;
use quorate_plane::messages::Message;
use quorate_plane::{Outcome, Plane};
use serde_json::{Value, json};

use super::table;
use crate::args::{Format, Global};
use crate::failure::Failure;
use crate::out::{self, Answer, View};
use crate::refusal;

/// How often an inbox is looked at, and how much of it.
const EVERY: Duration = Duration::from_millis(500);
const WINDOW: usize = 1_000;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Whose inbox.
    id: AgentId,
    /// How many messages to begin with.
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u16).range(0..=1000))]
    limit: u16,
    /// Go on with what arrives, until interrupted.
    #[arg(long)]
    follow: bool,
}

pub(crate) async fn run(global: &Global, plane: &Plane, args: &Args) -> Result<Answer, Failure> {
    let mut known = match look(plane, &args.id).await? {
        Outcome::Done(messages) => messages,
        Outcome::Refused(why) => return Ok(refusal::answer(&why, &Value::Null)),
    };
    let first = &known[known.len().saturating_sub(args.limit.into())..];
    let answer = Answer::new(json!(first), table(first));
    if !args.follow {
        return Ok(answer);
    }
    if !first.is_empty() {
        out::stream(&answer, global.output);
    }
    loop {
        tokio::time::sleep(EVERY).await;
        let Outcome::Done(now) = look(plane, &args.id).await? else { continue };
        let new = arrived(&known, &now);
        if !new.is_empty()
            && !out::stream(&Answer::new(json!(new), lines(&new, global.output)), global.output)
        {
            return Ok(Answer::new(json!([]), View::Nothing));
        }
        known = now;
    }
}

/// The newest messages, the oldest of them first.
async fn look(plane: &Plane, peer: &AgentId) -> Result<Outcome<Vec<Message>>, Failure> {
    let found = plane.messages().inbox(peer, WINDOW, true).await?;
    Ok(found.map(|mut inbox| {
        inbox.messages.reverse();
        inbox.messages
    }))
}

/// What is there now and was not before. Messages of other clients may be equal, so they are counted.
fn arrived(before: &[Message], now: &[Message]) -> Vec<Message> {
    let key = |one: &Message| (one.id.clone().filter(|_| !one.foreign), one.body.clone());
    let mut counts: HashMap<_, usize> = HashMap::new();
    before.iter().for_each(|one| *counts.entry(key(one)).or_default() += 1);
    let new = |one: &&Message| match counts.get_mut(&key(one)) {
        Some(left) if *left > 0 => {
            *left -= 1;
            false
        }
        _ => true,
    };
    now.iter().filter(new).cloned().collect()
}

/// A table's header is said once, so what follows is lines.
fn lines(new: &[Message], format: Format) -> View {
    if format != Format::Table {
        return View::Nothing;
    }
    let line = |one: &Message| {
        let text = |value: &Option<String>| value.clone().unwrap_or_else(|| "-".to_owned());
        format!(" {}  {}  {}  {}", text(&one.id), text(&one.from), text(&one.kind), one.body)
    };
    View::Text(
        new.iter().map(|one| quorate_catalog::text::harmless(&line(one))).collect::<Vec<_>>().join("\n"),
    )
}
