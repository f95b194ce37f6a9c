//! The Grafana dashboard names only series that `/metrics` has.

use std::collections::BTreeSet;

use reqwest::Method;
use serde_json::Value;

use crate::support::Server;

/// Where series are declared.
const DECLARED: [&str; 2] =
    [include_str!("../../src/metrics/work.rs"), include_str!("../../src/metrics/engine.rs")];

/// The names of series in an expression.
fn series(expression: &str) -> BTreeSet<String> {
    let words = expression.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    words.filter(|word| word.starts_with("quorate_")).map(str::to_owned).collect()
}

#[tokio::test]
async fn every_series_of_the_dashboard_is_served() {
    quorate_testkit::check(&[], async |bench| {
        let server = Server::start(bench).await;
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/grafana/quorate.json");
        let dashboard: Value =
            serde_json::from_str(&std::fs::read_to_string(path).expect("the dashboard")).expect("JSON");
        server.get("/api/v1/queues").await;
        let text = server
            .ask(Method::GET, "/metrics")
            .send()
            .await
            .expect("an answer")
            .text()
            .await
            .expect("a body");
        let panels = dashboard["panels"].as_array().expect("panels");
        assert!(
            panels.len() >= 12
                && panels.iter().all(|panel| panel["gridPos"].is_object() && panel["title"].is_string())
        );
        for target in panels.iter().flat_map(|panel| panel["targets"].as_array().expect("targets")) {
            for name in series(target["expr"].as_str().expect("an expression")) {
                // A family that has no series yet is not in the text, so its declaration counts too.
                let family = name.trim_end_matches("_total");
                let declared = DECLARED
                    .iter()
                    .any(|source| source.contains(&format!("\"{}\"", &family["quorate_".len()..])));
                assert!(text.contains(&format!("# HELP {family} ")) || declared, "{name} is not served");
            }
        }
    })
    .await;
}
