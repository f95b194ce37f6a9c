//! Single calls of one process that are made in the same moment share a script: pushes, claims and acknowledgements.
//!
//! One that is alone is sent as it always was. Several of one queue become one call, in which each is its own: its agent is
//! looked at, its items have its name, its answer is for it. What is out of the ordinary (a refusal, a group, a lease that
//! ran out, something that is due) is not decided for many: whom it concerns is told to ask alone, and does.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use futures_util::future::{BoxFuture, join_all};
use quorate_catalog::ids::AgentId;
use quorate_store::{Arg, Result};
use tokio::time::Instant;

use super::finish::epoch_text;
use super::model::{Claim, Claimed, Queue, Token};
use super::{Queues, item};
use crate::coalesce::{Coalesce, ended};
use crate::locks::millis;
use crate::outcome::undecodable;
use crate::{Outcome, Plane};

/// Calls of one kind that are on their way at once, and the most that go together.
const WIDTH: usize = 2;
const MOST: usize = 64;
/// A larger payload, or more items, are worth a call of their own.
const PAYLOAD: usize = 16 * 1024;
const ITEMS: usize = 8;
/// How long claims of a queue go alone after those of a shared call had to.
const ROUGH: Duration = Duration::from_millis(50);

type Claims = Result<Answer<Outcome<Claimed>>>;
/// The places of tokens that no longer counted.
type Acked = Result<Answer<Outcome<Vec<usize>>>>;

/// Who gathers the single calls of this process.
#[derive(Debug)]
pub(crate) struct Together {
    pushes: Arc<Coalesce<Pushing, Result<Outcome<()>>>>,
    claims: Arc<Coalesce<Claiming, Claims>>,
    acks: Arc<Coalesce<Acking, Acked>>,
    /// Queues whose claims had to go the long way, and when that was.
    rough: Mutex<HashMap<Queue, Instant>>,
}

impl Default for Together {
    fn default() -> Self {
        Self {
            pushes: Arc::new(Coalesce::new(WIDTH, MOST)),
            claims: Arc::new(Coalesce::new(WIDTH, MOST)),
            acks: Arc::new(Coalesce::new(WIDTH, MOST)),
            rough: Mutex::default(),
        }
    }
}

impl Together {
    fn is_rough(&self, queue: &Queue) -> bool {
        let rough = self.rough.lock().unwrap_or_else(PoisonError::into_inner);
        rough.get(queue).is_some_and(|since| since.elapsed() < ROUGH)
    }

    fn found_rough(&self, queue: &Queue) {
        let mut rough = self.rough.lock().unwrap_or_else(PoisonError::into_inner);
        rough.insert(queue.clone(), Instant::now());
    }
}

/// What a shared call says to one of those who made it.
#[derive(Debug, Clone)]
enum Answer<T> {
    Done(T),
    /// Nothing was done: it is to make a call of its own.
    Alone,
    /// Something may have been done: it is to make a call of its own that asks for that first.
    Again,
}

#[derive(Debug)]
struct Pushing {
    queue: Queue,
    body: String,
}

#[derive(Debug)]
struct Claiming {
    claim: Claim,
    salt: String,
}

#[derive(Debug)]
struct Acking {
    agent: AgentId,
    epoch: Option<u64>,
    tokens: Vec<Token>,
}

