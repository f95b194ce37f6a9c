//! `messages inboxes`.

use std::cmp::Reverse;

use quorate_plane::messages::Count;

use crate::prelude::*;

/// Most agents whose inboxes are counted in one call.
const MOST: usize = 10_000;

/// Counts what waits in the inbox of every agent, the fullest first; nothing is changed by looking.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Inboxes {
    /// Only those in which something waits.
    #[serde(default)]
    pub waiting: bool,
    /// Most inboxes to list, 10,000 if it is not said; the sums are of all of them.
    #[serde(default)]
    pub limit: Option<Within<1, 10_000>>,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Counted {
    /// How many messages are not acknowledged, in all inboxes together.
    pub waiting: u64,
    /// How many of them were never read.
    pub unread: u64,
    /// How many inboxes were counted.
    pub counted: usize,
    pub inboxes: Vec<Count>,
}

impl Verb for Inboxes {
    const ABOUT: About =
        About::new("messages", "inboxes", Method::Get, "/messages/inboxes", Level::Read, Effect::None);
    type Answer = Counted;

    fn example() -> Value {
        json!({ "waiting": true, "limit": 100 })
    }

    async fn run(&self, call: &Call) -> Result<Verdict<Counted>, Fault> {
        let mut names = call.plane.agents().names(MOST).await?;
        // A caller that is bound to an agent counts what that agent may read.
        names.retain(|name| call.acts_for(name.as_key()));
        let mut inboxes = call.plane.messages().counts(&names).await?;
        let sum = |of: fn(&Count) -> u64| inboxes.iter().map(of).sum();
        let (waiting, unread, counted) = (sum(|one| one.waiting), sum(|one| one.unread), inboxes.len());
        inboxes.retain(|one| one.waiting > 0 || !self.waiting);
        inboxes.sort_by(|a, b| (Reverse(a.waiting), &a.agent).cmp(&(Reverse(b.waiting), &b.agent)));
        inboxes.truncate(self.limit.map_or(MOST, Within::count));
        Ok(Verdict::Done(Counted { waiting, unread, counted, inboxes }))
    }
}
