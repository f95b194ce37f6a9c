//! Live views of what has no stream: agents, locks, queues, services. The whole once, then what changed, looked at once a second by
//! this process for all its viewers. Who comes back gets the whole again, so nothing can be missed.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

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
/// Most things of a view; the rest is found by paging through the lists.
const MOST: usize = 10_000;

type Things = BTreeMap<String, Value>;
/// The number of the last change, and what there was after it.
type Whole = (u64, Arc<Things>);

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

    async fn look(self, plane: &Plane) -> Result<Things, Fault> {
        match self {
            Self::Agents => agents(plane).await.map_err(Fault::from),
            Self::Locks => held(plane).await,
            Self::Queues => waiting(plane).await,
            Self::Services => faring(plane).await,
        }
    }
}

async fn agents(plane: &Plane) -> quorate_store::Result<Things> {
    let (mut all, mut cursor) = (Things::new(), None);
    loop {
        let page = plane.agents().ls(&Query { limit: 1_000, cursor, ..Query::default() }).await?;
        all.extend(page.agents.iter().map(|agent| (agent.agent.clone(), json!(agent))));
        cursor = page.cursor.filter(|_| all.len() < MOST);
        if cursor.is_none() {
            return Ok(all);
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

async fn held(plane: &Plane) -> Result<Things, Fault> {
    let all = answer(plane, &verbs::locks::Ls { agent: None, limit: Some(Within(MOST as u64)) }).await?;
    Ok(all.iter().map(|held| (format!("{} {} {}", held.agent, held.lock, held.mode), json!(held))).collect())
}

async fn waiting(plane: &Plane) -> Result<Things, Fault> {
    let verbs::queues::Listed(all) = answer(plane, &verbs::queues::Ls {}).await?;
    let thing = |mut queue: verbs::queues::Summary| {
        // It would change with every look, and nobody needs it to the millisecond.
        queue.oldest_age_ms = queue.oldest_age_ms.map(|age| age / 1_000 * 1_000);
        (queue.queue.clone(), json!(queue))
    };
    Ok(all.into_iter().map(thing).collect())
}

async fn faring(plane: &Plane) -> Result<Things, Fault> {
    let all = answer(plane, &verbs::services::Ls { environment: None }).await?;
    Ok(all.into_iter().map(|fare| (fare.service.service_id.clone(), json!(fare))).collect())
}

/// What changed in one look.
#[derive(Debug)]
struct Change {
    number: u64,
    data: String,
}

struct Topic {
    whole: watch::Receiver<Whole>,
    changes: broadcast::Sender<Arc<Change>>,
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
                Ok(Ok(change)) if change.number <= sent => {}
                Ok(Ok(change)) => {
                    line.send(sse::event(Some(&change.number.to_string()), "change", &change.data)).await?;
                    sent = change.number;
                }
                Ok(Err(RecvError::Lagged(_))) => sent = snapshot(&mut whole, line).await?,
                Ok(Err(RecvError::Closed)) => return Err(Ended),
            }
        }
    }

    fn join(&self, view: View) -> (watch::Receiver<Whole>, broadcast::Receiver<Arc<Change>>) {
        let mut topics = self.topics.lock().unwrap_or_else(PoisonError::into_inner);
        let topic = topics.entry(view).or_insert_with(|| {
            let (tell, whole) = watch::channel((0, Arc::default()));
            let changes = broadcast::channel(RING).0;
            tokio::spawn(self.clone().look(view, tell, changes.clone()));
            Topic { whole, changes }
        });
        (topic.whole.clone(), topic.changes.subscribe())
    }

    /// Looks once a second, until nobody is left.
    async fn look(self, view: View, tell: watch::Sender<Whole>, changes: broadcast::Sender<Arc<Change>>) {
        loop {
            if let Ok(new) = view.look(&self.plane).await {
                let (number, old) = tell.borrow().clone();
                let data = difference(&old, &new);
                if number == 0 || data.is_some() {
                    let _ = tell.send((number + 1, Arc::new(new)));
                }
                if let Some(data) = data.filter(|_| number > 0) {
                    let _ = changes.send(Arc::new(Change { number: number + 1, data: data.to_string() }));
                }
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

/// Sends the whole, and gives its number.
async fn snapshot(whole: &mut watch::Receiver<Whole>, line: &Line) -> Result<u64, Ended> {
    let seen = whole.wait_for(|(number, _)| *number > 0).await.map_err(|_| Ended)?.clone();
    let data = json!({ "items": seen.1.values().collect::<Vec<_>>() });
    line.send(sse::event(Some(&seen.0.to_string()), "snapshot", &data.to_string())).await?;
    Ok(seen.0)
}

/// What was put in or changed, and what went.
fn difference(old: &Things, new: &Things) -> Option<Value> {
    let set: Vec<&Value> =
        new.iter().filter(|(name, value)| old.get(*name) != Some(value)).map(|(_, value)| value).collect();
    let gone: Vec<&Value> =
        old.iter().filter(|(name, _)| !new.contains_key(*name)).map(|(_, value)| value).collect();
    (!set.is_empty() || !gone.is_empty()).then(|| json!({ "set": set, "gone": gone }))
}
