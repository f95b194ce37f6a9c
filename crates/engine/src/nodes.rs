//! Owned loopback servers for tests and evaluation: each has its port and its directory, and dies with its value.
//!
//! They are the opposite of [`crate::Engine`]: nobody restarts them and they can be killed, stopped and brought back at
//! will, because that is what a test of a fault does.

mod options;

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};
use tempfile::TempDir;

use crate::child::has_ended;
use crate::log::{Log, Mark};
use crate::ready::{self, NotReady};
use crate::resp::{self, Client};
use crate::{Error, Result, Url, nursery, ports};
pub use options::NodeOptions;

/// Its Unix socket, in its directory.
const SOCKET: &str = "node.sock";
const READY_WITHIN: Duration = Duration::from_secs(20);

#[derive(Debug)]
pub struct Node {
    options: NodeOptions,
    port: u16,
    dir: TempDir,
    child: Option<Child>,
}

impl Node {
    /// Starts a server and waits until it answers.
    pub fn start(options: NodeOptions) -> Result<Self> {
        let mut attempts = if options.port.is_some() { 1 } else { 5 };
        loop {
            attempts -= 1;
            match Self::try_start(options.clone()) {
                // Another program took the port after it was found free.
                Err(Error::PortInUse { .. }) if attempts > 0 => {}
                result => return result,
            }
        }
    }

    fn try_start(options: NodeOptions) -> Result<Self> {
        let none =
            || Error::System { what: "finding a free port", source: std::io::ErrorKind::AddrInUse.into() };
        let port = options.port.or_else(ports::free).ok_or_else(none)?;
        let dir = TempDir::with_prefix("quorate-node-");
        let dir = dir.map_err(|source| Error::System { what: "a temporary directory", source })?;
        let mut node = Self { options, port, dir, child: None };
        node.write_conf().map_err(|source| Error::DataDir { path: node.dir().to_owned(), source })?;
        node.restart()?;
        Ok(node)
    }

    fn write_conf(&self) -> std::io::Result<()> {
        let Self { options, port, dir, .. } = self;
        let dir = dir.path().display();
        let mut lines =
            vec![format!("port {port}\nbind 127.0.0.1\ndir \"{dir}\"\nlogfile \"{dir}/node.log\"")];
        if !options.sentinel {
            let appendonly = if options.appendonly { "yes" } else { "no" };
            lines.push(format!("save \"\"\nappendonly {appendonly}\nappendfsync everysec"));
        }
        lines.extend(options.socket.then(|| format!("unixsocket \"{dir}/{SOCKET}\"")));
        lines.extend(options.password.iter().map(|password| format!("requirepass {password}")));
        lines.extend(options.lines.iter().cloned());
        fs::write(self.dir().join("node.conf"), lines.join("\n") + "\n")
    }

    /// Starts the server again on its port and directory, after killing it if it runs.
    pub fn restart(&mut self) -> Result<()> {
        self.kill9();
        let log = Log::new(self.dir().join("node.log"));
        let mark = log.begin();
        let failed = |source| Error::Spawn { path: self.options.program.clone(), source };
        self.child = Some(nursery::start(self.command()).map_err(failed)?);
        let gone = || self.child.as_ref().is_none_or(has_ended);
        let Err(failure) = ready::wait(|| self.client(), gone, READY_WITHIN) else { return Ok(()) };
        self.kill9();
        Err(self.explain(failure, &log, mark))
    }

    fn explain(&self, failure: NotReady, log: &Log, mark: Mark) -> Error {
        let said = log.since(mark, self.options.password.as_deref().unwrap_or_default());
        if said.port_in_use() {
            return Error::PortInUse { port: self.port };
        }
        let why = if let NotReady::Silent(why) = failure { why } else { "it ended".to_owned() };
        Error::NotStarted { reason: format!("{why}; {}", said.summary()), log: log.path().to_owned() }
    }

    fn command(&self) -> Command {
        let mut command = Command::new(&self.options.program);
        command.arg(self.dir().join("node.conf")).args(self.options.sentinel.then_some("--sentinel"));
        command.env_clear().stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command
    }

    pub fn pid(&self) -> Option<u32> {
        self.child.as_ref().map(Child::id)
    }

    pub fn port(&self) -> u16 {
        self.port
    }

    /// The server's directory: its log is `node.log`, its append-only files are under `appendonlydir`.
    pub fn dir(&self) -> &Path {
        self.dir.path()
    }

    pub fn url(&self) -> Url {
        Url::port(self.port, self.options.password.clone())
    }

    /// The address of its Unix socket, if it was given one.
    pub fn socket_url(&self) -> Option<Url> {
        let path = || self.dir().join(SOCKET);
        self.options.socket.then(|| Url::socket(path(), self.options.password.clone()))
    }

    /// A new connection.
    pub fn client(&self) -> Result<Client, resp::Error> {
        self.url().connect(Duration::from_secs(2))
    }

    /// One command on a connection of its own.
    pub fn call(&self, words: &[&str]) -> Result<resp::Value, resp::Error> {
        self.client()?.call(words)
    }

    /// Ends the server as a crash does. It can be brought back with `restart`.
    pub fn kill9(&mut self) {
        if let Some(mut child) = self.child.take() {
            let _ = child.kill();
            let _ = child.wait();
        }
    }

    /// Stops the process without ending it (SIGSTOP): to others it looks like a server behind a dead network.
    pub fn pause(&self) {
        self.signal(Signal::STOP);
    }

    pub fn resume(&self) {
        self.signal(Signal::CONT);
    }

    fn signal(&self, signal: Signal) {
        if let Some(child) = &self.child {
            let _ = kill_process(Pid::from_child(child), signal);
        }
    }
}

impl Drop for Node {
    fn drop(&mut self) {
        self.kill9();
    }
}
