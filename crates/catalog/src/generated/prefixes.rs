// Generated from the catalog by `cargo xtask codegen`. Do not edit.

//! The parts of a key that a deployment may choose.

/// One prefix per store that has its own.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Prefixes {
    /// Dead letters; the lifespan helper keeps none unless this is set. Environment: `RELAYNA_DLQ_STORE_PREFIX`.
    pub relayna_dlq: String,
    /// Events that the studio took in. Environment: `RELAYNA_STUDIO_EVENT_STORE_PREFIX`.
    pub relayna_events: String,
    /// The feed that a service offers to the studio. Environment: `RELAYNA_SERVICE_EVENT_STORE_PREFIX`.
    pub relayna_feed: String,
    /// Health of the registered services. Environment: `RELAYNA_STUDIO_HEALTH_STORE_PREFIX`.
    pub relayna_health: String,
    /// Leases of tasks, as later versions keep them. Environment: `RELAYNA_TASK_LEASE_STORE_PREFIX`.
    pub relayna_leases: String,
    /// Notices of failed tasks. Environment: `RELAYNA_STUDIO_FAILED_TASK_EMAIL_REDIS_PREFIX`.
    pub relayna_notices: String,
    /// Task observations. Environment: `RELAYNA_OBSERVATION_STORE_PREFIX`.
    pub relayna_observations: String,
    /// The registry of services. Environment: `RELAYNA_STUDIO_REGISTRY_PREFIX`.
    pub relayna_registry: String,
    /// The search index of tasks and services. Environment: `RELAYNA_STUDIO_TASK_SEARCH_INDEX_PREFIX`.
    pub relayna_search: String,
    /// Task status; a store made without the lifespan helper uses `task`. Environment: `RELAYNA_STORE_PREFIX`.
    pub relayna_status: String,
    /// Workflow runs, fan-in and stage contracts. Environment: `RELAYNA_WORKFLOW_STORE_PREFIX`.
    pub relayna_workflow: String,
}

impl Default for Prefixes {
    fn default() -> Self {
        Self {
            relayna_dlq: "relayna".to_owned(),
            relayna_events: "studio:events".to_owned(),
            relayna_feed: "relayna-service-events".to_owned(),
            relayna_health: "studio:health".to_owned(),
            relayna_leases: "relayna".to_owned(),
            relayna_notices: "studio:failed_task_email".to_owned(),
            relayna_observations: "relayna-observations".to_owned(),
            relayna_registry: "studio:services".to_owned(),
            relayna_search: "studio:search".to_owned(),
            relayna_status: "relayna".to_owned(),
            relayna_workflow: "relayna".to_owned(),
        }
    }
}

impl Prefixes {
    /// Field, environment name and value of each, for reading settings and for showing them.
    pub fn entries_mut(&mut self) -> Vec<(&'static str, Option<&'static str>, &mut String)> {
        vec![
            ("relayna_dlq", Some("RELAYNA_DLQ_STORE_PREFIX"), &mut self.relayna_dlq),
            ("relayna_events", Some("RELAYNA_STUDIO_EVENT_STORE_PREFIX"), &mut self.relayna_events),
            ("relayna_feed", Some("RELAYNA_SERVICE_EVENT_STORE_PREFIX"), &mut self.relayna_feed),
            ("relayna_health", Some("RELAYNA_STUDIO_HEALTH_STORE_PREFIX"), &mut self.relayna_health),
            ("relayna_leases", Some("RELAYNA_TASK_LEASE_STORE_PREFIX"), &mut self.relayna_leases),
            ("relayna_notices", Some("RELAYNA_STUDIO_FAILED_TASK_EMAIL_REDIS_PREFIX"), &mut self.relayna_notices),
            ("relayna_observations", Some("RELAYNA_OBSERVATION_STORE_PREFIX"), &mut self.relayna_observations),
            ("relayna_registry", Some("RELAYNA_STUDIO_REGISTRY_PREFIX"), &mut self.relayna_registry),
            ("relayna_search", Some("RELAYNA_STUDIO_TASK_SEARCH_INDEX_PREFIX"), &mut self.relayna_search),
            ("relayna_status", Some("RELAYNA_STORE_PREFIX"), &mut self.relayna_status),
            ("relayna_workflow", Some("RELAYNA_WORKFLOW_STORE_PREFIX"), &mut self.relayna_workflow),
        ]
    }

    /// The value of a prefix by its system and name in the catalog.
    pub fn get(&self, system: &str, name: &str) -> Option<&str> {
        match (system, name) {
            ("relayna", "dlq") => Some(&self.relayna_dlq),
            ("relayna", "events") => Some(&self.relayna_events),
            ("relayna", "feed") => Some(&self.relayna_feed),
            ("relayna", "health") => Some(&self.relayna_health),
            ("relayna", "leases") => Some(&self.relayna_leases),
            ("relayna", "notices") => Some(&self.relayna_notices),
            ("relayna", "observations") => Some(&self.relayna_observations),
            ("relayna", "registry") => Some(&self.relayna_registry),
            ("relayna", "search") => Some(&self.relayna_search),
            ("relayna", "status") => Some(&self.relayna_status),
            ("relayna", "workflow") => Some(&self.relayna_workflow),
            _ => None,
        }
    }
}
