//! `cargo xtask bench [NAME]`: the benchmarks, each a ratio or a rate against a stated bar.

use crate::stages::cargo;

/// Name, package and bench target.
const BENCHES: &[(&str, &str, &str)] =
    &[("matcher", "quorate-catalog", "matcher"), ("locks", "quorate-plane", "locks")];

pub(crate) fn run(name: Option<&str>) -> Result<(), String> {
    let chosen: Vec<_> = BENCHES.iter().filter(|(own, ..)| name.is_none_or(|name| name == *own)).collect();
    if chosen.is_empty() {
        let names: Vec<&str> = BENCHES.iter().map(|(own, ..)| *own).collect();
        return Err(format!("no benchmark of that name; there are: {}", names.join(", ")));
    }
    chosen
        .iter()
        .try_for_each(|(_, package, target)| cargo(&["bench", "-q", "-p", package, "--bench", target], &[]))
}
