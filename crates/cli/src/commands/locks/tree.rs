//! A command and everything it has started, however deep, so that all of it can be asked to end.
//!
//! A process group would not do: in one of its own the command could not use the terminal, and ours may hold others. On Linux
//! what loses its parent becomes ours, and the processes below us are read from `/proc`; elsewhere only the command is known.

use rustix::process::{Pid, Signal};

/// From now on what a process below us leaves behind is still below us.
pub(super) fn adopt() {
    #[cfg(target_os = "linux")]
    let _ = rustix::process::set_child_subreaper(Some(rustix::process::getpid()));
}

/// Sends a signal to everything below us; how many processes there were.
#[cfg(target_os = "linux")]
pub(super) fn signal(_command: Option<Pid>, signal: Signal) -> usize {
    use rustix::process::{PidfdFlags, pidfd_open, pidfd_send_signal};
    let (all, us) = (below(), rustix::process::getpid());
    for (pid, parent) in &all {
        // Once it is open it means one process for ever. If the number had been given to another one since, its parent would be
        // somebody else; a parent that has ended meanwhile has left it to us.
        let Ok(process) = pidfd_open(*pid, PidfdFlags::empty()) else { continue };
        if parent_of(*pid).is_some_and(|now| now == *parent || now == us) {
            let _ = pidfd_send_signal(process, signal);
        }
    }
    all.len()
}

#[cfg(not(target_os = "linux"))]
pub(super) fn signal(command: Option<Pid>, signal: Signal) -> usize {
    command.map_or(0, |pid| usize::from(rustix::process::kill_process(pid, signal).is_ok()))
}

/// How many processes are below us.
pub(super) fn count(command: Option<Pid>) -> usize {
    if cfg!(target_os = "linux") { below().len() } else { usize::from(command.is_some()) }
}

/// Living processes below us, each with its parent.
#[cfg(target_os = "linux")]
fn below() -> Vec<(Pid, Pid)> {
    let names = std::fs::read_dir("/proc").into_iter().flatten().flatten().map(|entry| entry.file_name());
    let pids = names.filter_map(|name| Pid::from_raw(name.to_str()?.parse().ok()?));
    let all: Vec<(Pid, Pid)> = pids.filter_map(|pid| Some((pid, parent_of(pid)?))).collect();
    let children = |of: Pid| all.iter().filter(move |(_, parent)| *parent == of).copied();
    let mut found: Vec<(Pid, Pid)> = children(rustix::process::getpid()).collect();
    let mut at = 0;
    while let Some((pid, _)) = found.get(at).copied() {
        found.extend(children(pid));
        at += 1;
    }
    found
}

/// The parent of a process that lives; the name before it may hold anything, also `)`.
#[cfg(target_os = "linux")]
fn parent_of(pid: Pid) -> Option<Pid> {
    let stat = std::fs::read(format!("/proc/{}/stat", pid.as_raw_nonzero())).ok()?;
    let stat = String::from_utf8_lossy(&stat);
    let mut words = stat.rsplit_once(')')?.1.split_ascii_whitespace();
    let lives = words.next().is_some_and(|state| !["Z", "X"].contains(&state));
    Pid::from_raw(words.next()?.parse().ok()?).filter(|_| lives)
}
