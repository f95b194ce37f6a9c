//! A refusal is an answer: it has a stable code, the reason, what stands in the way and what to do next.

use quorate_store::{Error, ErrorKind, Result};
use serde::Serialize;

/// What became of a request that the store understood.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome<T> {
    Done(T),
    Refused(Refusal),
}

impl<T> Outcome<T> {
    pub fn map<U>(self, change: impl FnOnce(T) -> U) -> Outcome<U> {
        match self {
            Self::Done(value) => Outcome::Done(change(value)),
            Self::Refused(refusal) => Outcome::Refused(refusal),
        }
    }

    /// The value, or a panic that shows the refusal; for tests.
    pub fn unwrap(self) -> T {
        match self {
            Self::Done(value) => value,
            Self::Refused(refusal) => panic!("refused: {refusal:?}"),
        }
    }

    /// The refusal's code, if it was refused.
    pub fn refusal(&self) -> Option<&Refusal> {
        match self {
            Self::Done(_) => None,
            Self::Refused(refusal) => Some(refusal),
        }
    }
}

/// Why not, and what now.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Refusal {
    /// Stable, for programs.
    pub code: String,
    /// For people.
    pub reason: String,
    /// What to do next.
    pub next: String,
    /// What stands in the way: the holder, the limit, the current epoch.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
}

