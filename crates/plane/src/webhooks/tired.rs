//! Receivers that fail again and again, and how much of the time of the others each may take.

use std::time::Duration;

use tokio::time::Instant;

/// After so many failures in a row a receiver rests, so that it does not take the time of the others.
const TIRED: u32 = 5;
const TIRED_FOR: Duration = Duration::from_secs(30);
/// How many deliveries are tried after each rest, a quarter of all: one that does not even answer keeps each of them for
/// a whole call.
const TRIALS: u32 = 8;

/// A receiver that failed.
pub(super) struct Tired {
    /// How often in a row.
    failures: u32,
    /// Until when it rests.
    until: Instant,
    /// Deliveries that may still be tried before it rests again.
    trials: u32,
}

impl Tired {
    pub(super) fn new() -> Self {
        Self { failures: 0, until: Instant::now(), trials: 0 }
    }

    /// How long a delivery waits; nothing, if it is one of those that are tried.
    pub(super) fn rest(&mut self, now: Instant) -> Option<Duration> {
        if self.failures < TIRED {
            return None;
        }
        if self.until <= now {
            (self.until, self.trials) = (now + TIRED_FOR, TRIALS);
        }
        if self.trials == 0 {
            return Some(self.until - now);
        }
        self.trials -= 1;
        None
    }

    pub(super) fn failed(&mut self, now: Instant) {
        self.failures += 1;
        if self.failures == TIRED {
            (self.until, self.trials) = (now + TIRED_FOR, 0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::deliver::AT_ONCE;
    use super::*;

    #[test]
    fn a_receiver_that_fails_takes_a_quarter_of_the_places_and_then_rests() {
        let (mut tired, now) = (Tired::new(), Instant::now());
        for _ in 0..TIRED - 1 {
            tired.failed(now);
            assert_eq!(tired.rest(now), None, "a few failures are nothing");
        }
        tired.failed(now);
        assert_eq!(tired.rest(now), Some(TIRED_FOR));
        for round in 1..4 {
            let then = now + TIRED_FOR * round;
            let tried = (0..AT_ONCE).filter(|_| tired.rest(then).is_none()).count();
            assert_eq!(tried, AT_ONCE / 4, "round {round}");
            (0..tried).for_each(|_| tired.failed(then));
            assert_eq!(tired.rest(then), Some(TIRED_FOR), "and none more until it has rested");
        }
    }
}
