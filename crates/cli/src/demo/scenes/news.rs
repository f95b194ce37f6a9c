//! What happens in the fleet, told on the mesh, and two groups that read it: one keeps up, one falls behind and catches up.

use std::time::Duration;

use futures_util::future::BoxFuture;
use serde_json::{Value, json};

use crate::demo::Scene;
use crate::demo::stage::{Stage, Trouble, about, chance, pick};

const KEEPS_UP: &str = "demo-audit";
const LAGS: &str = "demo-warehouse";
const NEWS: [(&str, &str); 5] = [
    ("deploy:step", "demo-web: the new version answers on half of the machines"),
    ("build:done", "demo-api: built and signed"),
    ("flag:switched", "demo-checkout-v2 is on for one in ten"),
    ("index:rebuilt", "demo-search: 1.2 million documents"),
    ("budget:warned", "demo-gpu-hours: four fifths are used"),
];

pub(super) struct News;

impl News {
    async fn play(stage: &Stage) -> Result<Duration, Trouble> {
        let (event, message) = pick(&NEWS);
        let told = json!({ "event": event, "payload": { "message": message }, "source": "demo-ci" });
        stage.post("/events/all", told).await?;
        Self::read(stage, KEEPS_UP, 100).await?;
        if chance(8) {
            Self::read(stage, LAGS, 20).await?;
        }
        Ok(about(6))
    }

    /// Reads what is new for a group, and acknowledges nearly all of it: the last one is still being worked on.
    async fn read(stage: &Stage, group: &str, count: u16) -> Result<(), Trouble> {
        let consumer = format!("{group}-1");
        let wanted =
            json!({ "group": group, "consumer": consumer, "start": "$", "count": count, "idle": "5s" });
        let read = stage.post("/events/all/read", wanted).await?.unwrap_or_default();
        let ids: Vec<&Value> =
            read["entries"].as_array().into_iter().flatten().map(|entry| &entry["id"]).collect();
        let done = ids.len() - usize::from(ids.len() > 1);
        if done > 0 {
            let acked = json!({ "group": group, "consumer": consumer, "ids": ids[..done] });
            stage.post("/events/all/ack", acked).await?;
        }
        Ok(())
    }
}

impl Scene for News {
    fn name(&self) -> &'static str {
        "news"
    }

    fn about(&self) -> &'static str {
        "events of the fleet, read by two groups"
    }

    fn turn<'a>(&'a mut self, stage: &'a Stage) -> BoxFuture<'a, Result<Duration, Trouble>> {
        Box::pin(Self::play(stage))
    }
}
