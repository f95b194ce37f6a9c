//! The store as other clients see it: what commands answer, everything there is, and clients written in Python.

use std::io::Write;
use std::process::{Command, Stdio};

use quorate_store::FromRedisValue;
use quorate_testkit::Bench;
use serde_json::Value;

/// What a command answers, as texts.
pub(crate) async fn texts(bench: &Bench, line: &str) -> Vec<String> {
    Vec::from_redis_value(bench.cli(line).await).unwrap_or_default()
}

pub(crate) async fn text(bench: &Bench, line: &str) -> String {
    String::from_redis_value(bench.cli(line).await).unwrap_or_default()
}

/// Everything there is: each key with its bytes, in order. Two dumps are equal if nothing was changed.
pub(crate) async fn dump(bench: &Bench) -> Vec<(String, Vec<u8>)> {
    let mut keys = texts(bench, "KEYS *").await;
    keys.sort();
    let mut all = Vec::new();
    for key in keys {
        let bytes: Vec<u8> = bench.scope.store.query(quorate_store::cmd("DUMP").arg(&key)).await.unwrap();
        all.push((key, bytes));
    }
    all
}

/// Lets a client of the tests' folder do some things, and gives its answers.
pub(crate) fn python(bench: &Bench, client: &str, asked: &Value) -> Value {
    let script = format!("{}/tests/{client}", env!("CARGO_MANIFEST_DIR"));
    let mut command = Command::new(quorate_testkit::python::python());
    command.arg(script).arg(bench.node.url().reveal());
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("Python starts");
    child.stdin.take().expect("a pipe").write_all(asked.to_string().as_bytes()).expect("it reads");
    let output = child.wait_with_output().expect("it ends");
    assert!(output.status.success());
    serde_json::from_slice(&output.stdout).expect("JSON")
}
