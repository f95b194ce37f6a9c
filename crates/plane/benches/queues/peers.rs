//! Other queues as they come, if `cargo xtask bench` has prepared them: BullMQ by Node, apalis-redis as a program.

use std::process::Command;

use super::{JOBS, TASKS};

/// Bulk adds and full cycles a second, and the 99th percentile of the way to an idle worker.
pub(crate) fn bullmq(port: u16) -> Option<[f64; 3]> {
    let folder = std::env::var_os("QUORATE_BENCH_BULLMQ")?;
    let arguments = [port as usize, JOBS, TASKS].map(|number| number.to_string());
    let said = output(Command::new("node").arg("bench.mjs").args(arguments).current_dir(folder));
    let said: serde_json::Value = serde_json::from_str(&said).expect("BullMQ reports");
    assert_eq!(said["exact"], true, "exact delivery");
    Some(["push", "full", "p99"].map(|name| said[name].as_f64().expect("a number")))
}

/// Full cycles a second; it fails by itself where delivery was not exact.
pub(crate) fn apalis(url: &str) -> Option<f64> {
    let program = std::env::var_os("QUORATE_BENCH_APALIS")?;
    let mut command = Command::new(program);
    command.env("PEER_URL", url).env("PEER_CLIENTS", TASKS.to_string()).env("PEER_JOBS", JOBS.to_string());
    Some(output(&mut command).trim().parse().expect("a rate"))
}

fn output(command: &mut Command) -> String {
    let output = command.output().expect("the peer starts");
    assert!(output.status.success(), "the peer failed: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}
