//! Relayna's store of dead letters: records as its clients write and read them.
//!
//! A record is one JSON text, and whoever changes it says what it was: the script puts the new text in its place only if the old
//! one is still there. A replay marks the record and puts the job into its queue in that same step, so there is no moment between
//! the two, and the seed's lock is only a hint of clients that need more than one. Records of other clients are taken into our
//! lists when they are first seen.

mod failed;
mod fsck;
mod list;
mod model;
mod of_task;
mod replay;
mod settings;

use quorate_catalog::Key;
use quorate_catalog::ids::{DeadLetterId, DlqQueue, QueueNameId, TaskId};
use quorate_store::{Arg, Error, ErrorKind, Micros, Result, cmd};
use serde_json::json;

use super::script;
use crate::json::Object;
use crate::outcome::Reply;
use crate::queues::Queue;
use crate::{Outcome, Plane, Refusal};
pub use failed::{FailedFilter, FailedPage, FailedTask, Manual, ManuallyRetried};
pub(super) use fsck::invariants;
pub use model::{Page, QueueSum, Record, RecordFilter, Review};
pub(crate) use replay::called;
pub use replay::{Again, Retried};
pub(crate) use settings::Settings;

/// How often a change is tried whose record changed in the meantime.
const TRIES: usize = 8;
/// Longest record that is changed, in bytes: other clients write longer ones than are taken here.
const STORED_MAX: usize = 16 * 1024 * 1024;

/// The verbs of relayna's store.
#[derive(Debug, Clone, Copy)]
pub struct Records<'p> {
    plane: &'p Plane,
}

/// Whether a record is there already, and how it was found.
#[derive(Debug, Clone, Copy)]
enum Adopt {
    No = 0,
    ByName = 1,
    /// In the seed's list, which need not be looked through again.
    InTheList = 2,
}

impl<'p> Records<'p> {
    pub(crate) fn new(plane: &'p Plane) -> Self {
        Self { plane }
    }

    /// Takes a record in; what it does not say is filled in. Gives its id, and whether it was there already.
    pub async fn keep(&self, text: &str) -> Result<Outcome<(String, bool)>> {
        let mut said = Object::parse(text).map_err(bad)?;
        // What became of it is ours to say.
        OURS.iter().for_each(|name| said.remove(name));
        let now = self.plane.store().time().await?;
        let (id, whole) = filled(said.clone(), now)?;
        let record = Record::read(&whole).ok_or_else(|| bad("it is no record".to_owned()))?;
        let ttl = self.plane.dlq_settings().await?.ttl_ms;
        let kept = match self.index(&id, &record, &whole, ttl, Adopt::No).await? {
            Outcome::Refused(why) if why.is("record_exists") && self.has(&id, &said).await? => {
                Outcome::Done(true)
            }
            kept => kept,
        };
        Ok(kept.map(|known| (id.to_string(), known)))
    }

    /// Whether a record says all of this; when it came, and what became of it since, is not its sender's to say.
    async fn has(&self, id: &DeadLetterId, said: &Object) -> Result<bool> {
        let Some(text) = self.text(id).await? else { return Ok(false) };
        Ok(Object::within(&text, STORED_MAX).is_ok_and(|whole| said.is_part_of(&whole)))
    }

    /// One record.
    pub async fn get(&self, id: &DeadLetterId) -> Result<Outcome<Record>> {
        let Some(text) = self.text(id).await? else { return Ok(refused("no_letter", id.as_key())) };
        Ok(Record::of(id, &text).map_or_else(|| refused("unreadable_record", id.as_key()), Outcome::Done))
    }

    /// Marks a record as looked into, with a note, or takes that mark away.
    pub async fn review(&self, id: &DeadLetterId, who: &str, note: Option<&str>) -> Result<Outcome<Record>> {
        super::check(&[("who", who), ("note", note.unwrap_or_default())])?;
        let now = self.plane.store().time().await?.iso();
        self.change(id, None, false, |_, _| {
            // Twice: as newer clients of relayna have it, and with who took a mark away, which they do not keep.
            let fields = match note {
                Some(note) => json!({ "review": { "state": "investigated", "by": who, "note": note, "at": now },
                    "investigation_status": "investigated", "investigated_by": who, "investigated_at": now, "investigation_note": note }),
                None => json!({ "review": { "state": "unreviewed", "by": who, "at": now }, "investigation_status": "unreviewed",
                    "investigated_by": null, "investigated_at": null, "investigation_note": null }),
            };
            Ok(Outcome::Done((fields, None)))
        })
        .await
    }