/// Code, reason and next step of every refusal; `{}` is filled with the detail.
const REFUSALS: &[(&str, &str, &str)] = &[
    ("unregistered", "this agent has no live session", "register it; a new incarnation needs no epoch"),
    (
        "stale_epoch",
        "a newer incarnation of this agent has registered (epoch {})",
        "stop this one, or register a new incarnation without an epoch",
    ),
    ("revoked", "this agent was revoked", "stop it; registering again makes a new incarnation"),
    ("banned", "this agent may not register: {}", "an operator must lift the ban"),
    ("draining", "this agent is to finish and take nothing new", "finish what it holds and deregister"),
    ("held", "{} holds it", "wait for it with --wait, or come back later"),
    (
        "timed_out",
        "it was not free in time; the place in the queue was given up",
        "try again, and wait longer if that makes sense",
    ),
    (
        "deadlock",
        "agents wait for each other ({}), and this request gave way",
        "give back what you hold, then try again",
    ),
    ("limited", "{} allows no more now", "come back after `retry_after` seconds, or ask for less"),
    ("duplicate", "the same was handed in before; it is with the dead ones", "there is nothing to do"),
    ("rate_limited", "too many attempts in the last minute; free again in {} ms", "slow down"),
    ("capacity", "this agent may hold {} tasks and does", "finish one first, or raise its capacity"),
    (
        "expired",
        "the hold had lapsed before it was renewed (token {})",
        "take the lock again; its token will be new",
    ),
    ("not_owner", "this agent does not hold it with this token; the holder is {}", "take the lock first"),
    (
        "stale_fence",
        "the token is not the lock's current one, which is {}",
        "stop: another holder may have gone on",
    ),
    ("not_stealable", "it may not be broken: {}", "wait, or ask its owner"),
    (
        "not_durable",
        "no replica acknowledged the grant, so it was given back",
        "check the replicas, or go without --durable",
    ),
    (
        "no_group",
        "the stream has no group {}",
        "read with it first; a group exists from its first consumer on",
    ),
    (
        "full",
        "the stream holds {} entries that nobody has acknowledged",
        "let its consumers catch up, then send again",
    ),
    ("not_yours", "the entry is with {} now", "leave it: it was given to another consumer, or acknowledged"),
    ("unknown_entry", "there is no entry {}", "list what is there; it may have been dealt with already"),
    (
        "store_full",
        "the server's memory is full, so nothing new is taken on",
        "let work drain: release, renew, heartbeat and deregister still work; or raise maxmemory",
    ),
    ("queue_full", "the queue is full", "come back when it has been worked off, or raise its limit"),
    (
        "stale_claim",
        "the lease ran out, or the item was already answered",
        "stop: another worker may have it; claim again",
    ),
    ("no_letter", "there is no dead letter {}", "list them with `quorate dead ls`"),
    (
        "already_replayed",
        "it was replayed as {}",
        "follow that item; if it dies too, the letter is open again",
    ),
    (
        "replay_cap",
        "it was replayed {} times and died each time",
        "find out why, then replay it with a higher --cap",
    ),
    ("record_exists", "there is another dead letter {}", "give it another id"),
    ("no_filter", "nothing was asked for", "give at least one filter, or a time from or to which to search"),
    ("unknown_cursor", "no page ends at {}", "begin again without a cursor"),
    (
        "unreadable_record",
        "the record {} cannot be read",
        "look at it with redis-cli; another client wrote it",
    ),
    (
        "replay_claimed",
        "another client says that it is replaying it",
        "wait half a minute, or force it if that client has died",
    ),
    ("no_body", "the body of {} was not kept", "say another one, or do it again where it came from"),
    ("not_ended", "its task is {}, which is no end", "wait until the task has failed for good"),
    (
        "no_replay",
        "what came from {} cannot be replayed",
        "do it again where it came from, and drop the letter",
    ),
    ("no_workflow", "there is no workflow {}", "define it with `quorate workflows define`"),
    (
        "too_many_versions",
        "the workflow has {} versions, which is the most",
        "give it another name; runs keep the version they began with",
    ),
    ("no_run", "the task {} has no run", "begin it with `quorate workflows start`"),
    (
        "run_exists",
        "the task has a run already, which is {}",
        "look with `quorate workflows run`; a task has one run",
    ),
    ("run_over", "the run is {}", "stop: the result no longer counts"),
    ("no_stage", "the workflow has no stage {}", "look with `quorate workflows show`"),
    ("no_join", "the stage {} joins no branches", "enter it; only a stage with a join takes branches"),
    (
        "not_ready",
        "nothing is ready at the stage {}",
        "look with `quorate workflows explain`; what comes before it is not done, or all of it was taken",
    ),
    (
        "wrong_action",
        "the action {} is not one that the stages agree on",
        "look with `quorate workflows show`",
    ),
    ("wrong_next", "the stage {} may not follow", "look with `quorate workflows show`"),
    ("bad_payload", "the payload does not satisfy the stage's schema: {}", "send what the schema wants"),
    (
        "in_flight",
        "{} is doing this action",
        "leave it; if its lease runs out, the action is ready again within seconds",
    ),
    ("action_done", "this action of {} was done already", "acknowledge the message that asked for it"),
    ("retry_later", "the action may be tried again in {} ms", "wait that long"),
    ("stage_full", "the stage does {} actions at once, which is the most", "come back when one has ended"),
    (
        "stale_attempt",
        "the attempt {} is over: its lease ran out, or it was answered",
        "stop: another worker may have the action; enter the stage again",
    ),
    ("unknown_branch", "the join does not expect the branch {}", "look with `quorate workflows run`"),
    (
        "already_expected",
        "the join expects {} other branches",
        "they are said once; look with `quorate workflows run`",
    ),
    ("conflict", "the record changed in the meantime", "read it again and repeat the change"),
    (
        "wrong_type",
        "the key {} holds another type",
        "run `quorate fsck`; a foreign client may have written it",
    ),
    (
        "inbox_full",
        "the inbox has {} messages that are not acknowledged, which is the most",
        "try again when its owner has read, or raise ade's setting messages:inbox_cap",
    ),
    (
        "no_message",
        "there is no such message, or it was acknowledged more than 7 days ago",
        "look with `quorate messages inbox`",
    ),
    (
        "too_many_counters",
        "there are {} counters, which is the most",
        "use one that is there, or raise ade's setting counters:most",
    ),
    (
        "no_number",
        "the counter {} holds no whole number, or would grow beyond 64 bits",
        "look at it with redis-cli",
    ),
    ("no_job", "there is no such job, or no such occurrence of it", "look with `quorate jobs ls`"),
    (
        "job_exists",
        "a job of this name is scheduled, next at {} (Unix milliseconds)",
        "cancel it first, or choose another name",
    ),
    ("job_over", "the occurrence is {}", "there is nothing to run"),
    ("token_exists", "there is a token {}", "revoke it first, or choose another name"),
    ("no_token", "there is no token {}", "look with `quorate tokens ls`"),
    (
        "no_code",
        "the code was used, has expired, or never was one",
        "ask for another with `quorate sign-ins invite`",
    ),
    (
        "no_task",
        "nobody has reported of the task {}",
        "look with `quorate tasks ls`; a status may have expired",
    ),
    ("leased", "{} works on the task", "leave it to that worker; if it is not heard from, its lease lapses"),
    (
        "no_lease",
        "the task is not leased with this token any more; it is with {}",
        "stop: the task may have been given to another worker",
    ),
    (
        "cycle",
        "the task would be its own ancestor through {}",
        "report it without that parent; a task's parent must not be one of its children",
    ),
    (
        "too_deep",
        "the parent has more than {} tasks above it",
        "report it without a parent, or with one further up",
    ),
    ("no_webhook", "there is no webhook {}", "look with `quorate webhooks ls`"),
    (
        "too_many_webhooks",
        "there are {} webhooks, which is the most",
        "remove one that nobody needs, or let one receiver pass things on",
    ),
    ("no_service", "there is no service {}", "look with `quorate services ls`"),
    (
        "service_exists",
        "there is a service {}",
        "change it with `quorate services update`, or choose another id",
    ),
    ("url_taken", "the service {} has this URL in this environment", "change that one, or delete it first"),
    (
        "service_leaving",
        "the service {} was deleted, and its events are still being cleared away",
        "try again in a moment",
    ),
    ("service_disabled", "the service {} is disabled", "enable it with `quorate services enable`"),
    (
        "service_failed",
        "the service gave no answer that counts: {}",
        "look at the service; try again when it answers",
    ),
    ("passed_on", "another process has the turn", "nothing; that one goes on with it"),
    (
        "refused_there",
        "the service refused it: {}",
        "look at the failed task there; a retry wants one that has ended and whose body was kept",
    ),
    (
        "retry_unknown",
        "nobody knows whether the service took the retry of {}",
        "look at the service; force it if nothing was published there",
    ),
    ("unknown_there", "the service {} does not know it", "look for it at another service"),
    (
        "not_offered",
        "the service does not offer {}",
        "ask one that does; `quorate services show` says what it offers",
    ),
    (
        "push_disabled",
        "events are not pushed here",
        "let them be pulled, or set RELAYNA_STUDIO_PUSH_INGEST_ENABLED",
    ),
    (
        "too_many_services",
        "there are {} services, which is the most",
        "delete one that nobody needs any more",
    ),
    (
        "url_denied",
        "this address is not called: {}",
        "use an address on the public network, or allow this one with --allow-outgoing",
    ),
    ("not_recipient", "the message is for {}", "only its recipient can acknowledge it"),
];

