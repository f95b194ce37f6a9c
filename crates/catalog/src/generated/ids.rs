// Generated from the catalog by `cargo xtask codegen`. Do not edit.

//! The names that stand in keys, each parsed once at the edge.

use std::borrow::Cow;

use crate::id::{name_type, value_type};
use crate::rule::{Grammar, Rule};

name_type! {
    /// An agent, worker or peer: the id of its session.
    AgentId, Rule {
        name: Cow::Borrowed("agent"),
        grammar: Grammar::Id,
        values: Cow::Borrowed(&[]),
        reserved: Cow::Borrowed(&[Cow::Borrowed("index"), Cow::Borrowed("__global__")]),
        reserved_prefixes: Cow::Borrowed(&[]),
        empty_segments: false,
    }
}

name_type! {
    /// A request that one reviewer approve one task.
    ApprovalId, Rule {
        name: Cow::Borrowed("approval"),
        grammar: Grammar::Id,
        values: Cow::Borrowed(&[]),
        reserved: Cow::Borrowed(&[]),
        reserved_prefixes: Cow::Borrowed(&[]),
        empty_segments: false,
    }
}

name_type! {
    /// A part of a project: an area, or a file as `file:<encoded path>`.
    Area, Rule {
        name: Cow::Borrowed("area"),
        grammar: Grammar::Path,
        values: Cow::Borrowed(&[]),
        reserved: Cow::Borrowed(&[]),
        reserved_prefixes: Cow::Borrowed(&[]),
        empty_segments: true,
    }
}

name_type! {
    /// A machine of the fleet.
    AssetId, Rule {
        name: Cow::Borrowed("asset"),
        grammar: Grammar::Id,
        values: Cow::Borrowed(&[]),
        reserved: Cow::Borrowed(&[]),
        reserved_prefixes: Cow::Borrowed(&[]),
        empty_segments: false,
    }
}

name_type! {
    /// The normalised base URL of a service.
    BaseUrl, Rule {
        name: Cow::Borrowed("base_url"),
        grammar: Grammar::Url,
        values: Cow::Borrowed(&[]),
        reserved: Cow::Borrowed(&[]),
        reserved_prefixes: Cow::Borrowed(&[]),
        empty_segments: false,
    }
}

name_type! {
    /// A broadcast channel.
    ChannelName, Rule {
        name: Cow::Borrowed("channel_name"),
        grammar: Grammar::Encoded,
        values: Cow::Borrowed(&[]),
        reserved: Cow::Borrowed(&[]),
        reserved_prefixes: Cow::Borrowed(&[]),
        empty_segments: false,
    }
}

name_type! {
    /// A session in which several agents work together.
    CollaborationId, Rule {
        name: Cow::Borrowed("collaboration"),
        grammar: Grammar::Id,
        values: Cow::Borrowed(&[]),
        reserved: Cow::Borrowed(&[]),
        reserved_prefixes: Cow::Borrowed(&[]),
        empty_segments: false,
    }
}

name_type! {
    /// A setting, such as `lock:default_ttl`.
    ConfigName, Rule {
        name: Cow::Borrowed("config_name"),
        grammar: Grammar::Path,
        values: Cow::Borrowed(&[]),
        reserved: Cow::Borrowed(&[]),
        reserved_prefixes: Cow::Borrowed(&[]),
        empty_segments: false,
    }
}

name_type! {
    /// The hash of a content that was seen.
    ContentHash, Rule {
        name: Cow::Borrowed("content_hash"),
        grammar: Grammar::Hash,
        values: Cow::Borrowed(&[]),
        reserved: Cow::Borrowed(&[]),
        reserved_prefixes: Cow::Borrowed(&[]),
        empty_segments: false,
    }
}

name_type! {
    /// The place of an event in a service's feed.
    Cursor, Rule {
        name: Cow::Borrowed("cursor"),
        grammar: Grammar::Encoded,
        values: Cow::Borrowed(&[]),
        reserved: Cow::Borrowed(&[]),
        reserved_prefixes: Cow::Borrowed(&[]),
        empty_segments: false,
    }
}

name_type! {
    /// A dead letter.
    DeadLetterId, Rule {
        name: Cow::Borrowed("dead_letter"),
        grammar: Grammar::Id,
        values: Cow::Borrowed(&[]),
        reserved: Cow::Borrowed(&[]),
        reserved_prefixes: Cow::Borrowed(&[]),
        empty_segments: false,
    }
}

