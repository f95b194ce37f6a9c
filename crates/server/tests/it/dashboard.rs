//! The Grafana dashboard shows every series that `/metrics` has and names no other, and is such as Grafana takes.

use std::collections::BTreeSet;

use reqwest::Method;
use serde_json::{Value, json};

use crate::support::Server;

/// The names of series in an expression.
fn series(expression: &str) -> BTreeSet<String> {
    let words = expression.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    words.filter(|word| word.starts_with("quorate_")).map(str::to_owned).collect()
}

fn dashboard() -> Value {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/grafana/quorate.json");
    serde_json::from_str(&std::fs::read_to_string(path).expect("the dashboard")).expect("JSON")
}

/// The families that are served, of a plane that has something of everything.
async fn served(server: &Server) -> BTreeSet<String> {
    server.get("/api/v1/queues").await;
    server.post("/api/v1/queues/low/claim", json!({ "agent": "nobody" })).await;
    server.post("/api/v1/metrics/deploys/incr", json!({})).await;
    server.post("/api/v1/events/all", json!({ "event": "x" })).await;
    let read = server.post("/api/v1/events/all/read", json!({ "group": "g", "consumer": "c" })).await;
    assert_eq!(read.0, 200, "{}", read.1);
    let report = json!({ "csp-report": { "effective-directive": "img-src" } }).to_string();
    let request =
        server.bare(Method::POST, "/api/csp-report").header("content-type", "application/csp-report");
    request.body(report).send().await.expect("an answer");
    let text =
        server.ask(Method::GET, "/metrics").send().await.expect("an answer").text().await.expect("a body");
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    lines.filter_map(|line| line.split(['{', ' ']).next()).map(str::to_owned).collect()
}

#[tokio::test]
async fn every_series_is_on_the_dashboard_and_no_other() {
    quorate_testkit::check(&[], async |bench| {
        let server = Server::start(bench).await;
        let served = served(&server).await;
        let dashboard = dashboard();
        let panels = dashboard["panels"].as_array().expect("panels").iter();
        let targets = panels.flat_map(|panel| panel["targets"].as_array().expect("targets"));
        let shown: BTreeSet<String> =
            targets.flat_map(|target| series(target["expr"].as_str().expect("an expression"))).collect();
        let (unserved, unshown): (Vec<_>, Vec<_>) =
            (shown.difference(&served).collect(), served.difference(&shown).collect());
        assert!(
            unserved.is_empty() && unshown.is_empty(),
            "not served: {unserved:?}; not shown: {unshown:?}"
        );
    })
    .await;
}

#[test]
fn grafana_would_take_it() {
    let dashboard = dashboard();
    assert!(
        dashboard["schemaVersion"].is_u64() && dashboard["uid"].is_string() && dashboard["title"].is_string()
    );
    assert_eq!(dashboard["templating"]["list"][0]["name"], "source");
    let (mut ids, mut taken) = (BTreeSet::new(), BTreeSet::new());
    for panel in dashboard["panels"].as_array().expect("panels") {
        let title = panel["title"].as_str().expect("a title");
        assert!(ids.insert(panel["id"].as_u64().expect("an id")), "{title}: its id is not its own");
        assert_eq!(panel["datasource"]["uid"], "${source}", "{title}");
        let place = |name: &str| panel["gridPos"][name].as_u64().expect("a number");
        assert!(place("x") + place("w") <= 24, "{title}: beyond the edge");
        for cell in (place("x")..place("x") + place("w")).flat_map(|x| (0..place("h")).map(move |y| (x, y))) {
            assert!(taken.insert((cell.0, cell.1 + place("y"))), "{title}: another one is there");
        }
        let targets = panel["targets"].as_array().expect("targets");
        let refs: BTreeSet<&str> = targets.iter().filter_map(|target| target["refId"].as_str()).collect();
        assert_eq!(refs.len(), targets.len(), "{title}: each target has a name of its own");
    }
}
