//! The two signals that ask a process to stop.

use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::watch;

use crate::failure::{Exit, Failure};

pub(crate) struct StopSignals {
    stopped: watch::Receiver<bool>,
}

impl StopSignals {
    pub(crate) fn listen() -> Result<Self, Failure> {
        let fault =
            |error: std::io::Error| Failure::new(Exit::Fault, format!("signals cannot be handled: {error}"));
        let mut terminate = signal(SignalKind::terminate()).map_err(fault)?;
        let mut interrupt = signal(SignalKind::interrupt()).map_err(fault)?;
        let (tell, stopped) = watch::channel(false);
        tokio::spawn(async move {
            tokio::select! { _ = terminate.recv() => {}, _ = interrupt.recv() => {} }
            let _ = tell.send(true);
        });
        Ok(Self { stopped })
    }

    /// Goes up when one of them came.
    pub(crate) fn stopped(&self) -> &watch::Receiver<bool> {
        &self.stopped
    }

    pub(crate) fn wait(&self) -> impl Future<Output = ()> + Send + 'static {
        let mut stopped = self.stopped.clone();
        async move {
            let _ = stopped.wait_for(|stopped| *stopped).await;
        }
    }
}
