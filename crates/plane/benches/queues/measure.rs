//! Rows of rates, and how one row compares with another.

use quorate_testkit::Bench;

use super::JOBS;

/// One variant and what its rounds gave: items a second, and microseconds of the server and of this process for an item.
pub(crate) struct Row {
    name: &'static str,
    rounds: Vec<[f64; 3]>,
}

/// Processor time of the server and of this process, in seconds.
pub(crate) struct Cost(f64, f64);

impl Cost {
    pub(crate) async fn now(bench: &Bench) -> Self {
        let info = bench.scope.store.info("cpu").await.expect("INFO cpu");
        let seconds = |name| info.get(name).and_then(|text| text.parse::<f64>().ok()).unwrap_or_default();
        Self(seconds("used_cpu_user") + seconds("used_cpu_sys"), client())
    }

    /// Microseconds an item since then, of the server and of this process.
    pub(crate) async fn since(&self, bench: &Bench) -> [f64; 2] {
        let now = Self::now(bench).await;
        [now.0 - self.0, now.1 - self.1].map(|seconds| seconds * 1e6 / JOBS as f64)
    }
}

/// User and system time of this process, which Linux counts in hundredths of a second.
fn client() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
    let ticks = |at: usize| fields.get(at).and_then(|text| text.parse::<f64>().ok()).unwrap_or_default();
    (ticks(11) + ticks(12)) / 100.0
}

impl Row {
    pub(crate) fn new(name: &'static str) -> Self {
        Self { name, rounds: Vec::new() }
    }

    pub(crate) fn add(&mut self, rate: f64) {
        self.rounds.push([rate, 0.0, 0.0]);
    }

    /// A round whose cost was measured too.
    pub(crate) fn add_with(&mut self, rate: f64, [server, client]: [f64; 2]) {
        self.rounds.push([rate, server, client]);
    }

    pub(crate) fn print(&self) {
        let column = |at: usize| median(&self.rounds.iter().map(|round| round[at]).collect::<Vec<_>>());
        match (column(0), column(1), column(2)) {
            (Some(rate), Some(server), Some(client)) if server > 0.0 => {
                println!("  {:<38} {rate:>9.0}; server {server:>5.1} µs, client {client:>5.1} µs", self.name);
            }
            (Some(rate), ..) => println!("  {:<38} {rate:>9.0}", self.name),
            _ => println!("  {:<38} was not measured", self.name),
        }
    }

    /// The median of the ratios of rounds that followed each other: what slowed the machine down slowed both.
    pub(crate) fn compare(&self, other: &Self, bar: &str) {
        let ratios: Vec<f64> =
            self.rounds.iter().zip(&other.rounds).map(|(own, other)| own[0] / other[0]).collect();
        if let Some(ratio) = median(&ratios) {
            println!("  {:<38} / {:<36} {ratio:>5.2}  ({bar})", self.name, other.name);
        }
    }
}

pub(crate) fn median(all: &[f64]) -> Option<f64> {
    percentile(all, 0.5)
}

/// The value below which this share of all lies.
pub(crate) fn percentile(all: &[f64], share: f64) -> Option<f64> {
    let mut all = all.to_vec();
    all.sort_by(f64::total_cmp);
    all.get(((all.len().max(1) as f64 - 1.0) * share).round() as usize).copied()
}
