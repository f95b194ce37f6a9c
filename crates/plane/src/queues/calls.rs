//! The calls of one process: ids that nobody else makes, and lanes in which one call at a time is under way.
//!
//! The store keeps the last call of each lane. A call that is sent again, because its reply was lost, is recognised by
//! its lane and number, so that it is done once; and what is kept does not grow with the number of calls.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use tokio::time::Instant;

/// The store keeps a process's calls for twice as long.
const RENEWED: Duration = Duration::from_secs(6 * 3_600);

#[derive(Debug)]
pub(crate) struct Calls {
    count: AtomicU64,
    process: Mutex<Process>,
}

#[derive(Debug)]
struct Process {
    name: String,
    since: Instant,
    /// Free lanes, each with the number of its last call.
    free: Vec<(usize, u64)>,
    lanes: usize,
}

/// A lane while a call is under way in it.
pub(super) struct Lane<'c> {
    calls: &'c Calls,
    pub(super) process: String,
    pub(super) slot: String,
    pub(super) number: String,
    place: usize,
    seq: u64,
}

impl Default for Calls {
    fn default() -> Self {
        Self { count: AtomicU64::new(0), process: Mutex::new(Process::new()) }
    }
}

impl Process {
    fn new() -> Self {
        let mut name = crate::random_id();
        name.truncate(16);
        Self { name, since: Instant::now(), free: Vec::new(), lanes: 0 }
    }
}

impl Calls {
    /// A name that no other call has.
    pub(super) fn unique(&self) -> String {
        let count = self.count.fetch_add(1, Ordering::Relaxed);
        let count = base36(count);
        [self.lock().name.as_str(), "-", &count].concat()
    }

    pub(super) fn lane(&self) -> Lane<'_> {
        let mut process = self.lock();
        if process.since.elapsed() > RENEWED {
            *process = Process::new();
        }
        let (place, seq) = process.free.pop().unwrap_or_else(|| {
            process.lanes += 1;
            (process.lanes, 0)
        });
        let seq = seq + 1;
        let name = process.name.clone();
        Lane { calls: self, process: name, slot: place.to_string(), number: seq.to_string(), place, seq }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Process> {
        self.process.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

impl Drop for Lane<'_> {
    fn drop(&mut self) {
        let mut process = self.calls.lock();
        if process.name == self.process {
            process.free.push((self.place, self.seq));
        }
    }
}

fn base36(mut number: u64) -> String {
    let mut digits = Vec::new();
    loop {
        digits.push(b"0123456789abcdefghijklmnopqrstuvwxyz"[(number % 36) as usize]);
        number /= 36;
        if number == 0 {
            digits.reverse();
            return String::from_utf8(digits).unwrap_or_default();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lanes_are_used_again_and_their_numbers_grow() {
        let calls = Calls::default();
        let (one, two) = (calls.lane(), calls.lane());
        assert_eq!((one.slot.as_str(), two.slot.as_str(), two.number.as_str()), ("1", "2", "1"));
        drop(one);
        let again = calls.lane();
        assert_eq!((again.slot.as_str(), again.number.as_str()), ("1", "2"));
        assert_ne!(calls.unique(), calls.unique());
        assert_eq!(base36(36 * 36 + 35), "10z");
    }
}
