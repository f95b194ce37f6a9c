//! The signals by which a process is asked to end; what it waits for and what it holds is given back first.

use tokio::signal::unix::{Signal, SignalKind, signal};

use crate::failure::{Exit, Failure};

/// Listens from the moment it is made, so that no signal is missed after it.
pub(super) struct Ending {
    terminate: Signal,
    interrupt: Signal,
    hang_up: Signal,
}

impl Ending {
    pub(super) fn listen() -> Result<Self, Failure> {
        Ok(Self {
            terminate: one(SignalKind::terminate())?,
            interrupt: one(SignalKind::interrupt())?,
            hang_up: one(SignalKind::hangup())?,
        })
    }

    /// The exit code that says by which signal.
    pub(super) async fn asked(&mut self) -> Exit {
        tokio::select! {
            _ = self.terminate.recv() => Exit::Terminated,
            _ = self.interrupt.recv() => Exit::Interrupted,
            _ = self.hang_up.recv() => Exit::HungUp,
        }
    }
}

fn one(kind: SignalKind) -> Result<Signal, Failure> {
    signal(kind).map_err(|error| Failure::new(Exit::Fault, format!("signals cannot be handled: {error}")))
}
