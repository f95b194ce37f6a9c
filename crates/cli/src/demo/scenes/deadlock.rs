//! Now and then two agents wait for each other; the plane finds the ring and fails one wait.

use std::time::Duration;

use futures_util::future::BoxFuture;
use serde_json::json;

use crate::demo::Scene;
use crate::demo::crew::Crew;
use crate::demo::stage::{Stage, Trouble, about};

const NAMES: &[&str] = &["demo-left", "demo-right"];
const LOCKS: [&str; 2] = ["name:demo-ledger", "name:demo-invoices"];

pub(super) struct Deadlock {
    crew: Crew,
    turns: u32,
}

impl Deadlock {
    pub(super) fn new() -> Self {
        Self { crew: Crew::new("finance", NAMES), turns: 0 }
    }

    async fn play(&mut self, stage: &Stage) -> Result<Duration, Trouble> {
        self.crew.beat(stage).await?;
        self.turns += 1;
        // The ring is closed at every twelfth turn; between them both only live.
        if self.turns % 12 != 2 {
            return Ok(about(8));
        }
        for (agent, lock) in NAMES.iter().zip(LOCKS) {
            let wish = json!({ "agent": agent, "ttl": "50s", "purpose": "closing the month" });
            stage.post(&format!("/locks/{lock}/acquire"), wish).await?;
        }
        for (agent, lock) in NAMES.iter().zip(LOCKS.iter().rev()) {
            let wish = json!({ "agent": agent, "ttl": "20s", "wait": "45s", "detach": true, "purpose": "closing the month" });
            stage.post(&format!("/locks/{lock}/acquire"), wish).await?;
        }
        Ok(about(8))
    }
}

impl Scene for Deadlock {
    fn name(&self) -> &'static str {
        "deadlock"
    }

    fn about(&self) -> &'static str {
        "now and then two agents wait for each other"
    }

    fn turn<'a>(&'a mut self, stage: &'a Stage) -> BoxFuture<'a, Result<Duration, Trouble>> {
        Box::pin(self.play(stage))
    }
}
