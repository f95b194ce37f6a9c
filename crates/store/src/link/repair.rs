//! Getting a link back: one task, attempts with growing pauses, old and new connection in a race.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Weak};

use futures_util::FutureExt;
use futures_util::future::select_ok;
use redis::aio::MultiplexedConnection;
use tokio::time::{Instant, sleep_until, timeout};

use super::{Link, Live, State, no_connection};
use crate::backoff::Backoff;
use crate::error::Error;

impl Link {
    /// Starts a repair if the link is idle.
    pub(super) fn wake(self: &Arc<Self>) {
        self.begin(|state| matches!(state, State::Idle), None);
    }

    /// The connection with this number is dead.
    pub(super) fn lose(self: &Arc<Self>, number: u64) {
        self.begin(|state| matches!(state, State::Up(live) if live.number == number), None);
    }

    /// This connection did not answer in time: find out whether it still does.
    pub(super) fn repair(self: &Arc<Self>, silent: Live) {
        let number = silent.number;
        self.begin(|state| matches!(state, State::Up(live) if live.number == number), Some(silent));
    }

    /// The state is the lock: whoever turns it to `Down` starts the task, so there is one.
    fn begin(self: &Arc<Self>, when: impl FnOnce(&State) -> bool, old: Option<Live>) {
        let began = self.state.send_if_modified(|state| {
            let begins = when(state);
            if begins {
                *state = State::Down { last: None };
            }
            begins
        });
        // The watcher may be called while a runtime shuts down; then nobody waits for a repair.
        if began && let Ok(runtime) = tokio::runtime::Handle::try_current() {
            runtime.spawn(repair(Arc::downgrade(self), old));
        }
    }

    pub(super) fn raise(&self, live: Live) {
        self.state.send_replace(State::Up(live));
    }

    fn note(&self, error: Error) {
        self.state.send_replace(State::Down { last: Some(error) });
    }

    /// One attempt: the old connection's answer or a new connection, whichever comes first.
    pub(super) async fn attempt(self: &Arc<Self>, old: Option<Live>) -> Result<Live, Error> {
        let answered = async {
            match old {
                Some(live) if answers(live.connection.clone()).await => live,
                // A connection that is dead for certain is out of the race.
                _ => std::future::pending().await,
            }
        };
        tokio::select! {
            biased;
            live = answered => Ok(live),
            dialled = self.dial() => dialled,
        }
    }

    /// A dial that hangs for half its time gets a second one beside it: packets of the first may have been lost in
    /// the outage that just ended. So a fresh dial starts every half timeout, and never more than two are open.
    async fn dial(self: &Arc<Self>) -> Result<Live, Error> {
        let whole = self.dialer.timeout;
        let hedged = async {
            let mut first = Box::pin(self.dial_once());
            if let Ok(dialled) = timeout(whole / 2, &mut first).await {
                return dialled;
            }
            select_ok([first.boxed(), self.dial_once().boxed()]).await.map(|(live, _)| live)
        };
        timeout(whole, hedged).await.unwrap_or_else(|_| Err(no_connection()))
    }

    async fn dial_once(self: &Arc<Self>) -> Result<Live, Error> {
        static NUMBERS: AtomicU64 = AtomicU64::new(1);
        let number = NUMBERS.fetch_add(1, Ordering::Relaxed);
        let connection = self.dialer.dial(self.watcher(number)).await?;
        Ok(Live { connection, number })
    }
}

/// Runs until the link is up or nobody holds it any more.
async fn repair(link: Weak<Link>, old: Option<Live>) {
    let _ended = Ended(link.clone());
    // The first attempt is immediate; pauses come between attempts.
    let mut backoff = Backoff::reconnect();
    backoff.pause();
    loop {
        let Some(link) = link.upgrade() else { return };
        // The pause counts from the start of the attempt: one that hung has waited long enough.
        let next = Instant::now() + backoff.pause();
        match link.attempt(old.clone()).await {
            Ok(live) => return link.raise(live),
            Err(error) => link.note(error),
        }
        drop(link);
        sleep_until(next).await;
    }
}

/// A repair can end without a result when its runtime is shut down; the link must not wait for it for ever.
struct Ended(Weak<Link>);

impl Drop for Ended {
    fn drop(&mut self) {
        let Some(link) = self.0.upgrade() else { return };
        link.state.send_if_modified(|state| {
            let stuck = matches!(state, State::Down { .. });
            if stuck {
                *state = State::Idle;
            }
            stuck
        });
    }
}

/// Whether any reply comes on it: an unwilling server is alive too.
async fn answers(mut connection: MultiplexedConnection) -> bool {
    let answer: redis::RedisResult<redis::Value> = redis::cmd("PING").query_async(&mut connection).await;
    answer.map_or_else(|error| !error.is_unrecoverable_error(), |_| true)
}
