//! What a worker holds: items that wait, handlers that run, and what has still to be said of them.

use std::any::Any;
use std::collections::{HashMap, VecDeque};
use std::fmt::Display;
use std::future::Future;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use tokio::task::{AbortHandle, Id, JoinError, JoinSet};
use tracing::Instrument;

use crate::queues::{Item, MAX_BATCH, Queue, Token};

type Verdict = Result<(), String>;

/// Handlers that end sooner wait for the store more than they work.
const QUICK: Duration = Duration::from_millis(2);

struct Held {
    item: Item,
    handle: AbortHandle,
    begun: Instant,
}

pub(super) struct Crew {
    concurrency: usize,
    ahead: usize,
    /// Attempts of an item that does not say.
    attempts: u32,
    waiting: VecDeque<Item>,
    running: JoinSet<Verdict>,
    held: HashMap<Id, Held>,
    /// How long a handler took of late.
    usual: Duration,
    /// Whether an item is to be done for the last time, so that everything else is finished first.
    quiet: bool,
    pub(super) done: Vec<Token>,
    /// Done items whose acknowledgement is on its way.
    saying: usize,
    pub(super) failed: Vec<(Token, String)>,
}

impl Crew {
    pub(super) fn new(concurrency: usize, ahead: usize, attempts: u32) -> Self {
        Self {
            concurrency,
            ahead,
            attempts,
            waiting: VecDeque::new(),
            running: JoinSet::new(),
            held: HashMap::new(),
            usual: QUICK,
            quiet: false,
            done: Vec::new(),
            saying: 0,
            failed: Vec::new(),
        }
    }

    /// Takes items in. One whose last attempt this is runs alone, for what shares a process with an item that kills it
    /// loses an attempt too; if others are here, or on their way, it is handed back, and claimed again when they are done.
    pub(super) fn take(&mut self, items: Vec<Item>, last_call: bool) -> Vec<Vec<Token>> {
        let attempts = self.attempts;
        let last = |item: &Item| item.attempt > 1 && item.attempt >= item.max_attempts.unwrap_or(attempts);
        let single = items.len() == 1 && last_call && self.running.is_empty() && self.waiting.is_empty();
        let (late, rest): (Vec<Item>, Vec<Item>) = items.into_iter().partition(last);
        if single {
            self.quiet = !late.is_empty();
            self.waiting.extend(late.into_iter().chain(rest));
            return Vec::new();
        }
        self.quiet |= !late.is_empty();
        self.waiting.extend(rest);
        by_queue(late.into_iter().map(|item| item.token))
    }

    /// Starts what may be started.
    pub(super) fn start<F, E>(&mut self, handler: &impl Fn(Item) -> F)
    where
        F: Future<Output = Result<(), E>> + Send + 'static,
        E: Display,
    {
        while self.running.len() + self.unheard() < self.concurrency {
            let Some(item) = self.waiting.pop_front() else { return };
            let span = item.span("process");
            // The handler itself may begin spans, or panic, before it gives its future.
            let work = match catch_unwind(AssertUnwindSafe(|| span.in_scope(|| handler(item.clone())))) {
                Ok(work) => async move { work.await.map_err(|error| error.to_string()) },
                Err(panic) => {
                    self.failed.push((item.token, panic_text(&*panic)));
                    continue;
                }
            };
            let handle = self.running.spawn(work.instrument(span));
            self.held.insert(handle.id(), Held { item, handle, begun: Instant::now() });
        }
    }

    /// Done items that keep a handler from its next one until the store has heard of them, so that a worker that is killed
    /// leaves no more to be done again than it has handlers. Handlers that take no time would only wait for the store; of
    /// theirs, what is on its way comes on top.
    fn unheard(&self) -> usize {
        if self.usual < QUICK { 0 } else { self.done.len() + self.saying }
    }

    /// How many more items it could use now; while it is to be quiet, one when nothing else is left.
    pub(super) fn room(&self) -> usize {
        let here = self.running.len() + self.waiting.len();
        if self.quiet {
            return usize::from(here == 0);
        }
        (self.concurrency + self.ahead).saturating_sub(here)
    }

