//! `/events/{task_id}`: the status of a task as it changes, as Relayna's own clients know it.
//!
//! One subscription of this process hears of every task that is followed. A viewer is told `ready`, joins, is shown the history
//! from the oldest event on, and then what comes, each event once, until the task has ended. A message that was lost costs a
//! second: the heads of the histories are looked at again and again.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::body::Bytes;
use quorate_catalog::ids::TaskId;
use quorate_plane::Plane;
use quorate_plane::tasks::{Channels, Event, Heard, Seen};
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::broadcast::{self, Receiver, Sender};
use tokio::time::{MissedTickBehavior, interval, timeout};

use super::sse;
use super::viewer::{Ended, KEEP_ALIVE, Line};

/// How many events a viewer may be behind before it reads the history instead.
const RING: usize = 256;
/// How often the histories are looked at.
const EVERY: Duration = Duration::from_secs(1);
/// Most events of a history that are shown.
const HISTORY: usize = 1_000;

/// What a viewer of a task is told.
#[derive(Debug, Clone)]
enum Word {
    Said(Arc<Vec<u8>>),
    /// Something may have been missed.
    Look,
}

struct Topic {
    sender: Sender<Word>,
    head: Option<u64>,
}

/// Every task that is followed in this process.
#[derive(Clone)]
pub(crate) struct Tasks {
    plane: Plane,
    topics: Arc<Mutex<HashMap<String, Topic>>>,
    /// Whether somebody listens; held while that changes.
    listening: Arc<tokio::sync::Mutex<bool>>,
    keep_alive: Duration,
}

impl Tasks {
    pub(crate) fn new(plane: Plane) -> Self {
        Self { plane, topics: Arc::default(), listening: Arc::default(), keep_alive: KEEP_ALIVE }
    }

