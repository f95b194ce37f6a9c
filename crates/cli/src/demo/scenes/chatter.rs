//! Records of services.

use std::time::Duration;

use futures_util::future::BoxFuture;
use serde_json::json;

use crate::demo::Scene;
use crate::demo::stage::{Stage, Trouble, about, pick};

const SERVICES: [&str; 3] = ["demo-gateway", "demo-indexer", "demo-mailer"];
const LINES: [(&str, &str); 6] = [
    ("info", "request served"),
    ("info", "batch of 200 documents indexed"),
    ("debug", "cache hit"),
    ("warn", "upstream took longer than a second"),
    ("info", "12 letters sent"),
    ("error", "connection reset by peer, trying again"),
];

pub(super) struct Chatter;

impl Chatter {
    async fn play(stage: &Stage) -> Result<Duration, Trouble> {
        let (level, message) = pick(&LINES);
        let record = json!({ "message": message, "level": level, "target": "demo", "fields": { "took_ms": fastrand::u16(1..2_000) } });
        stage.post(&format!("/logs/{}", pick(&SERVICES)), record).await?;
        Ok(about(1))
    }
}

impl Scene for Chatter {
    fn name(&self) -> &'static str {
        "chatter"
    }

    fn about(&self) -> &'static str {
        "services write their logs"
    }

    fn turn<'a>(&'a mut self, stage: &'a Stage) -> BoxFuture<'a, Result<Duration, Trouble>> {
        Box::pin(Self::play(stage))
    }
}
