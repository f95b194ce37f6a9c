//! Rates, and the processor time of a pair in the server and in the client.

use std::future::Future;
use std::time::{Duration, Instant};

use quorate_store::Store;

/// Tasks that share one connection.
pub(crate) const TASKS: usize = 50;
pub(crate) const ROUNDS: usize = 7;
const ROUND: Duration = Duration::from_millis(600);

/// One variant and what its rounds gave: pairs a second, and microseconds of the server and of the client for a pair.
pub(crate) struct Row {
    pub(crate) name: &'static str,
    rounds: Vec<[f64; 3]>,
}

impl Row {
    pub(crate) fn new(name: &'static str) -> Self {
        Self { name, rounds: Vec::new() }
    }

    pub(crate) fn add(&mut self, round: [f64; 3]) {
        self.rounds.push(round);
    }

    pub(crate) fn medians(&self) -> [f64; 3] {
        [0, 1, 2].map(|at| {
            let mut all: Vec<f64> = self.rounds.iter().map(|round| round[at]).collect();
            all.sort_by(f64::total_cmp);
            all[all.len() / 2]
        })
    }

    /// The median of the ratios of rounds that followed each other: what slowed the machine down slowed both.
    pub(crate) fn ratio_to(&self, other: &Self) -> f64 {
        let pairs = self.rounds.iter().zip(&other.rounds);
        let mut all: Vec<f64> = pairs.map(|(own, other)| own[0] / other[0]).collect();
        all.sort_by(f64::total_cmp);
        all[all.len() / 2]
    }
}

/// How many pairs a second all tasks do together, and what a pair costs.
pub(crate) async fn rate<F: Future<Output = ()>>(store: &Store, pair: impl Fn(usize) -> F) -> [f64; 3] {
    let (server, client) = (server_cpu(store).await, client_cpu());
    let (started, end) = (Instant::now(), Instant::now() + ROUND);
    let one = async |task: usize| {
        let mut done = 0_u64;
        while Instant::now() < end {
            pair(task).await;
            done += 1;
        }
        done
    };
    let counts = futures_util::future::join_all((0..TASKS).map(one)).await;
    let pairs = counts.iter().sum::<u64>() as f64;
    let took = started.elapsed().as_secs_f64();
    let each = |from: f64, to: f64| (to - from) * 1e6 / pairs;
    [pairs / took, each(server, server_cpu(store).await), each(client, client_cpu())]
}

pub(crate) async fn server_cpu(store: &Store) -> f64 {
    let info = store.info("cpu").await.expect("INFO cpu");
    let seconds = |name| info.get(name).and_then(|text| text.parse::<f64>().ok()).unwrap_or_default();
    seconds("used_cpu_user") + seconds("used_cpu_sys")
}

/// User and system time of this process, which Linux counts in hundredths of a second.
pub(crate) fn client_cpu() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
    let ticks = |at: usize| fields.get(at).and_then(|text| text.parse::<f64>().ok()).unwrap_or_default();
    (ticks(11) + ticks(12)) / 100.0
}

/// The value below which this share of all lies.
pub(crate) fn percentile(all: &mut [Duration], share: f64) -> Duration {
    all.sort_unstable();
    let at = ((all.len() as f64 - 1.0) * share).round() as usize;
    all.get(at).copied().unwrap_or_default()
}
