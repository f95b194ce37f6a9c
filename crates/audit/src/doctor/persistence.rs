//! What a crash of the server costs.

use quorate_store::Info;

use super::{Check, Verdict};

pub(super) fn check(persistence: &Info, fsync: Option<&str>) -> Check {
    if persistence.get("aof_enabled") != Some("1") {
        return Check::of(
            "persistence",
            Verdict::Wrong,
            "the append-only file is off: a crash loses everything since the last snapshot",
            "set appendonly to yes and appendfsync to everysec",
        );
    }
    if persistence.get("aof_last_write_status").is_some_and(|status| status != "ok") {
        return Check::of(
            "persistence",
            Verdict::Wrong,
            "the last write to the append-only file failed",
            "look for a full disk; the server refuses writes until it can store them",
        );
    }
    match fsync {
        Some("no") => Check::of(
            "persistence",
            Verdict::Wrong,
            "append-only file without fsync: a power loss may cost half a minute",
            "set appendfsync to everysec or always",
        ),
        Some("always") => Check::right("persistence", "append-only file, synced with every write"),
        Some(_) => Check::right(
            "persistence",
            "append-only file, synced every second: a power loss may cost the last two",
        ),
        None => Check::right("persistence", "append-only file; how often it is synced is not told to us"),
    }
}
