//! Telling people of failed tasks: by mail, and by an event that webhooks pass on.
//!
//! A turn looks for failures that nobody reviewed and nobody was told of, puts them with those that wait, and sends one message
//! when the wait is over. Whoever has the seed's lock has the turn, and every step checks that it still has it; what waits is
//! replaced only as it was read. A failure is marked after it was sent, in the step that takes it out of what waits: whoever dies
//! in between leaves a message that is sent again, with the same id. Nothing is ever marked that was not sent.

mod fsck;
mod gather;
mod message;
mod model;
mod post;
mod script;

use std::time::Duration;

use quorate_catalog::Key;
use quorate_catalog::ids::{EventType, TaskStore};
use quorate_store::{Arg, Error, ErrorKind, Result, cmd};
use serde_json::{Map, Value, json};

use crate::events::{Event, Stream};
use crate::outcome::Reply;
use crate::{Outcome, Plane};
pub use fsck::invariants;
use model::Pending;
pub use model::{State, Turn, Wanted};
pub use post::{LONGEST_WAIT, Post};

/// How long a turn has before another process may take it.
const LEASE_MS: u64 = 60_000;
/// The longest pause after a message could not be sent, in milliseconds.
const LONGEST_PAUSE: u64 = 3_600_000;
/// What webhooks are told by.
pub const EVENT: &str = "task:failures";

/// The verbs of the capability.
#[derive(Debug, Clone, Copy)]
pub struct Notices<'p> {
    plane: &'p Plane,
}

impl<'p> Notices<'p> {
    pub(crate) fn new(plane: &'p Plane) -> Self {
        Self { plane }
    }

    /// How it stands.
    pub async fn show(&self) -> Result<State> {
        let (post, pending) = (self.plane.post(), self.pending().await?.1);
        Ok(State {
            configured: post.configured(),
            wanted: self.wanted().await?,
            max_batch_wait_seconds: LONGEST_WAIT,
            receivers: post.receivers(),
            pending_since: (!pending.items.is_empty()).then(|| pending.started_at.clone()),
            pending: pending.items.len(),
            attempts: pending.attempts,
            trouble: pending.trouble,
        })
    }

    /// Changes what is said; what is not said stays.
    pub async fn set(&self, enabled: Option<bool>, wait: Option<u64>) -> Result<State> {
        if wait.is_some_and(|wait| wait > LONGEST_WAIT) {
            return Err(bad(format!("failures are gathered for at most {LONGEST_WAIT} seconds")));
        }
        let known = self.wanted().await?;
        let wanted = Wanted {
            enabled: enabled.unwrap_or(known.enabled),
            batch_wait_seconds: wait.unwrap_or(known.batch_wait_seconds),
        };
        let mut set = cmd("SET");
        set.arg(self.plane.keys().relayna().notice_settings().as_str()).arg(json!(wanted).to_string());
        self.plane.store().repeatable().change::<()>(&set).await?;
        self.show().await
    }

    /// Sends a message that says nothing, now; why not, if it could not be sent.
    pub async fn test(&self) -> Result<Option<String>> {
        let post = self.plane.post();
        let title = format!("{}: a test", post.title());
        let body = "This is a test. Nothing has failed.";
        Ok(post.send(self.plane.outgoing(), &crate::random_id(), &title, body).await.err())
    }

    /// One turn, unless another process has it.
    pub async fn turn(&self) -> Result<Turn> {
        let idle = |why: &str| Turn { idle: Some(why.to_owned()), ..Turn::default() };
        let wanted = self.wanted().await?;
        if !wanted.enabled {
            return Ok(idle("disabled"));
        }
        let token = crate::random_id();
        let lock = self.plane.keys().relayna().notice_lock();
        let mut take = cmd("SET");
        take.arg(lock.as_str()).arg(&token).arg("NX").arg("PX").arg(LEASE_MS);
        if self.plane.store().query::<Option<String>>(&take).await?.is_none() {
            // A lock that is none would keep everybody out for ever, and nobody would be told of it.
            let _: Option<String> = self.plane.store().query(cmd("GET").arg(lock.as_str())).await?;
            return Ok(idle("busy"));
        }
        let done = self.work(&token, wanted).await;
        self.hold(&token, 0, &Pending::default()).await?;
        done
    }

