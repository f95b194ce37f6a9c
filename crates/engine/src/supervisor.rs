//! The engine as its owner sees it: start, watch, stop.
//!
//! `Engine::start` returns when the engine answers. From then on a thread of its own (`runner`) keeps it running; that
//! thread also spawns it, because the kernel's leash follows the spawning thread, not the process.

mod launch;
mod options;
mod runner;
mod state;

use std::fmt;
use std::path::Path;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::Duration;

use rustix::process::Signal;

use crate::alive::Alive;
use crate::config::Config;
use crate::layout::Layout;
use crate::lease::Lease;
use crate::{Error, Result, Url};
use launch::Launcher;
pub use options::Options;
use runner::Runner;
use state::State;

/// How long the engine of an owner that was killed may take to finish.
const PREDECESSOR_PATIENCE: Duration = Duration::from_secs(5);
/// How long a clean stop may take before the engine is killed.
const STOP_PATIENCE: Duration = Duration::from_secs(10);

/// A running engine. Dropping it stops the engine cleanly.
pub struct Engine {
    state: Arc<State>,
    lease: Arc<Lease>,
    config: Config,
    layout: Layout,
    /// In a mutex only so that an `Engine` can be shared between threads.
    ended: Mutex<Receiver<()>>,
    thread: Option<JoinHandle<()>>,
}

/// How the engine ended. `forced` means that it did not end by itself in time and was killed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stopped {
    pub forced: bool,
}

impl Engine {
    /// Takes the data directory, starts the engine and waits until it answers.
    pub fn start(options: Options) -> Result<Self> {
        let layout = Layout::create(&options.data_dir)?;
        let lease = Arc::new(Lease::acquire(&layout)?);
        lease.update(|record| record.listen.clone_from(&options.listen))?;
        let alive = Alive::claim(&layout, lease.previous_engine, PREDECESSOR_PATIENCE)?;
        let config = Config::write(&layout, options.redis_port, options.fsync)?;
        let state = Arc::new(State::default());
        let launcher =
            Launcher::new(&options, &layout, &config, alive, (Arc::clone(&state), Arc::clone(&lease)))?;
        let (ended, thread) = run(Runner::new(launcher, Arc::clone(&state), options.on_event))?;
        Ok(Self { state, lease, config, layout, ended: Mutex::new(ended), thread: Some(thread) })
    }

    /// The process number of the engine, or nothing while it is down.
    pub fn pid(&self) -> Option<u32> {
        self.state.child().map(|pid| pid.as_raw_nonzero().get().unsigned_abs())
    }

    /// The address over the private socket.
    pub fn url(&self) -> Url {
        self.config.socket_url()
    }

    /// The address over the loopback port, if one was asked for.
    pub fn port_url(&self) -> Option<Url> {
        self.config.port.map(|port| Url::port(port, Some(self.config.password.clone())))
    }

    pub fn socket(&self) -> &Path {
        &self.config.socket
    }

    /// The absolute data directory.
    pub fn data_dir(&self) -> &Path {
        self.layout.root()
    }

    /// Tells other processes where the owner's own interfaces listen, once that is known.
    pub fn announce(&self, listen: &str) -> Result<()> {
        self.lease.update(|record| record.listen = Some(listen.to_owned()))
    }

    /// Stops the engine: it writes and syncs what it has. Nothing that was acknowledged is lost unless `forced`.
    pub fn stop(mut self) -> Stopped {
        self.end()
    }

    fn end(&mut self) -> Stopped {
        self.state.stop();
        let ended = self.ended.get_mut().unwrap_or_else(|poisoned| poisoned.into_inner());
        let forced = matches!(ended.recv_timeout(STOP_PATIENCE), Err(RecvTimeoutError::Timeout));
        if forced {
            self.state.signal(Signal::KILL);
        }
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
        self.remove_socket_dir();
        Stopped { forced }
    }

    /// A socket that had to be put elsewhere (`config`) leaves an empty directory behind.
    fn remove_socket_dir(&self) {
        let _ = std::fs::remove_file(&self.config.socket);
        if let Some(dir) = self.config.socket.parent().filter(|dir| *dir != self.layout.engine()) {
            let _ = std::fs::remove_dir(dir);
        }
    }
}

impl fmt::Debug for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Engine")
            .field("data_dir", &self.data_dir())
            .field("pid", &self.pid())
            .finish_non_exhaustive()
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        if self.thread.is_some() {
            self.end();
        }
    }
}

/// Starts the thread and waits for the first answer of the engine.
fn run(runner: Runner) -> Result<(Receiver<()>, JoinHandle<()>)> {
    let (first, started) = mpsc::sync_channel(1);
    let (alive, ended) = mpsc::channel();
    let thread = std::thread::Builder::new().name("engine".to_owned()).spawn(move || {
        // Dropped when the thread is done, which is what `ended` waits for.
        let _alive: mpsc::Sender<()> = alive;
        runner.run(&first);
    });
    let thread = thread.map_err(|source| Error::System { what: "starting a thread", source })?;
    let gone =
        || Error::System { what: "the engine's thread", source: std::io::ErrorKind::BrokenPipe.into() };
    started.recv().map_err(|_| gone())??;
    Ok((ended, thread))
}
