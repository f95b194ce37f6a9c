//! Nothing depends on this machine's clock, but a person who compares times does.

use std::time::{SystemTime, UNIX_EPOCH};

use quorate_store::Result;
use quorate_store::invariant::Scope;

use super::{Check, Verdict};

/// A difference that confuses people who compare logs.
const NOTICEABLE_MS: u64 = 2_000;

pub(super) async fn check(scope: &Scope) -> Result<Check> {
    let server_ms = scope.store.time().await?.get() / 1_000;
    let apart = local_ms().abs_diff(server_ms);
    let detail = format!("the server's clock and this machine's are {:.1} s apart", apart as f64 / 1_000.0);
    Ok(if apart < NOTICEABLE_MS {
        Check::right("clock", detail)
    } else {
        Check::of(
            "clock",
            Verdict::Note,
            detail,
            "only the server's counts for leases; set both for readable logs",
        )
    })
}

#[expect(clippy::disallowed_methods, reason = "the difference between the two clocks is the point here")]
fn local_ms() -> u64 {
    SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0, |since| u64::try_from(since.as_millis()).unwrap_or(u64::MAX))
}
