//! `workflows ls`.

use crate::prelude::*;

/// Lists the workflows, by name.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Ls {}

/// A workflow in a line.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Summary {
    pub workflow: String,
    /// The current one.
    pub version: u64,
    pub stages: usize,
    pub defined_by: String,
    pub defined_at: String,
}

impl Verb for Ls {
    const ABOUT: About = About::new("workflows", "ls", Method::Get, "/workflows", Level::Read, Effect::None);
    type Answer = Vec<Summary>;

    fn example() -> Value {
        json!({})
    }

    async fn run(&self, call: &Call) -> Result<Verdict<Vec<Summary>>, Fault> {
        let all = call.plane.workflows().ls().await?;
        let summary = |one: quorate_plane::workflows::Definition| Summary {
            workflow: one.workflow,
            version: one.version,
            stages: one.topology.stages.len(),
            defined_by: one.defined_by,
            defined_at: one.defined_at,
        };
        Ok(Verdict::Done(all.into_iter().map(summary).collect()))
    }
}
