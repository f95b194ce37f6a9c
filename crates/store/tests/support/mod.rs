//! Servers for these tests: a process, a folder and a port that die with the test.

use std::io::{Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use quorate_store::{Cmd, Options, Store, Target, cmd};
use quorate_testkit::chaos::Worker;
use tempfile::TempDir;

pub(crate) struct Server {
    pub(crate) worker: Worker,
    pub(crate) port: u16,
    folder: TempDir,
    args: Vec<String>,
}

impl Server {
    /// A server with these further arguments, ready to answer.
    pub(crate) fn start(args: &[&str]) -> Self {
        // Another process may take the free port before the server does; then the next one is tried.
        (0..5).find_map(|_| Self::try_start(args)).expect("the server does not start")
    }

    fn try_start(args: &[&str]) -> Option<Self> {
        let folder = tempfile::tempdir().unwrap();
        let port = free_port();
        let mut all: Vec<String> =
            ["--save", "", "--appendonly", "no", "--bind", "127.0.0.1"].map(str::to_owned).into();
        all.extend(["--port".to_owned(), port.to_string()]);
        all.extend(args.iter().map(|arg| (*arg).to_owned()));
        let worker = launch(&folder, &all);
        let mut server = Self { worker, port, folder, args: all };
        server.is_ready().then_some(server)
    }

    /// A Sentinel is the same program with a configuration file that it rewrites.
    pub(crate) fn start_sentinel(lines: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let (file, port) = (folder.path().join("sentinel.conf"), free_port());
        std::fs::write(&file, format!("port {port}\n{lines}")).unwrap();
        let args = vec![file.display().to_string(), "--sentinel".to_owned()];
        let mut server = Self { worker: launch(&folder, &args), port, folder, args };
        assert!(server.is_ready(), "the Sentinel does not start");
        server
    }

    fn is_ready(&mut self) -> bool {
        let deadline = Instant::now() + Duration::from_secs(5);
        while Instant::now() < deadline && self.worker.wait(Duration::ZERO).unwrap().is_none() {
            if answers(self.address()) {
                return true;
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        false
    }

    /// Kills the server and starts it again on the same port.
    pub(crate) fn restart(&mut self) {
        self.worker.kill9().unwrap();
        self.come_back();
    }

    pub(crate) fn come_back(&mut self) {
        self.worker = launch(&self.folder, &self.args);
        assert!(self.is_ready(), "the server does not come back");
    }

    pub(crate) fn address(&self) -> SocketAddr {
        (Ipv4Addr::LOCALHOST, self.port).into()
    }

    pub(crate) fn folder(&self) -> &std::path::Path {
        self.folder.path()
    }

    pub(crate) async fn store(&self) -> Store {
        connect(self.address()).await
    }
}

fn launch(folder: &TempDir, args: &[String]) -> Worker {
    let mut command = Command::new(binary());
    command.args(args).arg("--dir").arg(folder.path()).stdin(Stdio::null()).stdout(Stdio::null());
    Worker::spawn(&mut command).unwrap()
}

/// The carried server, or the one `QUORATE_TEST_ENGINE` names.
pub(crate) fn binary() -> PathBuf {
    quorate_testkit::binary().unpack_shared().expect("the engine unpacks")
}

pub(crate) fn free_port() -> u16 {
    TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap().local_addr().unwrap().port()
}

pub(crate) fn target(address: SocketAddr) -> Target {
    Target::parse(&format!("redis://{address}")).unwrap()
}

pub(crate) async fn connect(address: SocketAddr) -> Store {
    Store::connect(target(address), Options::default()).await.unwrap()
}

/// A command from words.
pub(crate) fn words(line: &str) -> Cmd {
    let mut words = line.split(' ');
    let mut command = cmd(words.next().unwrap());
    words.for_each(|word| {
        command.arg(word);
    });
    command
}

/// Whether it says anything, if only that a password is missing: a port is there before the socket beside it is.
fn answers(address: SocketAddr) -> bool {
    let said = TcpStream::connect(address).and_then(|mut stream| {
        stream.set_read_timeout(Some(Duration::from_secs(1)))?;
        stream.write_all(b"PING\r\n")?;
        stream.read(&mut [0; 1])
    });
    said.is_ok_and(|read| read > 0)
}

/// Waits until something holds; an answer that comes too late does not count.
pub(crate) async fn eventually<F: Future<Output = bool>>(
    what: &str,
    limit: Duration,
    mut holds: impl FnMut() -> F,
) {
    let waiting = async {
        while !holds().await {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    let ended = tokio::time::timeout(limit, waiting).await;
    assert!(ended.is_ok(), "not within {limit:?}: {what}");
}
