//! `workflows show`.

use quorate_catalog::ids::WorkflowId;
use quorate_plane::Refusal;
use quorate_plane::workflows::Definition;

use crate::prelude::*;

/// Shows one workflow with its stages.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Show {
    /// The workflow.
    pub workflow: Said<WorkflowId>,
    /// Which version; the current one, if it is not said.
    #[serde(default)]
    pub version: Option<Within<1, 1_000>>,
}

impl Verb for Show {
    const ABOUT: About =
        About::new("workflows", "show", Method::Get, "/workflows/{workflow}", Level::Read, Effect::None)
            .also(&[("name", "workflow")]);
    type Answer = Definition;

    fn example() -> Value {
        json!({ "workflow": "billing" })
    }

    fn watched(&self, keys: &Keys) -> Option<Watched> {
        Some(Watched::new(keys.quorate().workflow(&self.workflow), &[]))
    }

    async fn run(&self, call: &Call) -> Result<Verdict<Definition>, Fault> {
        let version = self.version.map(|version| version.0);
        let found = call.plane.workflows().show(&self.workflow, version).await?;
        let none = || Verdict::Refused(Refusal::new("no_workflow", Some(self.workflow.to_string())).into());
        Ok(found.map_or_else(none, Verdict::Done))
    }
}
