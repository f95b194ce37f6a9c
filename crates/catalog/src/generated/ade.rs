// Generated from the catalog by `cargo xtask codegen`. Do not edit.

//! Keys of Community ADE approvals.

use super::ids::{AgentId, ApprovalId, ConfigName, Endpoint, EventType, FlagName, JobId, LoginSessionId, PolicyId, QueueNameId, ResourceId, ResourceTypeId, Tag, TaskId, TaskState, UserId};
use super::FamilyId;
use crate::space::{Key, Keys};

/// Governed tasks, the approvals they need, the locks they are applied under, and the jobs, limits and settings around them.
#[derive(Debug, Clone, Copy)]
pub struct Ade<'k>(&'k Keys);

impl Keys {
    /// Governed tasks, the approvals they need, the locks they are applied under, and the jobs, limits and settings around them.
    pub const fn ade(&self) -> Ade<'_> {
        Ade(self)
    }
}

impl Ade<'_> {
    /// `ade:lock:agent:<agent_id>:capacity` · hash · none: How much one agent can take on and how much it has.
    pub fn agent_capacity(&self, agent_id: &AgentId) -> Key {
        self.0.join(
            FamilyId::AdeAgentCapacity,
            &["ade:lock:agent:", agent_id.as_key(), ":capacity"],
            &["ade:lock:agent:{agent:", agent_id.as_key(), "}:capacity"],
        )
    }

    /// `ade:approval:request:<approval_id>` · hash · ttl 30d: One reviewer's say on one task.
    pub fn approval_request(&self, approval_id: &ApprovalId) -> Key {
        self.0.join(
            FamilyId::AdeApprovalRequest,
            &["ade:approval:request:", approval_id.as_key()],
            &["ade:approval:request:{approval:", approval_id.as_key(), "}"],
        )
    }

    /// `ade:approval:queue:user:<user_id>` · zset · none: What waits for one reviewer, most urgent highest.
    pub fn approval_queue(&self, user_id: &UserId) -> Key {
        self.0.join(
            FamilyId::AdeApprovalQueue,
            &["ade:approval:queue:user:", user_id.as_key()],
            &["ade:approval:queue:user:{user:", user_id.as_key(), "}"],
        )
    }

    /// `ade:approval:index:task:<task_id>` · set · ttl 30d, ttl of the approvals in it: All approvals asked for one task.
    pub fn approvals_by_task(&self, task_id: &TaskId) -> Key {
        self.0.join(
            FamilyId::AdeApprovalsByTask,
            &["ade:approval:index:task:", task_id.as_key()],
            &["ade:approval:index:task:{task:", task_id.as_key(), "}"],
        )
    }

    /// `ade:approval:queue:global` · zset · none: All pending approvals by when they are due, for escalation and timeout.
    pub fn approvals_due(&self) -> Key {
        self.0.join(
            FamilyId::AdeApprovalsDue,
            &["ade:approval:queue:global"],
            &["ade:approval:queue:global"],
        )
    }

    /// `ade:approval:stats:user:<user_id>` · hash · none: How one reviewer is doing.
    pub fn reviewer_stats(&self, user_id: &UserId) -> Key {
        self.0.join(
            FamilyId::AdeReviewerStats,
            &["ade:approval:stats:user:", user_id.as_key()],
            &["ade:approval:stats:user:{user:", user_id.as_key(), "}"],
        )
    }

    /// `ade:approval:stats:task:<task_id>` · hash · ttl 30d: How the approvals of one task stand.
    pub fn task_approval_stats(&self, task_id: &TaskId) -> Key {
        self.0.join(
            FamilyId::AdeTaskApprovalStats,
            &["ade:approval:stats:task:", task_id.as_key()],
            &["ade:approval:stats:task:{task:", task_id.as_key(), "}"],
        )
    }

    /// `ade:approval:delegation:<user_id>:<policy_id>` · hash · ttl of expires_at of the policy: A rule by which one reviewer hands approvals to another.
    pub fn delegation(&self, user_id: &UserId, policy_id: &PolicyId) -> Key {
        self.0.join(
            FamilyId::AdeDelegation,
            &["ade:approval:delegation:", user_id.as_key(), ":", policy_id.as_key()],
            &["ade:approval:delegation:{user:", user_id.as_key(), "}:", policy_id.as_key()],
        )
    }

    /// `ade:approval:delegation:index:<user_id>` · set · none: Delegation policies of one user.
    pub fn delegations_by_user(&self, user_id: &UserId) -> Key {
        self.0.join(
            FamilyId::AdeDelegationsByUser,
            &["ade:approval:delegation:index:", user_id.as_key()],
            &["ade:approval:delegation:index:{user:", user_id.as_key(), "}"],
        )
    }

    /// `ade:config:<config_name>` · string|hash · none: One setting of the deployment.
    pub fn config(&self, config_name: &ConfigName) -> Key {
        self.0.join(
            FamilyId::AdeConfig,
            &["ade:config:", config_name.as_key()],
            &["ade:config:{config:", config_name.as_key(), "}"],
        )
    }

    /// `ade:feature:<flag_name>` · string · none: Whether one feature is switched on.
    pub fn feature(&self, flag_name: &FlagName) -> Key {
        self.0.join(
            FamilyId::AdeFeature,
            &["ade:feature:", flag_name.as_key()],
            &["ade:feature:{feature:", flag_name.as_key(), "}"],
        )
    }

    /// `ade:events:<event_type>` · stream · maxlen ~10000, pruned after 7d: What happens to tasks, to approvals or to locks.
    pub fn events(&self, event_type: EventType) -> Key {
        self.0.join(
            FamilyId::AdeEvents,
            &["ade:events:", event_type.as_key()],
            &["ade:events:", event_type.as_key()],
        )
    }

    /// `ade:events:<event_type>:consumers` · group · none: The services that each read every event of one stream.
    pub fn event_group(&self, event_type: EventType) -> Key {
        self.0.join(
            FamilyId::AdeEventGroup,
            &["ade:events:", event_type.as_key(), ":consumers"],
            &["ade:events:", event_type.as_key(), ":consumers"],
        )
    }

    /// `ade:job:scheduled` · zset · none: Jobs that are to run later.
    pub fn scheduled_jobs(&self) -> Key {
        self.0.join(
            FamilyId::AdeScheduledJobs,
            &["ade:job:scheduled"],
            &["ade:job:scheduled"],
        )
    }

    /// `ade:job:lock:<job_id>` · string · ttl of the job's timeout: The worker that runs one job, so that no other does.
    pub fn job_lock(&self, job_id: &JobId) -> Key {
        self.0.join(
            FamilyId::AdeJobLock,
            &["ade:job:lock:", job_id.as_key()],
            &["ade:job:lock:{job:", job_id.as_key(), "}"],
        )
    }

    /// `ade:ratelimit:<endpoint>:<user_id>` · string · ttl 1m: Requests of one user to one endpoint within the window.
    pub fn rate_limit(&self, endpoint: &Endpoint, user_id: &UserId) -> Key {
        self.0.join(
            FamilyId::AdeRateLimit,
            &["ade:ratelimit:", endpoint.as_key(), ":", user_id.as_key()],
            &["ade:ratelimit:", endpoint.as_key(), ":{user:", user_id.as_key(), "}"],
        )
    }

    /// `ade:ratelimit:lock:acquire:<agent_id>` · string · ttl 1m: How often one agent asked for locks within the window, so that none starves the others.
    pub fn lock_rate_limit(&self, agent_id: &AgentId) -> Key {
        self.0.join(
            FamilyId::AdeLockRateLimit,
            &["ade:ratelimit:lock:acquire:", agent_id.as_key()],
            &["ade:ratelimit:lock:acquire:{agent:", agent_id.as_key(), "}"],
        )
    }

    /// `ade:lock:task:<task_id>` · hash · ttl 30s, refreshed: Who may work on one task; one holder at a time.
    pub fn task_lock(&self, task_id: &TaskId) -> Key {
        self.0.join(
            FamilyId::AdeTaskLock,
            &["ade:lock:task:", task_id.as_key()],
            &["ade:lock:task:{task:", task_id.as_key(), "}"],
        )
    }

    /// `ade:lock:resource:<resource_type>:<resource_id>` · hash · ttl 30s, refreshed: Who may use one resource, alone or with others.
    pub fn resource_lock(&self, resource_type: &ResourceTypeId, resource_id: &ResourceId) -> Key {
        self.0.join(
            FamilyId::AdeResourceLock,
            &["ade:lock:resource:", resource_type.as_key(), ":", resource_id.as_key()],
            &["ade:lock:resource:", resource_type.as_key(), ":{resource:", resource_id.as_key(), "}"],
        )
    }

    /// `ade:lock:task:<task_id>:queue` · zset · ttl 5m: Agents that wait for the lock of one task, first come first.
    pub fn lock_queue(&self, task_id: &TaskId) -> Key {
        self.0.join(
            FamilyId::AdeLockQueue,
            &["ade:lock:task:", task_id.as_key(), ":queue"],
            &["ade:lock:task:{task:", task_id.as_key(), "}:queue"],
        )
    }

    /// `ade:lock:task:<task_id>:channel` · channel · none: What happens to the lock of one task, as it happens.
    pub fn lock_channel(&self, task_id: &TaskId) -> Key {
        self.0.join(
            FamilyId::AdeLockChannel,
            &["ade:lock:task:", task_id.as_key(), ":channel"],
            &["ade:lock:task:{task:", task_id.as_key(), "}:channel"],
        )
    }

    /// `ade:lock:index:agent:<agent_id>` · set · ttl of the locks in it: Locks that one agent holds.
    pub fn locks_by_agent(&self, agent_id: &AgentId) -> Key {
        self.0.join(
            FamilyId::AdeLocksByAgent,
            &["ade:lock:index:agent:", agent_id.as_key()],
            &["ade:lock:index:agent:{agent:", agent_id.as_key(), "}"],
        )
    }

    /// `ade:lock:index:resource:<resource_type>` · set · ttl of the locks in it: Held locks of one type of resource.
    pub fn locks_by_resource_type(&self, resource_type: &ResourceTypeId) -> Key {
        self.0.join(
            FamilyId::AdeLocksByResourceType,
            &["ade:lock:index:resource:", resource_type.as_key()],
            &["ade:lock:index:resource:", resource_type.as_key()],
        )
    }

    /// `ade:lock:registry` · zset · none: All locks by when they lapse, for the cleanup.
    pub fn lock_registry(&self) -> Key {
        self.0.join(
            FamilyId::AdeLockRegistry,
            &["ade:lock:registry"],
            &["ade:lock:registry"],
        )
    }

    /// `ade:lock:waitfor:<agent_id>` · set · ttl 5m: Locks that one agent waits for: its edges in the wait-for graph.
    pub fn wait_for(&self, agent_id: &AgentId) -> Key {
        self.0.join(
            FamilyId::AdeWaitFor,
            &["ade:lock:waitfor:", agent_id.as_key()],
            &["ade:lock:waitfor:{agent:", agent_id.as_key(), "}"],
        )
    }

    /// `ade:lock:deadlock:check:<agent_id>` · string · ttl 30s: When one agent last looked for a deadlock, so that it does not look too often.
    pub fn deadlock_check(&self, agent_id: &AgentId) -> Key {
        self.0.join(
            FamilyId::AdeDeadlockCheck,
            &["ade:lock:deadlock:check:", agent_id.as_key()],
            &["ade:lock:deadlock:check:{agent:", agent_id.as_key(), "}"],
        )
    }

    /// `ade:job:queue:<queue_name>` · list|zset · none: Background jobs of one kind that wait for a worker.
    pub fn job_queue(&self, queue_name: &QueueNameId) -> Key {
        self.0.join(
            FamilyId::AdeJobQueue,
            &["ade:job:queue:", queue_name.as_key()],
            &["ade:job:queue:{queue:", queue_name.as_key(), "}"],
        )
    }

    /// `ade:session:<session_id>` · hash · ttl 24h: A signed-in user.
    pub fn login_session(&self, session_id: &LoginSessionId) -> Key {
        self.0.join(
            FamilyId::AdeLoginSession,
            &["ade:session:", session_id.as_key()],
            &["ade:session:{session:", session_id.as_key(), "}"],
        )
    }

    /// `ade:session:index:user:<user_id>` · set · ttl 24h: Open sessions of one user.
    pub fn login_sessions_by_user(&self, user_id: &UserId) -> Key {
        self.0.join(
            FamilyId::AdeLoginSessionsByUser,
            &["ade:session:index:user:", user_id.as_key()],
            &["ade:session:index:user:{user:", user_id.as_key(), "}"],
        )
    }

    /// `ade:task:<task_id>:state` · string · ttl 90d: Where one task stands.
    pub fn task_state(&self, task_id: &TaskId) -> Key {
        self.0.join(
            FamilyId::AdeTaskState,
            &["ade:task:", task_id.as_key(), ":state"],
            &["ade:{task:", task_id.as_key(), "}:state"],
        )
    }

    /// `ade:task:<task_id>:data` · string · ttl 90d: One task as a whole: its configuration, metadata and results.
    pub fn task_data(&self, task_id: &TaskId) -> Key {
        self.0.join(
            FamilyId::AdeTaskData,
            &["ade:task:", task_id.as_key(), ":data"],
            &["ade:{task:", task_id.as_key(), "}:data"],
        )
    }

    /// `ade:task:<task_id>:config` · hash · ttl 90d: What one task is to do; never changed once written.
    pub fn task_config(&self, task_id: &TaskId) -> Key {
        self.0.join(
            FamilyId::AdeTaskConfig,
            &["ade:task:", task_id.as_key(), ":config"],
            &["ade:{task:", task_id.as_key(), "}:config"],
        )
    }

    /// `ade:task:<task_id>:metadata` · hash · ttl 90d: Who made one task and when it passed each step.
    pub fn task_metadata(&self, task_id: &TaskId) -> Key {
        self.0.join(
            FamilyId::AdeTaskMetadata,
            &["ade:task:", task_id.as_key(), ":metadata"],
            &["ade:{task:", task_id.as_key(), "}:metadata"],
        )
    }

    /// `ade:task:index:state:<state>` · zset · none: Tasks that stand in one state.
    pub fn tasks_by_state(&self, state: TaskState) -> Key {
        self.0.join(
            FamilyId::AdeTasksByState,
            &["ade:task:index:state:", state.as_key()],
            &["ade:task:index:state:", state.as_key()],
        )
    }

    /// `ade:task:index:author:<user_id>` · zset · ttl 90d: Tasks that one user made.
    pub fn tasks_by_author(&self, user_id: &UserId) -> Key {
        self.0.join(
            FamilyId::AdeTasksByAuthor,
            &["ade:task:index:author:", user_id.as_key()],
            &["ade:task:index:author:{user:", user_id.as_key(), "}"],
        )
    }

    /// `ade:task:index:resource:<resource_type>:<resource_id>` · zset · ttl 90d: Tasks that touch one resource.
    pub fn tasks_by_resource(&self, resource_type: &ResourceTypeId, resource_id: &ResourceId) -> Key {
        self.0.join(
            FamilyId::AdeTasksByResource,
            &["ade:task:index:resource:", resource_type.as_key(), ":", resource_id.as_key()],
            &["ade:task:index:resource:", resource_type.as_key(), ":{resource:", resource_id.as_key(), "}"],
        )
    }

    /// `ade:task:index:tag:<tag_name>` · zset · ttl 90d: Tasks with one label.
    pub fn tasks_by_tag(&self, tag_name: &Tag) -> Key {
        self.0.join(
            FamilyId::AdeTasksByTag,
            &["ade:task:index:tag:", tag_name.as_key()],
            &["ade:task:index:tag:", tag_name.as_key()],
        )
    }

    /// `ade:task:<task_id>:execution` · hash · ttl 90d: How the execution of one task went.
    pub fn task_execution(&self, task_id: &TaskId) -> Key {
        self.0.join(
            FamilyId::AdeTaskExecution,
            &["ade:task:", task_id.as_key(), ":execution"],
            &["ade:{task:", task_id.as_key(), "}:execution"],
        )
    }

    /// `ade:task:<task_id>:preview` · string · ttl 7d: What one task would change.
    pub fn task_preview(&self, task_id: &TaskId) -> Key {
        self.0.join(
            FamilyId::AdeTaskPreview,
            &["ade:task:", task_id.as_key(), ":preview"],
            &["ade:{task:", task_id.as_key(), "}:preview"],
        )
    }

    /// `ade:task:<task_id>:risk` · hash · ttl 90d: How risky one task is.
    pub fn task_risk(&self, task_id: &TaskId) -> Key {
        self.0.join(
            FamilyId::AdeTaskRisk,
            &["ade:task:", task_id.as_key(), ":risk"],
            &["ade:{task:", task_id.as_key(), "}:risk"],
        )
    }
}
