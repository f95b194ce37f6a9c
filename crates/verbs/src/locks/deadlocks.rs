//! `locks deadlocks`, and breaking them.

use crate::prelude::*;

/// Lists rings of agents that wait for each other.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Deadlocks {}

/// Breaks each ring of agents that wait for each other: one wait in it is failed, and nothing that is held is taken away.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Break {}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Rings {
    /// Each ring by its agents.
    pub deadlocks: Vec<Vec<String>>,
    /// Whether there were any, and they were broken.
    pub broken: bool,
}

impl Verb for Deadlocks {
    const ABOUT: About =
        About::new("locks", "deadlocks", Method::Get, "/locks/deadlocks", Level::Read, Effect::None);
    type Answer = Rings;

    fn example() -> Value {
        json!({})
    }

    async fn run(&self, call: &Call) -> Result<Verdict<Rings>, Fault> {
        let deadlocks = call.plane.locks().deadlocks(false).await?;
        Ok(Verdict::Done(Rings { deadlocks, broken: false }))
    }
}

impl Verb for Break {
    const ABOUT: About =
        About::new("locks", "break", Method::Post, "/locks/deadlocks/break", Level::Operate, Effect::Change)
            .typed("locks deadlocks --break");
    type Answer = Rings;

    fn example() -> Value {
        json!({})
    }

    async fn run(&self, call: &Call) -> Result<Verdict<Rings>, Fault> {
        let deadlocks = call.plane.locks().deadlocks(true).await?;
        Ok(Verdict::Done(Rings { broken: !deadlocks.is_empty(), deadlocks }))
    }
}
