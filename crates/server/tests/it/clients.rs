//! Clients that others wrote: an MCP client, and a tester that reads OpenAPI and tries everything it allows.

use std::process::Output;

use quorate_plane::tokens::Role;
use quorate_testkit::python::python;
use tokio::process::Command;

use crate::support::{Server, token};

fn text(output: &Output) -> String {
    format!("{}\n{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

#[tokio::test]
async fn an_mcp_client_joins_works_and_reads_its_inbox_over_http() {
    let python = tokio::task::spawn_blocking(python).await.expect("a Python");
    quorate_testkit::check(&[], async |bench| {
        let server = Server::start(bench).await;
        let secret = token(&server.plane, "ai", Role::Agent).await;
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/mcp_client.py");
        let url = format!("{}/mcp", server.url);
        let output = Command::new(python).args([script, "http", &url, &secret]).output().await.expect("runs");
        assert!(output.status.success(), "{}", text(&output));
        let denied = server.bare(reqwest::Method::POST, "/mcp").body("{}").send().await.expect("an answer");
        assert_eq!(denied.status(), 401);
    })
    .await;
}

#[tokio::test]
async fn schemathesis_finds_no_server_error_and_only_answers_that_are_documented() {
    let python = tokio::task::spawn_blocking(python).await.expect("a Python");
    quorate_testkit::check(&[], async |bench| {
        let server = Server::start(bench).await;
        let schema = format!("{}/api/openapi.json", server.url);
        let header = format!("Authorization: Bearer {}", server.admin);
        let folder = tempfile::tempdir().expect("a folder");
        let output = Command::new(python)
            .args([
                "-m",
                "schemathesis.cli",
                "run",
                &schema,
                "--header",
                &header,
                "--exclude-path-regex",
                // It learns names from answers: it would revoke the token it uses, and find nothing out any more.
                r"/live/|/tokens/\{",
            ])
            .args([
                "--checks",
                "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance",
                "--phases",
                "examples,coverage,fuzzing",
                "--max-examples",
                "10",
            ])
            .args(["--no-color", "--request-timeout", "10", "--seed", "7", "--suppress-health-check", "all"])
            .current_dir(folder.path())
            .output()
            .await
            .expect("runs");
        assert!(output.status.success(), "{}", text(&output));
    })
    .await;
}

/// A tool's call whose client has gone took an item that nobody had until its lease ended.
#[tokio::test]
async fn a_client_that_goes_while_it_waits_takes_nothing_along() {
    quorate_testkit::check(&[], async |bench| {
        let server = Server::start(bench).await;
        let call = async |name: &str, arguments: serde_json::Value, patience: u64| {
            let message = serde_json::json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": { "name": name, "arguments": arguments } });
            let request = server.ask(reqwest::Method::POST, "/mcp").header("content-type", "application/json");
            let request = request.header("accept", "application/json, text/event-stream").body(message.to_string());
            request.timeout(std::time::Duration::from_millis(patience)).send().await
        };
        call("agents_register", serde_json::json!({ "agent": "w1" }), 5_000).await.expect("an answer");
        let waiting = serde_json::json!({ "queue": "low", "agent": "w1", "wait": "20s" });
        assert!(call("queues_claim", waiting, 500).await.is_err(), "it has not waited for the answer");
        tokio::time::sleep(std::time::Duration::from_millis(300)).await;
        server.post("/api/v1/queues/low/push", serde_json::json!({ "payload": "x" })).await;
        tokio::time::sleep(std::time::Duration::from_millis(500)).await;
        let (_, low) = server.get("/api/v1/queues/low").await;
        assert_eq!((&low["depth"], &low["in_flight"]), (&1.into(), &0.into()), "{low}");
        let (_, trail) = server.get("/api/v1/audit").await;
        assert_eq!((&trail["records"][0]["action"], &trail["records"][0]["via"]), (&"agents.register".into(), &"mcp".into()));
    })
    .await;
}
