//! `logs tail`.

use quorate_catalog::ids::LogServiceId;
use quorate_plane::logs::{Filter, Record};
use quorate_store::Micros;

use super::Severity;
use crate::prelude::*;

/// Shows the last records of one or several services, in order.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Tail {
    /// Whose records.
    pub service: Said<LogServiceId>,
    /// Further services.
    #[serde(default)]
    pub services: Vec<Said<LogServiceId>>,
    /// How many records; 50 if it is not said.
    #[serde(default)]
    pub lines: Option<Within<0, 10_000>>,
    /// At least this serious.
    #[serde(default)]
    pub level: Option<Severity>,
    /// Text that the message or a value contains.
    #[serde(default)]
    pub grep: Option<String>,
    /// The part of the service that logged, by how it begins.
    #[serde(default)]
    pub target: Option<String>,
    /// Not older than this, as in 15m.
    #[serde(default)]
    pub since: Option<Span>,
}

/// A record as it was published.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(transparent)]
pub struct Logged(#[schemars(with = "std::collections::BTreeMap<String, Value>")] pub Value);

impl Verb for Tail {
    const ABOUT: About =
        About::new("logs", "tail", Method::Get, "/logs/{service}", Level::Read, Effect::None)
            .also(&[("limit", "lines")]);
    type Answer = Vec<Logged>;

    fn example() -> Value {
        json!({ "service": "indexer", "lines": 20, "level": "warn" })
    }

    async fn run(&self, call: &Call) -> Result<Verdict<Vec<Logged>>, Fault> {
        let services: Vec<LogServiceId> =
            std::iter::once(&self.service).chain(&self.services).map(|service| service.0.clone()).collect();
        let filter = Filter {
            level: self.level.map(Into::into),
            grep: self.grep.clone(),
            target: self.target.clone(),
        };
        let since = match self.since {
            Some(since) => {
                let now = call.plane.store().time().await?.millis();
                let age = u64::try_from(since.0.as_millis()).unwrap_or(u64::MAX);
                Some(Micros::from_millis(now.saturating_sub(age)))
            }
            None => None,
        };
        let lines = self.lines.map_or(50, Within::count);
        let (records, _) = call.plane.logs().tail(&services, lines, since, &filter).await?;
        Ok(Verdict::Done(records.iter().map(Record::json).map(Logged).collect()))
    }
}
