//! How long a connection may say nothing, and whether the server stops meanwhile. Every request looks here and hardly one finds
//! anything, so neither clock nor bell is set anew for each.

use std::pin::Pin;
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use tokio::sync::watch;
use tokio::time::{Instant, Sleep, sleep};

pub(super) struct Wait {
    until: Instant,
    /// Rings at `until` or before.
    clock: Pin<Box<Sleep>>,
    stop: watch::Receiver<()>,
    bell: Pin<Box<dyn Future<Output = ()> + Send>>,
    /// Whom clock and bell wake.
    waker: Option<Waker>,
}

impl Wait {
    pub(super) fn new(longest: Duration, stop: watch::Receiver<()>) -> Self {
        let mut own = stop.clone();
        let bell = Box::pin(async move { drop(own.changed().await) });
        Self { until: Instant::now(), clock: Box::pin(sleep(longest)), stop, bell, waker: None }
    }

    /// Begins to wait for so long.
    pub(super) fn begin(&mut self, patience: Duration) {
        self.until = Instant::now() + patience;
        if self.clock.deadline() > self.until {
            self.set();
        }
    }

    fn set(&mut self) {
        self.clock.as_mut().reset(self.until);
        self.waker = None;
    }

    /// Ready when there is no point in waiting any longer: it has been long, or the server stops.
    pub(super) fn poll(&mut self, context: &mut Context<'_>) -> Poll<()> {
        // It is dropped when the server stops.
        if self.stop.has_changed().is_err() {
            return Poll::Ready(());
        }
        if self.clock.is_elapsed() {
            if Instant::now() >= self.until {
                return Poll::Ready(());
            }
            self.set();
        }
        if self.waker.as_ref().is_none_or(|waker| !waker.will_wake(context.waker())) {
            self.waker = Some(context.waker().clone());
            if self.bell.as_mut().poll(context).is_ready() {
                return Poll::Ready(());
            }
            if self.clock.as_mut().poll(context).is_ready() {
                // The clock may have rung for an earlier wait.
                context.waker().wake_by_ref();
            }
        }
        Poll::Pending
    }
}
