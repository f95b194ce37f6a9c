//! A server that evicts deletes locks and queued work when it is full.

use quorate_store::Info;

use super::{Check, Verdict, text};

pub(super) fn check(memory: &Info) -> Check {
    let policy = text(memory, "maxmemory_policy");
    if policy == "noeviction" {
        return Check::right("eviction", "noeviction: a full server refuses, and deletes nothing");
    }
    Check::of(
        "eviction",
        Verdict::Wrong,
        format!("{policy}: a full server deletes keys, locks and queued work among them"),
        "set maxmemory-policy to noeviction",
    )
}
