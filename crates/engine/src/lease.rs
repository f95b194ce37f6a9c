//! The data directory's lock: one owner at a time.
//!
//! The lock is a `flock` on `quorate.lock`, so the kernel drops it with the owner, however it ends. The file's text
//! is for others: it tells a second owner who is there, and `quorate` commands where the engine listens.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::os::unix::fs::{FileExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::{Duration, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

use crate::layout::Layout;
use crate::{Error, Result, Url, config};

/// What the owner says about itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    pub pid: u32,
    /// Unix seconds, for people: nothing is decided by it.
    pub started: u64,
    pub socket: Option<PathBuf>,
    pub redis_port: Option<u16>,
    /// Where the owner's own interfaces listen.
    pub listen: Option<String>,
    pub engine_pid: Option<u32>,
}

/// The owner of a data directory, and how to reach its engine.
#[derive(Debug, Clone)]
pub struct Running {
    pub record: Record,
    /// The address over the private socket.
    pub url: Url,
    /// The address over the loopback port, if there is one.
    pub port_url: Option<Url>,
}

impl Running {
    /// The address most clients understand: the port where one is open, else the socket.
    pub fn client_url(&self) -> Url {
        self.port_url.as_ref().unwrap_or(&self.url).clone()
    }
}

/// Who owns this data directory now, if anybody.
pub fn running(data_dir: &Path) -> Result<Option<Running>> {
    let layout = Layout::of(data_dir);
    let file = match File::open(layout.lease()) {
        Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(None),
        file => file.map_err(|source| Error::DataDir { path: layout.lease(), source })?,
    };
    // A lock that can be had means that its owner has gone. Readers share it, and an owner tries again (`acquire`).
    if file.try_lock_shared().is_ok() {
        return Ok(None);
    }
    Ok(read_record(&layout).and_then(|record| reach(record, config::stored_password(&layout))))
}

/// An owner that has not started its engine yet has no socket: it counts as not running.
fn reach(record: Record, password: Option<String>) -> Option<Running> {
    let url = Url::socket(record.socket.clone()?, password.clone());
    let port_url = record.redis_port.map(|port| Url::port(port, password));
    Some(Running { record, url, port_url })
}

/// The owner rewrites its text in place (a rename would leave the lock behind), so a reader may meet half of it.
fn read_record(layout: &Layout) -> Option<Record> {
    (0..20).find_map(|attempt| {
        std::thread::sleep(Duration::from_millis(if attempt == 0 { 0 } else { 5 }));
        serde_json::from_slice(&fs::read(layout.lease()).ok()?).ok()
    })
}

#[derive(Debug)]
pub(crate) struct Lease {
    file: File,
    record: Mutex<Record>,
    /// The engine that the previous owner had, to name it if it is still there.
    pub(crate) previous_engine: Option<u32>,
}

impl Lease {
    pub(crate) fn acquire(layout: &Layout) -> Result<Self> {
        let failed = |source| Error::DataDir { path: layout.lease(), source };
        let mut options = OpenOptions::new();
        let file = options.read(true).write(true).create(true).truncate(false).mode(0o600);
        let file = file.open(layout.lease()).map_err(failed)?;
        let before = if lock(&file) { read_once(layout) } else { return Err(owned(layout)) };
        let record = Record {
            pid: std::process::id(),
            started: unix_seconds(),
            socket: None,
            redis_port: None,
            listen: None,
            engine_pid: None,
        };
        let previous_engine = before.and_then(|record| record.engine_pid);
        Ok(Self { file, record: Mutex::new(record), previous_engine })
    }

    /// Changes what is said about the owner.
    pub(crate) fn update(&self, change: impl FnOnce(&mut Record)) -> Result<()> {
        let mut record = self.record.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        change(&mut record);
        let text = serde_json::to_vec(&*record).map_err(io::Error::from).and_then(|text| {
            self.file.write_all_at(&text, 0)?;
            self.file.set_len(text.len() as u64)
        });
        text.map_err(|source| Error::System { what: "writing quorate.lock", source })
    }
}

impl Drop for Lease {
    /// Closing the file is not enough: a child that another thread starts at this moment has it too until it runs its own program.
    fn drop(&mut self) {
        let _ = self.file.unlock();
    }
}

/// Tries for a moment: a reader holds the lock for some microseconds to see whether anybody owns it.
fn lock(file: &File) -> bool {
    (0..20).any(|attempt| {
        std::thread::sleep(Duration::from_millis(if attempt == 0 { 0 } else { 10 }));
        file.try_lock().is_ok()
    })
}

fn read_once(layout: &Layout) -> Option<Record> {
    serde_json::from_slice(&fs::read(layout.lease()).ok()?).ok()
}

fn owned(layout: &Layout) -> Error {
    let record = read_record(layout);
    let (pid, listen) = record.map_or((0, None), |record| (record.pid, record.listen));
    Error::AlreadyRunning { pid, data_dir: layout.root().to_owned(), listen }
}

#[expect(clippy::disallowed_methods, reason = "shown to people; no lease, score or order depends on it")]
fn unix_seconds() -> u64 {
    std::time::SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_second_owner_is_refused_and_a_later_one_is_not() {
        let dir = tempfile::tempdir().unwrap();
        let layout = Layout::create(dir.path()).unwrap();
        let first = Lease::acquire(&layout).unwrap();
        first.update(|record| record.engine_pid = Some(7)).unwrap();
        let refusal = Lease::acquire(&layout).unwrap_err();
        assert!(matches!(refusal, Error::AlreadyRunning { pid, .. } if pid == std::process::id()));
        drop(first);
        assert!(running(dir.path()).unwrap().is_none());
        assert_eq!(Lease::acquire(&layout).unwrap().previous_engine, Some(7));
    }

    #[test]
    fn a_lease_ends_although_a_child_that_is_being_started_still_has_its_file() {
        let dir = tempfile::tempdir().unwrap();
        let lease = Lease::acquire(&Layout::create(dir.path()).unwrap()).unwrap();
        lease.update(|record| record.socket = Some("s".into())).unwrap();
        let inherited = lease.file.try_clone().unwrap();
        assert!(running(dir.path()).unwrap().is_some());
        drop(lease);
        assert!(running(dir.path()).unwrap().is_none());
        drop(inherited);
    }
}
