//! Relayna's streams of a service's events, and of one task of it: what there is, then what comes.
//!
//! One subscription of this process hears of every service that is followed. A viewer is told `ready`, joins, is shown the history
//! from the oldest event on, and then what comes, each event once. A message that was lost costs a second: the heads of the
//! histories are looked at again and again.

use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::body::Bytes;
use quorate_catalog::ids::{ServiceId, TaskId};
use quorate_plane::services::{Channels, EventFilter, Heard, StudioEvent};
use quorate_plane::{Outcome, Plane};
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::broadcast::{self, Receiver, Sender};
use tokio::time::{MissedTickBehavior, interval, timeout};

use super::sse;
use super::viewer::{Ended, KEEP_ALIVE, Line};

/// How many events a viewer may be behind before it reads the history instead.
const RING: usize = 1_024;
/// How often the histories are looked at.
const EVERY: Duration = Duration::from_secs(1);
/// Most events of a history that are shown.
const HISTORY: usize = 500;
/// Events that are remembered as seen.
const REMEMBERED: usize = 4_096;

/// What is followed: a service, or one task of it.
pub(crate) type Place = (ServiceId, Option<TaskId>);

/// What a viewer is told.
#[derive(Debug, Clone)]
enum Word {
    Said(Arc<StudioEvent>),
    /// Something may have been missed.
    Look,
}

struct Topic {
    sender: Sender<Word>,
    head: Option<String>,
}

/// Everything of services that is followed in this process.
#[derive(Clone)]
pub(crate) struct Services {
    plane: Plane,
    topics: Arc<Mutex<HashMap<Place, Topic>>>,
    /// Whether somebody listens; held while that changes.
    listening: Arc<tokio::sync::Mutex<bool>>,
    keep_alive: Duration,
}

impl Services {
    pub(crate) fn new(plane: Plane) -> Self {
        Self { plane, topics: Arc::default(), listening: Arc::default(), keep_alive: KEEP_ALIVE }
    }

    /// Joins a place: everything that is published after this call is received.
    async fn join(&self, place: &Place) -> quorate_store::Result<Receiver<Word>> {
        let mut listening = self.listening.lock().await;
        let receiver = {
            let mut topics = self.lock();
            let new = || Topic { sender: broadcast::channel(RING).0, head: None };
            topics.entry(place.clone()).or_insert_with(new).sender.subscribe()
        };
        if !*listening {
            let channels = self.plane.services().channels().await?;
            *listening = true;
            tokio::spawn(self.clone().listen(channels));
        }
        Ok(receiver)
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<Place, Topic>> {
        self.topics.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Listens until nobody follows anything any more.
    async fn listen(self, mut channels: Channels) {
        let mut ticks = interval(EVERY);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            tokio::select! {
                heard = channels.next() => self.pass_on(&heard),
                _ = ticks.tick() => {
                    let mut listening = self.listening.lock().await;
                    self.lock().retain(|_, topic| topic.sender.receiver_count() > 0);
                    if self.lock().is_empty() {
                        *listening = false;
                        return;
                    }
                    drop(listening);
                    // A server that is away is waited for; the next look finds what came meanwhile.
                    let _ = self.look().await;
                }
            }
        }
    }

    fn pass_on(&self, heard: &Heard) {
        let topics = self.lock();
        let Heard::Event { service, payload } = heard else {
            topics.values().for_each(|topic| drop(topic.sender.send(Word::Look)));
            return;
        };
        // What is malformed is no event; the history has what is.
        let Some(event) = StudioEvent::read(payload).map(Arc::new) else { return };
        for ((id, task), topic) in topics.iter() {
            let fits = task.as_ref().is_none_or(|task| event.text("task_id") == task.as_key());
            if fits && id.as_key() == service {
                let _ = topic.sender.send(Word::Said(Arc::clone(&event)));
            }
        }
    }

    /// Looks at the heads of the histories; where one has changed, its viewers look at the whole.
    async fn look(&self) -> quorate_store::Result<()> {
        let places: Vec<Place> = self.lock().keys().cloned().collect();
        let heads = self.plane.services().heads(&places).await?;
        let mut topics = self.lock();
        for (place, head) in places.iter().zip(heads) {
            if let Some(topic) = topics.get_mut(place).filter(|topic| topic.head != head) {
                topic.head = head;
                let _ = topic.sender.send(Word::Look);
            }
        }
        Ok(())
    }

    /// Serves one viewer until it goes, is too slow, or may not read any more.
    pub(crate) async fn serve(self, place: Place, last: Option<String>, line: Line) {
        let mut watch = line.clone();
        let mut viewer = Viewer { services: self, place, line, seen: HashSet::new(), order: VecDeque::new() };
        tokio::select! {
            _ = viewer.run(last.as_deref()) => {}
            () = watch.unwelcome() => {}
        }
    }
}

struct Viewer {
    services: Services,
    place: Place,
    line: Line,
    seen: HashSet<String>,
    order: VecDeque<String>,
}

impl Viewer {
    async fn run(&mut self, last: Option<&str>) -> Result<(), Ended> {
        self.line.send(Bytes::from_static(b"event: ready\ndata: {}\n\n")).await?;
        let mut live = self.services.join(&self.place).await.map_err(|_| Ended)?;
        self.replay(last).await?;
        loop {
            match timeout(self.services.keep_alive, live.recv()).await {
                Err(_) => self.line.send(Bytes::from_static(b": keepalive\n\n")).await?,
                Ok(Ok(Word::Said(event))) => self.show(&event).await?,
                Ok(Ok(Word::Look) | Err(RecvError::Lagged(_))) => self.replay(None).await?,
                Ok(Err(RecvError::Closed)) => return Err(Ended),
            }
        }
    }

