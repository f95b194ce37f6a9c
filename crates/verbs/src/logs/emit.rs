//! `logs emit`.

use quorate_catalog::ids::LogServiceId;
use quorate_plane::logs::Record;
use serde_json::Map;

use super::Severity;
use crate::prelude::*;

/// Sends one record.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Emit {
    /// Who logs.
    pub service: Said<LogServiceId>,
    /// What; it is cut behind 32 KiB.
    pub message: String,
    /// How serious; info if it is not said.
    #[serde(default)]
    pub level: Severity,
    /// Which part of the service.
    #[serde(default)]
    pub target: String,
    /// Further values by name.
    #[serde(default)]
    pub fields: Map<String, Value>,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Sent {
    /// `sent`.
    pub outcome: &'static str,
}

/// The longest record, with its values.
const MOST: usize = 64 * 1024;

impl Verb for Emit {
    const ABOUT: About =
        About::new("logs", "emit", Method::Post, "/logs/{service}", Level::Work, Effect::Hot)
            .also(&[("msg", "message")]);
    type Answer = Sent;

    fn example() -> Value {
        json!({ "service": "indexer", "message": "the index is built", "level": "info", "fields": { "took_ms": 420 } })
    }

    async fn run(&self, call: &Call) -> Result<Verdict<Sent>, Fault> {
        if self.target.len() > 1_024 {
            return Err(Fault::bad("target", "it is longer than 1,024 bytes"));
        }
        if Value::Object(self.fields.clone()).to_string().len() > MOST {
            return Err(Fault::bad("fields", "they have more than 65,536 bytes"));
        }
        let record = Record::new(self.service.as_key(), self.level.into(), &self.target, &self.message);
        call.plane.logs().emit(&self.service, &[record.with_fields(self.fields.clone())]).await?;
        Ok(Verdict::Done(Sent { outcome: "sent" }))
    }
}
