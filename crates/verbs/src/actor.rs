//! Who acts.

use quorate_catalog::ids::AgentId;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::said::Said;

/// An agent, and which incarnation of it.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Actor {
    /// The agent who acts; it must be registered.
    pub agent: Said<AgentId>,
    /// Its epoch, as registering gave it; an earlier incarnation is refused. Without one, the current incarnation acts.
    #[serde(default)]
    pub epoch: Option<u64>,
}
