//! `quorate dead replay ID…`.

use quorate_catalog::ids::DeadLetterId;
use quorate_plane::dead_letters::Replay;
use quorate_plane::{Outcome, Plane, Refusal};
use serde_json::{Value, json};

use super::Who;
use super::ls::Which;
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
    let mut replayed = Vec::new();
    let mut refused: Vec<(String, Refusal)> = Vec::new();
    for id in &ids {
        match plane.dead_letters().replay(id, &how).await? {
            Outcome::Done(item) => replayed.push(json!({ "letter": id.to_string(), "id": item })),
            Outcome::Refused(why) => refused.push((id.to_string(), why)),
        }
    }
    if let ([(_, why)], true) = (&refused[..], ids.len() == 1) {
        return Ok(refusal::answer(why, &json!({ "letter": ids[0].to_string(), "id": why.detail })));
    }
    Ok(answer(replayed, &refused))
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

fn answer(replayed: Vec<Value>, refused: &[(String, Refusal)]) -> Answer {
    let text = format!("replayed {}, refused {}", replayed.len(), refused.len());
    let refusals = refused
        .iter()
        .map(|(letter, why)| json!({ "letter": letter, "code": why.code, "reason": why.reason }));
    let mut json =
        json!({ "outcome": "replayed", "replayed": replayed, "refused": refusals.collect::<Value>() });
    if let [one] = &replayed[..] {
        json["id"] = one["id"].clone();
    }
    let exit = if refused.is_empty() { 0 } else { Exit::Refused as u8 };
    Answer { exit, ..Answer::new(json, View::Text(text)) }
}