    async fn work(&self, token: &str, wanted: Wanted) -> Result<Turn> {
        let (mut old, mut pending) = self.pending().await?;
        let gathered = self.gather(&pending).await?;
        let mut turn = Turn { found: gathered.items.len(), trouble: gathered.trouble, ..Turn::default() };
        if turn.found > 0 {
            if pending.items.is_empty() {
                pending =
                    Pending { started_at: self.plane.store().time().await?.iso(), ..Pending::default() };
            }
            // What is under way on one way and not on the other is not added to.
            if pending.attempts == 0 {
                pending.items.extend(gathered.items);
            }
            if !self.put(token, &mut old, &pending).await? {
                return Ok(turn);
            }
        }
        turn.waiting = pending.items.len();
        let now = self.plane.store().time().await?.millis();
        let due = pending.started().millis() + wanted.batch_wait_seconds * 1_000;
        if pending.items.is_empty() || now < due || pending.next_at.is_some_and(|next| now < next) {
            return Ok(turn);
        }
        if !self.hold(token, LEASE_MS, &pending).await? {
            return Ok(turn);
        }
        match self.send(token, &mut old, &mut pending).await? {
            None => {}
            Some(why) => {
                turn.trouble.push(why.clone());
                let pause = 30_000_u64.saturating_mul(1 << pending.attempts.min(10)).min(LONGEST_PAUSE);
                (pending.trouble, pending.next_at) = (Some(why), Some(now + pause));
                pending.attempts += 1;
                self.put(token, &mut old, &pending).await?;
                return Ok(turn);
            }
        }
        if self.sent(token, &old, &pending).await? {
            (turn.sent, turn.waiting) = (pending.items.len(), 0);
        }
        Ok(turn)
    }

    /// Sends what waits on every way on which it was not sent yet; why not, where one failed.
    async fn send(&self, token: &str, old: &mut String, pending: &mut Pending) -> Result<Option<String>> {
        let post = self.plane.post();
        if post.configured() && !pending.done.contains("mail") {
            let (title, body) = (message::title(post.title(), pending), message::body(pending));
            if let Err(why) = post.send(self.plane.outgoing(), &pending.batch(), &title, &body).await {
                return Ok(Some(why));
            }
            pending.done.insert("mail".to_owned());
            // Noted at once: if the event below fails, the mail is not sent a second time.
            self.put(token, old, pending).await?;
        }
        let told = self.plane.events().publish(Stream::Ade(EventType::Task), &[event(pending)]).await?;
        match told.refusal() {
            // No pause mends it: a person must.
            Some(why) if why.is("wrong_type") => Err(bad(why.reason.clone())),
            why => Ok(why.map(|why| format!("the event: {}", why.reason))),
        }
    }

    async fn put(&self, token: &str, old: &mut String, pending: &Pending) -> Result<bool> {
        let new = json!(pending).to_string();
        let seed = self.plane.keys().relayna();
        let keys = [seed.notice_lock(), seed.notice_pending()];
        let args = [Arg::from(token), Arg::from(old.as_str()), Arg::from(new.as_str())];
        let reply: Reply = self.plane.store().run(&script::PUT, &keys, &args).await?;
        let done = self.still(reply, "put")?;
        *old = new;
        Ok(done)
    }

    async fn sent(&self, token: &str, old: &str, pending: &Pending) -> Result<bool> {
        let seed = self.plane.keys().relayna();
        let mut keys = vec![seed.notice_lock(), seed.notice_pending()];
        keys.extend(self.marks(pending));
        let args = [Arg::from(token), Arg::from(old), Arg::from(self.plane.post().remembered)];
        let reply: Reply = self.plane.store().run(&script::SENT, &keys, &args).await?;
        self.still(reply, "sent")
    }

