//! What the owner chooses about its engine.

use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use crate::{Binary, Event, Fsync, Leash};

pub struct Options {
    pub(crate) data_dir: PathBuf,
    pub(crate) binary: Option<Binary>,
    pub(crate) redis_port: Option<u16>,
    pub(crate) fsync: Fsync,
    pub(crate) listen: Option<String>,
    pub(crate) leash: Option<Leash>,
    pub(crate) guard: Option<PathBuf>,
    pub(crate) ready_within: Duration,
    pub(crate) on_event: Box<dyn Fn(Event) + Send>,
}

impl Options {
    pub fn new(data_dir: impl Into<PathBuf>) -> Self {
        Self {
            data_dir: data_dir.into(),
            binary: None,
            redis_port: None,
            fsync: Fsync::default(),
            listen: None,
            leash: None,
            guard: None,
            ready_within: Duration::from_secs(10),
            on_event: Box::new(|_| {}),
        }
    }

    /// The server to run; otherwise `Binary::choose` decides.
    pub fn binary(mut self, binary: Binary) -> Self {
        self.binary = Some(binary);
        self
    }

    /// A loopback port for other clients, besides the socket.
    pub fn redis_port(mut self, port: u16) -> Self {
        self.redis_port = Some(port);
        self
    }

    /// When a write reaches the disk.
    pub fn fsync(mut self, fsync: Fsync) -> Self {
        self.fsync = fsync;
        self
    }

    /// Where the owner's own interfaces listen, for the record in the data directory.
    pub fn listen(mut self, address: impl Into<String>) -> Self {
        self.listen = Some(address.into());
        self
    }

    /// How the engine is tied to its owner; otherwise `Leash::choose` decides.
    pub fn leash(mut self, leash: Leash) -> Self {
        self.leash = Some(leash);
        self
    }

    /// The program that becomes the guard; otherwise this one. It must pass `engine-guard` on to `guard_main`.
    pub fn guard(mut self, program: impl Into<PathBuf>) -> Self {
        self.guard = Some(program.into());
        self
    }

    /// How long a starting engine may be silent. Loading a large store does not count.
    pub fn ready_within(mut self, limit: Duration) -> Self {
        self.ready_within = limit;
        self
    }

    /// Called on the engine's thread; it must return soon, or a restart has to wait for it.
    pub fn on_event(mut self, f: impl Fn(Event) + Send + 'static) -> Self {
        self.on_event = Box::new(f);
        self
    }
}

impl fmt::Debug for Options {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Options")
            .field("data_dir", &self.data_dir)
            .field("binary", &self.binary)
            .field("redis_port", &self.redis_port)
            .finish_non_exhaustive()
    }
}
