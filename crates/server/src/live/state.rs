//! Live views of what has no stream: agents, locks, queues, services. The whole once, then what changed, looked at once a second by
//! this process for all its viewers. Who comes back gets the whole again, so nothing can be missed. While the store does not answer
//! viewers are told so (`away`), and when it does again (`back`): what they see must not pass for what is.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use quorate_plane::Plane;
use quorate_plane::agents::Query;
use quorate_verbs::{self as verbs, Call, Fault, Verb, Verdict, said::Within};
use serde_json::{Value, json};
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::{broadcast, watch};

use super::sse;
use super::viewer::{Ended, KEEP_ALIVE, Line};

/// How often the store is asked.
const EVERY: Duration = Duration::from_secs(1);
/// How many changes a viewer may be behind before it gets the whole again.
const RING: usize = 256;
/// Most things of a view; that there are more is said, and the rest is found by paging through the lists.
const MOST: usize = 10_000;

type Things = BTreeMap<String, Value>;

/// What one look has found.
#[derive(Debug, Default)]
struct Found {
    things: Things,
    /// Whether there are more than a view has.
    more: bool,
}

/// What there was when somebody last looked.
#[derive(Debug, Clone)]
struct Whole {
    /// The number of the last change; 0 before the first look.
    number: u64,
    things: Arc<Things>,
    /// Whether there are more than that.
    more: bool,
    /// When the store last answered.
    seen: Instant,
    /// Why it does not answer now.
    trouble: Option<Arc<str>>,
}

impl Whole {
    fn unseen() -> Self {
        Self { number: 0, things: Arc::default(), more: false, seen: Instant::now(), trouble: None }
    }
}

/// What there is to look at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum View {
    Agents,
    Locks,
    Queues,
    Services,
}

impl View {
    pub(crate) const ALL: [(&'static str, Self); 4] = [
        ("agents", Self::Agents),
        ("locks", Self::Locks),
        ("queues", Self::Queues),
        ("services", Self::Services),
    ];

    async fn look(self, plane: &Plane) -> Result<Found, Fault> {
        match self {
            Self::Agents => agents(plane).await.map_err(Fault::from),
            Self::Locks => held(plane).await,
            Self::Queues => waiting(plane).await,
            Self::Services => faring(plane).await,
        }
    }
}

async fn agents(plane: &Plane) -> quorate_store::Result<Found> {
    let (mut all, mut cursor) = (Things::new(), None);
    loop {
        let page = plane.agents().ls(&Query { limit: 1_000, cursor, ..Query::default() }).await?;
        all.extend(page.agents.iter().map(|agent| (agent.agent.clone(), json!(agent))));
        cursor = page.cursor;
        if cursor.is_none() || all.len() >= MOST {
            return Ok(Found { things: all, more: cursor.is_some() });
        }
    }
}

/// What a verb answers somebody on this machine: the documents of a view are those of the route.
async fn answer<V: Verb>(plane: &Plane, asked: &V) -> Result<V::Answer, Fault> {
    match asked.run(&Call::new(plane.clone(), "live")).await? {
        Verdict::Done(answer) => Ok(answer),
        Verdict::Refused(refused) => Err(Fault::NotFound(refused.why.code)),
    }
}

async fn held(plane: &Plane) -> Result<Found, Fault> {
    let all = answer(plane, &verbs::locks::Ls { agent: None, limit: Some(Within(MOST as u64)) }).await?;
    let thing =
        |held: &verbs::locks::Held| (format!("{} {} {}", held.agent, held.lock, held.mode), json!(held));
    Ok(Found { things: all.iter().map(thing).collect(), more: all.len() >= MOST })
}

async fn waiting(plane: &Plane) -> Result<Found, Fault> {
    let verbs::queues::Listed(all) = answer(plane, &verbs::queues::Ls {}).await?;
    let thing = |mut queue: verbs::queues::Summary| {
        // It would change with every look, and nobody needs it to the millisecond.
        queue.oldest_age_ms = queue.oldest_age_ms.map(|age| age / 1_000 * 1_000);
        (queue.queue.clone(), json!(queue))
    };
    Ok(Found { things: all.into_iter().map(thing).collect(), more: false })
}

async fn faring(plane: &Plane) -> Result<Found, Fault> {
    let all = answer(plane, &verbs::services::Ls { environment: None }).await?;
    let things = all.into_iter().map(|fare| (fare.service.service_id.clone(), json!(fare))).collect();
    Ok(Found { things, more: false })
}

/// What all viewers are told after a look.
#[derive(Debug)]
enum Told {
    Change {
        number: u64,
        data: String,
    },
    /// The store stopped answering, or answers again: what there is says which.
    Turned,
}

struct Topic {
    whole: watch::Receiver<Whole>,
    changes: broadcast::Sender<Arc<Told>>,
}

/// Every view that somebody has open in this process.
#[derive(Clone)]
pub(crate) struct Views {
    plane: Plane,
    topics: Arc<Mutex<HashMap<View, Topic>>>,
}

impl Views {
    pub(crate) fn new(plane: Plane) -> Self {
        Self { plane, topics: Arc::default() }
    }

