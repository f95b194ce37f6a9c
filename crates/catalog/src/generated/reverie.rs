// Generated from the catalog by `cargo xtask codegen`. Do not edit.

//! Keys of Reverie mesh.

use super::ids::{AgentId, Area, ContentHash, LockName, LogLevel, LogServiceId, MetricId, Priority, ProjectId};
use super::FamilyId;
use crate::space::{Key, Keys};

/// Sessions, locks, queues, inboxes, event and log streams of a mesh of coding agents.
#[derive(Debug, Clone, Copy)]
pub struct Reverie<'k>(&'k Keys);

impl Keys {
    /// Sessions, locks, queues, inboxes, event and log streams of a mesh of coding agents.
    pub const fn reverie(&self) -> Reverie<'_> {
        Reverie(self)
    }
}

impl Reverie<'_> {
    /// `sessions:<pid>` · hash · ttl 600s, refreshed: State of one registered agent session.
    pub fn session(&self, pid: &AgentId) -> Key {
        self.0.join(
            FamilyId::ReverieSession,
            &["sessions:", pid.as_key()],
            &["sessions:{agent:", pid.as_key(), "}"],
        )
    }

    /// `sessions:index` · zset · none: All sessions by their last heartbeat.
    pub fn session_index(&self) -> Key {
        self.0.join(
            FamilyId::ReverieSessionIndex,
            &["sessions:index"],
            &["sessions:index"],
        )
    }

    /// `events:all` · stream · maxlen ~10000: Everything that happens in the mesh.
    pub fn events(&self) -> Key {
        self.0.join(
            FamilyId::ReverieEvents,
            &["events:all"],
            &["events:all"],
        )
    }

    /// `events:audit:wake` · stream · maxlen ~10000: Each wake of an agent, recorded before it happens.
    pub fn wake_audit(&self) -> Key {
        self.0.join(
            FamilyId::ReverieWakeAudit,
            &["events:audit:wake"],
            &["events:audit:wake"],
        )
    }

    /// `events:audit:pseudoagent_wake` · stream · maxlen ~10000: Wakes of agents that something outside clocks.
    pub fn pseudoagent_wake_audit(&self) -> Key {
        self.0.join(
            FamilyId::ReveriePseudoagentWakeAudit,
            &["events:audit:pseudoagent_wake"],
            &["events:audit:pseudoagent_wake"],
        )
    }

    /// `seen:<hash>` · zset · pruned after 86400s: When a content was last seen.
    pub fn seen(&self, hash: &ContentHash) -> Key {
        self.0.join(
            FamilyId::ReverieSeen,
            &["seen:", hash.as_key()],
            &["seen:{seen:", hash.as_key(), "}"],
        )
    }

    /// `locks:<resource>` · string · ttl 300s, refreshed: A named lock; the value is its owner.
    pub fn lock(&self, resource: &LockName) -> Key {
        self.0.join(
            FamilyId::ReverieLock,
            &["locks:", resource.as_key()],
            &["locks:{lock:", resource.as_key(), "}"],
        )
    }

    /// `locks:project:<project>` · string · ttl 300s, refreshed: A named lock; the value is its owner.
    pub fn whole_project_lock(&self, project: &ProjectId) -> Key {
        self.0.join(
            FamilyId::ReverieLock,
            &["locks:project:", project.as_key()],
            &["locks:project:{project:", project.as_key(), "}"],
        )
    }

    /// `locks:project:<project>:<area>` · string · ttl 300s, refreshed: A lock on one area or file of a project; the value is its owner.
    pub fn project_lock(&self, project: &ProjectId, area: &Area) -> Key {
        self.0.join(
            FamilyId::ReverieProjectLock,
            &["locks:project:", project.as_key(), ":", area.as_key()],
            &["locks:project:{project:", project.as_key(), "}:", area.as_key()],
        )
    }

    /// `logs:stream:<service>` · stream · maxlen ~10000: Log records of one service.
    pub fn log_stream(&self, service: &LogServiceId) -> Key {
        self.0.join(
            FamilyId::ReverieLogStream,
            &["logs:stream:", service.as_key()],
            &["logs:stream:{service:", service.as_key(), "}"],
        )
    }

    /// `logs.<service>.<level>` · channel · none: Log records of one service and level as they are written.
    pub fn log_channel(&self, service: &LogServiceId, level: LogLevel) -> Key {
        self.0.join(
            FamilyId::ReverieLogChannel,
            &["logs.", service.as_key(), ".", level.as_key()],
            &["logs.{service:", service.as_key(), "}.", level.as_key()],
        )
    }

    /// `reverie:env:log` · stream · maxlen ~10000: What the runtime and its environment report.
    pub fn environment_log(&self) -> Key {
        self.0.join(
            FamilyId::ReverieEnvironmentLog,
            &["reverie:env:log"],
            &["reverie:env:log"],
        )
    }

    /// `meshctl:prom:audit` · stream · maxlen ~10000: Results of the Prometheus audit scrapes.
    pub fn scrape_audit(&self) -> Key {
        self.0.join(
            FamilyId::ReverieScrapeAudit,
            &["meshctl:prom:audit"],
            &["meshctl:prom:audit"],
        )
    }

    /// `tasks:inbox:<peer>` · list · none: Messages to one agent, oldest at the tail.
    pub fn inbox(&self, peer: &AgentId) -> Key {
        self.0.join(
            FamilyId::ReverieInbox,
            &["tasks:inbox:", peer.as_key()],
            &["tasks:inbox:{agent:", peer.as_key(), "}"],
        )
    }

    /// `metrics:<counter>` · string · none: One counter, raised by INCR.
    pub fn counter(&self, counter: &MetricId) -> Key {
        self.0.join(
            FamilyId::ReverieCounter,
            &["metrics:", counter.as_key()],
            &["metrics:{metric:", counter.as_key(), "}"],
        )
    }

    /// `tasks:queue:<priority>` · list · none: Work items of one priority, pushed at the head and taken from the tail.
    pub fn task_queue(&self, priority: Priority) -> Key {
        self.0.join(
            FamilyId::ReverieTaskQueue,
            &["tasks:queue:", priority.as_key()],
            &["tasks:queue:{queue:", priority.as_key(), "}"],
        )
    }

    /// `observations:queue:pending` · stream · maxlen ~10000: Observations that wait to be consolidated.
    pub fn pending_observations(&self) -> Key {
        self.0.join(
            FamilyId::ReveriePendingObservations,
            &["observations:queue:pending"],
            &["observations:queue:pending"],
        )
    }

    /// `observations:queue:dead` · stream · maxlen ~10000: Observations that failed or were rejected.
    pub fn dead_observations(&self) -> Key {
        self.0.join(
            FamilyId::ReverieDeadObservations,
            &["observations:queue:dead"],
            &["observations:queue:dead"],
        )
    }
}