    /// Shows the history from the oldest event on, or after the one that the viewer saw last, if it is there.
    async fn replay(&mut self, last: Option<&str>) -> Result<(), Ended> {
        let filter = EventFilter { task: self.place.1.clone(), ..EventFilter::default() };
        let page = self.services.plane.services().events(&self.place.0, &filter, None, HISTORY).await;
        // A service that was deleted has nothing more to say.
        let Ok(Outcome::Done(page)) = page else { return Err(Ended) };
        let known =
            last.and_then(|last| page.items.iter().position(|event| event.text("dedupe_key") == last));
        for (place, event) in page.items.iter().enumerate().rev() {
            if known.is_some_and(|known| place >= known) {
                self.note(event.text("dedupe_key"));
            } else {
                self.show(event).await?;
            }
        }
        Ok(())
    }

    async fn show(&mut self, event: &StudioEvent) -> Result<(), Ended> {
        let name = event.text("dedupe_key").to_owned();
        if !self.note(&name) {
            return Ok(());
        }
        let data = serde_json::to_string(event).unwrap_or_default();
        self.line.send(sse::event(Some(&name), "event", &data)).await
    }

    /// Notes an event; whether it is new.
    fn note(&mut self, name: &str) -> bool {
        if !self.seen.insert(name.to_owned()) {
            return false;
        }
        self.order.push_back(name.to_owned());
        if self.order.len() > REMEMBERED
            && let Some(oldest) = self.order.pop_front()
        {
            self.seen.remove(&oldest);
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use axum::body::Body;
    use futures_util::StreamExt;
    use quorate_plane::json::Object;
    use quorate_plane::services::{Ingest, IngestMethod};
    use tokio::sync::watch;

    use super::*;

    /// Relayna 1.0.1: a stream that had sent a keep-alive told nothing more.
    #[tokio::test]
    async fn a_stream_of_a_service_goes_on_after_a_keep_alive() {
        quorate_testkit::check(&[], async |bench| {
            let plane = Plane::new(bench.scope.clone()).unwrap();
            let id = ServiceId::parse("pay").unwrap();
            let record =
                r#"{"service_id":"pay","name":"Pay","base_url":"http://pay.test","environment":"dev"}"#;
            let key = bench.scope.keys.relayna().service(&id);
            let mut set = quorate_store::cmd("SET");
            bench.scope.store.query::<String>(set.arg(key.as_str()).arg(record)).await.unwrap();
            let services =
                Services { keep_alive: Duration::from_millis(100), ..Services::new(plane.clone()) };
            let (_welcome, flag) = watch::channel(true);
            let (line, response) = super::super::viewer::open(flag);
            tokio::spawn(services.serve((id.clone(), None), None, line));
            let mut body = Body::into_data_stream(response.into_body());
            let mut next = async || String::from_utf8(body.next().await.unwrap().unwrap().to_vec()).unwrap();
            assert_eq!(next().await, "event: ready\ndata: {}\n\n");
            for round in 0..2 {
                assert_eq!(next().await, ": keepalive\n\n");
                let event = format!(
                    r#"{{"task_id":"t","event_type":"x","source_kind":"status","event_id":"e{round}"}}"#
                );
                let event = Ingest::of(&id, IngestMethod::Push, &Object::parse(&event).unwrap()).unwrap();
                plane.services().ingest(&event).await.unwrap().unwrap();
                let said = loop {
                    let said = next().await;
                    if !said.starts_with(':') {
                        break said;
                    }
                };
                assert!(said.starts_with(&format!("id: pay:status:e{round}\nevent: event\n")), "{said}");
            }
        })
        .await;
    }
}
