//! How it is made sure that the engine never outlives its owner, not even one that is killed with -9.
//!
//! The signal is SIGTERM in both ways, not SIGKILL. With `appendfsync everysec` the server holds writes back, already
//! acknowledged, while a sync is under way (`config`); SIGTERM lets it write and sync them, SIGKILL would lose them. The
//! price is that a server which is stuck ends late; `alive` makes the next owner wait for it.

use std::io::{PipeWriter, Write};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use crate::child::{has_ended, spawn};
use crate::guard::GUARD_ARGUMENT;
use crate::{Error, Result, before_exec};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Leash {
    /// Linux: the kernel signals the engine when the thread that started it ends.
    Kernel,
    /// Everywhere: a guard process signals the engine when the owner's end of a pipe closes.
    Guard,
}

impl Leash {
    /// What `QUORATE_ENGINE_LEASH` says (`kernel` or `guard`), else the best of this system.
    pub fn choose() -> Result<Self> {
        match std::env::var("QUORATE_ENGINE_LEASH").as_deref() {
            Ok("guard") => Ok(Self::Guard),
            Ok("kernel") if cfg!(target_os = "linux") => Ok(Self::Kernel),
            Ok("") | Err(_) if cfg!(target_os = "linux") => Ok(Self::Kernel),
            Ok("") | Err(_) => Ok(Self::Guard),
            Ok(value) => Err(Error::BadLeash { value: value.to_owned() }),
        }
    }
}

/// Has a command that is not the engine end with the thread that starts it, however that ends. Only Linux can do so without a
/// guard; elsewhere the command outlives its parent.
pub fn tie(command: &mut Command) {
    #[cfg(target_os = "linux")]
    before_exec::die_with_parent(command, rustix::process::Signal::TERM);
    #[cfg(not(target_os = "linux"))]
    let _ = command;
}

/// A leash in use. Dropping it lets a guard go.
#[derive(Debug)]
pub(crate) enum Tie {
    Kernel,
    Guard { child: Child, pipe: Option<PipeWriter> },
}

impl Tie {
    pub(crate) fn new(leash: Leash, program: Option<&PathBuf>, alive: &Path) -> Result<Self> {
        match leash {
            Leash::Kernel if cfg!(target_os = "linux") => Ok(Self::Kernel),
            _ => start_guard(program, alive)
                .map_err(|source| Error::System { what: "starting the engine's guard", source }),
        }
    }

    /// Prepares the engine's command; it must be spawned by a thread that lives as long as the engine.
    pub(crate) fn attach(&self, command: &mut Command) -> std::io::Result<()> {
        match self {
            #[cfg(target_os = "linux")]
            Self::Kernel => before_exec::die_with_parent(command, rustix::process::Signal::TERM),
            #[cfg(not(target_os = "linux"))]
            Self::Kernel => {}
            Self::Guard { pipe: Some(pipe), .. } => before_exec::announce(command, pipe.try_clone()?),
            Self::Guard { pipe: None, .. } => {}
        }
        Ok(())
    }

    /// Whether the guard itself has ended, so that the next engine needs a new one.
    pub(crate) fn is_broken(&self) -> bool {
        matches!(self, Self::Guard { child, .. } if has_ended(child))
    }

    /// Tells that the engine has ended and its number means nothing any more.
    pub(crate) fn release(&mut self) {
        if let Self::Guard { pipe: Some(pipe), .. } = self {
            let _ = pipe.write_all(&0_i32.to_ne_bytes());
        }
    }
}

impl Drop for Tie {
    fn drop(&mut self) {
        if let Self::Guard { child, pipe } = self {
            drop(pipe.take());
            let _ = child.wait();
        }
    }
}

fn start_guard(program: Option<&PathBuf>, alive: &Path) -> std::io::Result<Tie> {
    let program = program.cloned().map_or_else(std::env::current_exe, Ok)?;
    let (theirs, ours) = std::io::pipe()?;
    let mut command = Command::new(program);
    // A group of its own: Ctrl-C in the terminal is for the owner, which then stops the engine in order. No output: a
    // guard that held the owner's terminal or pipe open would keep whoever reads it waiting.
    command.arg(GUARD_ARGUMENT).arg(alive).stdin(theirs).stdout(Stdio::null()).stderr(Stdio::null());
    command.process_group(0).current_dir("/");
    Ok(Tie::Guard { child: spawn(&mut command)?, pipe: Some(ours) })
}
