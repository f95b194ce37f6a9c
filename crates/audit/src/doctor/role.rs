//! A replica takes no writes.

use quorate_store::Info;

use super::{Check, Verdict, text};

pub(super) fn check(replication: &Info) -> Check {
    let replicas = replication.number("connected_slaves").unwrap_or(0);
    match text(replication, "role") {
        "master" => Check::right("role", format!("master, {replicas} replicas connected")),
        other => Check::of(
            "role",
            Verdict::Unfit,
            format!("this server is a {}", if other == "slave" { "replica" } else { other }),
            "point REDIS_URL at the master, or at Sentinel so that it is found",
        ),
    }
}
