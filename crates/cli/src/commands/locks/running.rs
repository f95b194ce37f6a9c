//! A command that runs, and how it is ended: asked first, all of it, and killed if that does not help.

use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;
use std::time::Duration;

use rustix::process::{Pid, Signal};
use tokio::process::Child;
use tokio::time::{Instant, sleep};

use super::tree;
use crate::failure::{Exit, Failure};

/// How long a command may take to end after it was asked to.
const GRACE: Duration = Duration::from_secs(5);
/// How often it is looked for what is left of it then.
const LOOK: Duration = Duration::from_millis(50);

pub(super) struct Running {
    child: Child,
    /// Why it is to end, and until when it may do so by itself.
    ending: Option<(Exit, Instant)>,
    over: bool,
}

impl Running {
    pub(super) fn new(child: Child) -> Self {
        Self { child, ending: None, over: false }
    }

    /// Asks it to end, with everything it has started; asked a second time, it is killed.
    pub(super) fn end(&mut self, why: Exit) {
        let now = Instant::now();
        let until = self.ending.map_or(now + GRACE, |_| now);
        self.ending = Some((self.ending.map_or(why, |(first, _)| first), until));
        tree::signal(self.pid(), Signal::TERM);
    }

    /// The exit code, once it has ended. One that was asked to has ended when nothing of it is left; what a command that
    /// ended by itself has left running is its own affair.
    pub(super) async fn ended(&mut self) -> Result<u8, Failure> {
        loop {
            let Some((why, until)) = self.ending else {
                return self.child.wait().await.map(|status| exit_code(&status)).map_err(fault);
            };
            self.over = self.over || self.child.try_wait().map_err(fault)?.is_some();
            if self.over && tree::count(self.pid()) == 0 {
                return Ok(why as u8);
            }
            if Instant::now() >= until {
                tree::signal(self.pid(), Signal::KILL);
            }
            sleep(LOOK).await;
        }
    }

    fn pid(&self) -> Option<Pid> {
        self.child.id().and_then(|pid| i32::try_from(pid).ok()).and_then(Pid::from_raw)
    }
}

fn fault(error: std::io::Error) -> Failure {
    Failure::new(Exit::Fault, error.to_string())
}

fn exit_code(status: &ExitStatus) -> u8 {
    let code = status.code().unwrap_or_else(|| 128 + status.signal().unwrap_or(0));
    u8::try_from(code).unwrap_or(1)
}
