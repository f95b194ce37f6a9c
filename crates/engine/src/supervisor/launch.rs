//! One start of the engine, the first or any later one: from the unpacked binary to the first answer.

use std::fs::{self, OpenOptions};
use std::io;
use std::os::unix::fs::OpenOptionsExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::sync::Arc;
use std::time::Duration;

use rustix::process::Pid;

use super::{Options, State};
use crate::alive::Alive;
use crate::child::{has_ended, spawn};
use crate::config::Config;
use crate::layout::Layout;
use crate::lease::Lease;
use crate::leash::Tie;
use crate::log::{Log, Mark};
use crate::ready::{self, NotReady};
use crate::{Binary, Error, Event, Leash, Result};

pub(super) struct Launcher {
    binary: Binary,
    leash: Leash,
    guard: Option<PathBuf>,
    tie: Tie,
    ready_within: Duration,
    layout: Layout,
    config: Config,
    log: Log,
    alive: Alive,
    state: Arc<State>,
    lease: Arc<Lease>,
}

impl Launcher {
    pub(super) fn new(
        options: &Options,
        layout: &Layout,
        config: &Config,
        alive: Alive,
        (state, lease): (Arc<State>, Arc<Lease>),
    ) -> Result<Self> {
        let leash = options.leash.map_or_else(Leash::choose, Ok)?;
        Ok(Self {
            binary: options.binary.clone().map_or_else(Binary::choose, Ok)?,
            leash,
            tie: Tie::new(leash, options.guard.as_ref(), &layout.alive())?,
            guard: options.guard.clone(),
            ready_within: options.ready_within,
            layout: layout.clone(),
            config: config.clone(),
            log: Log::new(layout.log()),
            alive,
            state,
            lease,
        })
    }

    /// Starts the engine and waits until it answers. On failure nothing is left running.
    pub(super) fn launch(&mut self, emit: &dyn Fn(Event)) -> Result<Child> {
        let unpacked = self.binary.unpack(self.layout.root())?;
        if unpacked.replaced {
            emit(Event::BinaryReplaced { path: unpacked.path.clone() });
        }
        let journal = Sizes::of(&self.layout.journal());
        let mark = self.log.begin();
        let child = self.spawn(&unpacked.path)?;
        self.record(&child);
        let child = self.wait_ready(child, mark)?;
        if let Some((file, kept)) = self.log.since(mark, &self.config.password).repaired_tail() {
            let dropped = journal.len(&file).saturating_sub(kept);
            emit(Event::RepairedTail { file, kept, dropped });
        }
        Ok(child)
    }

    fn spawn(&mut self, program: &Path) -> Result<Child> {
        if self.tie.is_broken() {
            self.tie = Tie::new(self.leash, self.guard.as_ref(), &self.layout.alive())?;
        }
        let failed = |source| Error::Spawn { path: program.to_owned(), source };
        let mut command = self.command(program).map_err(failed)?;
        spawn(&mut command).map_err(failed)
    }

    fn command(&self, program: &Path) -> io::Result<Command> {
        let log = OpenOptions::new().append(true).create(true).mode(0o600).open(self.log.path())?;
        let mut command = Command::new(program);
        command.arg(&self.config.file).stdin(self.alive.stdin()?).stdout(log.try_clone()?).stderr(log);
        // Nothing of our environment, which may hold tokens, belongs into another process; and a group of its own,
        // because Ctrl-C in the terminal is for the owner, which then stops the engine in order.
        command.env_clear().process_group(0);
        self.tie.attach(&mut command)?;
        Ok(command)
    }

    fn record(&self, child: &Child) {
        self.state.set_child(Some(Pid::from_child(child)));
        // The record is a courtesy to other processes: a full disk must not keep the engine down.
        let _ = self.lease.update(|record| {
            record.engine_pid = Some(child.id());
            record.socket = Some(self.config.socket.clone());
            record.redis_port = self.config.port;
        });
    }

    fn wait_ready(&mut self, mut child: Child, mark: Mark) -> Result<Child> {
        let url = self.config.socket_url();
        let connect = || url.connect(Duration::from_secs(1));
        let ready = ready::wait(connect, || has_ended(&child), self.ready_within);
        let Err(failure) = ready else { return Ok(child) };
        let _ = child.kill();
        let _ = self.reap(&mut child);
        Err(self.explain(failure, mark))
    }

    /// Reaps the child, after which its number is nobody's.
    pub(super) fn reap(&mut self, child: &mut Child) -> io::Result<std::process::ExitStatus> {
        self.state.set_child(None);
        let status = child.wait();
        self.tie.release();
        let _ = self.lease.update(|record| record.engine_pid = None);
        status
    }

    fn explain(&self, failure: NotReady, mark: Mark) -> Error {
        let said = self.log.since(mark, &self.config.password);
        let log = self.log.path().to_owned();
        match (failure, self.config.port) {
            (NotReady::Silent(reason), _) => {
                Error::Silent { limit: self.ready_within, said: format!("{reason}; {}", said.summary()), log }
            }
            (NotReady::Gone, Some(port)) if said.port_in_use() => Error::PortInUse { port },
            (NotReady::Gone, _) => match said.damaged_file() {
                Some(file) => {
                    Error::CorruptStore { file: self.layout.journal().join(file), store: self.layout.store() }
                }
                None => Error::NotStarted { reason: said.summary(), log },
            },
        }
    }
}

/// The lengths of the journal's files before a start, to tell how much a repair cut off.
struct Sizes(Vec<(String, u64)>);

impl Sizes {
    fn of(dir: &Path) -> Self {
        let entries = fs::read_dir(dir).into_iter().flatten().flatten();
        let sizes = entries
            .filter_map(|entry| Some((entry.file_name().into_string().ok()?, entry.metadata().ok()?.len())));
        Self(sizes.collect())
    }

    fn len(&self, file: &str) -> u64 {
        self.0.iter().find(|(name, _)| name == file).map_or(0, |(_, len)| *len)
    }
}
