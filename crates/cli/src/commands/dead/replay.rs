//! `quorate dead replay ID…`.

use std::time::Duration;

use quorate_catalog::ids::DeadLetterId;
use quorate_plane::Plane;
use quorate_verbs::dead::{Replay, Replayed};
use quorate_verbs::said::{Said, Span, Within};
use quorate_verbs::{Call, Verb};

use super::Who;
use super::ls::Which;
use crate::ask::call;
use crate::duration;
use crate::failure::{Exit, Failure};
use crate::out::{Answer, View};
use crate::refusal::told;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The letters; or a filter instead.
    #[arg(value_name = "ID")]
    ids: Vec<DeadLetterId>,
    #[command(flatten)]
    filter: Which,
    #[command(flatten)]
    who: Who,
    /// Another payload in the place of its own; what changed is kept. For one letter.
    #[arg(long, value_name = "TEXT")]
    payload: Option<String>,
    /// Most replays of one letter.
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=1_000))]
    cap: u32,
    /// Most letters of a filter.
    #[arg(long, default_value_t = 1_000, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    limit: u32,
    /// The id of this request; a repeated one makes no second item.
    #[arg(long, value_name = "ID")]
    request: Option<String>,
    /// Replay the first alone, and the rest only when its item was acknowledged within this time.
    #[arg(long, value_name = "TIME", num_args = 0..=1, require_equals = true, default_missing_value = "60s", value_parser = duration::parse)]
    canary: Option<Duration>,
}

pub(crate) async fn run(plane: &Plane, args: Args) -> Result<Answer, Failure> {
    let call = Call { request: args.request, ..call(plane, &args.who.by) };
    let verb = Replay {
        ids: args.ids.into_iter().map(Said).collect(),
        which: args.filter.verb(),
        payload: args.payload,
        cap: Some(Within(args.cap.into())),
        limit: Some(Within(args.limit.into())),
        canary: args.canary.map(Span),
    };
    let mut all = true;
    let answer = told(verb.run(&call).await?, |done| {
        all = done.refused.is_empty() && done.held_back.is_none();
        View::Text(text(done))
    });
    Ok(if all { answer } else { Answer { exit: Exit::Refused as u8, ..answer } })
}

fn text(done: &Replayed) -> String {
    let text = format!("replayed {}, refused {}", done.replayed.len(), done.refused.len());
    let Some((why, count)) = done.canary.zip(done.held_back) else { return text };
    let why = match why {
        "relapsed" => "died again",
        "unknown" => "is not done yet",
        _ => "was refused",
    };
    format!("{text}; the first one {why}, so {count} stay where they are")
}
