//! `dead replay`.

use quorate_catalog::ids::DeadLetterId;
use quorate_plane::dead_letters::{self, Canary};
use quorate_plane::{Outcome, Refusal};

use super::Which;
use crate::prelude::*;

/// Gives letters another life where they came from, once for each time they died.
///
/// Name letters, or say which ones; without a state only open ones are meant.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Replay {
    /// The letters.
    #[serde(default)]
    pub ids: Vec<Said<DeadLetterId>>,
    #[serde(flatten)]
    pub which: Which,
    /// Another payload in the place of its own; what changed is kept. For one letter.
    #[serde(default)]
    pub payload: Option<String>,
    /// Most replays of one letter; 10 if it is not said.
    #[serde(default)]
    pub cap: Option<Within<1, 1_000>>,
    /// Most letters, if none is named; 1,000 if it is not said.
    #[serde(default)]
    pub limit: Option<Within<1, 100_000>>,
    /// Replay the first alone, and the rest only when its item was acknowledged within this time.
    #[serde(default)]
    pub canary: Option<Span>,
}

/// Gives one letter another life where it came from.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct ReplayOne {
    /// The letter.
    pub id: Said<DeadLetterId>,
    /// Another payload in the place of its own; what changed is kept.
    #[serde(default)]
    pub payload: Option<String>,
    /// Most replays of one letter; 10 if it is not said.
    #[serde(default)]
    pub cap: Option<Within<1, 1_000>>,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Replayed {
    /// `replayed`, or `held_back` if the first one did not prove that the rest would do any better.
    pub outcome: &'static str,
    pub replayed: Vec<Again>,
    /// Letters that were not replayed, each with its reason.
    pub refused: Vec<Kept>,
    /// The new item, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// Why the rest stays where it is: the first one `relapsed`, was `refused`, or is `unknown`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub canary: Option<&'static str>,
    /// How many stay where they are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub held_back: Option<usize>,
}

/// A letter and its new item.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Again {
    pub letter: String,
    pub id: String,
}

/// A letter that stays dead.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Kept {
    pub letter: String,
    pub code: String,
    pub reason: String,
}

impl Replay {
    async fn chosen(&self, call: &Call) -> Result<Vec<DeadLetterId>, Fault> {
        if !self.ids.is_empty() {
            return Ok(self.ids.iter().map(|id| id.0.clone()).collect());
        }
        let mut filter = self.which.filter(self.limit.map_or(1_000, Within::count));
        filter.state = filter.state.or(Some("open".to_owned()));
        let letters = call.plane.dead_letters().list(&filter).await?;
        Ok(letters.iter().filter_map(|letter| DeadLetterId::parse(&letter.id).ok()).collect())
    }

    fn how(&self, call: &Call) -> dead_letters::Replay {
        dead_letters::Replay {
            request: call.request(),
            payload: self.payload.clone(),
            cap: self.cap.and_then(|cap| u32::try_from(cap.0).ok()).unwrap_or(dead_letters::REPLAY_CAP),
            ..dead_letters::Replay::by(&call.who)
        }
    }
}

impl Verb for Replay {
    const ABOUT: About =
        About::new("dead", "replay", Method::Post, "/dead/replay", Level::Operate, Effect::Change)
            .of(&["ids", "cluster", "queue"]);
    type Answer = Replayed;

    fn example() -> Value {
        json!({ "queue": "normal", "text": "no route to host", "limit": 100 })
    }

    async fn run(&self, call: &Call) -> Result<Verdict<Replayed>, Fault> {
        if self.ids.is_empty() == self.which.is_empty() {
            return Err(Fault::bad("ids", "name letters, or a filter such as `cluster`, and not both"));
        }
        if self.payload.is_some() && self.ids.len() != 1 {
            return Err(Fault::bad("payload", "it goes with one letter"));
        }
        let (ids, how) = (self.chosen(call).await?, self.how(call));
        let (first, rest) = ids.split_at(if self.canary.is_some() { ids.len().min(1) } else { 0 });
        let letters = call.plane.dead_letters();
        let mut said: Vec<(&DeadLetterId, Outcome<String>)> = Vec::new();
        if !first.is_empty() {
            said.extend(first.iter().zip(letters.replay_many(first, &how).await?));
        }
        let canary = match (&said[..], self.canary) {
            ([(_, Outcome::Refused(_))], _) => Some("refused"),
            ([(id, _)], Some(wait)) => proof(letters.canary(id, wait.0).await?),
            _ => None,
        };
        if canary.is_none() && !rest.is_empty() {
            said.extend(rest.iter().zip(letters.replay_many(rest, &how).await?));
        }
        Ok(told(said, canary.map(|why| (why, rest.len()))))
    }
}

/// Why the rest stays where it is, if it does.
fn proof(canary: Canary) -> Option<&'static str> {
    match canary {
        Canary::Resolved => None,
        Canary::Relapsed => Some("relapsed"),
        Canary::Unknown => Some("unknown"),
    }
}

fn told(
    said: Vec<(&DeadLetterId, Outcome<String>)>,
    held_back: Option<(&'static str, usize)>,
) -> Verdict<Replayed> {
    let (mut replayed, mut refused, only) = (Vec::new(), Vec::new(), said.len() == 1);
    for (id, outcome) in said {
        match outcome {
            Outcome::Done(item) => replayed.push(Again { letter: id.to_string(), id: item }),
            Outcome::Refused(why) if only && held_back.is_none_or(|(_, rest)| rest == 0) => {
                return Verdict::Refused(alone(id, why));
            }
            Outcome::Refused(why) => {
                refused.push(Kept { letter: id.to_string(), code: why.code, reason: why.reason });
            }
        }
    }
    let id = if let [one] = &replayed[..] { Some(one.id.clone()) } else { None };
    let outcome = if held_back.is_some() { "held_back" } else { "replayed" };
    let (canary, held_back) = (held_back.map(|(why, _)| why), held_back.map(|(_, rest)| rest));
    Verdict::Done(Replayed { outcome, replayed, refused, id, canary, held_back })
}

/// The refusal of a single letter, with the item it has become if that is why.
fn alone(id: &DeadLetterId, why: Refusal) -> Refused {
    let item = why.detail.clone();
    Refused::from(why).with("letter", id.to_string()).with("id", item)
}

impl Verb for ReplayOne {
    const ABOUT: About =
        About::new("dead", "replay_one", Method::Post, "/dead/{id}/replay", Level::Operate, Effect::Change)
            .typed("dead replay");
    type Answer = Replayed;

    fn example() -> Value {
        json!({ "id": "4f3c2b1a", "payload": "{\"build\":43}" })
    }

    async fn run(&self, call: &Call) -> Result<Verdict<Replayed>, Fault> {
        let all = Replay {
            ids: vec![self.id.clone()],
            which: Which::default(),
            payload: self.payload.clone(),
            cap: self.cap,
            limit: None,
            canary: None,
        };
        all.run(call).await
    }
}