name_type! {
    /// A list of dead letters: `all`, `source:<source>`, `cluster:<fingerprint>` or `clusters`; with `open:` before it, of open ones alone.
    DeadView, Rule {
        name: Cow::Borrowed("dead_view"),
        grammar: Grammar::Path,
        values: Cow::Borrowed(&[]),
        reserved: Cow::Borrowed(&[]),
        reserved_prefixes: Cow::Borrowed(&[]),
        empty_segments: false,
    }
}

name_type! {
    /// What makes an ingested event the same as an earlier one: its service, where it comes from, and its id, as in `payments-api:status:evt-0001`.
    DedupeKey, Rule {
        name: Cow::Borrowed("dedupe_key"),
        grammar: Grammar::Path,
        values: Cow::Borrowed(&[]),
        reserved: Cow::Borrowed(&[]),
        reserved_prefixes: Cow::Borrowed(&[]),
        empty_segments: false,
    }
}

name_type! {
    /// A queue of relayna's dead letters, by the name its broker knows.
    DlqQueue, Rule {
        name: Cow::Borrowed("dlq_queue"),
        grammar: Grammar::Encoded,
        values: Cow::Borrowed(&[]),
        reserved: Cow::Borrowed(&[]),
        reserved_prefixes: Cow::Borrowed(&[]),
        empty_segments: false,
    }
}

name_type! {
    /// A task in the search index: base64 of a JSON object with its service and its task, as Relayna writes it, so that no two of them share one.
    Document, Rule {
        name: Cow::Borrowed("document"),
        grammar: Grammar::Base64,
        values: Cow::Borrowed(&[]),
        reserved: Cow::Borrowed(&[]),
        reserved_prefixes: Cow::Borrowed(&[]),
        empty_segments: false,
    }
}

name_type! {
    /// An operation whose rate is limited; `lock:acquire` is counted for each agent instead.
    Endpoint, Rule {
        name: Cow::Borrowed("endpoint"),
        grammar: Grammar::Path,
        values: Cow::Borrowed(&[]),
        reserved: Cow::Borrowed(&[Cow::Borrowed("lock:acquire")]),
        reserved_prefixes: Cow::Borrowed(&[]),
        empty_segments: false,
    }
}

name_type! {
    /// Where a service runs, such as staging or production.
    EnvironmentId, Rule {
        name: Cow::Borrowed("environment"),
        grammar: Grammar::Id,
        values: Cow::Borrowed(&[]),
        reserved: Cow::Borrowed(&[]),
        reserved_prefixes: Cow::Borrowed(&[]),
        empty_segments: false,
    }
}

name_type! {
    /// The id of an event, or the hash of its payload where it has none.
    EventToken, Rule {
        name: Cow::Borrowed("event_token"),
        grammar: Grammar::Encoded,
        values: Cow::Borrowed(&[]),
        reserved: Cow::Borrowed(&[]),
        reserved_prefixes: Cow::Borrowed(&[]),
        empty_segments: false,
    }
}

value_type! {
    /// What an event stream is about.
    EventType, Rule {
        name: Cow::Borrowed("event_type"),
        grammar: Grammar::Enum,
        values: Cow::Borrowed(&[Cow::Borrowed("task"), Cow::Borrowed("approval"), Cow::Borrowed("lock")]),
        reserved: Cow::Borrowed(&[]),
        reserved_prefixes: Cow::Borrowed(&[]),
        empty_segments: false,
    }, { Task = "task", Approval = "approval", Lock = "lock" }
}

name_type! {
    /// A normalised file path.
    FilePath, Rule {
        name: Cow::Borrowed("file_path"),
        grammar: Grammar::Encoded,
        values: Cow::Borrowed(&[]),
        reserved: Cow::Borrowed(&[]),
        reserved_prefixes: Cow::Borrowed(&[]),
        empty_segments: false,
    }
}

name_type! {
    /// A feature flag.
    FlagName, Rule {
        name: Cow::Borrowed("flag_name"),
        grammar: Grammar::Slug,
        values: Cow::Borrowed(&[]),
        reserved: Cow::Borrowed(&[]),
        reserved_prefixes: Cow::Borrowed(&[]),
        empty_segments: false,
    }
}