    /// Keeps the turn for what is to be sent, or gives it back for 0; whether it was there.
    async fn hold(&self, token: &str, ttl_ms: u64, pending: &Pending) -> Result<bool> {
        let mut keys = vec![self.plane.keys().relayna().notice_lock()];
        keys.extend(self.marks(pending));
        let args = [Arg::from(token), Arg::from(ttl_ms)];
        let reply: Reply = self.plane.store().run(&script::HOLD, &keys, &args).await?;
        self.still(reply, if ttl_ms == 0 { "released" } else { "kept" })
    }

    /// What says that somebody was told, of each failure.
    fn marks(&self, pending: &Pending) -> impl Iterator<Item = Key> {
        let names = pending.items.iter().filter_map(model::Item::name);
        names.map(|(service, failure)| self.plane.keys().relayna().notice_sent(&service, &failure))
    }

    /// Whether the turn was still ours. A key of another type ends it as a fault would.
    fn still(&self, reply: Reply, word: &str) -> Result<bool> {
        match reply.expect(word)? {
            Outcome::Done(_) => Ok(true),
            Outcome::Refused(why) if why.is("passed_on") => Ok(false),
            Outcome::Refused(why) => Err(bad(why.reason)),
        }
    }

    /// What waits, as it is written and as it is read. What cannot be read is left to a person.
    async fn pending(&self) -> Result<(String, Pending)> {
        let key = self.plane.keys().relayna().notice_pending();
        let text: Option<String> = self.plane.store().query(cmd("GET").arg(key.as_str())).await?;
        let Some(text) = text else { return Ok((String::new(), Pending::default())) };
        let pending = serde_json::from_str(&text)
            .map_err(|_| bad(format!("{key} cannot be read; delete it, and failures are found again")))?;
        Ok((text, pending))
    }

    /// What operators set; what they did not set, or what cannot be read, is as this process was told.
    async fn wanted(&self) -> Result<Wanted> {
        let key = self.plane.keys().relayna().notice_settings();
        let text: Option<String> = self.plane.store().query(cmd("GET").arg(key.as_str())).await?;
        let fields: Map<String, Value> =
            text.and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default();
        let usual = self.plane.post().usual;
        let wait = fields.get("batch_wait_seconds").and_then(Value::as_u64);
        Ok(Wanted {
            enabled: fields.get("enabled").and_then(Value::as_bool).unwrap_or(usual.enabled),
            batch_wait_seconds: wait.filter(|wait| *wait <= LONGEST_WAIT).unwrap_or(usual.batch_wait_seconds),
        })
    }

    fn store(&self) -> Result<TaskStore> {
        TaskStore::parse(&self.plane.keys().prefixes().relayna_notices).map_err(|why| bad(why.to_string()))
    }

    /// Takes turns, as one of any number of processes, until the future is dropped.
    pub(crate) async fn tend(&self, say: &impl Fn(&str)) {
        let every = self.plane.post().interval;
        if every.is_zero() {
            return std::future::pending().await;
        }
        let mut known = Vec::new();
        loop {
            tokio::time::sleep(every.max(Duration::from_millis(100))).await;
            let trouble = match self.turn().await {
                Ok(turn) => turn.trouble,
                Err(error) => vec![error.to_string()],
            };
            if trouble != known {
                trouble.iter().for_each(|why| {
                    say(&format!("warning: notices of failed tasks: {why}; it is tried again"));
                });
                known = trouble;
            }
        }
    }
}

/// What webhooks are told: which failures, and under which name it may come twice.
fn event(pending: &Pending) -> Event {
    let short = |item: &model::Item| {
        let names = ["service_id", "failure_id", "task_id", "status", "failed_at", "error_type"];
        let mut one: Map<String, Value> =
            names.iter().map(|name| ((*name).to_owned(), item.text(name).into())).collect();
        let message: String = item.text("error_message").chars().take(120).collect();
        one.insert("error_message".to_owned(), message.into());
        Value::Object(one)
    };
    let items: Vec<Value> = pending.items.iter().map(short).collect();
    let payload = json!({ "batch": pending.batch(), "count": items.len(), "failures": items });
    Event { event: EVENT.to_owned(), payload: payload.to_string(), source: "notices".to_owned() }
}

fn bad(what: String) -> Error {
    Error::new(ErrorKind::InvalidArgument, "notices", what)
}
