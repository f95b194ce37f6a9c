//! How the plane has been: a sample of its numbers every half minute, for a day.
//!
//! One process takes each sample, whichever is first; a moment at which none ran stays empty, and is shown as empty. A series is
//! one stream with a cap, and goes a day after its last sample.

use std::collections::BTreeMap;
use std::time::Duration;

use quorate_catalog::ids::SeriesName;
use quorate_store::{Arg, Result, cmd, pipe};
use schemars::JsonSchema;
use serde::Serialize;

use super::Overview;
use super::script::{NOTE, SAMPLE};
use crate::outcome::Reply;

/// How far samples are apart.
pub const EVERY: Duration = Duration::from_secs(30);
const EVERY_MS: u64 = EVERY.as_millis() as u64;
/// How many are kept of each series: a day.
pub const MOST: usize = 2_880;
/// After how long without a sample a series goes.
const LIFE: Duration = Duration::from_secs(25 * 3_600);
/// Most queues that have a series.
const QUEUES: usize = 50;

/// The numbers of one moment under their names.
type Numbers = Vec<(&'static str, Option<u64>)>;

/// One series on its grid of time. A moment without a sample is `null` in every column.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Series {
    /// `agents`, `locks` or `queue:NAME`.
    pub name: String,
    /// The moments, in Unix seconds, one interval apart.
    pub at: Vec<u64>,
    /// The columns, each as long as `at`.
    pub values: BTreeMap<String, Vec<Option<f64>>>,
}

impl Overview<'_> {
    /// Takes the sample of this interval unless it was taken; says whether this call took it.
    pub async fn sample(&self) -> Result<bool> {
        let store = self.plane.store();
        let key = self.plane.keys().quorate().sampled();
        let reply: Reply = store.run(&SAMPLE, &[key], &[Arg::from(EVERY_MS)]).await?;
        let Ok((word, rest)) = reply.split() else { return Ok(false) };
        let Some(moment) = rest.first().filter(|_| word == "yours") else { return Ok(false) };
        for (name, numbers) in self.gather().await? {
            self.note(&name, moment, &numbers).await?;
        }
        Ok(true)
    }

    async fn gather(&self) -> Result<Vec<(String, Numbers)>> {
        let numbers = self.numbers().await?;
        let mut all = vec![
            (
                "agents".to_owned(),
                vec![
                    ("online", Some(numbers.agents_online)),
                    ("away", Some(numbers.agents_away)),
                    ("stale", Some(numbers.agents_stale)),
                ],
            ),
            (
                "locks".to_owned(),
                vec![("holds", Some(numbers.lock_holds)), ("waits", Some(numbers.lock_waits))],
            ),
        ];
        let queues = self.plane.queues().known().await?;
        for queue in queues.iter().take(QUEUES) {
            let shown = self.plane.queues().show(queue, 0).await?;
            let state = self.plane.keys().quorate().queue_state(&queue.as_ref());
            let claimed: Option<u64> =
                self.plane.store().query(cmd("HGET").arg(state.as_str()).arg("f")).await?;
            // What was never used has no history.
            if claimed.is_none() && shown.depth == 0 && shown.dead == 0 {
                continue;
            }
            let row = vec![
                ("depth", Some(shown.depth)),
                ("in_flight", Some(shown.in_flight)),
                ("delayed", Some(shown.delayed)),
                ("dead", Some(shown.dead)),
                ("oldest_ms", shown.oldest_ms.or((shown.depth == 0).then_some(0))),
                ("claimed", claimed.or(Some(0))),
            ];
            all.push((format!("queue:{}", queue.name()), row));
        }
        Ok(all)
    }

    async fn note(&self, name: &str, moment: &str, numbers: &Numbers) -> Result<()> {
        // A queue whose name is too long for a series has none.
        let Ok(name) = SeriesName::parse(name) else { return Ok(()) };
        let key = self.plane.keys().quorate().series(&name);
        let mut args = vec![Arg::from(moment), Arg::from(MOST), Arg::from(crate::locks::millis(LIFE))];
        for (name, value) in numbers.iter().filter_map(|(name, value)| Some((name, (*value)?))) {
            args.extend([Arg::from(*name), Arg::from(value)]);
        }
        let _: Reply = self.plane.store().run(&NOTE, &[key], &args).await?;
        Ok(())
    }

    /// The series of these names over the last while, in at most so many steps of the same length; of each step the highest number.
    pub async fn series(&self, names: &[SeriesName], last: Duration, steps: usize) -> Result<Vec<Series>> {
        let now = self.plane.store().time().await?.millis();
        let slots = usize::try_from(last.as_millis() as u64 / EVERY_MS).unwrap_or(MOST).clamp(1, MOST);
        let newest = now - now % EVERY_MS;
        let first = newest.saturating_sub((slots as u64 - 1) * EVERY_MS);
        let mut all = Vec::new();
        for name in names {
            let key = self.plane.keys().quorate().series(name);
            let mut range = cmd("XRANGE");
            range.arg(key.as_str()).arg(first).arg("+").arg("COUNT").arg(MOST);
            let found: Vec<(String, Vec<String>)> = self.plane.store().query(&range).await?;
            all.push(Grid::new(first, slots, &found).into_series(name.as_key(), steps.clamp(1, MOST)));
        }
        Ok(all)
    }

    /// The series that there are: of agents, of locks, and of each queue that is or was used.
    pub async fn series_names(&self) -> Result<Vec<SeriesName>> {
        let queues = self.plane.queues().known().await?;
        let queues = queues.iter().take(QUEUES).map(|queue| format!("queue:{}", queue.name()));
        let names: Vec<SeriesName> = ["agents".to_owned(), "locks".to_owned()]
            .into_iter()
            .chain(queues)
            .filter_map(|name| SeriesName::parse(&name).ok())
            .collect();
        let mut there = pipe();
        for name in &names {
            there.cmd("EXISTS").arg(self.plane.keys().quorate().series(name).as_str());
        }
        let there: Vec<bool> = self.plane.store().pipeline(&there).await?;
        Ok(names.into_iter().zip(there).filter_map(|(name, there)| there.then_some(name)).collect())
    }
}