name_type! {
    /// The SHA-256 of a caller and the key it chose for one request, in hexadecimal digits.
    Idempotency, Rule {
        name: Cow::Borrowed("idempotency"),
        grammar: Grammar::Hash,
        values: Cow::Borrowed(&[]),
        reserved: Cow::Borrowed(&[]),
        reserved_prefixes: Cow::Borrowed(&[]),
        empty_segments: false,
    }
}

name_type! {
    /// A background job.
    JobId, Rule {
        name: Cow::Borrowed("job"),
        grammar: Grammar::Id,
        values: Cow::Borrowed(&[]),
        reserved: Cow::Borrowed(&[]),
        reserved_prefixes: Cow::Borrowed(&[]),
        empty_segments: false,
    }
}

name_type! {
    /// A named lock. `project:` and `file:` belong to locks of projects and files.
    LockName, Rule {
        name: Cow::Borrowed("lock_name"),
        grammar: Grammar::Path,
        values: Cow::Borrowed(&[]),
        reserved: Cow::Borrowed(&[]),
        reserved_prefixes: Cow::Borrowed(&[Cow::Borrowed("project:"), Cow::Borrowed("file:")]),
        empty_segments: false,
    }
}

name_type! {
    /// A lock of any kind by its whole name, such as `task:123` or `file:src%2Fmain.rs`.
    LockRef, Rule {
        name: Cow::Borrowed("lock_ref"),
        grammar: Grammar::Path,
        values: Cow::Borrowed(&[]),
        reserved: Cow::Borrowed(&[]),
        reserved_prefixes: Cow::Borrowed(&[]),
        empty_segments: false,
    }
}

value_type! {
    /// How serious a log record is.
    LogLevel, Rule {
        name: Cow::Borrowed("log_level"),
        grammar: Grammar::Enum,
        values: Cow::Borrowed(&[Cow::Borrowed("info"), Cow::Borrowed("warn"), Cow::Borrowed("error")]),
        reserved: Cow::Borrowed(&[]),
        reserved_prefixes: Cow::Borrowed(&[]),
        empty_segments: false,
    }, { Info = "info", Warn = "warn", Error = "error" }
}

name_type! {
    /// A service that writes logs.
    LogServiceId, Rule {
        name: Cow::Borrowed("log_service"),
        grammar: Grammar::Id,
        values: Cow::Borrowed(&[]),
        reserved: Cow::Borrowed(&[]),
        reserved_prefixes: Cow::Borrowed(&[]),
        empty_segments: false,
    }
}

name_type! {
    /// A signed-in user's session, named by the SHA-256 of its secret.
    LoginSessionId, Rule {
        name: Cow::Borrowed("login_session"),
        grammar: Grammar::Id,
        values: Cow::Borrowed(&[]),
        reserved: Cow::Borrowed(&[Cow::Borrowed("index")]),
        reserved_prefixes: Cow::Borrowed(&[]),
        empty_segments: false,
    }
}

name_type! {
    /// A message, by the random id it was sent with, or got when it was first read.
    MessageId, Rule {
        name: Cow::Borrowed("message"),
        grammar: Grammar::Id,
        values: Cow::Borrowed(&[]),
        reserved: Cow::Borrowed(&[]),
        reserved_prefixes: Cow::Borrowed(&[]),
        empty_segments: false,
    }
}

name_type! {
    /// A counter.
    MetricId, Rule {
        name: Cow::Borrowed("metric"),
        grammar: Grammar::Id,
        values: Cow::Borrowed(&[]),
        reserved: Cow::Borrowed(&[]),
        reserved_prefixes: Cow::Borrowed(&[]),
        empty_segments: false,
    }
}

name_type! {
    /// A delegation policy of one user.
    PolicyId, Rule {
        name: Cow::Borrowed("policy"),
        grammar: Grammar::Id,
        values: Cow::Borrowed(&[]),
        reserved: Cow::Borrowed(&[]),
        reserved_prefixes: Cow::Borrowed(&[]),
        empty_segments: false,
    }
}

value_type! {
    /// Which of the three work queues, most urgent first.
    Priority, Rule {
        name: Cow::Borrowed("priority"),
        grammar: Grammar::Enum,
        values: Cow::Borrowed(&[Cow::Borrowed("high"), Cow::Borrowed("normal"), Cow::Borrowed("low")]),
        reserved: Cow::Borrowed(&[]),
        reserved_prefixes: Cow::Borrowed(&[]),
        empty_segments: false,
    }, { High = "high", Normal = "normal", Low = "low" }
}

