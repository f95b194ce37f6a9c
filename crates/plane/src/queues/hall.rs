//! Who waits for items in this process: a line for each queue, in the order in which they came.
//!
//! However many wait, a queue has one connection that is blocked until its list has something, and the process one that
//! hears of lanes and of what is due. `line.rs` says who is called when; whoever is called looks, and says what it found.

use std::collections::{BTreeMap, HashMap};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use quorate_store::Result;
use tokio::sync::{Notify, OnceCell, mpsc, oneshot};
use tokio::task::AbortHandle;
use tokio::time::Instant;

use super::line;
use super::model::Queue;
use crate::Plane;
use crate::channels::{Channels, Heard};

/// Queues with a blocked connection of their own. Those of one more are looked at once a second: names are free, and
/// whoever waits for ever new ones must not use up the server's connections.
const WATCHED: usize = 256;

type Lines = Arc<Mutex<HashMap<String, Arc<Line>>>>;

#[derive(Debug, Default)]
pub(crate) struct Hall {
    lines: Lines,
    arrivals: AtomicU64,
    ear: OnceCell<Ended>,
}

/// Those who wait for one queue, and what has been heard of it.
#[derive(Debug, Default)]
pub(super) struct Line {
    waiting: Mutex<BTreeMap<u64, mpsc::UnboundedSender<Turn>>>,
    news: Mutex<News>,
    pub(super) stir: Notify,
    task: Mutex<Option<AbortHandle>>,
}

/// What may have become of a queue since its line was last served.
#[derive(Debug, Default)]
pub(super) struct News {
    /// Its list has something.
    pub(super) listed: bool,
    /// So many lanes had something.
    pub(super) lanes: usize,
    /// The first look: something may have come before anybody listened; or it is known better when something is due.
    pub(super) first: bool,
    /// Anything, for anybody.
    pub(super) all: bool,
    /// When something is due.
    pub(super) due: Option<Instant>,
}

/// It is your turn to look; who called waits for what you find. Dropped without a word, it goes to the next one.
#[derive(Debug)]
pub(crate) struct Turn(oneshot::Sender<Found>);

/// What whoever was called has found.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Found {
    pub(crate) items: usize,
    pub(crate) paused: bool,
    pub(crate) next: Option<Duration>,
}

impl Turn {
    pub(crate) fn found(self, found: Found) {
        let _ = self.0.send(found);
    }
}

/// A place in the lines of some queues, until it is dropped.
#[derive(Debug)]
pub(crate) struct Place {
    lines: Vec<Arc<Line>>,
    number: u64,
    turns: mpsc::UnboundedReceiver<Turn>,
}

impl Place {
    /// Stands behind all who wait for these queues; `next` is when something is due, as far as that is known.
    pub(crate) async fn take(plane: &Plane, queues: &[Queue], next: Option<Duration>) -> Result<Self> {
        let hall = plane.queue_hall();
        // Before anything is waited for: whoever came first stays the first.
        let number = hall.arrivals.fetch_add(1, Ordering::Relaxed);
        if let Some(any) = queues.first() {
            hall.ear.get_or_try_init(|| Ended::hearing(plane, any, Arc::clone(&hall.lines))).await?;
        }
        let (call, turns) = mpsc::unbounded_channel();
        let enter = |queue: &Queue| hall.enter(plane, queue, number, &call);
        let lines: Vec<_> = queues.iter().map(enter).collect();
        let due = next.map(|next| Instant::now() + next);
        lines.iter().for_each(|line| line.tell(|news| news.is_due(due)));
        Ok(Self { lines, number, turns })
    }

    /// Until it is this one's turn.
    pub(crate) async fn turn(&mut self) -> Turn {
        match self.turns.recv().await {
            Some(turn) => turn,
            // The lines have ended with their runtime: whoever waits looks by itself.
            None => std::future::pending().await,
        }
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.lines.iter().for_each(|line| drop(line.waiting().remove(&self.number)));
    }
}

