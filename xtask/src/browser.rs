//! The Studio in a real browser, against a real plane that this starts and ends.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use crate::stages::run as finish;
use crate::{say, studio, workspace};

/// What the browser's plane must not take over from whoever runs the tests.
const FOREIGN: [&str; 4] = ["REDIS_URL", "VALKEY_URL", "QUORATE_DATA_DIR", "QUORATE_NAMESPACE"];
/// The tests have services of their own on this machine, which are looked at often enough to be watched falling ill.
const SERVICES: [(&str, &str); 3] = [
    ("QUORATE_ALLOW_OUTGOING", "127.0.0.1:*"),
    ("RELAYNA_STUDIO_HEALTH_REFRESH_INTERVAL_SECONDS", "2"),
    ("RELAYNA_STUDIO_PULL_SYNC_INTERVAL_SECONDS", "1"),
];

pub(crate) fn run() -> Result<(), String> {
    studio::install()?;
    with_plane(|plane| {
        studio::fits(&plane.url)?;
        let token = plane.token()?;
        say::info(&format!("browser: against {}", plane.url));
        let mut e2e = Command::new("npm");
        e2e.args(["run", "e2e"]).current_dir(studio::folder());
        e2e.env("QUORATE_STUDIO_URL", &plane.url).env("QUORATE_STUDIO_DATA", &plane.data);
        finish(e2e.env("QUORATE_STUDIO_TOKEN", token))
    })
}

/// Does something with a plane that is there for that alone.
pub(crate) fn with_plane(work: impl FnOnce(&mut Plane) -> Result<(), String>) -> Result<(), String> {
    let home = tempfile::tempdir().map_err(|error| error.to_string())?;
    let mut plane = Plane::start(home.path())?;
    let outcome = work(&mut plane);
    plane.stop();
    outcome
}

/// A plane on a free port with a data directory of its own.
pub(crate) struct Plane {
    child: Child,
    pub(crate) url: String,
    data: std::path::PathBuf,
}

fn quorate() -> Command {
    let mut command = Command::new(workspace::target_dir().join("debug/quorate"));
    for name in FOREIGN {
        command.env_remove(name);
    }
    command
}

impl Plane {
    fn start(home: &Path) -> Result<Self, String> {
        let data = home.join("data");
        let mut command = quorate();
        command.args(["up", "--listen", "127.0.0.1:0", "--data-dir"]).arg(&data).envs(SERVICES);
        let mut child = command
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|error| format!("quorate did not start: {error}"))?;
        let lines = BufReader::new(child.stderr.take().ok_or("no stderr")?).lines();
        let mut lines = lines.map_while(Result::ok);
        let login = lines.find_map(|line| Some(line.split_once("http://")?.1.to_owned()));
        let Some(address) = login.as_deref().and_then(|rest| rest.split('/').next()) else {
            let _ = child.kill();
            return Err("quorate up ended before it was up".to_owned());
        };
        let url = format!("http://{address}");
        // What it says later is read, so that it never waits for a reader.
        std::thread::spawn(move || lines.for_each(|line| say::info(&format!("  plane: {line}"))));
        Ok(Self { child, url, data })
    }

    /// A token that may do everything, for the tests to sign in with.
    fn token(&mut self) -> Result<String, String> {
        let mut command = quorate();
        command.args(["tokens", "create", "browser", "--role", "admin", "-o", "json"]);
        let out = command.env("QUORATE_DATA_DIR", &self.data).output().map_err(|error| error.to_string())?;
        let text = String::from_utf8_lossy(&out.stdout).into_owned();
        let token = text.split('"').find(|word| word.starts_with("qt_")).map(str::to_owned);
        token.ok_or_else(|| format!("no token was made: {}", String::from_utf8_lossy(&out.stderr)))
    }

    fn stop(&mut self) {
        // Asked first, so that its engine ends with it in good order.
        let _ = Command::new("kill").arg(self.child.id().to_string()).status();
        let _ = self.child.wait();
    }
}

impl Drop for Plane {
    fn drop(&mut self) {
        if matches!(self.child.try_wait(), Ok(None)) {
            self.stop();
        }
    }
}
