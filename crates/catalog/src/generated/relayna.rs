// Generated from the catalog by `cargo xtask codegen`. Do not edit.

//! Keys of Relayna.

use super::ids::{BaseUrl, Cursor, DeadLetterId, DedupeKey, Document, EnvironmentId, EventToken, SearchField, SearchToken, SearchValue, ServiceId, Signature, StageId, TaskId};
use super::FamilyId;
use crate::space::{Key, Keys};

/// Status, observations, dead letters and workflows of tasks, and a studio that watches the services which run them.
#[derive(Debug, Clone, Copy)]
pub struct Relayna<'k>(&'k Keys);

impl Keys {
    /// Status, observations, dead letters and workflows of tasks, and a studio that watches the services which run them.
    pub const fn relayna(&self) -> Relayna<'_> {
        Relayna(self)
    }
}

impl Relayna<'_> {
    /// `<prefix:dlq>:dlq:record:<dlq_id>` · string · none: One message that failed for good, with what is needed to replay it.
    pub fn dead_letter(&self, dlq_id: &DeadLetterId) -> Key {
        self.0.join(
            FamilyId::RelaynaDeadLetter,
            &[&self.0.prefixes().relayna_dlq, ":dlq:record:", dlq_id.as_key()],
            &[&self.0.prefixes().relayna_dlq, ":dlq:record:{dead_letter:", dlq_id.as_key(), "}"],
        )
    }

    /// `<prefix:dlq>:dlq:records` · list · none: All dead letters, for listing and for sums by queue.
    pub fn dead_letter_index(&self) -> Key {
        self.0.join(
            FamilyId::RelaynaDeadLetterIndex,
            &[&self.0.prefixes().relayna_dlq, ":dlq:records"],
            &[&self.0.prefixes().relayna_dlq, ":dlq:records"],
        )
    }

    /// `<prefix:dlq>:failed_tasks:index` · zset · none: All dead letters by the time their task failed, for the review of failed tasks.
    pub fn failed_task_index(&self) -> Key {
        self.0.join(
            FamilyId::RelaynaFailedTaskIndex,
            &[&self.0.prefixes().relayna_dlq, ":failed_tasks:index"],
            &[&self.0.prefixes().relayna_dlq, ":failed_tasks:index"],
        )
    }

    /// `<prefix:dlq>:dlq:replay-lock:<dlq_id>` · string · ttl 30s: Held while one dead letter is being replayed.
    pub fn replay_lock(&self, dlq_id: &DeadLetterId) -> Key {
        self.0.join(
            FamilyId::RelaynaReplayLock,
            &[&self.0.prefixes().relayna_dlq, ":dlq:replay-lock:", dlq_id.as_key()],
            &[&self.0.prefixes().relayna_dlq, ":dlq:replay-lock:{dead_letter:", dlq_id.as_key(), "}"],
        )
    }

    /// `<prefix:feed>:feed` · list · ttl 86400s, refreshed, maxlen 5000: What a service offers to the studio: its status events and observations in one.
    pub fn feed(&self) -> Key {
        self.0.join(
            FamilyId::RelaynaFeed,
            &[&self.0.prefixes().relayna_feed, ":feed"],
            &[&self.0.prefixes().relayna_feed, ":feed"],
        )
    }

    /// `<prefix:feed>:feed:index` · zset · ttl 86400s, refreshed, maxlen 5000: The feed as later versions keep it: cursors by their number. Nothing here reads or writes it.
    pub fn feed_order(&self) -> Key {
        self.0.join(
            FamilyId::RelaynaFeedOrder,
            &[&self.0.prefixes().relayna_feed, ":feed:index"],
            &[&self.0.prefixes().relayna_feed, ":feed:index"],
        )
    }

    /// `<prefix:feed>:feed:payloads` · hash · ttl 86400s, refreshed, maxlen 5000: The feed as later versions keep it: the events by their cursor. Nothing here reads or writes it.
    pub fn feed_payloads(&self) -> Key {
        self.0.join(
            FamilyId::RelaynaFeedPayloads,
            &[&self.0.prefixes().relayna_feed, ":feed:payloads"],
            &[&self.0.prefixes().relayna_feed, ":feed:payloads"],
        )
    }

    /// `<prefix:feed>:feed:sequence` · string · ttl 86400s, refreshed: The feed as later versions keep it: the number of the last event. Nothing here reads or writes it.
    pub fn feed_sequence(&self) -> Key {
        self.0.join(
            FamilyId::RelaynaFeedSequence,
            &[&self.0.prefixes().relayna_feed, ":feed:sequence"],
            &[&self.0.prefixes().relayna_feed, ":feed:sequence"],
        )
    }

    /// `<prefix:feed>:event:<cursor>` · string · ttl 86400s: Marks a feed event as taken.
    pub fn feed_event(&self, cursor: &Cursor) -> Key {
        self.0.join(
            FamilyId::RelaynaFeedEvent,
            &[&self.0.prefixes().relayna_feed, ":event:", cursor.as_key()],
            &[&self.0.prefixes().relayna_feed, ":event:{cursor:", cursor.as_key(), "}"],
        )
    }

    /// `<prefix:events>:event:<dedupe_key>` · string · ttl 86400s: One event that the studio took in.
    pub fn studio_event(&self, dedupe_key: &DedupeKey) -> Key {
        self.0.join(
            FamilyId::RelaynaStudioEvent,
            &[&self.0.prefixes().relayna_events, ":event:", dedupe_key.as_key()],
            &[&self.0.prefixes().relayna_events, ":event:{event:", dedupe_key.as_key(), "}"],
        )
    }

    /// `<prefix:events>:service:<service_id>:history` · list · ttl 86400s, refreshed, maxlen 5000: The last events of one service.
    pub fn service_history(&self, service_id: &ServiceId) -> Key {
        self.0.join(
            FamilyId::RelaynaServiceHistory,
            &[&self.0.prefixes().relayna_events, ":service:", service_id.as_key(), ":history"],
            &[&self.0.prefixes().relayna_events, ":service:{service:", service_id.as_key(), "}:history"],
        )
    }

    /// `<prefix:events>:task:<service_id>:<task_id>:history` · list · ttl 86400s, refreshed, maxlen 5000: The last events of one task of one service.
    pub fn service_task_history(&self, service_id: &ServiceId, task_id: &TaskId) -> Key {
        self.0.join(
            FamilyId::RelaynaServiceTaskHistory,
            &[&self.0.prefixes().relayna_events, ":task:", service_id.as_key(), ":", task_id.as_key(), ":history"],
            &[&self.0.prefixes().relayna_events, ":task:", service_id.as_key(), ":{task:", task_id.as_key(), "}:history"],
        )
    }

    /// `<prefix:events>:task:<service_id>:<task_id>:latest-timestamp` · string · ttl 86400s, refreshed: Time of the latest event of one task of one service.
    pub fn service_task_latest(&self, service_id: &ServiceId, task_id: &TaskId) -> Key {
        self.0.join(
            FamilyId::RelaynaServiceTaskLatest,
            &[&self.0.prefixes().relayna_events, ":task:", service_id.as_key(), ":", task_id.as_key(), ":latest-timestamp"],
            &[&self.0.prefixes().relayna_events, ":task:", service_id.as_key(), ":{task:", task_id.as_key(), "}:latest-timestamp"],
        )
    }

    /// `<prefix:events>:service:<service_id>:latest-status-timestamp` · string · ttl 86400s, refreshed: Time of the latest status event of one service.
    pub fn service_latest_status(&self, service_id: &ServiceId) -> Key {
        self.0.join(
            FamilyId::RelaynaServiceLatestStatus,
            &[&self.0.prefixes().relayna_events, ":service:", service_id.as_key(), ":latest-status-timestamp"],
            &[&self.0.prefixes().relayna_events, ":service:{service:", service_id.as_key(), "}:latest-status-timestamp"],
        )
    }

    /// `<prefix:events>:service:<service_id>:latest-observation-timestamp` · string · ttl 86400s, refreshed: Time of the latest observation of one service.
    pub fn service_latest_observation(&self, service_id: &ServiceId) -> Key {
        self.0.join(
            FamilyId::RelaynaServiceLatestObservation,
            &[&self.0.prefixes().relayna_events, ":service:", service_id.as_key(), ":latest-observation-timestamp"],
            &[&self.0.prefixes().relayna_events, ":service:{service:", service_id.as_key(), "}:latest-observation-timestamp"],
        )
    }

    /// `<prefix:events>:service:<service_id>:latest-ingested-timestamp` · string · ttl 86400s, refreshed: When the studio last took in an event of one service.
    pub fn service_latest_ingested(&self, service_id: &ServiceId) -> Key {
        self.0.join(
            FamilyId::RelaynaServiceLatestIngested,
            &[&self.0.prefixes().relayna_events, ":service:", service_id.as_key(), ":latest-ingested-timestamp"],
            &[&self.0.prefixes().relayna_events, ":service:{service:", service_id.as_key(), "}:latest-ingested-timestamp"],
        )
    }

    /// `<prefix:events>:pull-cursor:<service_id>` · string · none: How far the studio has read the feed of one service.
    pub fn pull_cursor(&self, service_id: &ServiceId) -> Key {
        self.0.join(
            FamilyId::RelaynaPullCursor,
            &[&self.0.prefixes().relayna_events, ":pull-cursor:", service_id.as_key()],
            &[&self.0.prefixes().relayna_events, ":pull-cursor:{service:", service_id.as_key(), "}"],
        )
    }

    /// `<prefix:events>:channel:service:<service_id>` · channel · none: Events of one service as the studio takes them in.
    pub fn service_channel(&self, service_id: &ServiceId) -> Key {
        self.0.join(
            FamilyId::RelaynaServiceChannel,
            &[&self.0.prefixes().relayna_events, ":channel:service:", service_id.as_key()],
            &[&self.0.prefixes().relayna_events, ":channel:service:{service:", service_id.as_key(), "}"],
        )
    }

    /// `<prefix:events>:channel:task:<service_id>:<task_id>` · channel · none: Events of one task of one service as the studio takes them in.
    pub fn service_task_channel(&self, service_id: &ServiceId, task_id: &TaskId) -> Key {
        self.0.join(
            FamilyId::RelaynaServiceTaskChannel,
            &[&self.0.prefixes().relayna_events, ":channel:task:", service_id.as_key(), ":", task_id.as_key()],
            &[&self.0.prefixes().relayna_events, ":channel:task:", service_id.as_key(), ":{task:", task_id.as_key(), "}"],
        )
    }

    /// `<prefix:notices>:settings` · string · none: Whether people are told of failed tasks, and how long failures are gathered for one message.
    pub fn notice_settings(&self) -> Key {
        self.0.join(
            FamilyId::RelaynaNoticeSettings,
            &[&self.0.prefixes().relayna_notices, ":settings"],
            &[&self.0.prefixes().relayna_notices, ":settings"],
        )
    }

    /// `<prefix:notices>:batch:lock` · string · ttl 60s, refreshed: Held by the process that gathers and sends notices now.
    pub fn notice_lock(&self) -> Key {
        self.0.join(
            FamilyId::RelaynaNoticeLock,
            &[&self.0.prefixes().relayna_notices, ":batch:lock"],
            &[&self.0.prefixes().relayna_notices, ":batch:lock"],
        )
    }

    /// `<prefix:notices>:pending` · string · none: Failed tasks that the next message will tell of.
    pub fn notice_pending(&self) -> Key {
        self.0.join(
            FamilyId::RelaynaNoticePending,
            &[&self.0.prefixes().relayna_notices, ":pending"],
            &[&self.0.prefixes().relayna_notices, ":pending"],
        )
    }

    /// `<prefix:notices>:notified:<service_id>:<failure_id>` · string · ttl 7d: Somebody has been told of this failure.
    pub fn notice_sent(&self, service_id: &ServiceId, failure_id: &DeadLetterId) -> Key {
        self.0.join(
            FamilyId::RelaynaNoticeSent,
            &[&self.0.prefixes().relayna_notices, ":notified:", service_id.as_key(), ":", failure_id.as_key()],
            &[&self.0.prefixes().relayna_notices, ":notified:", service_id.as_key(), ":", failure_id.as_key()],
        )
    }

    /// `<prefix:registry>:by-id:<service_id>` · string · none: One registered service.
    pub fn service(&self, service_id: &ServiceId) -> Key {
        self.0.join(
            FamilyId::RelaynaService,
            &[&self.0.prefixes().relayna_registry, ":by-id:", service_id.as_key()],
            &[&self.0.prefixes().relayna_registry, ":by-id:{service:", service_id.as_key(), "}"],
        )
    }

    /// `<prefix:registry>:all` · set · none: All registered services.
    pub fn service_index(&self) -> Key {
        self.0.join(
            FamilyId::RelaynaServiceIndex,
            &[&self.0.prefixes().relayna_registry, ":all"],
            &[&self.0.prefixes().relayna_registry, ":all"],
        )
    }

    /// `<prefix:registry>:by-env-url:<environment>:<normalized_base_url>` · string · none: Which service has this URL in this environment, so that none is registered twice.
    pub fn service_by_url(&self, environment: &EnvironmentId, normalized_base_url: &BaseUrl) -> Key {
        self.0.join(
            FamilyId::RelaynaServiceByUrl,
            &[&self.0.prefixes().relayna_registry, ":by-env-url:", environment.as_key(), ":", normalized_base_url.as_key()],
            &[&self.0.prefixes().relayna_registry, ":by-env-url:", environment.as_key(), ":", normalized_base_url.as_key()],
        )
    }

    /// `<prefix:health>:<service_id>` · string · none: How one service fared when it was last looked at.
    pub fn service_health(&self, service_id: &ServiceId) -> Key {
        self.0.join(
            FamilyId::RelaynaServiceHealth,
            &[&self.0.prefixes().relayna_health, ":", service_id.as_key()],
            &[&self.0.prefixes().relayna_health, ":{service:", service_id.as_key(), "}"],
        )
    }

    /// `<prefix:search>:task:doc:<document_id>` · string · ttl 86400s, ttl of expires_at in the document: What the search knows about one task of one service.
    pub fn task_document(&self, document_id: &Document) -> Key {
        self.0.join(
            FamilyId::RelaynaTaskDocument,
            &[&self.0.prefixes().relayna_search, ":task:doc:", document_id.as_key()],
            &[&self.0.prefixes().relayna_search, ":task:doc:{document:", document_id.as_key(), "}"],
        )
    }

    /// `<prefix:search>:task:all` · set · ttl of its documents: All task documents.
    pub fn task_documents(&self) -> Key {
        self.0.join(
            FamilyId::RelaynaTaskDocuments,
            &[&self.0.prefixes().relayna_search, ":task:all"],
            &[&self.0.prefixes().relayna_search, ":task:all"],
        )
    }

    /// `<prefix:search>:task:filter:<field>:<value>` · set · ttl of its documents: Task documents with one value in one member.
    pub fn task_filter(&self, field: &SearchField, value: &SearchValue) -> Key {
        self.0.join(
            FamilyId::RelaynaTaskFilter,
            &[&self.0.prefixes().relayna_search, ":task:filter:", field.as_key(), ":", value.as_key()],
            &[&self.0.prefixes().relayna_search, ":task:filter:", field.as_key(), ":", value.as_key()],
        )
    }

    /// `<prefix:search>:task:service:<service_id>` · set · ttl of its documents: Task documents of one service.
    pub fn service_task_documents(&self, service_id: &ServiceId) -> Key {
        self.0.join(
            FamilyId::RelaynaServiceTaskDocuments,
            &[&self.0.prefixes().relayna_search, ":task:service:", service_id.as_key()],
            &[&self.0.prefixes().relayna_search, ":task:service:{service:", service_id.as_key(), "}"],
        )
    }

    /// `<prefix:search>:service:doc:<service_id>` · string · none: What the search knows about one service.
    pub fn service_document(&self, service_id: &ServiceId) -> Key {
        self.0.join(
            FamilyId::RelaynaServiceDocument,
            &[&self.0.prefixes().relayna_search, ":service:doc:", service_id.as_key()],
            &[&self.0.prefixes().relayna_search, ":service:doc:{service:", service_id.as_key(), "}"],
        )
    }

    /// `<prefix:search>:service:all` · set · none: All services that can be searched.
    pub fn service_documents(&self) -> Key {
        self.0.join(
            FamilyId::RelaynaServiceDocuments,
            &[&self.0.prefixes().relayna_search, ":service:all"],
            &[&self.0.prefixes().relayna_search, ":service:all"],
        )
    }

    /// `<prefix:search>:service:filter:<field>:<value>` · set · none: Services with one value in one member.
    pub fn service_filter(&self, field: &SearchField, value: &SearchValue) -> Key {
        self.0.join(
            FamilyId::RelaynaServiceFilter,
            &[&self.0.prefixes().relayna_search, ":service:filter:", field.as_key(), ":", value.as_key()],
            &[&self.0.prefixes().relayna_search, ":service:filter:", field.as_key(), ":", value.as_key()],
        )
    }

    /// `<prefix:search>:service:token:<token>` · set · none: Services whose text has one word, or a word that starts so.
    pub fn service_token(&self, token: &SearchToken) -> Key {
        self.0.join(
            FamilyId::RelaynaServiceToken,
            &[&self.0.prefixes().relayna_search, ":service:token:", token.as_key()],
            &[&self.0.prefixes().relayna_search, ":service:token:", token.as_key()],
        )
    }

    /// `<prefix:status>:history:<task_id>` · list · ttl 86400s, refreshed, maxlen 50: The last status events of one task.
    pub fn status_history(&self, task_id: &TaskId) -> Key {
        self.0.join(
            FamilyId::RelaynaStatusHistory,
            &[&self.0.prefixes().relayna_status, ":history:", task_id.as_key()],
            &[&self.0.prefixes().relayna_status, ":history:{task:", task_id.as_key(), "}"],
        )
    }

    /// `<prefix:status>:channel:<task_id>` · channel · none: Status events of one task as they happen.
    pub fn status_channel(&self, task_id: &TaskId) -> Key {
        self.0.join(
            FamilyId::RelaynaStatusChannel,
            &[&self.0.prefixes().relayna_status, ":channel:", task_id.as_key()],
            &[&self.0.prefixes().relayna_status, ":channel:{task:", task_id.as_key(), "}"],
        )
    }

    /// `<prefix:status>:event:<task_id>:<token>` · string · ttl 86400s: Marks a status event as taken, so that a repeat changes nothing.
    pub fn status_event(&self, task_id: &TaskId, token: &EventToken) -> Key {
        self.0.join(
            FamilyId::RelaynaStatusEvent,
            &[&self.0.prefixes().relayna_status, ":event:", task_id.as_key(), ":", token.as_key()],
            &[&self.0.prefixes().relayna_status, ":event:{task:", task_id.as_key(), "}:", token.as_key()],
        )
    }

    /// `<prefix:status>:children:<parent_task_id>` · set · ttl 86400s, refreshed: The tasks whose events name this one as their parent.
    pub fn children(&self, parent_task_id: &TaskId) -> Key {
        self.0.join(
            FamilyId::RelaynaChildren,
            &[&self.0.prefixes().relayna_status, ":children:", parent_task_id.as_key()],
            &[&self.0.prefixes().relayna_status, ":children:{task:", parent_task_id.as_key(), "}"],
        )
    }

    /// `<prefix:observations>:history:<task_id>` · list · ttl 86400s, refreshed, maxlen 500: The last observations of one task, for timelines and execution graphs.
    pub fn observation_history(&self, task_id: &TaskId) -> Key {
        self.0.join(
            FamilyId::RelaynaObservationHistory,
            &[&self.0.prefixes().relayna_observations, ":history:", task_id.as_key()],
            &[&self.0.prefixes().relayna_observations, ":history:{task:", task_id.as_key(), "}"],
        )
    }

    /// `<prefix:observations>:event:<task_id>:<token>` · string · ttl 86400s: Marks an observation as taken; the token is the hash of its payload.
    pub fn observation_event(&self, task_id: &TaskId, token: &EventToken) -> Key {
        self.0.join(
            FamilyId::RelaynaObservationEvent,
            &[&self.0.prefixes().relayna_observations, ":event:", task_id.as_key(), ":", token.as_key()],
            &[&self.0.prefixes().relayna_observations, ":event:{task:", task_id.as_key(), "}:", token.as_key()],
        )
    }

    /// `<prefix:leases>:lease:task:<lease_id>` · string · ttl 60s, refreshed: Who works on a task, as later versions keep it. Nothing here reads or writes it: it is gone before anybody could recover it.
    pub fn client_lease(&self, lease_id: &Cursor) -> Key {
        self.0.join(
            FamilyId::RelaynaClientLease,
            &[&self.0.prefixes().relayna_leases, ":lease:task:", lease_id.as_key()],
            &[&self.0.prefixes().relayna_leases, ":lease:task:{cursor:", lease_id.as_key(), "}"],
        )
    }

    /// `<prefix:leases>:lease:owner:<owner_id>` · set · none: The leases of one worker, as later versions keep them. Nothing here reads or writes it.
    pub fn client_lease_owner(&self, owner_id: &Cursor) -> Key {
        self.0.join(
            FamilyId::RelaynaClientLeaseOwner,
            &[&self.0.prefixes().relayna_leases, ":lease:owner:", owner_id.as_key()],
            &[&self.0.prefixes().relayna_leases, ":lease:owner:{cursor:", owner_id.as_key(), "}"],
        )
    }

    /// `<prefix:leases>:lease:expiries` · zset · none: When each lease ends, as later versions keep it. Nothing here reads or writes it.
    pub fn client_lease_expiries(&self) -> Key {
        self.0.join(
            FamilyId::RelaynaClientLeaseExpiries,
            &[&self.0.prefixes().relayna_leases, ":lease:expiries"],
            &[&self.0.prefixes().relayna_leases, ":lease:expiries"],
        )
    }

    /// `<prefix:leases>:lease:expired_claims` · set · none: Leases whose end somebody deals with, as later versions keep it. Nothing here reads or writes it.
    pub fn client_lease_claims(&self) -> Key {
        self.0.join(
            FamilyId::RelaynaClientLeaseClaims,
            &[&self.0.prefixes().relayna_leases, ":lease:expired_claims"],
            &[&self.0.prefixes().relayna_leases, ":lease:expired_claims"],
        )
    }

    /// `<prefix:workflow>:workflow:run:<task_id>` · hash · none: How far the workflow of one task has come: its state, and for each stage how many actions are ready, running, done and failed.
    pub fn workflow_run(&self, task_id: &TaskId) -> Key {
        self.0.join(
            FamilyId::RelaynaWorkflowRun,
            &[&self.0.prefixes().relayna_workflow, ":workflow:run:", task_id.as_key()],
            &[&self.0.prefixes().relayna_workflow, ":workflow:run:{task:", task_id.as_key(), "}"],
        )
    }

    /// `<prefix:workflow>:workflow:fanin:<task_id>:<stage>` · hash · none: Which branches of one task have reached a stage that joins them: `branch:<name>` is its result, or empty while it is awaited; `fired` says when the stage was let go.
    pub fn fan_in(&self, task_id: &TaskId, stage: &StageId) -> Key {
        self.0.join(
            FamilyId::RelaynaFanIn,
            &[&self.0.prefixes().relayna_workflow, ":workflow:fanin:", task_id.as_key(), ":", stage.as_key()],
            &[&self.0.prefixes().relayna_workflow, ":workflow:fanin:{task:", task_id.as_key(), "}:", stage.as_key()],
        )
    }

    /// `<prefix:workflow>:workflow:contract:<stage>:dedup:<task_id>:<signature>` · string · ttl 86400s: Marks a stage action as done, so that it is not done twice.
    pub fn stage_dedup(&self, stage: &StageId, task_id: &TaskId, signature: &Signature) -> Key {
        self.0.join(
            FamilyId::RelaynaStageDedup,
            &[&self.0.prefixes().relayna_workflow, ":workflow:contract:", stage.as_key(), ":dedup:", task_id.as_key(), ":", signature.as_key()],
            &[&self.0.prefixes().relayna_workflow, ":workflow:contract:", stage.as_key(), ":dedup:{task:", task_id.as_key(), "}:", signature.as_key()],
        )
    }

    /// `<prefix:workflow>:workflow:contract:<stage>:inflight:<task_id>` · hash · ttl 86400s, refreshed: Stage actions under way for one task: one field for each signature, its value in JSON.
    pub fn stage_inflight(&self, stage: &StageId, task_id: &TaskId) -> Key {
        self.0.join(
            FamilyId::RelaynaStageInflight,
            &[&self.0.prefixes().relayna_workflow, ":workflow:contract:", stage.as_key(), ":inflight:", task_id.as_key()],
            &[&self.0.prefixes().relayna_workflow, ":workflow:contract:", stage.as_key(), ":inflight:{task:", task_id.as_key(), "}"],
        )
    }
}