    /// Joins a task: everything that is published after this call is received.
    async fn join(&self, task: &TaskId) -> quorate_store::Result<Receiver<Word>> {
        let mut listening = self.listening.lock().await;
        let receiver = {
            let mut topics = self.lock();
            let topic = topics
                .entry(task.to_string())
                .or_insert_with(|| Topic { sender: broadcast::channel(RING).0, head: None });
            topic.sender.subscribe()
        };
        if !*listening {
            let channels = self.plane.tasks().channels().await?;
            *listening = true;
            tokio::spawn(self.clone().listen(channels));
        }
        Ok(receiver)
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<String, Topic>> {
        self.topics.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Listens until nobody follows anything any more.
    async fn listen(self, mut channels: Channels) {
        let mut ticks = interval(EVERY);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            tokio::select! {
                heard = channels.next() => self.pass_on(heard),
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

    fn pass_on(&self, heard: Heard) {
        let topics = self.lock();
        // Nobody listens: the topic goes away with the next tick.
        match heard {
            Heard::Event { task, payload } => {
                if let Some(topic) = topics.get(&task) {
                    let _ = topic.sender.send(Word::Said(Arc::new(payload)));
                }
            }
            Heard::Missed => topics.values().for_each(|topic| drop(topic.sender.send(Word::Look))),
        }
    }

    /// Looks at the heads of the histories; where one has changed, its viewers look at the whole.
    async fn look(&self) -> quorate_store::Result<()> {
        let names: Vec<TaskId> = self.lock().keys().filter_map(|name| TaskId::parse(name).ok()).collect();
        let heads = self.plane.tasks().heads(&names).await?;
        let mut topics = self.lock();
        for (name, head) in names.iter().zip(heads) {
            if let Some(topic) = topics.get_mut(name.as_key()).filter(|topic| topic.head != head) {
                topic.head = head;
                let _ = topic.sender.send(Word::Look);
            }
        }
        Ok(())
    }

    /// Serves one viewer until the task has ended, or the viewer goes, is too slow, or may not read any more.
    pub(crate) async fn serve(self, task: TaskId, last: Option<String>, line: Line) {
        let mut watch = line.clone();
        let mut viewer = Viewer { tasks: self, task, line, seen: Seen::default() };
        tokio::select! {
            _ = viewer.run(last.as_deref()) => {}
            () = watch.unwelcome() => {}
        }
    }
}

struct Viewer {
    tasks: Tasks,
    task: TaskId,
    line: Line,
    seen: Seen,
}

impl Viewer {
    async fn run(&mut self, last: Option<&str>) -> Result<(), Ended> {
        self.line.send(Bytes::from_static(b"event: ready\ndata: {}\n\n")).await?;
        let mut live = self.tasks.join(&self.task).await.map_err(|_| Ended)?;
        if self.replay(last).await? {
            return Ok(());
        }
        loop {
            let over = match timeout(self.tasks.keep_alive, live.recv()).await {
                Err(_) => {
                    self.line.send(Bytes::from_static(b": keepalive\n\n")).await?;
                    false
                }
                Ok(Ok(Word::Said(bytes))) => match Event::read(&bytes) {
                    Some(event) => self.show(&event, &bytes).await?,
                    None => false,
                },
                Ok(Ok(Word::Look) | Err(RecvError::Lagged(_))) => self.replay(None).await?,
                Ok(Err(RecvError::Closed)) => return Err(Ended),
            };
            if over {
                return Ok(());
            }
        }
    }

    /// Shows the history from the oldest event on, or after the one that the viewer saw last, if it is there; whether the
    /// task has ended. The end of an attempt that another one followed is not the end.
    async fn replay(&mut self, last: Option<&str>) -> Result<bool, Ended> {
        let tasks = self.tasks.plane.tasks();
        let mut events = tasks.history(&self.task, HISTORY).await.map_err(|_| Ended)?.events;
        events.reverse();
        let known = last.and_then(|last| events.iter().position(|event| event.event_id() == Some(last)));
        let newest = events.iter().map(Event::attempt).max().unwrap_or_default();
        for (place, event) in events.iter().enumerate() {
            let bytes = serde_json::to_vec(event).unwrap_or_default();
            let over = if known.is_some_and(|known| place <= known) {
                self.seen.note(event);
                event.ends()
            } else {
                self.show(event, &bytes).await?
            };
            if over && event.attempt() >= newest {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Shows an event unless it was shown before; whether it ends the task.
    async fn show(&mut self, event: &Event, bytes: &[u8]) -> Result<bool, Ended> {
        if !self.seen.note(event) {
            return Ok(false);
        }
        let data = String::from_utf8_lossy(bytes);
        self.line.send(sse::event(event.event_id(), "status", &data)).await?;
        Ok(event.ends())
    }
}

#[cfg(test)]
mod tests {
    use axum::body::Body;
    use futures_util::StreamExt;
    use quorate_plane::tasks::Report;
    use tokio::sync::watch;

    use super::*;

    /// Relayna 1.0.1: a stream that had sent a keep-alive told nothing more.
    #[tokio::test]
    async fn a_stream_goes_on_after_a_keep_alive() {
        quorate_testkit::check(&[], async |bench| {
            let plane = Plane::new(bench.scope.clone()).unwrap();
            let tasks = Tasks { keep_alive: Duration::from_millis(100), ..Tasks::new(plane.clone()) };
            let (_welcome, flag) = watch::channel(true);
            let (line, response) = super::super::viewer::open(flag);
            let task = TaskId::parse("t").unwrap();
            tokio::spawn(tasks.serve(task.clone(), None, line));
            let mut body = Body::into_data_stream(response.into_body());
            let mut next = async || String::from_utf8(body.next().await.unwrap().unwrap().to_vec()).unwrap();
            assert_eq!(next().await, "event: ready\ndata: {}\n\n");
            for round in 0..2 {
                assert_eq!(next().await, ": keepalive\n\n");
                let report = Report::new(task.clone(), &format!("step-{round}")).unwrap();
                plane.tasks().report(&report).await.unwrap().unwrap();
                let said = loop {
                    let said = next().await;
                    if !said.starts_with(':') {
                        break said;
                    }
                };
                assert!(said.contains(&format!("step-{round}")), "{said}");
            }
        })
        .await;
    }
}
