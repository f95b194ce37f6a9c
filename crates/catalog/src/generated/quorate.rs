// Generated from the catalog by `cargo xtask codegen`. Do not edit.

//! Keys of Quorate.

use super::ids::{AgentId, ContentHash, DeadLetterId, DeadView, DlqQueue, Endpoint, Idempotency, JobId, LockRef, LoginSessionId, MessageId, ProcessId, QueueLane, QueueRef, SearchView, SecretHash, SeriesName, ServiceId, ServiceRecord, ServiceTurn, StageId, StreamRef, TaskId, TaskRecord, TaskStore, ThreadId, UserId, WebhookId, WordId, WorkflowId, WorkflowView};
use super::FamilyId;
use crate::space::{Key, Keys};

/// What the plane itself keeps beside the seeds' keys.
#[derive(Debug, Clone, Copy)]
pub struct Quorate<'k>(&'k Keys);

impl Keys {
    /// What the plane itself keeps beside the seeds' keys.
    pub const fn quorate(&self) -> Quorate<'_> {
        Quorate(self)
    }
}

impl Quorate<'_> {
    /// `~q:reverie:agent:<agent>` · hash · ttl 7d, refreshed: What decides whether an agent may write: its epoch, its lease, whether it was revoked or is to drain.
    pub fn agent(&self, agent: &AgentId) -> Key {
        self.0.join(
            FamilyId::QuorateAgent,
            &["~q:reverie:agent:", agent.as_key()],
            &["~q:reverie:agent:{agent:", agent.as_key(), "}"],
        )
    }

    /// `~q:reverie:leases` · zset · none: All agents by the end of their lease, so that the reaper finds what passes on.
    pub fn agent_leases(&self) -> Key {
        self.0.join(
            FamilyId::QuorateAgentLeases,
            &["~q:reverie:leases"],
            &["~q:reverie:leases"],
        )
    }

    /// `~q:reverie:role:<word>` · zset · none: The agents that registered a role.
    pub fn agents_by_role(&self, word: &WordId) -> Key {
        self.0.join(
            FamilyId::QuorateAgentsByRole,
            &["~q:reverie:role:", word.as_key()],
            &["~q:reverie:role:", word.as_key()],
        )
    }

    /// `~q:reverie:capability:<word>` · zset · none: The agents that registered a capability.
    pub fn agents_by_capability(&self, word: &WordId) -> Key {
        self.0.join(
            FamilyId::QuorateAgentsByCapability,
            &["~q:reverie:capability:", word.as_key()],
            &["~q:reverie:capability:", word.as_key()],
        )
    }

    /// `~q:dead:letter:<dead_letter>` · hash · none: Something that could not be done: the original, why, how often it was tried, and what was done about it.
    pub fn dead_letter(&self, dead_letter: &DeadLetterId) -> Key {
        self.0.join(
            FamilyId::QuorateDeadLetter,
            &["~q:dead:letter:", dead_letter.as_key()],
            &["~q:dead:letter:{dead:", dead_letter.as_key(), "}"],
        )
    }

    /// `~q:dead:view:<dead_view>` · zset · none: Dead letters by the time they were buried: all of them, those of one source, those of one failure, and the same of those that are open.
    pub fn dead_view(&self, dead_view: &DeadView) -> Key {
        self.0.join(
            FamilyId::QuorateDeadView,
            &["~q:dead:view:", dead_view.as_key()],
            &["~q:dead:view:", dead_view.as_key()],
        )
    }

    /// `~q:dead:audit` · stream · none: Who replayed, investigated or dropped which dead letter, and when.
    pub fn dead_audit(&self) -> Key {
        self.0.join(
            FamilyId::QuorateDeadAudit,
            &["~q:dead:audit"],
            &["~q:dead:audit"],
        )
    }

    /// `~q:dlq:all` · zset · none: Every dead letter of relayna's store by the time it was given up, so that a page is found without walking the list.
    pub fn dlq_all(&self) -> Key {
        self.0.join(
            FamilyId::QuorateDlqAll,
            &["~q:dlq:all"],
            &["~q:dlq:all"],
        )
    }

    /// `~q:dlq:queue:<dlq_queue>` · zset · none: The dead letters of one queue of relayna's store; how many there are is its sum.
    pub fn dlq_queue(&self, dlq_queue: &DlqQueue) -> Key {
        self.0.join(
            FamilyId::QuorateDlqQueue,
            &["~q:dlq:queue:", dlq_queue.as_key()],
            &["~q:dlq:queue:", dlq_queue.as_key()],
        )
    }

    /// `~q:dlq:task:<task>` · zset · none: The dead letters of one task of relayna's store, so that its graph finds them without reading the others.
    pub fn dlq_task(&self, task: &TaskId) -> Key {
        self.0.join(
            FamilyId::QuorateDlqTask,
            &["~q:dlq:task:", task.as_key()],
            &["~q:dlq:task:", task.as_key()],
        )
    }

    /// `~q:dlq:queues` · zset · none: The queues of relayna's dead letters, by their last one.
    pub fn dlq_queues(&self) -> Key {
        self.0.join(
            FamilyId::QuorateDlqQueues,
            &["~q:dlq:queues"],
            &["~q:dlq:queues"],
        )
    }

    /// `~q:quorate:idempotency:<idempotency>` · hash · ttl 24h: One request that its caller may repeat: that it is under way, and then its answer.
    pub fn idempotency(&self, idempotency: &Idempotency) -> Key {
        self.0.join(
            FamilyId::QuorateIdempotency,
            &["~q:quorate:idempotency:", idempotency.as_key()],
            &["~q:quorate:idempotency:{idempotency:", idempotency.as_key(), "}"],
        )
    }

    /// `~q:ade:job:<job>` · hash · none: One schedule: what to put into which queue, when next, and what to do when it is late or still runs.
    pub fn job(&self, job: &JobId) -> Key {
        self.0.join(
            FamilyId::QuorateJob,
            &["~q:ade:job:", job.as_key()],
            &["~q:ade:job:", job.as_key()],
        )
    }

    /// `~q:ade:runs:<job>` · hash · ttl 30d, refreshed, maxlen 200: The last 200 occurrences of one job: planned time to `STATE MOMENT DETAIL`, so that whether it ran is a lookup.
    pub fn job_runs(&self, job: &JobId) -> Key {
        self.0.join(
            FamilyId::QuorateJobRuns,
            &["~q:ade:runs:", job.as_key()],
            &["~q:ade:runs:", job.as_key()],
        )
    }

    /// `~q:ade:ended` · zset · none: Jobs that will not run again by themselves, by when their records go, in Unix milliseconds.
    pub fn ended_jobs(&self) -> Key {
        self.0.join(
            FamilyId::QuorateEndedJobs,
            &["~q:ade:ended"],
            &["~q:ade:ended"],
        )
    }

    /// `~q:ade:limits` · hash · none: What is limited: endpoint to `LIMIT WINDOW`, the window in milliseconds.
    pub fn limits(&self) -> Key {
        self.0.join(
            FamilyId::QuorateLimits,
            &["~q:ade:limits"],
            &["~q:ade:limits"],
        )
    }

    /// `~q:ade:window:<endpoint>:<user_id>` · hash · ttl of the window and a hundredth of it: What was accepted of one user at one endpoint, by the part of the window: number to count; `m` is what the seed's counter was last set to.
    pub fn limit_window(&self, endpoint: &Endpoint, user_id: &UserId) -> Key {
        self.0.join(
            FamilyId::QuorateLimitWindow,
            &["~q:ade:window:", endpoint.as_key(), ":", user_id.as_key()],
            &["~q:ade:window:", endpoint.as_key(), ":{user:", user_id.as_key(), "}"],
        )
    }

    /// `~q:reverie:firsts:<hash>` · hash · ttl 60s, refreshed, maxlen 64: The last contents of one scope that were told to be the first, so that a repeated request is told so again.
    pub fn firsts(&self, hash: &ContentHash) -> Key {
        self.0.join(
            FamilyId::QuorateFirsts,
            &["~q:reverie:firsts:", hash.as_key()],
            &["~q:reverie:firsts:", hash.as_key()],
        )
    }

    /// `~q:ade:lock:<lock_ref>` · string · ttl 7d, refreshed: Who holds a lock of any kind, with fences and leases; packed, so that one read and one write are enough.
    pub fn lock_state(&self, lock_ref: &LockRef) -> Key {
        self.0.join(
            FamilyId::QuorateLockState,
            &["~q:ade:lock:", lock_ref.as_key()],
            &["~q:ade:lock:{lock:", lock_ref.as_key(), "}"],
        )
    }

    /// `~q:ade:order:<lock_ref>` · zset · none: The requests that wait for a lock, in the order in which they will get it.
    pub fn lock_order(&self, lock_ref: &LockRef) -> Key {
        self.0.join(
            FamilyId::QuorateLockOrder,
            &["~q:ade:order:", lock_ref.as_key()],
            &["~q:ade:order:{lock:", lock_ref.as_key(), "}"],
        )
    }

    /// `~q:ade:waiters:<lock_ref>` · hash · none: What each waiting request asked for, and the verdict of one that will not get it.
    pub fn lock_waiters(&self, lock_ref: &LockRef) -> Key {
        self.0.join(
            FamilyId::QuorateLockWaiters,
            &["~q:ade:waiters:", lock_ref.as_key()],
            &["~q:ade:waiters:{lock:", lock_ref.as_key(), "}"],
        )
    }

    /// `~q:ade:holds:<agent>` · zset · none: Everything an agent holds, by the end of its lease.
    pub fn lock_holds(&self, agent: &AgentId) -> Key {
        self.0.join(
            FamilyId::QuorateLockHolds,
            &["~q:ade:holds:", agent.as_key()],
            &["~q:ade:holds:{agent:", agent.as_key(), "}"],
        )
    }

    /// `~q:ade:waits:<agent>` · hash · none: Everything an agent waits for: request to lock.
    pub fn lock_waits(&self, agent: &AgentId) -> Key {
        self.0.join(
            FamilyId::QuorateLockWaits,
            &["~q:ade:waits:", agent.as_key()],
            &["~q:ade:waits:{agent:", agent.as_key(), "}"],
        )
    }

    /// `~q:ade:due` · zset · none: Named, project and file locks in whose line somebody left a place, and resources that several read, by when somebody has to look at them.
    pub fn lock_due(&self) -> Key {
        self.0.join(
            FamilyId::QuorateLockDue,
            &["~q:ade:due"],
            &["~q:ade:due"],
        )
    }

    /// `~q:ade:wake:<process>` · channel · none: Tells one process that one of its requests has been decided.
    pub fn wake(&self, process: &ProcessId) -> Key {
        self.0.join(
            FamilyId::QuorateWake,
            &["~q:ade:wake:", process.as_key()],
            &["~q:ade:wake:", process.as_key()],
        )
    }

    /// `~q:quorate:meta` · hash · none: What this deployment is: its layout, its id and the catalog format it was made with.
    pub fn meta(&self) -> Key {
        self.0.join(
            FamilyId::QuorateMeta,
            &["~q:quorate:meta"],
            &["~q:quorate:meta"],
        )
    }

    /// `~q:quorate:answers:<agent>` · hash · ttl 600s, refreshed, maxlen 64: The last answers given to one session, so that a retried request gets its first answer.
    pub fn answers(&self, agent: &AgentId) -> Key {
        self.0.join(
            FamilyId::QuorateAnswers,
            &["~q:quorate:answers:", agent.as_key()],
            &["~q:quorate:answers:{agent:", agent.as_key(), "}"],
        )
    }

    /// `~q:quorate:restore` · hash · none: A restore that has begun and not ended; while it is here the store is a part of a copy.
    pub fn restore(&self) -> Key {
        self.0.join(
            FamilyId::QuorateRestore,
            &["~q:quorate:restore"],
            &["~q:quorate:restore"],
        )
    }

    /// `~q:reverie:message:<message>` · hash · none: One message and how far it got: stored, delivered, read, acknowledged, acted on.
    pub fn message(&self, message: &MessageId) -> Key {
        self.0.join(
            FamilyId::QuorateMessage,
            &["~q:reverie:message:", message.as_key()],
            &["~q:reverie:message:", message.as_key()],
        )
    }

    /// `~q:reverie:letters:<peer>` · zset · none: The messages of one inbox that are not acknowledged, by how far they got.
    pub fn letters(&self, peer: &AgentId) -> Key {
        self.0.join(
            FamilyId::QuorateLetters,
            &["~q:reverie:letters:", peer.as_key()],
            &["~q:reverie:letters:", peer.as_key()],
        )
    }

    /// `~q:reverie:adopted:<peer>` · hash · none: Which ids the messages of other clients got when they were read: SHA-1 of the element to ids, the oldest first.
    pub fn adopted(&self, peer: &AgentId) -> Key {
        self.0.join(
            FamilyId::QuorateAdopted,
            &["~q:reverie:adopted:", peer.as_key()],
            &["~q:reverie:adopted:", peer.as_key()],
        )
    }

    /// `~q:reverie:mailed:<peer>` · zset · ttl 7d, refreshed, pruned after 7d: What one agent sent and received in the last seven days.
    pub fn mailed(&self, peer: &AgentId) -> Key {
        self.0.join(
            FamilyId::QuorateMailed,
            &["~q:reverie:mailed:", peer.as_key()],
            &["~q:reverie:mailed:", peer.as_key()],
        )
    }

    /// `~q:reverie:thread:<thread>` · zset · ttl 7d, refreshed, pruned after 7d: The messages of one thread.
    pub fn thread(&self, thread: &ThreadId) -> Key {
        self.0.join(
            FamilyId::QuorateThread,
            &["~q:reverie:thread:", thread.as_key()],
            &["~q:reverie:thread:", thread.as_key()],
        )
    }

    /// `~q:reverie:ack_deadlines` · zset · none: Messages that are to be acknowledged by a certain time.
    pub fn ack_deadlines(&self) -> Key {
        self.0.join(
            FamilyId::QuorateAckDeadlines,
            &["~q:reverie:ack_deadlines"],
            &["~q:reverie:ack_deadlines"],
        )
    }

    /// `~q:reverie:counters` · set · none: The counters that were made here, so that there are never too many.
    pub fn counters(&self) -> Key {
        self.0.join(
            FamilyId::QuorateCounters,
            &["~q:reverie:counters"],
            &["~q:reverie:counters"],
        )
    }

    /// `~q:stale:writes` · hash · none: How many writes came too late and were refused, by code.
    pub fn stale_writes(&self) -> Key {
        self.0.join(
            FamilyId::QuorateStaleWrites,
            &["~q:stale:writes"],
            &["~q:stale:writes"],
        )
    }

    /// `~q:refusals` · hash · none: How often the plane refused what was asked over HTTP, MCP or at a command line, by code.
    pub fn refusals(&self) -> Key {
        self.0.join(
            FamilyId::QuorateRefusals,
            &["~q:refusals"],
            &["~q:refusals"],
        )
    }

    /// `~q:relayna:notice_walk:<task_store>` · hash · ttl 7d, refreshed: How far the failed tasks of each service have been looked through, where one turn could not see them all.
    pub fn notice_walk(&self, task_store: &TaskStore) -> Key {
        self.0.join(
            FamilyId::QuorateNoticeWalk,
            &["~q:relayna:notice_walk:", task_store.as_key()],
            &["~q:relayna:notice_walk:", task_store.as_key()],
        )
    }

    /// `~q:relayna:failed_retry:<service>:<dead_letter>` · string · ttl 7d: A failed task of a service is being retried there, or was: a second click does nothing.
    pub fn failed_retry(&self, service: &ServiceId, dead_letter: &DeadLetterId) -> Key {
        self.0.join(
            FamilyId::QuorateFailedRetry,
            &["~q:relayna:failed_retry:", service.as_key(), ":", dead_letter.as_key()],
            &["~q:relayna:failed_retry:", service.as_key(), ":", dead_letter.as_key()],
        )
    }

    /// `~q:quorate:sampled` · string · ttl 86400s, refreshed: Of which moment the last sample was taken, so that of many processes one takes the next.
    pub fn sampled(&self) -> Key {
        self.0.join(
            FamilyId::QuorateSampled,
            &["~q:quorate:sampled"],
            &["~q:quorate:sampled"],
        )
    }

    /// `~q:quorate:series:<series_name>` · stream · ttl 90000s, refreshed, maxlen 2880: Samples of some numbers, half a minute apart, for a day.
    pub fn series(&self, series_name: &SeriesName) -> Key {
        self.0.join(
            FamilyId::QuorateSeries,
            &["~q:quorate:series:", series_name.as_key()],
            &["~q:quorate:series:", series_name.as_key()],
        )
    }

    /// `~q:queues:claims:<queue_ref>` · hash · none: Every claimed item of a queue, packed, by the id of its claim.
    pub fn queue_claims(&self, queue_ref: &QueueRef) -> Key {
        self.0.join(
            FamilyId::QuorateQueueClaims,
            &["~q:queues:claims:", queue_ref.as_key()],
            &["~q:queues:claims:{queue:", queue_ref.as_key(), "}"],
        )
    }

    /// `~q:queues:agenda:<queue_ref>` · zset · none: What a queue must look after, soonest first: leases by their end, and marks for a pause, due items and ready lanes.
    pub fn queue_agenda(&self, queue_ref: &QueueRef) -> Key {
        self.0.join(
            FamilyId::QuorateQueueAgenda,
            &["~q:queues:agenda:", queue_ref.as_key()],
            &["~q:queues:agenda:{queue:", queue_ref.as_key(), "}"],
        )
    }

    /// `~q:queues:delayed:<queue_ref>` · zset · none: Items that are due later: delayed ones, retries in their backoff, and what was handed back.
    pub fn queue_delayed(&self, queue_ref: &QueueRef) -> Key {
        self.0.join(
            FamilyId::QuorateQueueDelayed,
            &["~q:queues:delayed:", queue_ref.as_key()],
            &["~q:queues:delayed:{queue:", queue_ref.as_key(), "}"],
        )
    }

    /// `~q:queues:state:<queue_ref>` · hash · none: What a queue counts: its last fence, turns of priority, refused late answers, and a sample of its speed.
    pub fn queue_state(&self, queue_ref: &QueueRef) -> Key {
        self.0.join(
            FamilyId::QuorateQueueState,
            &["~q:queues:state:", queue_ref.as_key()],
            &["~q:queues:state:{queue:", queue_ref.as_key(), "}"],
        )
    }

    /// `~q:queues:lane:<queue_lane>` · list · none: Items of one group, or items that need the same capabilities, oldest at the head.
    pub fn queue_lane(&self, queue_lane: &QueueLane) -> Key {
        self.0.join(
            FamilyId::QuorateQueueLane,
            &["~q:queues:lane:", queue_lane.as_key()],
            &["~q:queues:lane:{queue:", queue_lane.as_key(), "}"],
        )
    }

    /// `~q:queues:ready:<queue_lane>` · zset · none: The lanes of a queue whose first item needs these capabilities and may be claimed now.
    pub fn queue_ready(&self, queue_lane: &QueueLane) -> Key {
        self.0.join(
            FamilyId::QuorateQueueReady,
            &["~q:queues:ready:", queue_lane.as_key()],
            &["~q:queues:ready:{queue:", queue_lane.as_key(), "}"],
        )
    }

    /// `~q:queues:classes:<queue_ref>` · zset · none: The sets of capabilities for which a queue has ready lanes.
    pub fn queue_classes(&self, queue_ref: &QueueRef) -> Key {
        self.0.join(
            FamilyId::QuorateQueueClasses,
            &["~q:queues:classes:", queue_ref.as_key()],
            &["~q:queues:classes:{queue:", queue_ref.as_key(), "}"],
        )
    }

    /// `~q:queues:busy:<queue_ref>` · set · none: The groups of which an item is claimed or waits for its retry; nothing else of them may be claimed.
    pub fn queue_busy(&self, queue_ref: &QueueRef) -> Key {
        self.0.join(
            FamilyId::QuorateQueueBusy,
            &["~q:queues:busy:", queue_ref.as_key()],
            &["~q:queues:busy:{queue:", queue_ref.as_key(), "}"],
        )
    }

    /// `~q:queues:held:<agent>` · zset · none: Every claim of an agent, by the end of its lease.
    pub fn queue_held(&self, agent: &AgentId) -> Key {
        self.0.join(
            FamilyId::QuorateQueueHeld,
            &["~q:queues:held:", agent.as_key()],
            &["~q:queues:held:{agent:", agent.as_key(), "}"],
        )
    }

    /// `~q:queues:calls:<process>` · hash · ttl 12h: The last call of each lane of one process, so that a repeated one is not done twice.
    pub fn queue_calls(&self, process: &ProcessId) -> Key {
        self.0.join(
            FamilyId::QuorateQueueCalls,
            &["~q:queues:calls:", process.as_key()],
            &["~q:queues:calls:", process.as_key()],
        )
    }

    /// `~q:queues:key:<queue_lane>` · string · ttl 7d: The item that was pushed with a key, so that a second push with it gives the same item.
    pub fn queue_key(&self, queue_lane: &QueueLane) -> Key {
        self.0.join(
            FamilyId::QuorateQueueKey,
            &["~q:queues:key:", queue_lane.as_key()],
            &["~q:queues:key:{queue:", queue_lane.as_key(), "}"],
        )
    }

    /// `~q:queues:names` · set · none: The job queues that have been used.
    pub fn queue_names(&self) -> Key {
        self.0.join(
            FamilyId::QuorateQueueNames,
            &["~q:queues:names"],
            &["~q:queues:names"],
        )
    }

    /// `~q:queues:wake:<queue_ref>` · channel · none: Tells who waits for a queue that one of its lanes has an item.
    pub fn queue_wake(&self, queue_ref: &QueueRef) -> Key {
        self.0.join(
            FamilyId::QuorateQueueWake,
            &["~q:queues:wake:", queue_ref.as_key()],
            &["~q:queues:wake:", queue_ref.as_key()],
        )
    }

    /// `~q:relayna:search:<search_view>` · zset · none: What the search walks: the task documents of one filter, newest first; those of all tasks; those that are due to go; services by name; services whose documents are leaving.
    pub fn search_view(&self, search_view: &SearchView) -> Key {
        self.0.join(
            FamilyId::QuorateSearchView,
            &["~q:relayna:search:", search_view.as_key()],
            &["~q:relayna:search:", search_view.as_key()],
        )
    }

    /// `~q:relayna:follow:<task_store>` · string · none: Up to which moment the search has taken in what the plane's own tasks reported.
    pub fn search_follow(&self, task_store: &TaskStore) -> Key {
        self.0.join(
            FamilyId::QuorateSearchFollow,
            &["~q:relayna:follow:", task_store.as_key()],
            &["~q:relayna:follow:", task_store.as_key()],
        )
    }

    /// `~q:relayna:service:<service_record>` · hash · none: How far the feed of a service has been read, and what was lost of it.
    pub fn service_state(&self, service_record: &ServiceRecord) -> Key {
        self.0.join(
            FamilyId::QuorateServiceState,
            &["~q:relayna:service:", service_record.as_key()],
            &["~q:relayna:service:", service_record.as_key()],
        )
    }

    /// `~q:relayna:service_turns:<service_turn>:<task_store>` · zset · none: When the feed of each service is to be read again, or its health looked at; any number of processes take what is due from it.
    pub fn service_turns(&self, service_turn: ServiceTurn, task_store: &TaskStore) -> Key {
        self.0.join(
            FamilyId::QuorateServiceTurns,
            &["~q:relayna:service_turns:", service_turn.as_key(), ":", task_store.as_key()],
            &["~q:relayna:service_turns:", service_turn.as_key(), ":", task_store.as_key()],
        )
    }

    /// `~q:relayna:services_leaving:<task_store>` · zset · none: Services that were deleted and whose events are still being cleared away.
    pub fn services_leaving(&self, task_store: &TaskStore) -> Key {
        self.0.join(
            FamilyId::QuorateServicesLeaving,
            &["~q:relayna:services_leaving:", task_store.as_key()],
            &["~q:relayna:services_leaving:", task_store.as_key()],
        )
    }

    /// `~q:relayna:service_answers:<task_store>` · hash · ttl 600s, refreshed, maxlen 64: The last answers about services, so that a retried request gets its first answer.
    pub fn service_answers(&self, task_store: &TaskStore) -> Key {
        self.0.join(
            FamilyId::QuorateServiceAnswers,
            &["~q:relayna:service_answers:", task_store.as_key()],
            &["~q:relayna:service_answers:", task_store.as_key()],
        )
    }

    /// `~q:ade:login:<session_id>` · hash · ttl 24h: What decides whether a signed-in user's session holds: when it ends, and the token it hangs on. A session without it was made by another client and is not trusted.
    pub fn login(&self, session_id: &LoginSessionId) -> Key {
        self.0.join(
            FamilyId::QuorateLogin,
            &["~q:ade:login:", session_id.as_key()],
            &["~q:ade:login:{session:", session_id.as_key(), "}"],
        )
    }

    /// `~q:ade:logins` · zset · none: All sessions of signed-in users, as `<session>:<user>`, by the moment they end if they are not used.
    pub fn logins(&self) -> Key {
        self.0.join(
            FamilyId::QuorateLogins,
            &["~q:ade:logins"],
            &["~q:ade:logins"],
        )
    }

    /// `~q:ade:account:<user_id>` · hash · none: A person who signs in with one-time codes, and the role that every session of theirs has now.
    pub fn account(&self, user_id: &UserId) -> Key {
        self.0.join(
            FamilyId::QuorateAccount,
            &["~q:ade:account:", user_id.as_key()],
            &["~q:ade:account:", user_id.as_key()],
        )
    }

    /// `~q:ade:invite:<secret_hash>` · hash · ttl of the code: A one-time code by which somebody signs in, found by its hash.
    pub fn invite(&self, secret_hash: &SecretHash) -> Key {
        self.0.join(
            FamilyId::QuorateInvite,
            &["~q:ade:invite:", secret_hash.as_key()],
            &["~q:ade:invite:", secret_hash.as_key()],
        )
    }

    /// `~q:quorate:stream:<stream_ref>` · hash · none: What was last seen of a stream and of each of its groups, what each of them lost, and the gap it has still to be told of.
    pub fn stream_state(&self, stream_ref: &StreamRef) -> Key {
        self.0.join(
            FamilyId::QuorateStreamState,
            &["~q:quorate:stream:", stream_ref.as_key()],
            &["~q:quorate:stream:", stream_ref.as_key()],
        )
    }

    /// `~q:quorate:losses` · stream · maxlen ~10000: The loss ledger: each time entries were destroyed before a group had acknowledged them.
    pub fn stream_losses(&self) -> Key {
        self.0.join(
            FamilyId::QuorateStreamLosses,
            &["~q:quorate:losses"],
            &["~q:quorate:losses"],
        )
    }

    /// `~q:quorate:engine_watch` · hash · none: What was last reported of the server: its slow log, its clients, its memory; any number of processes report once.
    pub fn engine_watch(&self) -> Key {
        self.0.join(
            FamilyId::QuorateEngineWatch,
            &["~q:quorate:engine_watch"],
            &["~q:quorate:engine_watch"],
        )
    }

    /// `~q:relayna:status:<task_record>` · hash · ttl 86400s, refreshed: What a task's status events come to: how many there were, which one counts, whether it has ended, whose child it is.
    pub fn task_report(&self, task_record: &TaskRecord) -> Key {
        self.0.join(
            FamilyId::QuorateTaskReport,
            &["~q:relayna:status:", task_record.as_key()],
            &["~q:relayna:status:", task_record.as_key()],
        )
    }

    /// `~q:relayna:recent:<task_store>` · zset · none: The tasks of a store, by when they last reported.
    pub fn task_recent(&self, task_store: &TaskStore) -> Key {
        self.0.join(
            FamilyId::QuorateTaskRecent,
            &["~q:relayna:recent:", task_store.as_key()],
            &["~q:relayna:recent:", task_store.as_key()],
        )
    }

    /// `~q:relayna:feed:<task_store>` · hash · none: How many events a service's feed ever took.
    pub fn feed_state(&self, task_store: &TaskStore) -> Key {
        self.0.join(
            FamilyId::QuorateFeedState,
            &["~q:relayna:feed:", task_store.as_key()],
            &["~q:relayna:feed:", task_store.as_key()],
        )
    }

    /// `~q:relayna:lease:<task_record>` · hash · none: Who works on a task, until when, and what is to be done if it is not heard from again. It outlives the lease, or nobody could do that.
    pub fn task_lease(&self, task_record: &TaskRecord) -> Key {
        self.0.join(
            FamilyId::QuorateTaskLease,
            &["~q:relayna:lease:", task_record.as_key()],
            &["~q:relayna:lease:", task_record.as_key()],
        )
    }

    /// `~q:relayna:leases:<task_store>` · zset · none: The leases of a store, soonest end first; one whose recovery was begun is looked at again half a minute later.
    pub fn task_leases(&self, task_store: &TaskStore) -> Key {
        self.0.join(
            FamilyId::QuorateTaskLeases,
            &["~q:relayna:leases:", task_store.as_key()],
            &["~q:relayna:leases:", task_store.as_key()],
        )
    }

    /// `~q:quorate:token:<secret_hash>` · hash · none: A bearer token, found by the hash of its secret: whose it is and what it may do.
    pub fn token(&self, secret_hash: &SecretHash) -> Key {
        self.0.join(
            FamilyId::QuorateToken,
            &["~q:quorate:token:", secret_hash.as_key()],
            &["~q:quorate:token:{token:", secret_hash.as_key(), "}"],
        )
    }

    /// `~q:quorate:token_names` · hash · none: The tokens by name: name to the hash of the secret.
    pub fn token_names(&self) -> Key {
        self.0.join(
            FamilyId::QuorateTokenNames,
            &["~q:quorate:token_names"],
            &["~q:quorate:token_names"],
        )
    }

    /// `~q:quorate:token_answers` · hash · ttl 600s, refreshed, maxlen 64: The last answers about revoked tokens and ended sessions, so that a retried request gets its first answer.
    pub fn token_answers(&self) -> Key {
        self.0.join(
            FamilyId::QuorateTokenAnswers,
            &["~q:quorate:token_answers"],
            &["~q:quorate:token_answers"],
        )
    }

    /// `~q:audit:records` · stream · none: The audit trail: who changed what, and how it ended. It is never trimmed.
    pub fn trail(&self) -> Key {
        self.0.join(
            FamilyId::QuorateTrail,
            &["~q:audit:records"],
            &["~q:audit:records"],
        )
    }

    /// `~q:audit:seals` · stream · none: The seals of the trail: each has the hash of the one before it and of the records of its batch.
    pub fn trail_seals(&self) -> Key {
        self.0.join(
            FamilyId::QuorateTrailSeals,
            &["~q:audit:seals"],
            &["~q:audit:seals"],
        )
    }

    /// `~q:audit:head` · hash · none: How far the trail has come: how many records there are, how many are sealed, and the last seal.
    pub fn trail_head(&self) -> Key {
        self.0.join(
            FamilyId::QuorateTrailHead,
            &["~q:audit:head"],
            &["~q:audit:head"],
        )
    }

    /// `~q:audit:requests` · zset · pruned after 48h: The requests of the last two days that have their record, so that a repeat leaves no second one.
    pub fn trail_requests(&self) -> Key {
        self.0.join(
            FamilyId::QuorateTrailRequests,
            &["~q:audit:requests"],
            &["~q:audit:requests"],
        )
    }

    /// `~q:audit:intents` · hash · none: Changes that are being made, by their request: whoever makes one and dies leaves its note here, and the trail gets a record from it.
    pub fn trail_intents(&self) -> Key {
        self.0.join(
            FamilyId::QuorateTrailIntents,
            &["~q:audit:intents"],
            &["~q:audit:intents"],
        )
    }

    /// `~q:quorate:webhook:<webhook>` · hash · none: Somebody outside who is told of events: where, of which, and how that went.
    pub fn webhook(&self, webhook: &WebhookId) -> Key {
        self.0.join(
            FamilyId::QuorateWebhook,
            &["~q:quorate:webhook:", webhook.as_key()],
            &["~q:quorate:webhook:{webhook:", webhook.as_key(), "}"],
        )
    }

    /// `~q:quorate:webhook_secret:<webhook>` · string · none: What signs the deliveries of a webhook. Whoever signs needs it in clear, so it is a key of its own that only servers read.
    pub fn webhook_secret(&self, webhook: &WebhookId) -> Key {
        self.0.join(
            FamilyId::QuorateWebhookSecret,
            &["~q:quorate:webhook_secret:", webhook.as_key()],
            &["~q:quorate:webhook_secret:{webhook:", webhook.as_key(), "}"],
        )
    }

    /// `~q:quorate:webhooks` · zset · none: The webhooks there are.
    pub fn webhook_list(&self) -> Key {
        self.0.join(
            FamilyId::QuorateWebhookList,
            &["~q:quorate:webhooks"],
            &["~q:quorate:webhooks"],
        )
    }

    /// `~q:quorate:webhook_answers` · hash · ttl 600s, refreshed, maxlen 64: The last answers about removed webhooks, so that a retried request gets its first answer.
    pub fn webhook_answers(&self) -> Key {
        self.0.join(
            FamilyId::QuorateWebhookAnswers,
            &["~q:quorate:webhook_answers"],
            &["~q:quorate:webhook_answers"],
        )
    }

    /// `~q:workflows:workflow:<workflow>` · hash · none: Every version of one workflow: `t:<digest>` is a topology in JSON, `v:<digest>` its number, who defined it and when.
    pub fn workflow(&self, workflow: &WorkflowId) -> Key {
        self.0.join(
            FamilyId::QuorateWorkflow,
            &["~q:workflows:workflow:", workflow.as_key()],
            &["~q:workflows:workflow:{workflow:", workflow.as_key(), "}"],
        )
    }

    /// `~q:workflows:names` · set · none: The workflows that were defined.
    pub fn workflow_names(&self) -> Key {
        self.0.join(
            FamilyId::QuorateWorkflowNames,
            &["~q:workflows:names"],
            &["~q:workflows:names"],
        )
    }

    /// `~q:workflows:agenda` · zset · none: What is due in any run, soonest first: ends of leases, retries, deadlines of joins and of runs, and service levels.
    pub fn workflow_agenda(&self) -> Key {
        self.0.join(
            FamilyId::QuorateWorkflowAgenda,
            &["~q:workflows:agenda"],
            &["~q:workflows:agenda"],
        )
    }

    /// `~q:workflows:running:<workflow>:<stage>` · zset · none: The attempts under way at one stage over all runs, so that there are never more than the stage allows.
    pub fn workflow_running(&self, workflow: &WorkflowId, stage: &StageId) -> Key {
        self.0.join(
            FamilyId::QuorateWorkflowRunning,
            &["~q:workflows:running:", workflow.as_key(), ":", stage.as_key()],
            &["~q:workflows:running:{workflow:", workflow.as_key(), "}:", stage.as_key()],
        )
    }

    /// `~q:workflows:view:<workflow_view>` · zset · pruned after 30d: Runs by their state.
    pub fn workflow_view(&self, workflow_view: WorkflowView) -> Key {
        self.0.join(
            FamilyId::QuorateWorkflowView,
            &["~q:workflows:view:", workflow_view.as_key()],
            &["~q:workflows:view:", workflow_view.as_key()],
        )
    }
}
