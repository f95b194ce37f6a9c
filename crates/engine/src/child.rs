//! Children of this program: starting one, and looking whether it has ended without reaping it.

use std::io;
use std::process::{Child, Command};
use std::time::Duration;

use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};

/// Starts a program that may just have been written. While one thread writes it, another may fork: until that child's
/// exec, its copy of the write descriptor makes the kernel refuse the program ("text file busy"), for milliseconds.
pub(crate) fn spawn(command: &mut Command) -> io::Result<Child> {
    for _ in 0..100 {
        match command.spawn() {
            Err(e) if e.kind() == io::ErrorKind::ExecutableFileBusy => {
                std::thread::sleep(Duration::from_millis(10));
            }
            result => return result,
        }
    }
    command.spawn()
}

/// Looks without reaping: until it is reaped, the child's number is safe to signal.
pub(crate) fn has_ended(child: &Child) -> bool {
    let look = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT | WaitIdOptions::NOHANG;
    !matches!(waitid(WaitId::Pid(Pid::from_child(child)), look), Ok(None))
}

/// Waits without reaping.
pub(crate) fn wait_for_end(child: &Child) {
    let look = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
    while matches!(waitid(WaitId::Pid(Pid::from_child(child)), look), Err(rustix::io::Errno::INTR)) {}
}
