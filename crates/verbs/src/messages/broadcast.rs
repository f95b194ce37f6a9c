//! `messages broadcast`.

use quorate_catalog::ids::WordId;
use quorate_plane::Outcome;
use quorate_plane::messages::Delivery;

use super::Letter;
use crate::prelude::*;

/// Sends a message to every live agent but the sender; each recipient gets one of its own.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Broadcast {
    #[serde(flatten)]
    pub letter: Letter,
    /// Only agents with this role.
    #[serde(default)]
    pub role: Option<Said<WordId>>,
    /// Only agents with this capability.
    #[serde(default)]
    pub capability: Option<Said<WordId>>,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Delivered {
    /// `sent`, or `partly_refused` if an inbox refused it; the others have it all the same.
    pub outcome: &'static str,
    pub sent: usize,
    pub refused: usize,
    pub recipients: Vec<Recipient>,
}

/// What became of it at one recipient.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Recipient {
    pub to: String,
    /// `sent` or `refused`.
    pub outcome: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

impl From<Delivery> for Recipient {
    fn from(one: Delivery) -> Self {
        let to = one.to.to_string();
        match one.outcome {
            Outcome::Done(sent) => Self { to, outcome: "sent", id: Some(sent.id), code: None, reason: None },
            Outcome::Refused(why) => {
                Self { to, outcome: "refused", id: None, code: Some(why.code), reason: Some(why.reason) }
            }
        }
    }
}

impl Verb for Broadcast {
    const ABOUT: About =
        About::new("messages", "broadcast", Method::Post, "/messages/broadcast", Level::Work, Effect::Hot)
            .by("from");
    type Answer = Delivered;

    fn example() -> Value {
        json!({ "from": "worker-1", "text": "main is closed until noon", "kind": "warn", "role": "build" })
    }

    async fn run(&self, call: &Call) -> Result<Verdict<Delivered>, Fault> {
        let messages = call.plane.messages().asked(call.request.as_deref());
        let word = |word: &Option<Said<WordId>>| word.as_ref().map(|word| word.0.clone());
        let (role, capability) = (word(&self.role), word(&self.capability));
        let outcome =
            messages.broadcast(&self.letter.outgoing(call), role.as_ref(), capability.as_ref()).await?;
        Ok(Verdict::from(outcome).map(|all| {
            let recipients: Vec<Recipient> = all.into_iter().map(Recipient::from).collect();
            let refused = recipients.iter().filter(|one| one.id.is_none()).count();
            let outcome = if refused == 0 { "sent" } else { "partly_refused" };
            Delivered { outcome, sent: recipients.len() - refused, refused, recipients }
        }))
    }
}
