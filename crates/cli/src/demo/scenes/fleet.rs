//! Agents that come, work, fall silent and come back.

use std::time::{Duration, Instant};

use futures_util::future::BoxFuture;
use serde_json::json;

use crate::demo::Scene;
use crate::demo::crew::Crew;
use crate::demo::stage::{Stage, Trouble, about, chance, pick};

const NAMES: &[&str] = &[
    "demo-coder-1",
    "demo-coder-2",
    "demo-coder-3",
    "demo-tester-1",
    "demo-tester-2",
    "demo-scribe",
    "demo-scout",
    "demo-intern",
];
const TASKS: [&str; 6] = [
    "migrate the billing schema",
    "raise the test coverage of the parser",
    "find out why the cache misses",
    "write the release notes",
    "port the importer to async",
    "tidy the error messages",
];
/// How long somebody is silent: a stall, of which the plane says that the agent is away, and a death, of which it says after five minutes
/// that it is stale and after ten that it is dead.
const SILENCES: [Duration; 2] = [Duration::from_secs(150), Duration::from_secs(660)];

pub(super) struct Fleet {
    crew: Crew,
    /// Who is silent, since when, and for how long.
    silent: Option<(&'static str, Instant, Duration)>,
}

impl Fleet {
    pub(super) fn new() -> Self {
        Self { crew: Crew::new("build", NAMES), silent: None }
    }

    async fn play(&mut self, stage: &Stage) -> Result<Duration, Trouble> {
        if self.silent.is_some_and(|(_, since, long)| since.elapsed() > stage.paced(long)) {
            self.silent = None;
        }
        let silent = self.silent.map(|(name, ..)| name);
        let there: Vec<&'static str> = NAMES.iter().copied().filter(|name| Some(*name) != silent).collect();
        for name in &there {
            self.crew.beat_one(stage, name).await?;
        }
        let name = *pick(&there);
        if self.silent.is_none() && chance(5) {
            self.crew.forget(name);
            self.silent = Some((name, Instant::now(), *pick(&SILENCES)));
        } else {
            let status = *pick(&["in_progress", "in_progress", "blocked", "done"]);
            stage
                .patch(&format!("/agents/{name}"), json!({ "task": pick(&TASKS), "status": status }))
                .await?;
        }
        Ok(about(4))
    }
}

impl Scene for Fleet {
    fn name(&self) -> &'static str {
        "fleet"
    }

    fn about(&self) -> &'static str {
        "agents come, work, fall silent and come back"
    }

    fn turn<'a>(&'a mut self, stage: &'a Stage) -> BoxFuture<'a, Result<Duration, Trouble>> {
        Box::pin(self.play(stage))
    }
}
