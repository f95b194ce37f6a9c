//! Locks that several want: one holds, the others wait in line.

use std::time::Duration;

use futures_util::future::BoxFuture;
use serde_json::{Value, json};

use crate::demo::Scene;
use crate::demo::crew::Crew;
use crate::demo::stage::{Stage, Trouble, about, pick};

const NAMES: &[&str] = &["demo-deployer-1", "demo-deployer-2", "demo-deployer-3", "demo-deployer-4"];
const LOCKS: [&str; 3] =
    ["name:demo-deploy-staging", "name:demo-deploy-production", "resource:repo:demo-web"];

/// What somebody holds.
struct Held {
    lock: &'static str,
    agent: &'static str,
    token: Value,
}

pub(super) struct Deploys {
    crew: Crew,
    held: Vec<Held>,
}

impl Deploys {
    pub(super) fn new() -> Self {
        Self { crew: Crew::new("deploy", NAMES), held: Vec::new() }
    }

    async fn play(&mut self, stage: &Stage) -> Result<Duration, Trouble> {
        self.crew.beat(stage).await?;
        // Who has held one for a while lets it go, and the first in line gets it.
        if self.held.len() > 2 {
            let Held { lock, agent, token } = self.held.remove(0);
            stage.post(&format!("/locks/{lock}/release"), json!({ "agent": agent, "token": token })).await?;
        }
        let (lock, agent) = (*pick(&LOCKS), *pick(self.crew.names()));
        let purpose = *pick(&["rolling out the web app", "a hotfix", "a schema change"]);
        let wish = json!({ "agent": agent, "ttl": "40s", "wait": "30s", "detach": true, "purpose": purpose });
        if let Some(answer) = stage.post(&format!("/locks/{lock}/acquire"), wish).await?
            && answer["outcome"] == "granted"
        {
            self.held.push(Held { lock, agent, token: answer["token"].clone() });
        }
        Ok(about(5))
    }
}

impl Scene for Deploys {
    fn name(&self) -> &'static str {
        "deploys"
    }

    fn about(&self) -> &'static str {
        "several agents want the same locks and wait in line"
    }

    fn turn<'a>(&'a mut self, stage: &'a Stage) -> BoxFuture<'a, Result<Duration, Trouble>> {
        Box::pin(self.play(stage))
    }
}
