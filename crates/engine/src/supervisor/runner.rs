//! The engine's thread: starts it, waits for its end, brings it back.
//!
//! The first restart is immediate, so that a single death costs well under the promised two seconds. Later ones wait a
//! little longer each, up to a second, with jitter, so that many owners on one machine do not start in step. It is never
//! left down: whoever is on call finds a plane that says what is wrong and comes back by itself when that is over.

use std::collections::VecDeque;
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, ExitStatus};
use std::sync::Arc;
use std::sync::mpsc::SyncSender;
use std::time::{Duration, Instant};

use super::State;
use super::launch::Launcher;
use crate::child::wait_for_end;
use crate::{Event, Result};

const DEATHS_WITHIN: Duration = Duration::from_secs(30);
const LONGEST_PAUSE_MS: u64 = 1000;

pub(super) struct Runner {
    launcher: Launcher,
    state: Arc<State>,
    on_event: Box<dyn Fn(Event) + Send>,
    deaths: VecDeque<Instant>,
}

impl Runner {
    pub(super) fn new(launcher: Launcher, state: Arc<State>, on_event: Box<dyn Fn(Event) + Send>) -> Self {
        Self { launcher, state, on_event, deaths: VecDeque::new() }
    }

    /// Runs until the owner stops or the engine cannot be kept alive. `first` gets the outcome of the first start.
    pub(super) fn run(mut self, first: &SyncSender<Result<()>>) {
        let mut child = match self.launcher.launch(&*self.on_event) {
            Ok(child) => child,
            Err(e) => return drop(first.send(Err(e))),
        };
        (self.on_event)(Event::Started { pid: child.id() });
        let _ = first.send(Ok(()));
        while let Some(next) = self.watch(child) {
            child = next;
        }
    }

    /// Waits for the child's end; gives the next child, or nothing if there is to be none.
    fn watch(&mut self, mut child: Child) -> Option<Child> {
        wait_for_end(&child);
        let died = Instant::now();
        let how = self.launcher.reap(&mut child).map_or_else(|e| e.to_string(), describe);
        if self.state.is_stopping() {
            return None;
        }
        (self.on_event)(Event::Died { pid: child.id(), how });
        self.revive(died)
    }

    fn revive(&mut self, died: Instant) -> Option<Child> {
        loop {
            let deaths = self.count_death();
            if self.state.stops_within(pause(deaths)) {
                return None;
            }
            match self.launcher.launch(&*self.on_event) {
                Ok(child) => {
                    (self.on_event)(Event::Restarted { pid: child.id(), outage: died.elapsed() });
                    return Some(child);
                }
                Err(_) if self.state.is_stopping() => return None,
                Err(e) => (self.on_event)(Event::RestartFailed { reason: e.to_string() }),
            }
        }
    }

    /// Counts a death, or a failed restart, and returns how many there were of late.
    fn count_death(&mut self) -> usize {
        let now = Instant::now();
        self.deaths.push_back(now);
        self.deaths.retain(|death| now.duration_since(*death) < DEATHS_WITHIN);
        self.deaths.len()
    }
}

fn describe(status: ExitStatus) -> String {
    match (status.signal(), status.code()) {
        (Some(signal), _) => format!("signal {signal}"),
        (None, code) => format!("exit code {}", code.unwrap_or_default()),
    }
}

/// Nothing for the first death; then 50 to 100 % of 200 ms, doubled each time.
fn pause(deaths: usize) -> Duration {
    let full = match deaths {
        0 | 1 => return Duration::ZERO,
        deaths => (100 << deaths.min(5) >> 1).min(LONGEST_PAUSE_MS),
    };
    let mut random = [0; 1];
    // Without randomness the pause is only less spread, so a failure is no reason to stop.
    let _ = getrandom::fill(&mut random);
    Duration::from_millis(full / 2 + full / 2 * u64::from(random[0]) / 255)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_restart_is_immediate_and_the_later_ones_wait_at_most_a_second() {
        assert_eq!(pause(1), Duration::ZERO);
        for deaths in 2..20 {
            let pause = pause(deaths);
            assert!((100..=1000).contains(&pause.as_millis()), "{deaths} deaths: {pause:?}");
        }
    }
}