impl Queues<'_> {
    /// Whether its calls are made in a name of their own: nobody else's go with them.
    fn is_alone(&self) -> bool {
        self.once || self.plane.store().is_enveloped()
    }

    /// Pushes a plain item, with others of this moment where nothing limits them.
    pub(super) async fn push_together(
        &self,
        queue: &Queue,
        cap: Option<u64>,
        body: String,
    ) -> Result<Outcome<()>> {
        if self.is_alone() || body.len() > PAYLOAD || self.cap(cap).await? > 0 {
            return self.push_plain(queue, cap, &[body]).await;
        }
        let plane = self.plane.clone();
        let flush = move |batch| push_batch(plane.clone(), batch);
        let pushing = Pushing { queue: queue.clone(), body };
        self.plane
            .queue_calls_together()
            .pushes
            .ask(pushing, flush)
            .await
            .unwrap_or_else(|| Err(ended("queues")))
    }

    /// Claims what is there, with others of this moment who claim from the same queue.
    pub(super) async fn claim_together(&self, wanted: &Claim) -> Result<Outcome<Claimed>> {
        let (salt, together) = (self.plane.queue_calls().unique(), self.plane.queue_calls_together());
        let simple =
            matches!(wanted.queues[..], [Queue::Task(_)]) && wanted.most <= ITEMS && !self.is_alone();
        if !simple || together.is_rough(&wanted.queues[0]) {
            return Box::pin(self.claim_alone(wanted, salt, false)).await;
        }
        let plane = self.plane.clone();
        let flush = move |batch| claim_batch(plane.clone(), batch);
        let claiming = Claiming { claim: wanted.clone(), salt: salt.clone() };
        match together.claims.ask(claiming, flush).await.unwrap_or_else(|| Err(ended("queues")))? {
            Answer::Done(outcome) => Ok(outcome),
            Answer::Alone => Box::pin(self.claim_alone(wanted, salt, false)).await,
            Answer::Again => Box::pin(self.claim_alone(wanted, salt, true)).await,
        }
    }

    /// Acknowledges items, with others of this moment.
    pub(super) async fn ack_together(
        &self,
        agent: &AgentId,
        epoch: Option<u64>,
        tokens: &[Token],
    ) -> Result<Outcome<Vec<usize>>> {
        if self.is_alone() || tokens.len() > ITEMS || tokens.iter().any(Token::concerns_others) {
            return Box::pin(self.ack_alone(agent, epoch, tokens)).await;
        }
        let plane = self.plane.clone();
        let flush = move |batch| ack_batch(plane.clone(), batch);
        let acking = Acking { agent: agent.clone(), epoch, tokens: tokens.to_vec() };
        let together = self.plane.queue_calls_together();
        match together.acks.ask(acking, flush).await.unwrap_or_else(|| Err(ended("queues")))? {
            Answer::Done(outcome) => Ok(outcome),
            Answer::Alone | Answer::Again => Box::pin(self.ack_alone(agent, epoch, tokens)).await,
        }
    }

    /// One script for claims of one queue with one lease.
    async fn claim_each(&self, queue: &Queue, batch: &[Claiming]) -> Result<Vec<Answer<Outcome<Claimed>>>> {
        let mut args = vec![Arg::from(queue.name()), Arg::from(millis(batch[0].claim.lease)), Arg::from("")];
        args.extend(batch.iter().map(|Claiming { claim, salt }| {
            let epoch = epoch_text(claim.epoch);
            Arg::from([&*claim.most.to_string(), &epoch, salt, claim.agent.as_key()].join(" "))
        }));
        let list = [queue.list(self.plane.keys())];
        // A second delivery does nothing: it tells everybody to ask for what the first one did.
        let store = self.plane.store().repeatable();
        let reply: Vec<Vec<u8>> = store.run(&self.plane.queue_scripts().claim_each, &list, &args).await?;
        let first = reply.first().map(|line| String::from_utf8_lossy(line).into_owned()).unwrap_or_default();
        match first.as_str() {
            "again" => Ok(vec![Answer::Again; batch.len()]),
            "alone" => {
                self.plane.queue_calls_together().found_rough(queue);
                Ok(vec![Answer::Alone; batch.len()])
            }
            _ => shared_out(queue, batch, &first, &reply[1..]).ok_or_else(|| undecodable("claim_each")),
        }
    }

    /// One script for acknowledgements of one queue.
    async fn ack_each(&self, queue: &Queue, batch: &[Acking]) -> Result<Vec<Answer<Outcome<Vec<usize>>>>> {
        let lane = self.plane.queue_calls().lane();
        let mut args = vec![
            Arg::from(queue.name()),
            Arg::from(lane.process.as_str()),
            Arg::from(lane.slot.as_str()),
            Arg::from(lane.number.as_str()),
        ];
        args.extend(batch.iter().map(|acking| {
            let marks: Vec<String> = acking.tokens.iter().map(Token::mark).collect();
            let epoch = epoch_text(acking.epoch);
            Arg::from(format!("{} {epoch} {}", acking.agent.as_key(), marks.join(" ")))
        }));
        let none: [&str; 0] = [];
        // A second delivery finds the verdict of the first under its lane and number.
        let store = self.plane.store().repeatable();
        let letters: String = store.run(&self.plane.queue_scripts().ack_each, &none, &args).await?;
        let answers: Vec<_> = letters
            .bytes()
            .map(|letter| match letter {
                b'd' => Answer::Done(Outcome::Done(Vec::new())),
                _ => Answer::Alone,
            })
            .collect();
        if answers.len() == batch.len() { Ok(answers) } else { Err(undecodable("ack_each")) }
    }
}

