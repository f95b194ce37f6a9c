//! A workflow that branches and joins; now and then a branch is long in coming, and the run waits.

use std::collections::VecDeque;
use std::time::Duration;

use futures_util::future::BoxFuture;
use serde_json::{Value, json};

use crate::demo::Scene;
use crate::demo::stage::{Stage, Trouble, about, chance, fresh};

const WORKFLOW: &str = "demo-release";

pub(super) struct Releases {
    defined: bool,
    /// Stages that are still to be worked on: run, stage, what follows.
    steps: VecDeque<(String, &'static str, Value)>,
    /// Runs whose scan nobody has begun.
    late: VecDeque<String>,
}

/// So many runs wait for the scanner before it is mended.
const MOST_LATE: usize = 3;

impl Releases {
    pub(super) fn new() -> Self {
        Self { defined: false, steps: VecDeque::new(), late: VecDeque::new() }
    }

    fn topology() -> Value {
        json!({ "topology": { "entry": ["build"], "stages": [
            { "name": "build", "allowed_next_stages": ["test", "scan"], "max_retries": 2, "retry_delay_ms": 2000, "owner": "build" },
            { "name": "test", "allowed_next_stages": ["ship"], "owner": "quality" },
            { "name": "scan", "allowed_next_stages": ["ship"], "owner": "security" },
            { "name": "ship", "terminal": true, "owner": "release",
              "join": { "rule": "all", "branches": ["test", "scan"], "deadline_ms": 1_800_000 } } ] } })
    }

    async fn play(&mut self, stage: &Stage) -> Result<Duration, Trouble> {
        if !self.defined {
            self.defined = stage.put(&format!("/workflows/{WORKFLOW}"), Self::topology()).await?.is_some();
            return Ok(about(1));
        }
        match self.steps.pop_front() {
            Some((run, stage_name, next)) => self.work(stage, &run, stage_name, next).await?,
            None => self.begin(stage).await?,
        }
        Ok(about(5))
    }

    async fn begin(&mut self, stage: &Stage) -> Result<(), Trouble> {
        let run = fresh("release");
        let payload = json!({ "task": run, "payload": { "version": format!("1.{}.0", fastrand::u8(..)) } });
        stage.post(&format!("/workflows/{WORKFLOW}/runs"), payload).await?;
        let both = json!([{ "stage": "test" }, { "stage": "scan" }]);
        self.steps.push_back((run.clone(), "build", both));
        self.steps.push_back((run.clone(), "test", json!([{ "stage": "ship", "branch": "test" }])));
        // The scanner is down now and then.
        self.late.push_back(run);
        if chance(75) || self.late.len() > MOST_LATE {
            let scanned = if chance(25) { self.late.pop_front() } else { self.late.pop_back() };
            self.scan(scanned.unwrap_or_default());
        }
        Ok(())
    }

    fn scan(&mut self, run: String) {
        self.steps.push_back((run.clone(), "scan", json!([{ "stage": "ship", "branch": "scan" }])));
        self.steps.push_back((run, "ship", json!([])));
    }

    async fn work(&self, stage: &Stage, run: &str, name: &str, next: Value) -> Result<(), Trouble> {
        let place = format!("/workflows/runs/{run}/stages/{name}");
        let Some(entered) = stage.post(&format!("{place}/enter"), json!({ "lease": "60s" })).await? else {
            return Ok(());
        };
        let done = json!({ "attempt": entered["attempt"], "result": { "ok": true }, "next": next });
        stage.post(&format!("{place}/complete"), done).await?;
        Ok(())
    }
}

impl Scene for Releases {
    fn name(&self) -> &'static str {
        "releases"
    }

    fn about(&self) -> &'static str {
        "runs of a workflow that branches and joins, some of which wait"
    }

    fn turn<'a>(&'a mut self, stage: &'a Stage) -> BoxFuture<'a, Result<Duration, Trouble>> {
        Box::pin(self.play(stage))
    }
}
