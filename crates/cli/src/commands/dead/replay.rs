//! `quorate dead replay ID…`.

use std::time::Duration;

use quorate_catalog::ids::DeadLetterId;
use quorate_plane::dead_letters::{Canary, Replay};
use quorate_plane::{Outcome, Plane, Refusal};
use serde_json::{Value, json};

use super::Who;
use super::ls::Which;
use crate::duration;
use crate::failure::{Exit, Failure};
use crate::out::{Answer, View};
use crate::refusal;

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

pub(crate) async fn run(plane: &Plane, args: &Args) -> Result<Answer, Failure> {
    if args.ids.is_empty() == args.filter.is_empty() {
        return Err(Failure::bad_input("name letters, or a filter such as --cluster"));
    }
    if args.payload.is_some() && args.ids.len() != 1 {
        return Err(Failure::bad_input("--payload goes with one letter"));
    }
    let how = Replay { payload: args.payload.clone(), cap: args.cap, ..Replay::by(&args.who.by) };
    let how = Replay { request: args.request.clone().unwrap_or(how.request.clone()), ..how };
    let ids = chosen(plane, args).await?;
    let (first, rest) = ids.split_at(if args.canary.is_some() { ids.len().min(1) } else { 0 });
    let mut said = Said::default();
    said.take(first, plane.dead_letters().replay_many(first, &how).await?);
    let held_back = match (first, args.canary) {
        ([id], Some(wait)) if said.refused.is_empty() => canary(plane, id, wait).await?,
        ([_], Some(_)) => Some("refused"),
        _ => None,
    };
    if held_back.is_none() {
        said.take(rest, plane.dead_letters().replay_many(rest, &how).await?);
    }
    if let ([(_, why)], true) = (&said.refused[..], ids.len() == 1) {
        return Ok(refusal::answer(why, &json!({ "letter": ids[0].to_string(), "id": why.detail })));
    }
    Ok(answer(said, held_back.map(|why| (why, rest.len()))))
}

/// Waits for the first; why the rest stays where it is, if it does.
async fn canary(plane: &Plane, id: &DeadLetterId, wait: Duration) -> Result<Option<&'static str>, Failure> {
    Ok(match plane.dead_letters().canary(id, wait).await? {
        Canary::Resolved => None,
        Canary::Relapsed => Some("relapsed"),
        Canary::Unknown => Some("unknown"),
    })
}

#[derive(Default)]
struct Said {
    replayed: Vec<Value>,
    refused: Vec<(String, Refusal)>,
}

impl Said {
    fn take(&mut self, ids: &[DeadLetterId], outcomes: Vec<Outcome<String>>) {
        for (id, outcome) in ids.iter().zip(outcomes) {
            match outcome {
                Outcome::Done(item) => self.replayed.push(json!({ "letter": id.to_string(), "id": item })),
                Outcome::Refused(why) => self.refused.push((id.to_string(), why)),
            }
        }
    }
}

async fn chosen(plane: &Plane, args: &Args) -> Result<Vec<DeadLetterId>, Failure> {
    if !args.ids.is_empty() {
        return Ok(args.ids.clone());
    }
    let mut filter = args.filter.filter(args.limit as usize);
    filter.state = filter.state.or(Some("open".to_owned()));
    let letters = plane.dead_letters().list(&filter).await?;
    Ok(letters.iter().filter_map(|letter| DeadLetterId::parse(&letter.id).ok()).collect())
}

fn answer(said: Said, held_back: Option<(&str, usize)>) -> Answer {
    let mut text = format!("replayed {}, refused {}", said.replayed.len(), said.refused.len());
    let refusals = said
        .refused
        .iter()
        .map(|(letter, why)| json!({ "letter": letter, "code": why.code, "reason": why.reason }));
    let mut json =
        json!({ "outcome": "replayed", "replayed": said.replayed, "refused": refusals.collect::<Value>() });
    if let [one] = &said.replayed[..] {
        json["id"] = one["id"].clone();
    }
    if let Some((why, count)) = held_back {
        json["outcome"] = "held_back".into();
        json["canary"] = why.into();
        json["held_back"] = count.into();
        text = format!(
            "{text}; the first one {}, so {count} stay where they are",
            match why {
                "relapsed" => "died again",
                "unknown" => "is not done yet",
                _ => "was refused",
            }
        );
    }
    let exit = if said.refused.is_empty() && held_back.is_none() { 0 } else { Exit::Refused as u8 };
    Answer { exit, ..Answer::new(json, View::Text(text)) }
}
