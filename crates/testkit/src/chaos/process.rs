//! A worker process that a test owns: stopped, continued, killed, and gone when the test is.

use std::io;
use std::process::{Child, Command, ExitStatus};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process, waitid};

/// A child process. Dropping it kills it, whatever state it is in.
#[derive(Debug)]
pub struct Worker {
    child: Child,
}

impl Worker {
    /// Starts a process.
    pub fn spawn(command: &mut Command) -> io::Result<Self> {
        Ok(Self { child: command.spawn()? })
    }

    /// Its process id.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// The child itself, for its pipes.
    pub fn child(&mut self) -> &mut Child {
        &mut self.child
    }

    /// Kills it so that it cannot clean up, and waits until it is gone.
    pub fn kill9(&mut self) -> io::Result<ExitStatus> {
        self.child.kill()?;
        self.child.wait()
    }

    /// Stops it where it is, as a long pause of its machine would, and returns when it stands still.
    pub fn stop(&self) -> io::Result<()> {
        self.signal(Signal::STOP)?;
        // NOWAIT leaves its exit to be collected by `wait`.
        waitid(
            WaitId::Pid(self.pid()),
            WaitIdOptions::STOPPED | WaitIdOptions::EXITED | WaitIdOptions::NOWAIT,
        )?;
        Ok(())
    }

    /// Lets it go on.
    pub fn cont(&self) -> io::Result<()> {
        self.signal(Signal::CONT)
    }

    /// Waits for its end, or gives up after `limit` and leaves it running.
    pub fn wait(&mut self, limit: Duration) -> io::Result<Option<ExitStatus>> {
        let deadline = Instant::now() + limit;
        loop {
            let ended = self.child.try_wait()?;
            if ended.is_some() || Instant::now() >= deadline {
                return Ok(ended);
            }
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    fn signal(&self, signal: Signal) -> io::Result<()> {
        Ok(kill_process(self.pid(), signal)?)
    }

    fn pid(&self) -> Pid {
        Pid::from_child(&self.child)
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        // Already gone is fine; a stopped process dies of SIGKILL too.
        let _ = self.kill9();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::process::ExitStatusExt;

    fn ticking(file: &std::path::Path) -> Worker {
        let script = format!("while :; do echo x >> '{}'; sleep 0.01; done", file.display());
        Worker::spawn(Command::new("sh").arg("-c").arg(script)).unwrap()
    }

    fn length(file: &std::path::Path) -> u64 {
        std::fs::metadata(file).map_or(0, |meta| meta.len())
    }

    fn grows(file: &std::path::Path) -> bool {
        let before = length(file);
        (0..100).any(|_| {
            std::thread::sleep(Duration::from_millis(10));
            length(file) > before
        })
    }

    #[test]
    fn a_stopped_worker_does_nothing_until_it_is_continued() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("ticks");
        let worker = ticking(&file);
        assert!(grows(&file));
        worker.stop().unwrap();
        // The shell may have left a `sleep` or an `echo` that ends on its own.
        std::thread::sleep(Duration::from_millis(50));
        let before = length(&file);
        std::thread::sleep(Duration::from_millis(200));
        assert_eq!(length(&file), before);
        worker.cont().unwrap();
        assert!(grows(&file));
    }

    #[test]
    fn waiting_has_a_deadline_and_killing_has_none() {
        let folder = tempfile::tempdir().unwrap();
        let mut worker = ticking(&folder.path().join("ticks"));
        assert_eq!(worker.wait(Duration::from_millis(30)).unwrap(), None);
        assert_eq!(worker.kill9().unwrap().signal(), Some(9));
    }

    #[test]
    fn dropping_a_stopped_worker_ends_it() {
        let folder = tempfile::tempdir().unwrap();
        let worker = ticking(&folder.path().join("ticks"));
        let pid = worker.pid();
        worker.stop().unwrap();
        drop(worker);
        assert!(rustix::process::test_kill_process(pid).is_err());
    }
}
