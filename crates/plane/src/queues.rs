//! What is to be done.
//!
//! Seven lists of two seeds: reverie's `high`, `normal` and `low`, and ade's job queues. Producers may push by hand; a
//! claim moves an item under a lease and gives a token, and every answer needs the token. An item is with one worker or
//! on its queue, never with none, so it is done at least once; a worker that comes too late is refused and counted.
//!
//! Plain items wait in the seed's list. Those of a group, or with capabilities, wait in lanes beside it, and what is due
//! later in a sorted set. One look at the queue's agenda says whether any of that, or a lease that ended, needs care;
//! if not, a claim goes straight to the list.
//!
//! *Order*: the items of a list, and of a group, are claimed in the order in which they were pushed. What comes back (its
//! lease ran out, its backoff is over, it was handed back) comes first; in a group, what was pushed after it waits.

mod calls;
mod care;
mod claim;
mod finish;
mod fsck;
pub(crate) mod item;
mod model;
mod script;
mod settings;
pub(crate) mod stand;
pub(crate) mod still;
mod together;
mod wait;

use quorate_store::{Arg, Error, ErrorKind, FromRedisValue, Result, Value};

use crate::outcome::{Reply, undecodable};
use crate::{Outcome, Plane, Refusal};
pub(crate) use calls::Calls;
pub use finish::Nack;
pub use fsck::invariants;
pub use model::{
    Claim, Claimed, DEFAULT_ATTEMPTS, DEFAULT_LEASE, Item, MAX_ATTEMPTS, MAX_BATCH, MAX_LEASE, MAX_PAYLOAD,
    Nacked, Push, Pushed, Queue, Shown, ShownClaim, Token,
};
pub(crate) use script::Scripts;
pub(crate) use settings::Settings;
pub(crate) use together::Together;

/// The verbs of the capability.
#[derive(Debug, Clone, Copy)]
pub struct Queues<'p> {
    plane: &'p Plane,
    /// Whether a lost reply may be asked for again; a process that makes one call and ends leaves nothing to be asked.
    once: bool,
}

impl<'p> Queues<'p> {
    pub(crate) fn new(plane: &'p Plane) -> Self {
        Self { plane, once: false }
    }

    /// The same for a process that makes one call: it leaves no memory of it, and a lost reply is an unknown outcome.
    #[must_use]
    pub fn once(self) -> Self {
        Self { once: true, ..self }
    }

    /// A name for what this call makes: its request's own, or one that no other call of any process has.
    fn unique(&self) -> String {
        self.plane.store().own_name().unwrap_or_else(|| self.plane.queue_calls().unique())
    }

    /// Pushes one item.
    pub async fn push(&self, queue: &Queue, push: &Push) -> Result<Outcome<Pushed>> {
        let id = self.unique();
        check(push)?;
        if !push.is_plain() {
            return self.place(queue, push, &id).await;
        }
        let outcome = self.push_together(queue, push.max_depth, item::body(&id, push)).await?;
        Ok(outcome.map(|()| Pushed { id, known: false }))
    }

    /// Pushes many items, as few calls as that takes. Plain ones of a call are there all or none; a refusal in the middle
    /// says nothing of those before it, so give items a key where that matters.
    pub async fn push_many(&self, queue: &Queue, pushes: &[Push]) -> Result<Outcome<Vec<Pushed>>> {
        pushes.iter().try_for_each(check)?;
        let mut pushed = Vec::with_capacity(pushes.len());
        for chunk in pushes.chunks(MAX_BATCH) {
            let mut plain = Vec::with_capacity(chunk.len());
            for push in chunk {
                let id = self.unique();
                if push.is_plain() {
                    plain.push(item::body(&id, push));
                    pushed.push(Pushed { id, known: false });
                } else {
                    match self.place(queue, push, &id).await? {
                        Outcome::Done(one) => pushed.push(one),
                        Outcome::Refused(refusal) => return Ok(Outcome::Refused(refusal)),
                    }
                }
            }
            let cap = chunk.iter().filter_map(|push| push.max_depth).min();
            if !plain.is_empty()
                && let Outcome::Refused(refusal) = self.push_plain(queue, cap, &plain).await?
            {
                return Ok(Outcome::Refused(refusal));
            }
        }
        Ok(Outcome::Done(pushed))
    }

    async fn push_plain(&self, queue: &Queue, cap: Option<u64>, bodies: &[String]) -> Result<Outcome<()>> {
        let lane = self.plane.queue_calls().lane();
        let slot = if self.once { "" } else { lane.slot.as_str() };
        let cap = self.cap(cap).await?;
        let mut args = Vec::with_capacity(5 + bodies.len());
        args.extend([
            Arg::from(queue.name()),
            Arg::from(lane.process.as_str()),
            Arg::from(slot),
            Arg::from(lane.number.as_str()),
            Arg::from(cap),
        ]);
        args.extend(bodies.iter().map(Arg::from));
        let list = queue.list(self.plane.keys());
        let reply: Value = self.store().run(&self.plane.queue_scripts().push, &[list], &args).await?;
        match reply {
            Value::Int(length) => {
                if length == 1 {
                    self.note(queue).await;
                }
                Ok(Outcome::Done(()))
            }
            other => Ok(Outcome::Refused(refusal(other)?)),
        }
    }

