//! Following what has a history and says what is new, as Relayna's own streams do.
//!
//! One subscription of this process hears of everything that is followed. A viewer is told `ready`, joins, is shown the history
//! from the oldest event on, and then what comes, each event once. A message that was lost costs a second: the heads of the
//! histories are looked at again and again.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use axum::body::Bytes;
use quorate_plane::Plane;
use quorate_store::Result;
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::broadcast::{self, Receiver, Sender};
use tokio::time::{MissedTickBehavior, interval, timeout};

use super::viewer::{Ended, KEEP_ALIVE, Line};

/// How often the histories are looked at.
const EVERY: Duration = Duration::from_secs(1);

/// Something that has a history and says what is new.
pub(crate) trait Kind: Sized + Send + Sync + 'static {
    /// Whose history it is.
    type Place: Clone + Eq + Hash + Send + Sync;
    /// What is said of it.
    type Said: Clone + Send + Sync;
    /// What changes with a history.
    type Head: PartialEq + Send;
    type Channels: Send;
    type Viewer: Viewer<Self> + Send;
    /// How many events a viewer may be behind before it reads the history instead.
    const RING: usize;

    fn channels(plane: &Plane) -> impl Future<Output = Result<Self::Channels>> + Send;

    /// The next thing; waits through outages of any length.
    fn next(channels: &mut Self::Channels) -> impl Future<Output = Heard<Self>> + Send;

    fn heads(
        plane: &Plane,
        places: &[Self::Place],
    ) -> impl Future<Output = Result<Vec<Option<Self::Head>>>> + Send;

    fn viewer(plane: Plane, place: Self::Place, line: Line) -> Self::Viewer;
}

/// What one viewer has seen, and how it is shown more. Each says whether what is followed has ended.
pub(crate) trait Viewer<K: Kind> {
    /// Shows the history from the oldest event on, or after the one that the viewer saw last, if it is there.
    fn replay(&mut self, last: Option<&str>)
    -> impl Future<Output = std::result::Result<bool, Ended>> + Send;

    /// Shows what was said, unless it was shown before.
    fn said(&mut self, said: K::Said) -> impl Future<Output = std::result::Result<bool, Ended>> + Send;
}

/// What the subscription hears.
pub(crate) enum Heard<K: Kind> {
    /// Said at all of these places.
    Said(Vec<K::Place>, K::Said),
    /// Something may have been missed, anywhere.
    Missed,
}

/// What a viewer is told.
#[derive(Debug, Clone)]
enum Word<T> {
    Said(T),
    /// Something may have been missed.
    Look,
}

struct Topic<K: Kind> {
    sender: Sender<Word<K::Said>>,
    head: Option<K::Head>,
}

type Topics<K> = HashMap<<K as Kind>::Place, Topic<K>>;

/// Everything of one kind that is followed in this process.
pub(crate) struct Followed<K: Kind> {
    plane: Plane,
    topics: Arc<Mutex<Topics<K>>>,
    /// Whether somebody listens; held while that changes.
    listening: Arc<tokio::sync::Mutex<bool>>,
    pub(super) keep_alive: Duration,
}

impl<K: Kind> Clone for Followed<K> {
    fn clone(&self) -> Self {
        let (topics, listening) = (Arc::clone(&self.topics), Arc::clone(&self.listening));
        Self { plane: self.plane.clone(), topics, listening, keep_alive: self.keep_alive }
    }
}

impl<K: Kind> Followed<K> {
    pub(crate) fn new(plane: Plane) -> Self {
        Self { plane, topics: Arc::default(), listening: Arc::default(), keep_alive: KEEP_ALIVE }
    }

    /// Joins a place: everything that is published after this call is received.
    async fn join(&self, place: &K::Place) -> Result<Receiver<Word<K::Said>>> {
        let mut listening = self.listening.lock().await;
        let receiver = {
            let mut topics = self.lock();
            let new = || Topic { sender: broadcast::channel(K::RING).0, head: None };
            topics.entry(place.clone()).or_insert_with(new).sender.subscribe()
        };
        if !*listening {
            let channels = K::channels(&self.plane).await?;
            *listening = true;
            tokio::spawn(self.clone().listen(channels));
        }
        Ok(receiver)
    }

