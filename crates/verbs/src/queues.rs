//! What is to be done.

mod ack;
mod claim;
mod extend;
mod ls;
mod nack;
mod pause;
mod push;
mod show;

use quorate_plane::Refusal;
use quorate_plane::queues::{Queues, Token};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::said::Said;
use crate::{Call, Entry, Fault, Refused};

pub use ack::{Ack, Acked};
pub use claim::{Claim, Claimed, Item};
pub use extend::{Extend, Extended};
pub use ls::{Listed, Ls, Summary};
pub use nack::{Nack, Nacked};
pub use pause::{Pause, Paused, Resume};
pub use push::{Push, Pushed};
pub use show::{Show, Shown};

pub(crate) fn all() -> Vec<Entry> {
    vec![
        Entry::of::<Push>(),
        Entry::of::<Claim>(),
        Entry::of::<Ack>(),
        Entry::of::<Nack>(),
        Entry::of::<Extend>(),
        Entry::of::<Ls>(),
        Entry::of::<Show>(),
        Entry::of::<Pause>(),
        Entry::of::<Resume>(),
    ]
}

/// Claims that are answered together.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Tokens {
    /// The token that a claim gave.
    #[serde(default)]
    pub token: Option<Said<Token>>,
    /// Several, all of one queue; up to 500.
    #[serde(default)]
    pub tokens: Vec<Said<Token>>,
}

impl Tokens {
    pub(crate) fn all(&self) -> Result<Vec<Token>, Fault> {
        first_and_more(self.token.as_ref(), &self.tokens)
    }
}

fn first_and_more(first: Option<&Said<Token>>, more: &[Said<Token>]) -> Result<Vec<Token>, Fault> {
    let all: Vec<Token> = first.into_iter().chain(more).map(|said| said.0.clone()).collect();
    if all.is_empty() { Err(Fault::bad("token", "a token is missing")) } else { Ok(all) }
}

/// The queues, as the caller's process needs them.
fn of(call: &Call) -> Queues<'_> {
    let queues = call.plane.queues();
    if call.once { queues.once() } else { queues }
}

/// A token that no longer counts.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Late {
    pub token: String,
    pub outcome: &'static str,
}

/// Of several answers, each token with its outcome.
fn each(word: &'static str, tokens: &[Token], late: &[usize]) -> Vec<Late> {
    let outcome = |place: usize| if late.contains(&place) { "stale" } else { word };
    tokens
        .iter()
        .enumerate()
        .map(|(place, token)| Late { token: token.to_string(), outcome: outcome(place) })
        .collect()
}

/// The refusal of tokens of which at least one no longer counts.
fn stale(each: &[Late]) -> Refused {
    let first =
        each.iter().find(|one| one.outcome == "stale").map(|one| one.token.clone()).unwrap_or_default();
    let refused = Refused::new("stale", Refusal::new("stale_claim", None)).with("token", first);
    if each.len() > 1 { refused.with("tokens", serde_json::json!(each)) } else { refused }
}