name_type! {
    /// One run of one program, by a random id.
    ProcessId, Rule {
        name: Cow::Borrowed("process"),
        grammar: Grammar::Id,
        values: Cow::Borrowed(&[]),
        reserved: Cow::Borrowed(&[]),
        reserved_prefixes: Cow::Borrowed(&[]),
        empty_segments: false,
    }
}

name_type! {
    /// A project that agents work on.
    ProjectId, Rule {
        name: Cow::Borrowed("project"),
        grammar: Grammar::Id,
        values: Cow::Borrowed(&[]),
        reserved: Cow::Borrowed(&[]),
        reserved_prefixes: Cow::Borrowed(&[]),
        empty_segments: false,
    }
}

name_type! {
    /// A part of a queue by its whole name, such as `normal:g:user-42`.
    QueueLane, Rule {
        name: Cow::Borrowed("queue_lane"),
        grammar: Grammar::Path,
        values: Cow::Borrowed(&[]),
        reserved: Cow::Borrowed(&[]),
        reserved_prefixes: Cow::Borrowed(&[]),
        empty_segments: false,
    }
}

name_type! {
    /// A queue of background jobs.
    QueueNameId, Rule {
        name: Cow::Borrowed("queue_name"),
        grammar: Grammar::Id,
        values: Cow::Borrowed(&[]),
        reserved: Cow::Borrowed(&[]),
        reserved_prefixes: Cow::Borrowed(&[]),
        empty_segments: false,
    }
}

name_type! {
    /// A queue: `high`, `normal`, `low` or `job:<name>`.
    QueueRef, Rule {
        name: Cow::Borrowed("queue_ref"),
        grammar: Grammar::Path,
        values: Cow::Borrowed(&[]),
        reserved: Cow::Borrowed(&[]),
        reserved_prefixes: Cow::Borrowed(&[]),
        empty_segments: false,
    }
}

name_type! {
    /// A resource within its type.
    ResourceId, Rule {
        name: Cow::Borrowed("resource"),
        grammar: Grammar::Id,
        values: Cow::Borrowed(&[]),
        reserved: Cow::Borrowed(&[]),
        reserved_prefixes: Cow::Borrowed(&[]),
        empty_segments: false,
    }
}

name_type! {
    /// A class of resources, such as database, service, infrastructure, configuration, secret, network or storage.
    ResourceTypeId, Rule {
        name: Cow::Borrowed("resource_type"),
        grammar: Grammar::Id,
        values: Cow::Borrowed(&[]),
        reserved: Cow::Borrowed(&[]),
        reserved_prefixes: Cow::Borrowed(&[]),
        empty_segments: false,
    }
}

name_type! {
    /// A member of a search document that can be filtered by.
    SearchField, Rule {
        name: Cow::Borrowed("search_field"),
        grammar: Grammar::Slug,
        values: Cow::Borrowed(&[]),
        reserved: Cow::Borrowed(&[]),
        reserved_prefixes: Cow::Borrowed(&[]),
        empty_segments: false,
    }
}

name_type! {
    /// A word, or the start of a word, that a search asks for.
    SearchToken, Rule {
        name: Cow::Borrowed("search_token"),
        grammar: Grammar::Encoded,
        values: Cow::Borrowed(&[]),
        reserved: Cow::Borrowed(&[]),
        reserved_prefixes: Cow::Borrowed(&[]),
        empty_segments: false,
    }
}

name_type! {
    /// A value that a filter asks for.
    SearchValue, Rule {
        name: Cow::Borrowed("search_value"),
        grammar: Grammar::Encoded,
        values: Cow::Borrowed(&[]),
        reserved: Cow::Borrowed(&[]),
        reserved_prefixes: Cow::Borrowed(&[]),
        empty_segments: false,
    }
}

name_type! {
    /// A list of the search index: the index's prefix and what is listed, as in `studio:search:status:completed`.
    SearchView, Rule {
        name: Cow::Borrowed("search_view"),
        grammar: Grammar::Path,
        values: Cow::Borrowed(&[]),
        reserved: Cow::Borrowed(&[]),
        reserved_prefixes: Cow::Borrowed(&[]),
        empty_segments: false,
    }
}