    fn lock(&self) -> MutexGuard<'_, Topics<K>> {
        self.topics.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Listens until nobody follows anything any more.
    async fn listen(self, mut channels: K::Channels) {
        let mut ticks = interval(EVERY);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            tokio::select! {
                heard = K::next(&mut channels) => self.pass_on(heard),
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

    fn pass_on(&self, heard: Heard<K>) {
        let topics = self.lock();
        // Where nobody listens, the topic goes away with the next tick.
        match heard {
            Heard::Missed => topics.values().for_each(|topic| drop(topic.sender.send(Word::Look))),
            Heard::Said(places, said) => {
                for topic in places.iter().filter_map(|place| topics.get(place)) {
                    let _ = topic.sender.send(Word::Said(said.clone()));
                }
            }
        }
    }

    /// Looks at the heads of the histories; where one has changed, its viewers look at the whole.
    async fn look(&self) -> Result<()> {
        let places: Vec<K::Place> = self.lock().keys().cloned().collect();
        let heads = K::heads(&self.plane, &places).await?;
        let mut topics = self.lock();
        for (place, head) in places.iter().zip(heads) {
            if let Some(topic) = topics.get_mut(place).filter(|topic| topic.head != head) {
                topic.head = head;
                let _ = topic.sender.send(Word::Look);
            }
        }
        Ok(())
    }

    /// Serves one viewer until what it follows has ended, or it goes, is too slow, or may not read any more.
    pub(crate) async fn serve(self, place: K::Place, last: Option<String>, line: Line) {
        let mut watch = line.clone();
        tokio::select! {
            _ = self.run(place, last.as_deref(), line) => {}
            () = watch.unwelcome() => {}
        }
    }

    async fn run(&self, place: K::Place, last: Option<&str>, line: Line) -> std::result::Result<(), Ended> {
        line.send(Bytes::from_static(b"event: ready\ndata: {}\n\n")).await?;
        let mut live = self.join(&place).await.map_err(|_| Ended)?;
        let mut viewer = K::viewer(self.plane.clone(), place, line.clone());
        let mut over = viewer.replay(last).await?;
        while !over {
            over = match timeout(self.keep_alive, live.recv()).await {
                Err(_) => line.send(Bytes::from_static(b": keepalive\n\n")).await.map(|()| false)?,
                Ok(Ok(Word::Said(said))) => viewer.said(said).await?,
                Ok(Ok(Word::Look) | Err(RecvError::Lagged(_))) => viewer.replay(None).await?,
                Ok(Err(RecvError::Closed)) => return Err(Ended),
            };
        }
        Ok(())
    }
}

/// What the streams of both kinds are tried with.
#[cfg(test)]
pub(super) mod tests {
    use axum::body::Body;
    use futures_util::StreamExt;
    use tokio::sync::watch;

    use super::*;

    /// Relayna 1.0.1: a stream that had sent a keep-alive told nothing more. `report` makes the event of a round, `told`
    /// knows it again.
    pub(crate) async fn goes_on_after_a_keep_alive<K: Kind>(
        plane: &Plane,
        place: K::Place,
        report: impl AsyncFn(usize),
        told: impl Fn(usize, &str) -> bool,
    ) {
        let all = Followed::<K> { keep_alive: Duration::from_millis(100), ..Followed::new(plane.clone()) };
        let (_welcome, flag) = watch::channel(true);
        let (line, response) = super::super::viewer::open(flag);
        tokio::spawn(async move { all.serve(place, None, line).await });
        let mut body = Body::into_data_stream(response.into_body());
        let mut next = async || String::from_utf8(body.next().await.unwrap().unwrap().to_vec()).unwrap();
        assert_eq!(next().await, "event: ready\ndata: {}\n\n");
        for round in 0..2 {
            assert_eq!(next().await, ": keepalive\n\n");
            report(round).await;
            let said = loop {
                let said = next().await;
                if !said.starts_with(':') {
                    break said;
                }
            };
            assert!(told(round, &said), "{said}");
        }
    }
}