    /// Deletes a record, and its name from every list.
    pub async fn drop(&self, id: &DeadLetterId, who: &str, why: &str) -> Result<Outcome<()>> {
        super::check(&[("who", who), ("reason", why)])?;
        let record = match self.get(id).await? {
            Outcome::Done(record) => Some(record).filter(|record| word(&record.queue_name).is_ok()),
            Outcome::Refused(_) => None,
        };
        let queue = record.as_ref().map_or("", |record| record.queue_name.as_str());
        let task = record.as_ref().and_then(Record::task);
        let done = self.forget(id, (queue, task.as_ref()), who, why, false).await?;
        if record.is_none() && done.refusal().is_none() {
            // Nobody knows in which queue it was counted.
            self.expired(id, None).await?;
        }
        Ok(done)
    }

    async fn forget(
        &self,
        id: &DeadLetterId,
        (queue, task): (&str, Option<&TaskId>),
        who: &str,
        why: &str,
        gone: bool,
    ) -> Result<Outcome<()>> {
        let name = word(queue)?;
        let (seed, own) = (self.plane.keys().relayna(), self.plane.keys().quorate());
        let keys = [
            seed.dead_letter(id),
            seed.dead_letter_index(),
            seed.failed_task_index(),
            seed.replay_lock(id),
            own.dlq_all(),
            own.dlq_queue(&name),
            own.dlq_queues(),
            own.dead_audit(),
            self.of(task)?,
        ];
        let args = [
            Arg::from(id.as_key()),
            Arg::from(queue),
            Arg::from(who),
            Arg::from(why),
            Arg::from(u32::from(gone)),
            Arg::from(task.map_or("", |task| task.as_key())),
        ];
        let reply: Reply = self.plane.store().run(&script::DROP, &keys, &args).await?;
        Ok(match reply.split() {
            Ok(_) => Outcome::Done(()),
            Err(refusal) => Outcome::Refused(refusal),
        })
    }

    /// Writes a record with its lists; or only the lists, for one that is there.
    async fn index(
        &self,
        id: &DeadLetterId,
        record: &Record,
        text: &str,
        ttl_ms: u64,
        adopt: Adopt,
    ) -> Result<Outcome<bool>> {
        let name = word(&record.queue_name)?;
        let task = record.task();
        let (seed, own) = (self.plane.keys().relayna(), self.plane.keys().quorate());
        let keys = [
            seed.dead_letter(id),
            seed.dead_letter_index(),
            seed.failed_task_index(),
            own.dlq_all(),
            own.dlq_queue(&name),
            own.dlq_queues(),
            self.of(task.as_ref())?,
        ];
        let args = [
            Arg::from(id.as_key()),
            Arg::from(record.queue_name.as_str()),
            Arg::from(text),
            Arg::from(record.moment()),
            Arg::from(ttl_ms),
            Arg::from(adopt as u32),
            Arg::from(task.as_ref().map_or("", |task| task.as_key())),
        ];
        let reply: Reply = self.plane.store().repeatable().run(&script::KEEP, &keys, &args).await?;
        Ok(match reply.split() {
            Ok((word, _)) => Outcome::Done(word == "known"),
            Err(refusal) => Outcome::Refused(refusal),
        })
    }

    /// Changes a record if it is still what `judge` saw. `judge` gives the fields that change and what a queue gets.
    async fn change(
        &self,
        id: &DeadLetterId,
        target: Option<&Queue>,
        force: bool,
        judge: impl Fn(&Object, &Record) -> Result<Outcome<Change>>,
    ) -> Result<Outcome<Record>> {
        for _ in 0..TRIES {
            let Some(old) = self.text(id).await? else { break };
            let (Ok(object), Some(record)) = (Object::within(&old, STORED_MAX), Record::of(id, &old)) else {
                return Ok(refused("unreadable_record", id.as_key()));
            };
            let (fields, item) = match judge(&object, &record)? {
                Outcome::Done(change) => change,
                Outcome::Refused(why) => return Ok(Outcome::Refused(why)),
            };
            let new = Object::parse(&fields.to_string()).map_err(bad)?.over(object).to_string();
            let texts = (&*old, &*new);
            match self.swap((id, &record), target, force, texts, item.as_deref()).await? {
                Outcome::Done(()) => {
                    // A request that was taken up again changed it before, and what it wrote then counts.
                    let under = self.plane.store().is_under();
                    let kept = if under { self.text(id).await? } else { None };
                    return Record::read(kept.as_ref().unwrap_or(&new))
                        .map(Outcome::Done)
                        .ok_or_else(|| bad("it is no record".to_owned()));
                }
                Outcome::Refused(why) if why.is("conflict") => {}
                Outcome::Refused(why) => return Ok(Outcome::Refused(why)),
            }
        }
        match self.text(id).await? {
            Some(_) => Ok(Outcome::Refused(Refusal::new("conflict", None))),
            None => Ok(refused("no_letter", id.as_key())),
        }
    }

