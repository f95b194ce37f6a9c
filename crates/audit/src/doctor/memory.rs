//! How near the server is to refusing new work.

use quorate_store::Info;

use super::{Check, Verdict};

/// Above this share of its limit a server is nearly full.
const NEARLY_FULL_PERCENT: u64 = 90;

pub(super) fn check(memory: &Info) -> Check {
    let used = memory.number("used_memory").unwrap_or(0);
    let most = memory.number("maxmemory").unwrap_or(0);
    if most == 0 {
        return Check::right("memory", format!("{} used, no limit but the machine's", mebibytes(used)));
    }
    let percent = used.saturating_mul(100) / most;
    let detail = format!("{} of {} used ({percent} %)", mebibytes(used), mebibytes(most));
    if percent < NEARLY_FULL_PERCENT {
        return Check::right("memory", detail);
    }
    Check::of(
        "memory",
        Verdict::Wrong,
        detail,
        "raise maxmemory or drain queues; at the limit new work is refused",
    )
}

fn mebibytes(bytes: u64) -> String {
    format!("{:.1} MiB", bytes as f64 / 1_048_576.0)
}
