//! What the owner and the engine's thread share: which child may be signalled, and whether to stop.
//!
//! A process number is only ours until the child has been reaped. So the number is taken out of here, under the lock,
//! before the thread reaps it, and every signal is sent under the same lock.

use std::sync::{Condvar, Mutex, MutexGuard};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};

#[derive(Debug, Default)]
pub(super) struct State {
    inner: Mutex<Inner>,
    stop: Condvar,
}

#[derive(Debug, Default)]
struct Inner {
    child: Option<Pid>,
    stopping: bool,
}

impl State {
    pub(super) fn child(&self) -> Option<Pid> {
        self.lock().child
    }

    pub(super) fn is_stopping(&self) -> bool {
        self.lock().stopping
    }

    /// Sets the child that now runs. One that was started while the owner was stopping ends at once.
    pub(super) fn set_child(&self, child: Option<Pid>) {
        let mut inner = self.lock();
        inner.child = child;
        if inner.stopping {
            inner.signal(Signal::TERM);
        }
    }

    pub(super) fn signal(&self, signal: Signal) {
        self.lock().signal(signal);
    }

    pub(super) fn stop(&self) {
        let mut inner = self.lock();
        inner.stopping = true;
        inner.signal(Signal::TERM);
        self.stop.notify_all();
    }

    /// Sleeps unless the owner stops; says whether it does.
    pub(super) fn stops_within(&self, time: Duration) -> bool {
        let waited = self.stop.wait_timeout_while(self.lock(), time, |inner| !inner.stopping);
        waited.map_or_else(|poisoned| poisoned.into_inner().0.stopping, |(inner, _)| inner.stopping)
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        // A panic elsewhere leaves a number and a flag, both of which are still true.
        self.inner.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

impl Inner {
    fn signal(&self, signal: Signal) {
        if let Some(pid) = self.child {
            let _ = kill_process(pid, signal);
        }
    }
}
