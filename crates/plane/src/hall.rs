//! Who waits in this process for what others bring: a line for each thing, in the order in which they came.
//!
//! However many wait, the server sees few of them: one connection is blocked for a queue or a stream, and whoever is called
//! looks, and says what it found. `hall/line.rs` says who is called when; `queues/stand.rs` and `events/wait.rs` say what of.

pub(crate) mod line;

use std::collections::{BTreeMap, HashMap};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::{Notify, mpsc, oneshot};
use tokio::task::AbortHandle;
use tokio::time::Instant;

use line::List;

/// How often the first in line looks without being called.
pub(crate) const LOOK: Duration = Duration::from_secs(1);

/// The lines of a hall, by the name of what is waited for.
#[derive(Debug, Clone, Default)]
pub(crate) struct Lines(Arc<Mutex<HashMap<String, Arc<Line>>>>);

#[derive(Debug, Default)]
pub(crate) struct Hall {
    pub(crate) lines: Lines,
    arrivals: AtomicU64,
}

/// Those who wait for one thing, and what has been heard of it.
#[derive(Debug, Default)]
pub(crate) struct Line {
    waiting: Mutex<BTreeMap<u64, mpsc::UnboundedSender<Turn>>>,
    news: Mutex<News>,
    pub(crate) stir: Notify,
    task: Mutex<Option<AbortHandle>>,
}

/// What may have come since a line was last served.
#[derive(Debug, Default)]
pub(crate) struct News {
    /// Its list has something.
    pub(crate) listed: bool,
    /// So many lanes had something.
    pub(crate) lanes: usize,
    /// Something for the first of them, and for the next as long as there is more.
    pub(crate) first: bool,
    /// Anything, for anybody.
    pub(crate) all: bool,
    /// When something is due.
    pub(crate) due: Option<Instant>,
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

/// A place in some lines, until it is dropped.
#[derive(Debug)]
pub(crate) struct Place {
    lines: Vec<Arc<Line>>,
    number: u64,
    call: mpsc::UnboundedSender<Turn>,
    turns: mpsc::UnboundedReceiver<Turn>,
}

impl Place {
    /// Until it is this one's turn.
    pub(crate) async fn turn(&mut self) -> Turn {
        match self.turns.recv().await {
            Some(turn) => turn,
            // The lines have ended with their runtime: whoever waits looks by itself.
            None => std::future::pending().await,
        }
    }

    /// Tells all the lines it stands in.
    pub(crate) fn tell(&self, news: impl Fn(&mut News)) {
        self.lines.iter().for_each(|line| line.tell(&news));
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.lines.iter().for_each(|line| drop(line.waiting().remove(&self.number)));
    }
}

impl Hall {
    /// A place behind all who are here, in no line yet. Taken before anything is waited for: whoever came first stays the first.
    pub(crate) fn arrive(&self) -> Place {
        let (call, turns) = mpsc::unbounded_channel();
        let number = self.arrivals.fetch_add(1, Ordering::Relaxed);
        Place { lines: Vec::new(), number, call, turns }
    }

    /// Stands in a line too. One that is new is told how many there are, and gives the list that it is about, if it is about one.
    pub(crate) fn enter(
        &self,
        place: &mut Place,
        name: String,
        list: impl FnOnce(Arc<Line>, usize) -> Option<List>,
    ) {
        let mut lines = lock(&self.lines.0);
        let others = lines.len();
        let line = Arc::clone(lines.entry(name.clone()).or_default());
        line.waiting().insert(place.number, place.call.clone());
        let mut task = lock(&line.task);
        if task.as_ref().is_none_or(AbortHandle::is_finished) {
            lock(&line.news).first = true;
            let (lines, list) = (self.lines.clone(), list(Arc::clone(&line), others));
            let run = line::run(Arc::clone(&line), list, move |line| lines.leave(&name, line));
            *task = Some(tokio::spawn(run).abort_handle());
        }
        drop(task);
        place.lines.push(line);
    }
}

impl Drop for Hall {
    fn drop(&mut self) {
        for line in lock(&self.lines.0).values() {
            lock(&line.task).iter().for_each(AbortHandle::abort);
        }
    }
}

impl Lines {
    /// Tells the line of this name.
    pub(crate) fn tell(&self, name: &str, news: impl FnOnce(&mut News)) {
        if let Some(line) = lock(&self.0).get(name) {
            line.tell(news);
        }
    }

    /// Tells all whose name fits.
    pub(crate) fn tell_all(&self, fits: impl Fn(&str) -> bool, news: impl Fn(&mut News)) {
        lock(&self.0).iter().filter(|(name, _)| fits(name)).for_each(|(_, line)| line.tell(&news));
    }

    /// Whether there is one whose name fits.
    pub(crate) fn any(&self, fits: impl Fn(&str) -> bool) -> bool {
        lock(&self.0).keys().any(|name| fits(name))
    }

    /// Takes away a line in which nobody stands; whether it did.
    fn leave(&self, name: &str, line: &Line) -> bool {
        let mut lines = lock(&self.0);
        let empty = line.is_empty();
        if empty {
            lines.remove(name);
        }
        empty
    }
}

impl Line {
    fn waiting(&self) -> MutexGuard<'_, BTreeMap<u64, mpsc::UnboundedSender<Turn>>> {
        lock(&self.waiting)
    }

    pub(crate) fn len(&self) -> usize {
        self.waiting().len()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.waiting().is_empty()
    }

    pub(crate) fn tell(&self, news: impl FnOnce(&mut News)) {
        news(&mut lock(&self.news));
        self.stir.notify_one();
    }

    pub(crate) fn news(&self) -> News {
        std::mem::take(&mut *lock(&self.news))
    }

    /// Forgets that the list had something; whether that was said.
    pub(crate) fn unlist(&self) -> bool {
        std::mem::take(&mut lock(&self.news).listed)
    }

    /// Calls the next of those who stand at or behind a place; gives the place behind them, and what they will say.
    pub(crate) fn call(&self, from: u64, most: usize) -> (u64, Vec<oneshot::Receiver<Found>>) {
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
    pub(crate) fn is_due(&mut self, at: Option<Instant>) {
        self.due = self.due.into_iter().chain(at).min();
    }
}

/// A task that ends with its owner.
#[derive(Debug)]
pub(crate) struct Ended(AbortHandle);

impl Ended {
    pub(crate) fn with(task: impl Future<Output = ()> + Send + 'static) -> Self {
        Self(tokio::spawn(task).abort_handle())
    }
}

impl Drop for Ended {
    fn drop(&mut self) {
        self.0.abort();
    }
}

pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
