//! `tasks pressure`.

use crate::prelude::*;

/// Says where work piles up: queues, workers, leases, dead letters, each with how serious it is.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Pressure {}

impl Verb for Pressure {
    const ABOUT: About =
        About::new("tasks", "pressure", Method::Get, "/tasks/-/backpressure", Level::Read, Effect::None);
    type Answer = quorate_plane::tasks::Pressure;

    fn example() -> Value {
        json!({})
    }

    async fn run(&self, call: &Call) -> Result<Verdict<Self::Answer>, Fault> {
        Ok(Verdict::Done(call.plane.tasks().pressure().await?))
    }
}
