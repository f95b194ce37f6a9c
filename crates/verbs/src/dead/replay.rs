//! `dead replay`.

use quorate_catalog::ids::DeadLetterId;
use quorate_plane::{Outcome, Refusal, dead_letters};

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
    /// `replayed`.
    pub outcome: &'static str,
    pub replayed: Vec<Again>,
    /// Letters that were not replayed, each with its reason.
    pub refused: Vec<Kept>,
    /// The new item, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
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
        About::new("dead", "replay", Method::Post, "/dead/replay", Level::Operate, Effect::Change);
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
        let (mut replayed, mut refused) = (Vec::new(), Vec::new());
        for id in &ids {
            match call.plane.dead_letters().replay(id, &how).await? {
                Outcome::Done(item) => replayed.push(Again { letter: id.to_string(), id: item }),
                Outcome::Refused(why) if ids.len() == 1 => return Ok(Verdict::Refused(alone(id, why))),
                Outcome::Refused(why) => {
                    refused.push(Kept { letter: id.to_string(), code: why.code, reason: why.reason });
                }
            }
        }
        let id = if let [one] = &replayed[..] { Some(one.id.clone()) } else { None };
        Ok(Verdict::Done(Replayed { outcome: "replayed", replayed, refused, id }))
    }
}

/// The refusal of a single letter, with the item it has become if that is why.
fn alone(id: &DeadLetterId, why: Refusal) -> Refused {
    let item = why.detail.clone();
    Refused::from(why).with("letter", id.to_string()).with("id", item)
}

impl Verb for ReplayOne {
    const ABOUT: About =
        About::new("dead", "replay_one", Method::Post, "/dead/{id}/replay", Level::Operate, Effect::Change);
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
        };
        all.run(call).await
    }
}