    async fn swap(
        &self,
        (id, record): (&DeadLetterId, &Record),
        target: Option<&Queue>,
        force: bool,
        (old, new): (&str, &str),
        item: Option<&str>,
    ) -> Result<Outcome<()>> {
        let none = Queue::Job(QueueNameId::parse("none").map_err(|error| bad(error.to_string()))?);
        let seed = self.plane.keys().relayna();
        let target = target.unwrap_or(&none);
        let queue = target.list(self.plane.keys());
        let names = self.plane.keys().quorate().queue_names();
        let task = record.task();
        let keys: [Key; 6] = [
            seed.dead_letter(id),
            seed.failed_task_index(),
            seed.replay_lock(id),
            queue,
            names,
            self.of(task.as_ref())?,
        ];
        let args = [
            Arg::from(id.as_key()),
            Arg::from(record.moment()),
            Arg::from(old),
            Arg::from(new),
            Arg::from(item.unwrap_or_default()),
            Arg::from(u32::from(force)),
            Arg::from(target.name()),
            Arg::from(task.as_ref().map_or("", |task| task.as_key())),
        ];
        let reply: Reply = self.plane.store().run(&script::CHANGE, &keys, &args).await?;
        Ok(reply.expect("changed")?.map(drop))
    }

    async fn text(&self, id: &DeadLetterId) -> Result<Option<String>> {
        let key = self.plane.keys().relayna().dead_letter(id);
        let bytes: Option<Vec<u8>> = self.plane.store().query(cmd("GET").arg(key.as_str())).await?;
        Ok(bytes.map(|bytes| String::from_utf8_lossy(&bytes).into_owned()))
    }
}

/// The fields that change, and what a queue gets after its time.
type Change = (serde_json::Value, Option<String>);

/// What a record that comes in cannot say of itself.
const OURS: [&str; 16] = [
    "state",
    "replay_count",
    "replayed_at",
    "replay_target_queue_name",
    "replays",
    "review",
    "investigation_status",
    "investigated_by",
    "investigated_at",
    "investigation_note",
    "retry_status",
    "retried_at",
    "retried_by",
    "retried_task_id",
    "retry_target_queue",
    "retry_note",
];

/// A record with everything that readers rely on.
fn filled(said: Object, now: Micros) -> Result<(DeadLetterId, String)> {
    let id = said.text("dlq_id").map_err(bad)?.unwrap_or_else(crate::random_id);
    let id = DeadLetterId::parse(&id).map_err(|error| bad(error.to_string()))?;
    let queue = said.text("queue_name").map_err(bad)?.filter(|name| !name.is_empty() && name.len() <= 255);
    let queue = queue.ok_or_else(|| bad("queue_name is missing, or longer than 255 bytes".to_owned()))?;
    if !said.says("reason") {
        return Err(bad("reason is missing".to_owned()));
    }
    if let Some(task) = said.text("task_id").map_err(bad)? {
        TaskId::parse(&task).map_err(|error| bad(format!("task_id: {error}")))?;
    }
    let given = said.text("dead_lettered_at").map_err(bad)?;
    if given.as_deref().is_some_and(|at| Micros::parse_iso(at).is_none()) {
        return Err(bad("dead_lettered_at is no moment in ISO 8601 with a zone".to_owned()));
    }
    let defaults = json!({
        "dlq_id": id.as_key(), "queue_name": queue, "source_queue_name": queue, "retry_queue_name": queue, "task_id": null,
        "correlation_id": null, "exception_type": null, "retry_attempt": 0, "max_retries": 0, "headers": {},
        "content_type": null, "body": null, "body_encoding": "json", "dead_lettered_at": now.iso(),
        "state": "dead_lettered", "replay_count": 0, "replayed_at": null, "replay_target_queue_name": null,
    });
    let whole = said.over(Object::parse(&defaults.to_string()).map_err(bad)?).to_string();
    Ok((id, whole))
}

/// A queue's name as a word of a key.
fn word(queue: &str) -> Result<DlqQueue> {
    DlqQueue::parse(if queue.is_empty() { "-" } else { queue }).map_err(|error| bad(error.to_string()))
}

fn refused<T>(code: &str, detail: &str) -> Outcome<T> {
    Outcome::Refused(Refusal::new(code, Some(detail.to_owned())))
}

fn bad(what: String) -> Error {
    Error::new(ErrorKind::InvalidArgument, "dead letters", what)
}
