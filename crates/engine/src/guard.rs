//! The guard: a small process that ends the engine when its owner is gone, for systems without PDEATHSIG.
//!
//! It is this program again with a hidden argument. Its standard input is a pipe whose other end the owner holds; the
//! kernel closes that end however the owner dies. Each engine writes its process number into the pipe before it
//! becomes the server, and the owner writes 0 once it has seen an engine end, so the last number is the one to end.

use std::ffi::OsString;
use std::io::{self, Read};
use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

use crate::alive;

/// The hidden first argument with which the program becomes a guard; the rest goes to [`guard_main`].
pub const GUARD_ARGUMENT: &str = "engine-guard";

/// As long as `Engine::stop` waits: the guard must not be harsher than the owner.
const PATIENCE: Duration = Duration::from_secs(10);

/// Runs as the guard. `args` are those after [`GUARD_ARGUMENT`]: the path of the lock that the engine holds.
pub fn guard_main(args: impl IntoIterator<Item = OsString>) -> ExitCode {
    let Some(lock) = args.into_iter().next() else { return ExitCode::from(2) };
    if let Some(engine) = last_announced(io::stdin().lock()).and_then(Pid::from_raw) {
        end(engine, Path::new(&lock));
    }
    ExitCode::SUCCESS
}

/// Reads until the owner is gone.
fn last_announced(mut pipe: impl Read) -> Option<i32> {
    let mut last = None;
    let mut pid = [0; 4];
    while pipe.read_exact(&mut pid).is_ok() {
        last = Some(i32::from_ne_bytes(pid));
    }
    last
}

/// SIGTERM first, so that the engine writes and syncs what it has. A signal is sent only while the lock shows that
/// the engine lives: its number could belong to somebody else afterwards.
fn end(engine: Pid, lock: &Path) {
    if alive::is_free(lock) {
        return;
    }
    let _ = kill_process(engine, Signal::TERM);
    let deadline = Instant::now() + PATIENCE;
    while !alive::is_free(lock) {
        if Instant::now() >= deadline {
            let _ = kill_process(engine, Signal::KILL);
            return;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_number_counts_and_zero_means_none() {
        let pipe = [5_i32, 6].map(i32::to_ne_bytes).concat();
        assert_eq!(last_announced(pipe.as_slice()).and_then(Pid::from_raw), Pid::from_raw(6));
        let pipe = [5_i32, 0].map(i32::to_ne_bytes).concat();
        assert_eq!(last_announced(pipe.as_slice()).and_then(Pid::from_raw), None);
        assert_eq!(last_announced([].as_slice()), None);
    }
}
