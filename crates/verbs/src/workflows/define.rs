//! `workflows define`.

use quorate_catalog::ids::WorkflowId;
use quorate_plane::workflows::Topology;

use crate::prelude::*;

/// Defines a workflow, or a new version of one; runs keep the version they began with.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Define {
    /// Its name.
    pub workflow: Said<WorkflowId>,
    /// Its stages, where it begins, and how branches come together.
    pub topology: Topology,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Defined {
    /// `defined`, or `known` if this version was there already; it is the current one in both cases.
    pub outcome: &'static str,
    pub workflow: String,
    pub version: u64,
}

impl Verb for Define {
    const ABOUT: About = About::new(
        "workflows",
        "define",
        Method::Put,
        "/workflows/{workflow}",
        Level::Operate,
        Effect::Change,
    )
    .also(&[("name", "workflow")]);
    type Answer = Defined;

    fn example() -> Value {
        json!({ "workflow": "billing", "topology": { "entry": ["collect"], "stages": [
            { "name": "collect", "allowed_next_stages": ["price", "tax"], "max_retries": 3, "retry_delay_ms": 5000 },
            { "name": "price", "allowed_next_stages": ["merge"], "owner": "pricing" },
            { "name": "tax", "allowed_next_stages": ["merge"], "owner": "tax" },
            { "name": "merge", "terminal": true, "queue": "invoices",
              "join": { "rule": "all", "branches": ["price", "tax"], "deadline_ms": 3600000 } }
        ] } })
    }

    async fn run(&self, call: &Call) -> Result<Verdict<Defined>, Fault> {
        let outcome = call.plane.workflows().define(&self.workflow, &self.topology, &call.who).await?;
        Ok(Verdict::from(outcome).map(|done| Defined {
            outcome: if done.known { "known" } else { "defined" },
            workflow: self.workflow.to_string(),
            version: done.version,
        }))
    }
}
