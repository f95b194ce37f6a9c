//! The progress of a work in several phases, each with a bar of its own, and Ctrl-C as a failure like any other.

use std::sync::{Mutex, PoisonError};

use quorate_backup::Phase;

use crate::failure::{Exit, Failure};
use crate::out::{Progress, progress};

#[derive(Default)]
pub(crate) struct Phases(Mutex<Option<(Phase, Progress)>>);

impl Phases {
    pub(crate) fn set(&self, phase: Phase, done: u64, total: u64) {
        let mut current = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if current.as_ref().is_none_or(|(shown, _)| *shown != phase) {
            finish(current.replace((phase, progress(phase.unit()))));
        }
        if let Some((_, bar)) = &*current {
            bar.set(done, total);
        }
    }

    pub(crate) fn finish(&self) {
        finish(self.0.lock().unwrap_or_else(PoisonError::into_inner).take());
    }
}

fn finish(shown: Option<(Phase, Progress)>) {
    if let Some((_, bar)) = shown {
        bar.finish();
    }
}

/// Ends the work at Ctrl-C, so that what it had begun on disk is removed by its owners.
pub(crate) async fn or_interrupted<T>(
    work: impl Future<Output = quorate_backup::Result<T>>,
) -> Result<T, Failure> {
    tokio::select! {
        done = work => done.map_err(Failure::from),
        _ = tokio::signal::ctrl_c() => Err(Failure::new(Exit::Fault, "interrupted")),
    }
}
