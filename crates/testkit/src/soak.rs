//! Sizes, seeds and figures of long tests.
//!
//! A proof runs small in every run of the tests, and in full size under `cargo xtask soak`; `QUORATE_SOAK=0.2` asks for a fifth
//! of it. What it does at random comes from one seed, which it says, and which `QUORATE_SEED` sets again.

use std::hash::{BuildHasher, Hasher, RandomState};

/// Whether the full size was asked for.
pub fn full() -> bool {
    part().is_some_and(|part| part >= 1.0)
}

/// The smoke size, or the part of the full one that was asked for.
pub fn size(smoke: usize, whole: usize) -> usize {
    let asked = part().map(|part| (whole as f64 * part.min(1.0)) as usize);
    asked.map_or(smoke, |asked| asked.max(smoke))
}

/// How much of the full size was asked for; nothing in the usual run of the tests.
fn part() -> Option<f64> {
    std::env::var("QUORATE_SOAK").ok()?.parse().ok().filter(|part| *part > 0.0)
}

/// Says a figure; seen where the test fails or its output is asked for.
#[expect(clippy::print_stderr, reason = "a test speaks to whoever runs it")]
pub fn say(figure: &str) {
    eprintln!("soak: {figure}");
}

/// Random numbers that a seed repeats (splitmix64).
#[derive(Debug, Clone)]
pub struct Dice(u64);

impl Dice {
    /// From `QUORATE_SEED`, or a seed of its own; says which.
    pub fn of(test: &str) -> Self {
        let given = std::env::var("QUORATE_SEED").ok().and_then(|text| text.parse().ok());
        let seed = given.unwrap_or_else(|| RandomState::new().build_hasher().finish() >> 16);
        say(&format!("{test}: QUORATE_SEED={seed}"));
        Self(seed)
    }

    pub fn from_seed(seed: u64) -> Self {
        Self(seed)
    }

    pub fn roll(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `end`, which is not 0.
    pub fn below(&mut self, end: usize) -> usize {
        usize::try_from(self.roll() % end as u64).unwrap_or_default()
    }

    /// True in so many of a hundred cases.
    pub fn percent(&mut self, chance: usize) -> bool {
        self.below(100) < chance
    }

    pub fn one_of<'a, T>(&mut self, of: &'a [T]) -> &'a T {
        &of[self.below(of.len())]
    }

    /// Others for a task of its own.
    pub fn fork(&mut self) -> Self {
        Self(self.roll())
    }
}

/// The largest, the middle and the count of what was measured, in milliseconds.
pub fn spread(mut all: Vec<std::time::Duration>) -> String {
    all.sort();
    let at = |place: usize| all.get(place).map_or(0.0, |one| one.as_secs_f64() * 1e3);
    format!(
        "{} measured, p50 {:.1} ms, p100 {:.1} ms",
        all.len(),
        at(all.len() / 2),
        at(all.len().max(1) - 1)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_repeats_its_numbers_and_reaches_every_side() {
        let (mut one, mut two) = (Dice::from_seed(7), Dice::from_seed(7));
        let rolls: Vec<usize> = (0..200).map(|_| one.below(6)).collect();
        assert_eq!(rolls, (0..200).map(|_| two.below(6)).collect::<Vec<_>>());
        assert!((0..6).all(|side| rolls.contains(&side)));
        assert_ne!(one.fork().roll(), two.roll());
    }
}