    /// Serves one viewer until it goes.
    pub(crate) async fn serve(self, view: View, line: Line) {
        let mut watch = line.clone();
        tokio::select! {
            _ = self.run(view, &line) => {}
            () = watch.unwelcome() => {}
        }
    }

    async fn run(&self, view: View, line: &Line) -> Result<(), Ended> {
        line.send(sse::retry()).await?;
        let (mut whole, mut changes) = self.join(view);
        let mut sent = snapshot(&mut whole, line).await?;
        loop {
            match tokio::time::timeout(KEEP_ALIVE, changes.recv()).await {
                Err(_) => line.send(sse::keep_alive()).await?,
                Ok(Ok(told)) => match &*told {
                    Told::Turned => {
                        let now = whole.borrow().clone();
                        turned(&now, line).await?;
                    }
                    Told::Change { number, .. } if *number <= sent => {}
                    Told::Change { number, data } => {
                        line.send(sse::event(Some(&number.to_string()), "change", data)).await?;
                        sent = *number;
                    }
                },
                Ok(Err(RecvError::Lagged(_))) => sent = snapshot(&mut whole, line).await?,
                Ok(Err(RecvError::Closed)) => return Err(Ended),
            }
        }
    }

    fn join(&self, view: View) -> (watch::Receiver<Whole>, broadcast::Receiver<Arc<Told>>) {
        let mut topics = self.topics.lock().unwrap_or_else(PoisonError::into_inner);
        let topic = topics.entry(view).or_insert_with(|| {
            let (tell, whole) = watch::channel(Whole::unseen());
            let changes = broadcast::channel(RING).0;
            tokio::spawn(self.clone().look(view, tell, changes.clone()));
            Topic { whole, changes }
        });
        (topic.whole.clone(), topic.changes.subscribe())
    }

    /// Looks once a second, until nobody is left.
    async fn look(self, view: View, tell: watch::Sender<Whole>, changes: broadcast::Sender<Arc<Told>>) {
        loop {
            let before = tell.borrow().clone();
            for told in note(before, view.look(&self.plane).await, &tell) {
                let _ = changes.send(Arc::new(told));
            }
            tokio::time::sleep(EVERY).await;
            let mut topics = self.topics.lock().unwrap_or_else(PoisonError::into_inner);
            if changes.receiver_count() == 0 {
                topics.remove(&view);
                return;
            }
        }
    }
}

/// Keeps what a look has found, and gives what viewers are to be told of it.
fn note(before: Whole, found: Result<Found, Fault>, tell: &watch::Sender<Whole>) -> Vec<Told> {
    let turned = before.trouble.is_some() != found.is_err();
    let mut told: Vec<Told> = turned.then_some(Told::Turned).into_iter().collect();
    let next = match found {
        Err(fault) => Whole { trouble: Some(fault.to_string().into()), ..before },
        Ok(Found { things, more }) => {
            let changed = difference(&before.things, &things, more);
            let number = before.number + u64::from(before.number == 0 || changed.is_some());
            if let Some(data) = changed.filter(|_| before.number > 0) {
                told.push(Told::Change { number, data: data.to_string() });
            }
            Whole { number, things: Arc::new(things), more, seen: Instant::now(), trouble: None }
        }
    };
    let _ = tell.send(next);
    told
}

/// Sends the whole, and gives its number.
async fn snapshot(whole: &mut watch::Receiver<Whole>, line: &Line) -> Result<u64, Ended> {
    let seen = whole.wait_for(|whole| whole.number > 0).await.map_err(|_| Ended)?.clone();
    let data = json!({ "items": seen.things.values().collect::<Vec<_>>(), "more": seen.more });
    line.send(sse::event(Some(&seen.number.to_string()), "snapshot", &data.to_string())).await?;
    if seen.trouble.is_some() {
        turned(&seen, line).await?;
    }
    Ok(seen.number)
}

/// Says that the store does not answer, and how old what was sent is; or that it answers again.
async fn turned(whole: &Whole, line: &Line) -> Result<(), Ended> {
    line.send(match &whole.trouble {
        Some(detail) => sse::away(detail, Some(whole.seen.elapsed())),
        None => sse::back(),
    })
    .await
}

/// What was put in or changed, and what went.
fn difference(old: &Things, new: &Things, more: bool) -> Option<Value> {
    let set: Vec<&Value> =
        new.iter().filter(|(name, value)| old.get(*name) != Some(value)).map(|(_, value)| value).collect();
    let gone: Vec<&Value> =
        old.iter().filter(|(name, _)| !new.contains_key(*name)).map(|(_, value)| value).collect();
    (!set.is_empty() || !gone.is_empty()).then(|| json!({ "set": set, "gone": gone, "more": more }))
}