async fn push_batch(plane: Plane, batch: Vec<Pushing>) -> Vec<Result<Outcome<()>>> {
    let run = move |queue: Queue, batch: Vec<Pushing>| -> BoxFuture<'static, _> {
        let plane = plane.clone();
        Box::pin(async move {
            let bodies: Vec<String> = batch.into_iter().map(|one| one.body).collect();
            vec![plane.queues().push_plain(&queue, None, &bodies).await; bodies.len()]
        })
    };
    grouped(batch, |one| one.queue.clone(), run).await
}

async fn claim_batch(plane: Plane, batch: Vec<Claiming>) -> Vec<Claims> {
    let run = move |(queue, _): (Queue, Duration), batch: Vec<Claiming>| -> BoxFuture<'static, _> {
        let plane = plane.clone();
        Box::pin(async move {
            if let [one] = &batch[..] {
                let own = plane.queues().claim_alone(&one.claim, one.salt.clone(), false).await;
                return vec![own.map(Answer::Done)];
            }
            each(plane.queues().claim_each(&queue, &batch).await, batch.len())
        })
    };
    grouped(batch, |one| (one.claim.queues[0].clone(), one.claim.lease), run).await
}

async fn ack_batch(plane: Plane, batch: Vec<Acking>) -> Vec<Acked> {
    let run = move |queue: Queue, batch: Vec<Acking>| -> BoxFuture<'static, _> {
        let plane = plane.clone();
        Box::pin(async move {
            if let [one] = &batch[..] {
                let own = plane.queues().ack_alone(&one.agent, one.epoch, &one.tokens).await;
                return vec![own.map(Answer::Done)];
            }
            each(plane.queues().ack_each(&queue, &batch).await, batch.len())
        })
    };
    grouped(batch, |one| one.tokens[0].queue.clone(), run).await
}

/// What each of so many is told; a fault is everybody's.
fn each<T: Clone>(answers: Result<Vec<T>>, count: usize) -> Vec<Result<T>> {
    match answers {
        Ok(answers) => answers.into_iter().map(Ok).collect(),
        Err(fault) => vec![Err(fault); count],
    }
}

/// Runs the groups of a batch at once; answers come in the order of the batch.
async fn grouped<T, K: Eq, R>(
    batch: Vec<T>,
    key: impl Fn(&T) -> K,
    run: impl Fn(K, Vec<T>) -> BoxFuture<'static, Vec<R>>,
) -> Vec<R> {
    let all = batch.len();
    // Mostly there is one group, so that looking through them is faster than any index.
    let mut groups: Vec<(K, Vec<usize>, Vec<T>)> = Vec::new();
    for (place, one) in batch.into_iter().enumerate() {
        let key = key(&one);
        let at = groups.iter().position(|(own, ..)| *own == key).unwrap_or(groups.len());
        if at == groups.len() {
            groups.push((key, Vec::with_capacity(all), Vec::with_capacity(all)));
        }
        groups[at].1.push(place);
        groups[at].2.push(one);
    }
    let (places, runs): (Vec<_>, Vec<_>) =
        groups.into_iter().map(|(key, places, own)| (places, run(key, own))).unzip();
    let ended = places.into_iter().zip(join_all(runs).await);
    let mut all: Vec<(usize, R)> =
        ended.flat_map(|(places, answers)| places.into_iter().zip(answers)).collect();
    all.sort_unstable_by_key(|(place, _)| *place);
    all.into_iter().map(|(_, answer)| answer).collect()
}

/// `ENDS FENCE NEXT COUNTS`, and the elements in the order of those who asked.
fn shared_out(
    queue: &Queue,
    batch: &[Claiming],
    first: &str,
    elements: &[Vec<u8>],
) -> Option<Vec<Answer<Outcome<Claimed>>>> {
    let mut words = first.split(' ');
    let (ends, mut fence): (u64, u64) = (words.next()?.parse().ok()?, words.next()?.parse().ok()?);
    let next = super::claim::next_due(words.next()?);
    let counts: Vec<&str> = words.next()?.split(',').collect();
    let mut elements = elements.iter();
    let answers = batch.iter().zip(&counts).map(|(one, count)| {
        let Ok(count) = count.parse::<usize>() else { return Answer::Alone };
        let items = (1_usize..).zip(elements.by_ref().take(count)).map(|(place, element)| {
            fence += 1;
            let claim = [&one.salt, ".", &place.to_string()].concat();
            item::fresh(Token { queue: queue.clone(), fence, claim }, element, ends)
        });
        Answer::Done(Outcome::Done(Claimed { items: items.collect(), paused: false, next }))
    });
    let answers: Vec<_> = answers.collect();
    (answers.len() == batch.len() && counts.len() == batch.len()).then_some(answers)
}
