//! A queue that fills faster than it empties for a while, and failures that have a few causes.

use std::time::Duration;

use futures_util::future::BoxFuture;
use serde_json::{Value, json};

use crate::demo::Scene;
use crate::demo::crew::Crew;
use crate::demo::stage::{Stage, Trouble, about, chance, pick};

const NAMES: &[&str] = &["demo-builder-1", "demo-builder-2", "demo-builder-3"];
const QUEUE: &str = "job:demo-builds";
/// What goes wrong; each is a cluster of its own.
const FAILURES: [&str; 3] = [
    "registry.example answered 503 while fetching layer 7",
    "test billing::rounds_half_up failed: left 2, right 3",
    "out of disk on runner 12",
];
/// With more dead letters than this nothing fails any more, until somebody replays some.
const MOST_DEAD: u64 = 40;

pub(super) struct Work {
    crew: Crew,
    turns: u64,
    dead: u64,
}

impl Work {
    pub(super) fn new() -> Self {
        Self { crew: Crew::new("build", NAMES), turns: 0, dead: 0 }
    }

    async fn play(&mut self, stage: &Stage) -> Result<Duration, Trouble> {
        self.crew.beat(stage).await?;
        self.turns += 1;
        // Work comes in waves: three minutes more than can be done, three minutes less.
        let busy = (self.turns / 60).is_multiple_of(2);
        for _ in 0..if busy { 2 } else { 1 } {
            let repo = *pick(&["web", "api", "importer", "docs"]);
            let payload =
                json!({ "repo": repo, "commit": format!("{:07x}", fastrand::u32(..1 << 28)) }).to_string();
            let item = json!({ "payload": payload, "max_attempts": 2, "max_depth": 500 });
            stage.post(&format!("/queues/{QUEUE}/push"), item).await?;
        }
        let agent = *pick(self.crew.names());
        let wish = json!({ "agent": agent, "max": 2, "lease": "30s" });
        let claimed = stage.post(&format!("/queues/{QUEUE}/claim"), wish).await?.unwrap_or_default();
        for item in claimed["items"].as_array().into_iter().flatten() {
            self.finish(stage, agent, &item["token"]).await?;
        }
        if self.turns % 20 == 1 {
            let shown = stage.get(&format!("/queues/{QUEUE}")).await?.unwrap_or_default();
            self.dead = shown["dead"].as_u64().unwrap_or_default();
        }
        Ok(about(3))
    }

    async fn finish(&self, stage: &Stage, agent: &str, token: &Value) -> Result<(), Trouble> {
        if chance(3) {
            // The worker dies with it; the lease ends, and somebody else gets it.
            return Ok(());
        }
        if chance(18) && self.dead < MOST_DEAD {
            let failed = json!({ "agent": agent, "token": token, "error": pick(&FAILURES), "delay": "2s" });
            stage.post("/queues/nack", failed).await?;
        } else {
            stage.post("/queues/ack", json!({ "agent": agent, "token": token })).await?;
        }
        Ok(())
    }
}

impl Scene for Work {
    fn name(&self) -> &'static str {
        "work"
    }

    fn about(&self) -> &'static str {
        "a queue with waves of work, and failures in a few clusters"
    }

    fn turn<'a>(&'a mut self, stage: &'a Stage) -> BoxFuture<'a, Result<Duration, Trouble>> {
        Box::pin(self.play(stage))
    }
}
