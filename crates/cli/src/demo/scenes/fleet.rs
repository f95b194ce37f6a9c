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
/// A silence after which the plane takes an agent for lost.
const SILENCE: Duration = Duration::from_secs(150);

pub(super) struct Fleet {
    crew: Crew,
    /// Who is silent, and since when.
    silent: Option<(&'static str, Instant)>,
}

impl Fleet {
    pub(super) fn new() -> Self {
        Self { crew: Crew::new("build", NAMES), silent: None }
    }

    async fn play(&mut self, stage: &Stage) -> Result<Duration, Trouble> {
        if self.silent.is_some_and(|(_, since)| since.elapsed() > stage.paced(SILENCE)) {
            self.silent = None;
        }
        for name in NAMES.iter().filter(|name| self.silent.is_none_or(|(silent, _)| silent != **name)) {
            self.crew.beat_one(stage, name).await?;
        }
        let name = *pick(NAMES);
        if self.silent.is_none() && chance(5) {
            self.crew.forget(name);
            self.silent = Some((name, Instant::now()));
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
