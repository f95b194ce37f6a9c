//! What a child does between fork and exec; the only unsafe code of the crate.
//!
//! Only calls that are allowed between fork and exec in a threaded program are made: plain system calls, no
//! allocation, no locks.

use std::io::{self, PipeWriter};
use std::os::unix::process::CommandExt;
use std::process::Command;

use rustix::process::getpid;

/// Asks the kernel to send SIGTERM (or SIGKILL) to the child when the thread that spawned it ends.
#[cfg(target_os = "linux")]
pub(crate) fn die_with_parent(command: &mut Command, signal: rustix::process::Signal) {
    let parent = getpid();
    let ask = move || {
        rustix::process::set_parent_process_death_signal(Some(signal))?;
        // The parent may have died before the line above, and then no signal comes any more.
        if rustix::process::getppid() == Some(parent) {
            Ok(())
        } else {
            Err(io::Error::from(io::ErrorKind::BrokenPipe))
        }
    };
    before_exec(command, ask);
}

/// Lets the child write its own process number into the pipe. The reader cannot see the pipe's end before: the child
/// holds the pipe open until its exec, so there is no moment at which the engine runs and nobody knows.
pub(crate) fn announce(command: &mut Command, pipe: PipeWriter) {
    let write = move || {
        let pid = getpid().as_raw_nonzero().get();
        rustix::io::write(&pipe, &pid.to_ne_bytes())?;
        Ok(())
    };
    before_exec(command, write);
}

#[expect(unsafe_code, reason = "std has no safe way to run code between fork and exec")]
fn before_exec(command: &mut Command, f: impl FnMut() -> io::Result<()> + Send + Sync + 'static) {
    // SAFETY: both callers above make only system calls on values prepared before the fork.
    unsafe { command.pre_exec(f) };
}
