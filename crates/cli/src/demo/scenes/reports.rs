//! A job every minute, and a worker that does it.

use std::time::Duration;

use futures_util::future::BoxFuture;
use serde_json::json;

use crate::demo::Scene;
use crate::demo::crew::Crew;
use crate::demo::stage::{Stage, Trouble, about, chance};

const NAMES: &[&str] = &["demo-reporter"];
const QUEUE: &str = "job:demo-reports";
const JOBS: [(&str, &str); 2] = [("demo-minutely", "* * * * *"), ("demo-nightly", "0 3 * * *")];

pub(super) struct Reports {
    crew: Crew,
    scheduled: bool,
}

impl Reports {
    pub(super) fn new() -> Self {
        Self { crew: Crew::new("report", NAMES), scheduled: false }
    }

    async fn play(&mut self, stage: &Stage) -> Result<Duration, Trouble> {
        self.crew.beat(stage).await?;
        if !self.scheduled {
            for (id, cron) in JOBS {
                // A job of an earlier demo may be there; its name is ours again.
                stage.delete(&format!("/jobs/{id}")).await?;
                let job =
                    json!({ "queue": QUEUE, "payload": "{\"report\":\"usage\"}", "id": id, "cron": cron });
                stage.post("/jobs", job).await?;
            }
            self.scheduled = true;
        }
        let wish = json!({ "agent": NAMES[0], "lease": "30s" });
        let claimed = stage.post(&format!("/queues/{QUEUE}/claim"), wish).await?.unwrap_or_default();
        for item in claimed["items"].as_array().into_iter().flatten() {
            let mut answer = json!({ "agent": NAMES[0], "token": item["token"] });
            if chance(20) {
                answer["error"] = "the warehouse did not answer".into();
                stage.post("/queues/nack", answer).await?;
            } else {
                stage.post("/queues/ack", answer).await?;
            }
        }
        Ok(about(10))
    }
}

impl Scene for Reports {
    fn name(&self) -> &'static str {
        "reports"
    }

    fn about(&self) -> &'static str {
        "a job every minute, and a worker that does it"
    }

    fn turn<'a>(&'a mut self, stage: &'a Stage) -> BoxFuture<'a, Result<Duration, Trouble>> {
        Box::pin(self.play(stage))
    }
}