name_type! {
    /// The SHA-256 of a secret, in hexadecimal digits; the secret itself is never in the store.
    SecretHash, Rule {
        name: Cow::Borrowed("secret_hash"),
        grammar: Grammar::Hash,
        values: Cow::Borrowed(&[]),
        reserved: Cow::Borrowed(&[]),
        reserved_prefixes: Cow::Borrowed(&[]),
        empty_segments: false,
    }
}

name_type! {
    /// What is sampled: `agents`, `locks` or `queue:<name>`.
    SeriesName, Rule {
        name: Cow::Borrowed("series_name"),
        grammar: Grammar::Path,
        values: Cow::Borrowed(&[]),
        reserved: Cow::Borrowed(&[]),
        reserved_prefixes: Cow::Borrowed(&[]),
        empty_segments: false,
    }
}

name_type! {
    /// A registered service.
    ServiceId, Rule {
        name: Cow::Borrowed("service"),
        grammar: Grammar::Id,
        values: Cow::Borrowed(&[]),
        reserved: Cow::Borrowed(&[]),
        reserved_prefixes: Cow::Borrowed(&[]),
        empty_segments: false,
    }
}

name_type! {
    /// A service of a registry: the registry's prefix and the service, as in `studio:services:payments-api`.
    ServiceRecord, Rule {
        name: Cow::Borrowed("service_record"),
        grammar: Grammar::Path,
        values: Cow::Borrowed(&[]),
        reserved: Cow::Borrowed(&[]),
        reserved_prefixes: Cow::Borrowed(&[]),
        empty_segments: false,
    }
}

value_type! {
    /// What is done with every service again and again.
    ServiceTurn, Rule {
        name: Cow::Borrowed("service_turn"),
        grammar: Grammar::Enum,
        values: Cow::Borrowed(&[Cow::Borrowed("pull"), Cow::Borrowed("check")]),
        reserved: Cow::Borrowed(&[]),
        reserved_prefixes: Cow::Borrowed(&[]),
        empty_segments: false,
    }, { Pull = "pull", Check = "check" }
}

name_type! {
    /// What makes a stage action the same as an earlier one, as a rule a SHA-256.
    Signature, Rule {
        name: Cow::Borrowed("signature"),
        grammar: Grammar::Encoded,
        values: Cow::Borrowed(&[]),
        reserved: Cow::Borrowed(&[]),
        reserved_prefixes: Cow::Borrowed(&[]),
        empty_segments: false,
    }
}

name_type! {
    /// When a snapshot was taken.
    SnapshotTime, Rule {
        name: Cow::Borrowed("snapshot_time"),
        grammar: Grammar::Timestamp,
        values: Cow::Borrowed(&[]),
        reserved: Cow::Borrowed(&[]),
        reserved_prefixes: Cow::Borrowed(&[]),
        empty_segments: false,
    }
}

name_type! {
    /// A stage of a workflow.
    StageId, Rule {
        name: Cow::Borrowed("stage"),
        grammar: Grammar::Id,
        values: Cow::Borrowed(&[]),
        reserved: Cow::Borrowed(&[]),
        reserved_prefixes: Cow::Borrowed(&[]),
        empty_segments: false,
    }
}

name_type! {
    /// A stream by the name its system gave it, without the namespace.
    StreamRef, Rule {
        name: Cow::Borrowed("stream_ref"),
        grammar: Grammar::Path,
        values: Cow::Borrowed(&[]),
        reserved: Cow::Borrowed(&[]),
        reserved_prefixes: Cow::Borrowed(&[]),
        empty_segments: false,
    }
}

name_type! {
    /// A label that its author put on a task.
    Tag, Rule {
        name: Cow::Borrowed("tag"),
        grammar: Grammar::Encoded,
        values: Cow::Borrowed(&[]),
        reserved: Cow::Borrowed(&[]),
        reserved_prefixes: Cow::Borrowed(&[]),
        empty_segments: false,
    }
}

name_type! {
    /// A task.
    TaskId, Rule {
        name: Cow::Borrowed("task"),
        grammar: Grammar::Id,
        values: Cow::Borrowed(&[]),
        reserved: Cow::Borrowed(&[Cow::Borrowed("index")]),
        reserved_prefixes: Cow::Borrowed(&[]),
        empty_segments: false,
    }
}

name_type! {
    /// A task of a store: the store's prefix and the task, as in `relayna:task-123`.
    TaskRecord, Rule {
        name: Cow::Borrowed("task_record"),
        grammar: Grammar::Path,
        values: Cow::Borrowed(&[]),
        reserved: Cow::Borrowed(&[]),
        reserved_prefixes: Cow::Borrowed(&[]),
        empty_segments: false,
    }
}

