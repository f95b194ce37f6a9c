//! The one reader of this process: it waits for every stream that somebody follows, whatever the number of viewers.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::body::Bytes;
use quorate_plane::Plane;
use quorate_plane::events::Entry;
use quorate_plane::feed::{Gap, Reader, Source};
use tokio::sync::broadcast::{self, Receiver, Sender};

use super::sse;

/// How many frames a viewer may be behind before it reads from the store instead.
const RING: usize = 4_096;
/// How long one wait lasts; a stream that is joined meanwhile is waited for from the next one on.
const WAIT: Duration = Duration::from_millis(250);
/// How long the reader rests after a fault of the store.
const REST: Duration = Duration::from_millis(500);

/// Something that every viewer of a stream is told.
#[derive(Debug, Clone)]
pub(crate) enum Frame {
    Entry(Arc<Shown>),
    Gap(Arc<Gap>),
    /// The store does not answer, and why.
    Away(Arc<str>),
    /// It answers again.
    Back,
}

/// An entry in the form in which it is sent, made once for all viewers.
#[derive(Debug)]
pub(crate) struct Shown {
    pub(crate) id: String,
    pub(crate) data: String,
    /// As it goes to whoever follows this stream alone.
    pub(crate) wire: Bytes,
}

impl Shown {
    pub(crate) fn of(source: &Source, entry: &Entry) -> Self {
        let data = match source {
            Source::Events(stream) => {
                let mut document = serde_json::json!(entry);
                document["stream"] = stream.short().into();
                document["at"] = entry.at().iso().into();
                document
            }
            Source::Log(service) => {
                let mut document =
                    quorate_plane::logs::Record::read(service.as_key(), &entry.id, &entry.fields).json();
                document["id"] = entry.id.clone().into();
                document
            }
        };
        let data = data.to_string();
        let wire = sse::event(Some(&entry.id), "entry", &data);
        Self { id: entry.id.clone(), data, wire }
    }
}

struct Topic {
    source: Source,
    after: String,
    sender: Sender<Frame>,
}

/// Every stream that is followed in this process.
#[derive(Clone)]
pub(crate) struct Hub {
    plane: Plane,
    topics: Arc<Mutex<HashMap<Source, Topic>>>,
}

impl Hub {
    pub(crate) fn new(plane: Plane) -> Self {
        Self { plane, topics: Arc::default() }
    }

    pub(crate) fn plane(&self) -> &Plane {
        &self.plane
    }

    /// Joins a stream: everything that comes after this call is received.
    pub(crate) async fn join(&self, source: &Source) -> quorate_store::Result<Receiver<Frame>> {
        if let Some(topic) = self.lock().get(source) {
            return Ok(topic.sender.subscribe());
        }
        let after = self.plane.feed().end(source).await?;
        let mut topics = self.lock();
        let idle = topics.is_empty();
        let topic = topics.entry(source.clone()).or_insert_with(|| Topic {
            source: source.clone(),
            after,
            sender: broadcast::channel(RING).0,
        });
        let receiver = topic.sender.subscribe();
        if idle {
            tokio::spawn(self.clone().read());
        }
        Ok(receiver)
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<Source, Topic>> {
        self.topics.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reads until nobody follows anything any more.
    async fn read(self) {
        let mut reader = self.plane.feed().reader();
        let mut cut_off = false;
        loop {
            let places = {
                let mut topics = self.lock();
                topics.retain(|_, topic| topic.sender.receiver_count() > 0);
                topics.values().map(|topic| (topic.source.clone(), topic.after.clone())).collect::<Vec<_>>()
            };
            if places.is_empty() {
                return;
            }
            let step = if cut_off { self.look_for_gaps(&places).await } else { Ok(()) };
            match step.and(self.step(&mut reader, &places).await) {
                Ok(()) if cut_off => {
                    cut_off = false;
                    self.tell_all(&Frame::Back);
                }
                Ok(()) => {}
                // A server that restarts is waited for; the places are kept, and what is gone then is said.
                Err(error) => {
                    if !cut_off {
                        self.tell_all(&Frame::Away(error.to_string().into()));
                    }
                    cut_off = true;
                    tokio::time::sleep(REST).await;
                }
            }
        }
    }

    fn tell_all(&self, frame: &Frame) {
        for topic in self.lock().values() {
            let _ = topic.sender.send(frame.clone());
        }
    }

    async fn step(&self, reader: &mut Reader, places: &[(Source, String)]) -> quorate_store::Result<()> {
        for (at, entries) in reader.next(places, WAIT).await? {
            let source = &places[at].0;
            let mut topics = self.lock();
            let Some(topic) = topics.get_mut(source) else { continue };
            for entry in entries {
                let frame = Frame::Entry(Arc::new(Shown::of(source, &entry)));
                topic.after = entry.id;
                // Nobody listens: the topic goes away with the next round.
                let _ = topic.sender.send(frame);
            }
        }
        Ok(())
    }

    async fn look_for_gaps(&self, places: &[(Source, String)]) -> quorate_store::Result<()> {
        for (source, after) in places {
            let resumed = self.plane.feed().resume(source, after).await?;
            if let (Some(gap), Some(topic)) = (resumed.gap, self.lock().get_mut(source)) {
                topic.after = resumed.after;
                let _ = topic.sender.send(Frame::Gap(Arc::new(gap)));
            }
        }
        Ok(())
    }
}