    /// Whether a call is worth making that claims so many while another is on its way.
    pub(super) fn is_worth(&self, room: usize) -> bool {
        self.concurrency >= 8 && self.done.len().max(room) * 2 >= self.concurrency
    }

    pub(super) fn is_running(&self) -> bool {
        !self.running.is_empty()
    }

    pub(super) fn is_idle(&self) -> bool {
        self.running.is_empty() && self.waiting.is_empty() && self.done.is_empty() && self.failed.is_empty()
    }

    /// Waits for a handler to end; more that have ended meanwhile are taken along.
    pub(super) async fn next(&mut self) {
        if let Some(ended) = self.running.join_next_with_id().await {
            self.note(ended);
        }
        while let Some(ended) = self.running.try_join_next_with_id() {
            self.note(ended);
        }
    }

    fn note(&mut self, ended: Result<(Id, Verdict), JoinError>) {
        let (id, verdict) = match ended {
            Ok((id, verdict)) => (id, verdict),
            Err(error) => (error.id(), Err(end_text(error))),
        };
        // One whose item was lost, or that was sent home, has nothing to say any more.
        let Some(Held { item, begun, .. }) = self.held.remove(&id) else { return };
        self.usual = (self.usual * 7 + begun.elapsed()) / 8;
        match verdict {
            Ok(()) => self.done.push(item.token),
            Err(why) => self.failed.push((item.token, why)),
        }
    }

    /// Done items of one queue, as many as one call takes.
    pub(super) fn done_of_one_queue(&mut self) -> Vec<Token> {
        let Some(queue) = self.done.first().map(|token| token.queue.clone()) else { return Vec::new() };
        let (mut now, later): (Vec<_>, Vec<_>) =
            std::mem::take(&mut self.done).into_iter().partition(|token| token.queue == queue);
        self.done = later;
        if now.len() > MAX_BATCH {
            self.done.extend(now.split_off(MAX_BATCH));
        }
        self.saying += now.len();
        now
    }

    /// The store has answered of so many.
    pub(super) fn said(&mut self, tokens: usize) {
        self.saying -= tokens;
    }

    /// Everything whose lease is to be renewed, by queue.
    pub(super) fn tokens(&self) -> Vec<Vec<Token>> {
        let held = self.held.values().map(|held| &held.item.token);
        by_queue(held.chain(self.waiting.iter().map(|item| &item.token)).chain(&self.done).cloned())
    }

    /// Stops work on items that another worker may have by now.
    pub(super) fn lose(&mut self, lost: &[Token]) {
        self.waiting.retain(|item| !lost.contains(&item.token));
        self.done.retain(|token| !lost.contains(token));
        self.held.retain(|_, held| {
            let keep = !lost.contains(&held.item.token);
            if !keep {
                held.handle.abort();
            }
            keep
        });
    }

    /// What was not begun.
    pub(super) fn unbegun(&mut self) -> Vec<Vec<Token>> {
        by_queue(std::mem::take(&mut self.waiting).into_iter().map(|item| item.token))
    }

    /// Sends the handlers home that still run.
    pub(super) fn dismiss(&mut self) -> Vec<Vec<Token>> {
        self.running.abort_all();
        by_queue(std::mem::take(&mut self.held).into_values().map(|held| held.item.token))
    }
}

fn by_queue(tokens: impl Iterator<Item = Token>) -> Vec<Vec<Token>> {
    let mut all: HashMap<Queue, Vec<Token>> = HashMap::new();
    for token in tokens {
        all.entry(token.queue.clone()).or_default().push(token);
    }
    all.into_values()
        .flat_map(|own| own.chunks(MAX_BATCH).map(<[Token]>::to_vec).collect::<Vec<_>>())
        .collect()
}

fn end_text(error: JoinError) -> String {
    match error.try_into_panic() {
        Ok(panic) => panic_text(&*panic),
        Err(_) => "the handler was ended".to_owned(),
    }
}

fn panic_text(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
    format!("panicked: {}", text.unwrap_or_else(|| "without a word".to_owned()))
}
