//! The server below: keys, memory, clients, persistence, replication, and the time its scripts take.

use prometheus_client::registry::Registry;
use quorate_plane::Plane;
use quorate_store::{Info, Result};

use super::gauges;

/// A line of `INFO` that is a number as it stands.
const LINES: [(&str, &str, &str); 14] = [
    ("used_memory", "engine_memory_bytes", "Memory in use"),
    ("maxmemory", "engine_memory_limit_bytes", "Most memory, 0 for no limit"),
    ("connected_clients", "engine_clients", "Connected clients"),
    ("blocked_clients", "engine_clients_blocked", "Clients that wait in a blocking call"),
    ("rejected_connections", "engine_connections_rejected", "Connections that were refused"),
    ("evicted_keys", "engine_keys_evicted", "Keys that were evicted; each is a broken promise"),
    ("expired_keys", "engine_keys_expired", "Keys that expired"),
    ("total_commands_processed", "engine_commands", "Commands since the start"),
    ("rdb_changes_since_last_save", "engine_unsaved_changes", "Changes since the last snapshot"),
    ("aof_enabled", "engine_journal_enabled", "Whether the append-only file is on"),
    ("aof_current_size", "engine_journal_bytes", "Size of the append-only file"),
    ("connected_slaves", "engine_replicas", "Connected replicas"),
    ("master_repl_offset", "engine_replication_offset", "How far replication is"),
    ("uptime_in_seconds", "engine_uptime_seconds", "Time since the server started"),
];

pub(super) async fn register(registry: &mut Registry, plane: &Plane) -> Result<()> {
    let info = plane.store().info("all").await?;
    for (line, name, help) in LINES {
        gauges(registry, name, help, info.number(line).map(|value| (vec![], value as f64)));
    }
    let journal = info.get("aof_last_write_status").map(|status| f64::from(u8::from(status == "ok")));
    gauges(
        registry,
        "engine_journal_ok",
        "Whether the last write to the journal went well",
        journal.map(|ok| (vec![], ok)),
    );
    gauges(registry, "engine_keys", "Keys in the database", [(vec![], keys(&info) as f64)]);
    let scripts = ["evalsha", "eval", "fcall"]
        .into_iter()
        .filter_map(|command| Some((command, stats(&info, command)?)));
    let scripts: Vec<_> = scripts.collect();
    let labelled = |at: usize| {
        scripts
            .iter()
            .map(move |(command, stats)| (vec![("command", (*command).to_owned())], stats[at]))
            .collect::<Vec<_>>()
    };
    gauges(registry, "script_calls", "Scripts that were run", labelled(0));
    gauges(
        registry,
        "script_seconds",
        "Time that scripts took",
        labelled(1).into_iter().map(|(own, usec)| (own, usec / 1e6)),
    );
    Ok(())
}

/// `db0:keys=12,expires=3,…`, summed.
fn keys(info: &Info) -> u64 {
    let databases = info
        .iter()
        .filter(|(name, _)| name.starts_with("db") && name[2..].bytes().all(|byte| byte.is_ascii_digit()));
    databases
        .filter_map(|(_, value)| value.strip_prefix("keys=")?.split(',').next()?.parse::<u64>().ok())
        .sum()
}

/// `calls=12,usec=345,…` of a command.
fn stats(info: &Info, command: &str) -> Option<[f64; 2]> {
    let line = info.get(&format!("cmdstat_{command}"))?;
    let number = |name: &str| line.split(',').find_map(|part| part.strip_prefix(name))?.parse().ok();
    Some([number("calls=")?, number("usec=")?])
}
