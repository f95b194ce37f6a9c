//! Pauses between attempts: the first is none, then they double up to a cap, with jitter.
//!
//! The jitter keeps a fleet that lost its server at one moment from coming back at one moment.

use std::time::Duration;

#[derive(Debug)]
pub(crate) struct Backoff {
    next: Option<Duration>,
    first: Duration,
    cap: Duration,
}

impl Backoff {
    /// Between attempts to connect.
    pub(crate) fn reconnect() -> Self {
        Self::new(Duration::from_millis(20), Duration::from_secs(1))
    }

    /// Between repetitions of a call that the server was not ready for.
    pub(crate) fn repeat() -> Self {
        Self::new(Duration::from_millis(10), Duration::from_millis(250))
    }

    fn new(first: Duration, cap: Duration) -> Self {
        Self { next: None, first, cap }
    }

    /// The pause before the next attempt.
    pub(crate) fn pause(&mut self) -> Duration {
        let Some(pause) = self.next else {
            self.next = Some(self.first);
            return Duration::ZERO;
        };
        self.next = Some((pause * 2).min(self.cap));
        jitter(pause)
    }
}

/// Between half and the whole of `pause`.
pub(crate) fn jitter(pause: Duration) -> Duration {
    // Without entropy there is no jitter, which is worse for the server but right for the caller.
    let share = getrandom::u32().map_or(1.0, |random| f64::from(random) / f64::from(u32::MAX));
    pause.mul_f64(0.5 + share / 2.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_start_at_none_and_double_up_to_the_cap_with_jitter() {
        let mut backoff = Backoff::reconnect();
        assert_eq!(backoff.pause(), Duration::ZERO);
        let mut bound = Duration::from_millis(20);
        for _ in 0..12 {
            let pause = backoff.pause();
            assert!(pause >= bound / 2 && pause <= bound, "{pause:?} of {bound:?}");
            bound = (bound * 2).min(Duration::from_secs(1));
        }
    }

    #[test]
    fn two_clients_do_not_pause_alike() {
        let pauses: std::collections::BTreeSet<_> = (0..32).map(|_| jitter(Duration::from_secs(1))).collect();
        assert!(pauses.len() > 16, "{pauses:?}");
    }
}