value_type! {
    /// Where a governed task stands.
    TaskState, Rule {
        name: Cow::Borrowed("task_state"),
        grammar: Grammar::Enum,
        values: Cow::Borrowed(&[Cow::Borrowed("DRAFT"), Cow::Borrowed("SUBMITTED"), Cow::Borrowed("REVIEWING"), Cow::Borrowed("APPROVED"), Cow::Borrowed("APPLYING"), Cow::Borrowed("COMPLETED"), Cow::Borrowed("REJECTED"), Cow::Borrowed("CANCELLED")]),
        reserved: Cow::Borrowed(&[]),
        reserved_prefixes: Cow::Borrowed(&[]),
        empty_segments: false,
    }, { Draft = "DRAFT", Submitted = "SUBMITTED", Reviewing = "REVIEWING", Approved = "APPROVED", Applying = "APPLYING", Completed = "COMPLETED", Rejected = "REJECTED", Cancelled = "CANCELLED" }
}

name_type! {
    /// A store of tasks, feeds, leases or services, by its prefix.
    TaskStore, Rule {
        name: Cow::Borrowed("task_store"),
        grammar: Grammar::Path,
        values: Cow::Borrowed(&[]),
        reserved: Cow::Borrowed(&[]),
        reserved_prefixes: Cow::Borrowed(&[]),
        empty_segments: false,
    }
}

name_type! {
    /// What several messages belong to: a conversation, or one broadcast.
    ThreadId, Rule {
        name: Cow::Borrowed("thread"),
        grammar: Grammar::Id,
        values: Cow::Borrowed(&[]),
        reserved: Cow::Borrowed(&[]),
        reserved_prefixes: Cow::Borrowed(&[]),
        empty_segments: false,
    }
}

name_type! {
    /// What an operator calls a token; also the user of the sessions that its holder opens.
    TokenNameId, Rule {
        name: Cow::Borrowed("token_name"),
        grammar: Grammar::Id,
        values: Cow::Borrowed(&[]),
        reserved: Cow::Borrowed(&[Cow::Borrowed("index")]),
        reserved_prefixes: Cow::Borrowed(&[]),
        empty_segments: false,
    }
}

name_type! {
    /// A person who writes, reviews or operates.
    UserId, Rule {
        name: Cow::Borrowed("user"),
        grammar: Grammar::Id,
        values: Cow::Borrowed(&[]),
        reserved: Cow::Borrowed(&[Cow::Borrowed("index")]),
        reserved_prefixes: Cow::Borrowed(&[]),
        empty_segments: false,
    }
}

name_type! {
    /// Somebody outside who is told of events.
    WebhookId, Rule {
        name: Cow::Borrowed("webhook"),
        grammar: Grammar::Id,
        values: Cow::Borrowed(&[]),
        reserved: Cow::Borrowed(&[]),
        reserved_prefixes: Cow::Borrowed(&[]),
        empty_segments: false,
    }
}

name_type! {
    /// A role or a capability that agents are found by.
    WordId, Rule {
        name: Cow::Borrowed("word"),
        grammar: Grammar::Id,
        values: Cow::Borrowed(&[]),
        reserved: Cow::Borrowed(&[]),
        reserved_prefixes: Cow::Borrowed(&[]),
        empty_segments: false,
    }
}

name_type! {
    /// A workflow.
    WorkflowId, Rule {
        name: Cow::Borrowed("workflow"),
        grammar: Grammar::Id,
        values: Cow::Borrowed(&[]),
        reserved: Cow::Borrowed(&[Cow::Borrowed("runs")]),
        reserved_prefixes: Cow::Borrowed(&[]),
        empty_segments: false,
    }
}

value_type! {
    /// Where the run of a workflow stands.
    WorkflowView, Rule {
        name: Cow::Borrowed("workflow_view"),
        grammar: Grammar::Enum,
        values: Cow::Borrowed(&[Cow::Borrowed("running"), Cow::Borrowed("completed"), Cow::Borrowed("failed"), Cow::Borrowed("cancelled")]),
        reserved: Cow::Borrowed(&[]),
        reserved_prefixes: Cow::Borrowed(&[]),
        empty_segments: false,
    }, { Running = "running", Completed = "completed", Failed = "failed", Cancelled = "cancelled" }
}