impl Hall {
    fn enter(
        &self,
        plane: &Plane,
        queue: &Queue,
        number: u64,
        call: &mpsc::UnboundedSender<Turn>,
    ) -> Arc<Line> {
        let mut lines = lock(&self.lines);
        let watched = lines.len() < WATCHED;
        let line = lines.entry(queue.name()).or_default();
        line.waiting().insert(number, call.clone());
        let mut task = lock(&line.task);
        if task.as_ref().is_none_or(AbortHandle::is_finished) {
            lock(&line.news).first = true;
            // Nobody's request: what waits for many outlasts that of one.
            let (lines, name, store) = (Arc::clone(&self.lines), queue.name(), plane.store().natural());
            let list = watched.then(|| queue.list(plane.keys()).to_string());
            let run = line::run(Arc::clone(line), store, list, move |line| leave(&lines, &name, line));
            *task = Some(tokio::spawn(run).abort_handle());
        }
        drop(task);
        Arc::clone(line)
    }
}

impl Drop for Hall {
    fn drop(&mut self) {
        for line in lock(&self.lines).values() {
            lock(&line.task).iter().for_each(AbortHandle::abort);
        }
    }
}

/// Takes away a line in which nobody stands; whether it did.
fn leave(lines: &Lines, name: &str, line: &Line) -> bool {
    let mut lines = lock(lines);
    let empty = line.is_empty();
    if empty {
        lines.remove(name);
    }
    empty
}

impl Line {
    fn waiting(&self) -> MutexGuard<'_, BTreeMap<u64, mpsc::UnboundedSender<Turn>>> {
        lock(&self.waiting)
    }

    pub(super) fn len(&self) -> usize {
        self.waiting().len()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.waiting().is_empty()
    }

    pub(super) fn tell(&self, news: impl FnOnce(&mut News)) {
        news(&mut lock(&self.news));
        self.stir.notify_one();
    }

    pub(super) fn news(&self) -> News {
        std::mem::take(&mut *lock(&self.news))
    }

    /// Forgets that the list had something; whether that was said.
    pub(super) fn unlist(&self) -> bool {
        std::mem::take(&mut lock(&self.news).listed)
    }

    /// Calls the next of those who stand at or behind a place; gives the place behind them, and what they will say.
    pub(super) fn call(&self, from: u64, most: usize) -> (u64, Vec<oneshot::Receiver<Found>>) {
        let (mut behind, mut called) = (from, Vec::new());
        for (number, call) in self.waiting().range(from..).take(most) {
            let (say, said) = oneshot::channel();
            behind = number + 1;
            // Who has gone says nothing.
            let _ = call.send(Turn(say));
            called.push(said);
        }
        (behind, called)
    }
}

impl News {
    pub(super) fn is_due(&mut self, at: Option<Instant>) {
        self.due = self.due.into_iter().chain(at).min();
    }
}

/// A task that ends with its owner.
#[derive(Debug)]
pub(super) struct Ended(AbortHandle);

impl Ended {
    pub(super) fn with(task: impl Future<Output = ()> + Send + 'static) -> Self {
        Self(tokio::spawn(task).abort_handle())
    }

    /// Hears what is said of the queues, of which this is one.
    async fn hearing(plane: &Plane, any: &Queue, lines: Lines) -> Result<Self> {
        let any = plane.keys().quorate().queue_wake(&any.as_ref());
        let mut channels = Channels::like(plane, &any).await?;
        Ok(Self::with(async move {
            loop {
                hear(&lines, channels.next().await);
            }
        }))
    }
}

impl Drop for Ended {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// A lane says its name; `!d` that something was put off, `!p` that a queue goes on.
fn hear(lines: &Lines, heard: Heard) {
    let lines = lock(lines);
    match heard {
        Heard::Missed => lines.values().for_each(|line| line.tell(|news| news.all = true)),
        Heard::Event { of, payload } => {
            let Some(line) = lines.get(&of) else { return };
            line.tell(|news| match payload.as_slice() {
                b"!d" => news.first = true,
                b"!p" => news.all = true,
                _ => news.lanes += 1,
            });
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
