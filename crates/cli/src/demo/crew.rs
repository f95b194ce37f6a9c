//! Agents of a scene: they register, beat, and come back when the plane has given them up.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::stage::{Stage, Trouble};

/// How often an agent says that it is there.
const BEAT: Duration = Duration::from_secs(10);

/// The agents of one scene and how each was last heard from.
pub(super) struct Crew {
    role: &'static str,
    names: &'static [&'static str],
    beats: HashMap<&'static str, Instant>,
}

impl Crew {
    pub(super) fn new(role: &'static str, names: &'static [&'static str]) -> Self {
        Self { role, names, beats: HashMap::new() }
    }

    pub(super) fn names(&self) -> &'static [&'static str] {
        self.names
    }

    /// Everybody is there: whoever is due beats, whoever is unknown registers.
    pub(super) async fn beat(&mut self, stage: &Stage) -> Result<(), Trouble> {
        for name in self.names {
            self.beat_one(stage, name).await?;
        }
        Ok(())
    }

    pub(super) async fn beat_one(&mut self, stage: &Stage, name: &'static str) -> Result<(), Trouble> {
        if self.beats.get(name).is_some_and(|last| last.elapsed() < BEAT) {
            return Ok(());
        }
        let known = self.beats.contains_key(name);
        let beaten = known && stage.post(&format!("/agents/{name}/heartbeat"), json!({})).await?.is_some();
        if !beaten {
            stage.post("/agents", self.registration(name)).await?;
        }
        self.beats.insert(name, Instant::now());
        Ok(())
    }

    /// Somebody falls silent; the next beat registers anew.
    pub(super) fn forget(&mut self, name: &str) {
        self.beats.remove(name);
    }

    fn registration(&self, name: &str) -> Value {
        json!({ "agent": name, "type": "demo", "role": self.role, "capabilities": ["rust", "typescript"], "lease": "60s" })
    }
}
