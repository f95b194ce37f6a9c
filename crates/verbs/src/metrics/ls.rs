//! `metrics ls`.

use crate::prelude::*;

/// Lists every counter.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Ls {}

/// A counter and what it has come to.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Counter {
    pub counter: String,
    /// Absent where a foreign client wrote no number.
    pub value: Option<i64>,
}

impl Verb for Ls {
    const ABOUT: About = About::new("metrics", "ls", Method::Get, "/metrics", Level::Read, Effect::None);
    type Answer = Vec<Counter>;

    fn example() -> Value {
        json!({})
    }

    async fn run(&self, call: &Call) -> Result<Verdict<Vec<Counter>>, Fault> {
        let all = call.plane.metrics().ls().await?;
        Ok(Verdict::Done(all.into_iter().map(|(counter, value)| Counter { counter, value }).collect()))
    }
}
