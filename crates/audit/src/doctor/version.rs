//! The floor is Redis 7.0 / Valkey 7.2: scripts rely on `#!lua` flags.

use quorate_store::Info;

use super::{Check, Verdict, text};

pub(super) fn check(server: &Info) -> Check {
    let (name, version) = match server.get("valkey_version") {
        Some(version) => ("Valkey", version),
        None => ("Redis", text(server, "redis_version")),
    };
    let detail = format!("{name} {version}");
    if is_recent(server.get("redis_version").unwrap_or(version)) {
        Check::right("version", detail)
    } else {
        Check::of("version", Verdict::Unfit, detail, "use Redis 7.0, Valkey 7.2 or newer")
    }
}

fn is_recent(version: &str) -> bool {
    version.split('.').next().and_then(|major| major.parse::<u32>().ok()).is_some_and(|major| major >= 7)
}
