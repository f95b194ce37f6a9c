//! Running `quorate`, and a plane that ends with its test.

use std::io::{BufRead, BufReader};
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;

pub(crate) const BINARY: &str = env!("CARGO_BIN_EXE_quorate");

/// A command with nothing of the caller's environment that would point it elsewhere.
pub(crate) fn quorate(args: &[&str]) -> Command {
    let mut command = Command::new(BINARY);
    for name in [
        "REDIS_URL",
        "VALKEY_URL",
        "QUORATE_DATA_DIR",
        "QUORATE_NAMESPACE",
        "QUORATE_EPOCH",
        "QUORATE_ENGINE_BIN",
        "QUORATE_ENGINE_LEASH",
        "COLUMNS",
        "TRACEPARENT",
        "OTEL_EXPORTER_OTLP_ENDPOINT",
        "QUORATE_ALLOW_OUTGOING",
    ] {
        command.env_remove(name);
    }
    command.args(args);
    command
}

/// What a finished command said.
pub(crate) struct Said {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Said {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.out).unwrap_or_else(|error| panic!("{error}: {}{}", self.out, self.err))
    }
}

pub(crate) fn run(args: &[&str]) -> Said {
    said(quorate(args).output().expect("quorate runs"))
}

pub(crate) fn said(output: Output) -> Said {
    let code = output.status.code().unwrap_or_else(|| -output.status.signal().unwrap_or(0));
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("text");
    Said { code, out: text(output.stdout), err: text(output.stderr) }
}

/// A running `quorate up` on a directory of its own.
pub(crate) struct Plane {
    child: Child,
    lines: Receiver<String>,
    pub(crate) dir: PathBuf,
    /// Its HTTP address, once somebody asked.
    http: String,
    /// Keeps the directory for as long as the plane, unless the test keeps it itself.
    _home: Option<TempDir>,
}

impl Plane {
    pub(crate) fn start() -> Self {
        let home = TempDir::new().expect("a directory");
        let mut plane = Self::on(&home.path().join("data"), &[], &[]);
        plane._home = Some(home);
        plane
    }

    /// Starts on a directory the test keeps, and waits until it is up.
    pub(crate) fn on(dir: &Path, args: &[&str], env: &[(&str, &str)]) -> Self {
        let mut plane = Self::begin(dir, args, env);
        plane.wait_for("is up");
        plane
    }

    pub(crate) fn begin(dir: &Path, args: &[&str], env: &[(&str, &str)]) -> Self {
        let mut command = quorate(&["up", "--listen", "127.0.0.1:0", "--data-dir"]);
        command.arg(dir).args(args).envs(env.iter().copied());
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("quorate starts");
        let stderr = child.stderr.take().expect("piped");
        let (send, lines) = channel();
        std::thread::spawn(move || {
            BufReader::new(stderr).lines().map_while(Result::ok).for_each(|line| drop(send.send(line)));
        });
        Self { child, lines, dir: dir.to_owned(), http: String::new(), _home: None }
    }

    /// Waits for a line that contains `text` and returns it.
    pub(crate) fn wait_for(&mut self, text: &str) -> String {
        self.heard_until(text).pop().expect("the line itself")
    }

    /// Everything that was said up to a line that contains `text`.
    pub(crate) fn heard_until(&mut self, text: &str) -> Vec<String> {
        let deadline = Instant::now() + Duration::from_secs(15);
        let mut heard = Vec::new();
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            match self.lines.recv_timeout(left) {
                Ok(line) => {
                    let last = line.contains(text);
                    heard.push(line);
                    if last {
                        return heard;
                    }
                }
                Err(_) => panic!("no {text:?} in:\n{}", heard.join("\n")),
            }
        }
    }

    /// What it has said and nobody has heard yet.
    pub(crate) fn rest(&self) -> Vec<String> {
        self.lines.iter().collect()
    }

    /// Runs a command against this plane.
    pub(crate) fn run(&self, args: &[&str]) -> Said {
        let mut command = quorate(args);
        command.env("QUORATE_DATA_DIR", &self.dir);
        said(command.output().expect("quorate runs"))
    }

    /// Sends a request, without its last lines, to the plane's HTTP address; the whole answer, or what came in two seconds.
    pub(crate) fn ask(&mut self, head: &str, body: &str) -> String {
        use std::io::{Read, Write};
        if self.http.is_empty() {
            let line = self.wait_for("/healthz");
            let address = line.split("http://").nth(1).and_then(|rest| rest.split('/').next());
            self.http = address.expect("an address").to_owned();
        }
        let address = &self.http;
        let mut stream = std::net::TcpStream::connect(address).expect("connects");
        stream.set_read_timeout(Some(Duration::from_secs(2))).expect("a limit");
        let length = body.len();
        let text = format!(
            "{head}\r\nhost: {address}\r\norigin: http://{address}\r\ncontent-type: application/json\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n{body}"
        );
        stream.write_all(text.as_bytes()).expect("sends");
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        String::from_utf8_lossy(&answer).into_owned()
    }

    pub(crate) fn pid(&self) -> u32 {
        self.child.id()
    }

    /// What the lock file says about the owner and its engine.
    pub(crate) fn record(&self) -> Value {
        let text = std::fs::read_to_string(self.dir.join("quorate.lock")).expect("the lock file");
        serde_json::from_str(&text).expect("the record")
    }

    pub(crate) fn engine_pid(&self) -> u32 {
        u32::try_from(self.record()["engine_pid"].as_u64().expect("an engine")).expect("a pid")
    }

    pub(crate) fn signal(&self, name: &str) {
        kill(self.pid(), name);
    }

    /// Waits for the end and gives the exit code.
    pub(crate) fn wait(&mut self) -> i32 {
        let status = self.child.wait().expect("waited");
        status.code().unwrap_or_else(|| -status.signal().unwrap_or(0))
    }
}

impl Drop for Plane {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

pub(crate) fn kill(pid: u32, name: &str) {
    let status =
        Command::new("kill").arg(format!("-{name}")).arg(pid.to_string()).status().expect("kill runs");
    assert!(status.success(), "kill -{name} {pid}");
}

/// Whether a process is there and not a zombie.
pub(crate) fn is_alive(pid: u32) -> bool {
    std::fs::read_to_string(format!("/proc/{pid}/stat"))
        .is_ok_and(|stat| !stat.rsplit(')').next().unwrap_or_default().trim_start().starts_with('Z'))
}

/// Waits until something holds, or fails with what it was.
pub(crate) fn until(what: &str, limit: Duration, mut holds: impl FnMut() -> bool) -> Duration {
    let started = Instant::now();
    while started.elapsed() < limit {
        if holds() {
            return started.elapsed();
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    panic!("not within {limit:?}: {what}");
}

/// A Redis client as another program would be: Debian's redis-cli.
pub(crate) fn redis_cli(url: &str, args: &[&str]) -> Said {
    let mut command = Command::new("redis-cli");
    command.env("REDISCLI_AUTH", "").arg("--no-auth-warning").arg("-u").arg(url).args(args);
    said(command.output().expect("redis-cli runs; cargo xtask test installs it"))
}

pub(crate) fn free_port() -> u16 {
    std::net::TcpListener::bind("127.0.0.1:0")
        .and_then(|listener| listener.local_addr())
        .expect("a port")
        .port()
}