/// Samples put where they belong in time.
struct Grid {
    first: u64,
    slots: usize,
    columns: BTreeMap<String, Vec<Option<f64>>>,
}

impl Grid {
    fn new(first: u64, slots: usize, found: &[(String, Vec<String>)]) -> Self {
        let mut columns: BTreeMap<String, Vec<Option<f64>>> = BTreeMap::new();
        for (id, fields) in found {
            let at = id.split('-').next().and_then(|ms| ms.parse::<u64>().ok()).unwrap_or_default();
            let slot = usize::try_from(at.saturating_sub(first) / EVERY_MS).unwrap_or(usize::MAX);
            for pair in fields.chunks_exact(2).filter(|_| at >= first && slot < slots) {
                let column = columns.entry(pair[0].clone()).or_insert_with(|| vec![None; slots]);
                column[slot] = pair[1].parse().ok();
            }
        }
        if let Some(claimed) = columns.remove("claimed") {
            columns.insert("claims_per_minute".to_owned(), rates(&claimed));
        }
        Self { first, slots, columns }
    }

    fn into_series(self, name: &str, steps: usize) -> Series {
        let wide = self.slots.div_ceil(steps);
        let second = |slot: usize| (self.first + slot as u64 * EVERY_MS) / 1_000;
        let highest = |some: &[Option<f64>]| some.iter().flatten().copied().reduce(f64::max);
        let thin = |column: &Vec<Option<f64>>| column.chunks(wide).map(highest).collect();
        Series {
            name: name.to_owned(),
            at: (0..self.slots).step_by(wide).map(second).collect(),
            values: self.columns.iter().map(|(name, column)| (name.clone(), thin(column))).collect(),
        }
    }
}

/// How many a minute, between samples next to each other. A counter that went back, or leapt as it does after a loss, says nothing.
fn rates(totals: &[Option<f64>]) -> Vec<Option<f64>> {
    const LEAP: f64 = 10_000_000.0;
    let per_minute = 60_000.0 / EVERY_MS as f64;
    let between = |pair: &[Option<f64>]| {
        let more = pair[1]? - pair[0]?;
        (0.0..LEAP).contains(&more).then_some(more * per_minute)
    };
    std::iter::once(None).chain(totals.windows(2).map(between)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(at: u64, pairs: &[(&str, &str)]) -> (String, Vec<String>) {
        let fields = pairs.iter().flat_map(|(name, value)| [(*name).to_owned(), (*value).to_owned()]);
        (format!("{at}-0"), fields.collect())
    }

    #[test]
    fn a_moment_without_a_sample_is_a_gap_and_a_step_keeps_its_peak() {
        let found = [
            entry(30_000, &[("depth", "3"), ("claimed", "10")]),
            entry(60_000, &[("depth", "9"), ("claimed", "14")]),
            entry(150_000, &[("depth", "1"), ("claimed", "20")]),
        ];
        let fine = Grid::new(30_000, 5, &found).into_series("queue:normal", 5);
        assert_eq!(fine.at, [30, 60, 90, 120, 150]);
        assert_eq!(fine.values["depth"], [Some(3.0), Some(9.0), None, None, Some(1.0)]);
        assert_eq!(
            fine.values["claims_per_minute"],
            [None, Some(8.0), None, None, None],
            "no rate over a gap"
        );
        let coarse = Grid::new(30_000, 5, &found).into_series("queue:normal", 2);
        assert_eq!((coarse.at, &coarse.values["depth"]), (vec![30, 120], &vec![Some(9.0), Some(1.0)]));
        let odd = [entry(7, &[("depth", "1")]), entry(9_000_000, &[("depth", "x")])];
        assert!(Grid::new(30_000, 5, &odd).columns.is_empty(), "what lies outside is left out");
    }
}
