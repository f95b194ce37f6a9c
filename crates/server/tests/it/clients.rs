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
async fn schemathesis_finds_no_server_error() {
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
                "/live/",
            ])
            .args([
                "--checks",
                "not_a_server_error",
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