impl Refusal {
    /// Code, reason and next step of every refusal there is.
    pub fn all() -> &'static [(&'static str, &'static str, &'static str)] {
        REFUSALS
    }

    pub fn new(code: &str, detail: Option<String>) -> Self {
        let known = REFUSALS.iter().find(|(own, ..)| *own == code);
        let (reason, next) =
            known.map_or(("the store refused", "see the code"), |(_, reason, next)| (reason, next));
        let reason = reason.replace("{}", detail.as_deref().unwrap_or("unknown"));
        Self { code: code.to_owned(), reason, next: next.to_owned(), detail }
    }

    pub fn is(&self, code: &str) -> bool {
        self.code == code
    }
}

/// What a script answered: its first word says how to read the rest.
#[derive(Debug, Clone)]
pub(crate) struct Reply(Vec<String>);

impl Reply {
    /// An answer of words with spaces between them.
    pub(crate) fn of(text: &str) -> Self {
        Self(text.split(' ').map(str::to_owned).collect())
    }

    /// Its first word, for a script with several answers that are no refusals.
    pub(crate) fn first(&self) -> &str {
        self.0.first().map_or("", String::as_str)
    }

    pub(crate) fn word(&self, place: usize) -> Option<&str> {
        self.0.get(place).map(String::as_str)
    }

    /// The first word and the rest, or the refusal the script gave instead.
    pub(crate) fn split(self) -> std::result::Result<(String, Vec<String>), Refusal> {
        let mut words = self.0.into_iter();
        let first = words.next().unwrap_or_default();
        if first != "refused" {
            return Ok((first, words.collect()));
        }
        let code = words.next().unwrap_or_default();
        Err(Refusal::new(&code, words.next().filter(|detail| !detail.is_empty())))
    }

    /// The rest after `word`, or the refusal the script gave instead.
    pub(crate) fn expect(self, word: &str) -> Result<Outcome<Vec<String>>> {
        match self.split() {
            Err(refusal) => Ok(Outcome::Refused(refusal)),
            Ok((first, words)) if first == word => Ok(Outcome::Done(words)),
            Ok((first, _)) => Err(undecodable(&first)),
        }
    }
}

/// A list of words, or one text of words with spaces between them, which costs the server less.
impl quorate_store::FromRedisValue for Reply {
    fn from_redis_value(value: quorate_store::Value) -> std::result::Result<Self, redis::ParsingError> {
        if let quorate_store::Value::BulkString(text) = &value {
            return Ok(Self::of(&String::from_utf8_lossy(text)));
        }
        Vec::<String>::from_redis_value(value).map(Self)
    }
}

pub(crate) fn undecodable(what: &str) -> Error {
    Error::new(ErrorKind::Protocol, "script answer", format!("{what:?} was not expected"))
}
