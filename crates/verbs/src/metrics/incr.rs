//! `metrics incr`.

use quorate_catalog::ids::MetricId;

use crate::prelude::*;

/// Raises a counter.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Incr {
    /// The counter.
    pub counter: Said<MetricId>,
    /// By how much; 1 if it is not said.
    #[serde(default)]
    pub by: Option<i64>,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Raised {
    /// `raised`.
    pub outcome: &'static str,
    pub counter: String,
    pub value: i64,
}

impl Verb for Incr {
    const ABOUT: About =
        About::new("metrics", "incr", Method::Post, "/metrics/{counter}/incr", Level::Work, Effect::Hot)
            .also(&[("name", "counter")]);
    type Answer = Raised;

    fn example() -> Value {
        json!({ "counter": "builds", "by": 1 })
    }

    async fn run(&self, call: &Call) -> Result<Verdict<Raised>, Fault> {
        let outcome = call.plane.metrics().incr(&self.counter, self.by.unwrap_or(1)).await?;
        let counter = self.counter.to_string();
        Ok(Verdict::from(outcome).map(|value| Raised { outcome: "raised", counter, value }))
    }
}