    async fn place(&self, queue: &Queue, push: &Push, id: &str) -> Result<Outcome<Pushed>> {
        let lane = self.plane.queue_calls().lane();
        let (name, class) = lanes(push);
        let key = push.key.as_ref().map(|key| format!("{queue}:{}", quorate_catalog::rule::encode(key)));
        let args = [
            Arg::from(queue.name()),
            Arg::from(lane.process.as_str()),
            Arg::from(if self.once { "" } else { lane.slot.as_str() }),
            Arg::from(lane.number.as_str()),
            Arg::from(self.cap(push.max_depth).await?),
            Arg::from(key.unwrap_or_default()),
            Arg::from(name),
            Arg::from(class),
            Arg::from(crate::locks::millis(push.delay)),
            Arg::from(id),
            Arg::from(item::body(id, push)),
        ];
        let list = queue.list(self.plane.keys());
        // With a key a second delivery is harmless whoever sends it.
        let store = if push.key.is_some() { self.plane.store().repeatable() } else { self.store() };
        let reply: Value = store.run(&self.plane.queue_scripts().place, &[list], &args).await?;
        self.note(queue).await;
        let words = Vec::<String>::from_redis_value(reply.clone()).map_err(|_| undecodable("place"))?;
        match words.first().map(String::as_str) {
            Some(word @ ("pushed" | "same")) => {
                let id = words.get(1).cloned().unwrap_or_default();
                Ok(Outcome::Done(Pushed { known: word == "same" || id != words[1], id }))
            }
            _ => Ok(Outcome::Refused(refusal(reply)?)),
        }
    }

    /// Remembers that a job queue is used; the three priorities are known. It is an index of names: that it could not be
    /// written is no reason to say that a push failed.
    async fn note(&self, queue: &Queue) {
        let Queue::Job(_) = queue else { return };
        let mut add = quorate_store::cmd("SADD");
        add.arg(self.plane.keys().quorate().queue_names().as_str()).arg(queue.name());
        let _: Result<u64> = self.plane.store().repeatable().query(&add).await;
    }

    async fn cap(&self, own: Option<u64>) -> Result<u64> {
        let deployment = self.settings().await?.max_depth;
        Ok(match (own, deployment) {
            (Some(own), 0) => own,
            (Some(own), set) => own.min(set),
            (None, set) => set,
        })
    }

    async fn settings(&self) -> Result<Settings> {
        self.plane.queue_settings().await
    }

    /// A store whose calls may be repeated, unless nothing is remembered of them.
    fn store(&self) -> quorate_store::Store {
        match self.once {
            true => self.plane.store().clone(),
            false => self.plane.store().repeatable(),
        }
    }
}

/// The lane of an item and the class it needs; a `-` for none.
fn lanes(push: &Push) -> (String, String) {
    let mut needs: Vec<&str> = push.needs.iter().map(|word| word.as_key()).collect();
    needs.sort_unstable();
    needs.dedup();
    let class = if needs.is_empty() { "-".to_owned() } else { needs.join(":") };
    match &push.group {
        Some(group) => (format!("g:{}", quorate_catalog::rule::encode(group)), class),
        None if class != "-" => (format!("c:{class}"), class),
        None => ("-".to_owned(), class),
    }
}

fn check(push: &Push) -> Result<()> {
    push.fault().map_or(Ok(()), |why| Err(Error::new(ErrorKind::InvalidArgument, "queues push", why)))
}

/// The refusal of a script whose other answers are no words.
fn refusal(value: Value) -> Result<Refusal> {
    let words = Vec::<String>::from_redis_value(value.clone()).map_err(|_| undecodable("push"))?;
    match Reply::from_redis_value(value).map_err(|_| undecodable("push"))?.split() {
        Err(refusal) if refusal.is("queue_full") => Ok(Refusal {
            reason: match words.get(3).and_then(|starts| starts.parse::<u64>().ok()) {
                Some(starts) => {
                    format!("{}; it would start in about {} s", refusal.reason, starts.div_ceil(1_000))
                }
                None => format!("{}; when it would start is not known, for nobody claims", refusal.reason),
            },
            detail: words.get(3).cloned(),
            ..refusal
        }),
        Err(refusal) => Ok(refusal),
        Ok((first, _)) => Err(undecodable(&first)),
    }
}
