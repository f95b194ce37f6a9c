//! `quorate services`: a running plane watches a service, and says how it fares.

use std::io::{Read, Write};
use std::net::TcpListener;
use std::time::Duration;

use crate::support::{Plane, until};

/// A service of Relayna's kind with one event.
fn service() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = listener.local_addr().expect("an address").port();
    std::thread::spawn(move || {
        for mut socket in listener.incoming().flatten() {
            let mut part = [0; 8_192];
            let count = socket.read(&mut part).unwrap_or(0);
            let head = String::from_utf8_lossy(&part[..count]).into_owned();
            let target = head.split_whitespace().nth(1).unwrap_or_default();
            let body = match target.split('?').next().unwrap_or_default() {
                "/relayna/capabilities" => {
                    r#"{"supported_routes":["events.feed"],"service_metadata":{"compatibility":"capabilities_v1"}}"#
                }
                "/events/feed" => {
                    r#"{"items":[{"cursor":"c1","task_id":"t1","event_type":"status.queued","source_kind":"status","event_id":"e1"}]}"#
                }
                "/loki/api/v1/query_range" => {
                    r#"{"status":"success","data":{"resultType":"streams","result":[{"stream":{"app":"pay"},"values":[["1775469600000000000","\u001b[2Jpaid"]]}]}}"#
                }
                "/api/v1/query_range" => {
                    r#"{"status":"success","data":{"resultType":"matrix","result":[{"metric":{},"values":[[1775469600,"0.5"]]}]}}"#
                }
                "/api/v1/query" => {
                    r#"{"status":"success","data":{"resultType":"vector","result":[{"metric":{"pod":"pay-1","phase":"Running"}}]}}"#
                }
                _ => "{}",
            };
            let _ = write!(
                socket,
                "HTTP/1.1 200 OK\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}",
                body.len()
            );
        }
    });
    port
}

#[test]
fn a_running_plane_watches_a_service_and_reads_its_feed() {
    let home = tempfile::tempdir().unwrap();
    let (url, rules) = (format!("http://127.0.0.1:{}", service()), "127.0.0.0/8:*");
    let plane = Plane::on(home.path(), &["--allow-outgoing", rules], &[]);
    let register =
        ["services", "register", "pay", &url, "--environment", "dev", "--name", "\u{1b}x", "-o", "json"];
    assert_eq!(plane.run(&register).code, 2, "a name that is no text");
    let register = ["services", "register", "pay", &url, "--environment", "dev", "-o", "json"];
    let denied = plane.run(&register);
    assert_eq!((denied.code, &denied.json()["code"]), (4, &"url_denied".into()), "{}", denied.err);
    let made = plane.run(&[&register[..], &["--allow-outgoing", rules]].concat());
    assert_eq!((made.code, &made.json()["status"]), (0, &"registered".into()), "{}{}", made.out, made.err);
    until("its feed is read", Duration::from_secs(20), || {
        let page = plane.run(&["services", "events", "pay", "-o", "json"]).json();
        page["items"][0]["dedupe_key"] == "pay:status:e1"
    });
    let found = plane.run(&["fsck", "-o", "json"]);
    assert!(!found.out.contains("FSCK003"), "what the plane writes is as its catalog says: {}", found.out);
    let shown = plane.run(&["services", "show", "pay", "-o", "json"]).json();
    assert_eq!((&shown["status"], &shown["feed"]["cursor"]), (&"healthy".into(), &"c1".into()), "{shown}");
    let health = plane.run(&["services", "health", "pay"]);
    assert_eq!(
        (health.code, health.out.trim()),
        (0, "unknown: no event of it is known"),
        "its event said no time"
    );
    assert_eq!(plane.run(&["services", "update", "pay", "--status", "healthy"]).code, 2, "nobody can say so");
    assert_eq!(plane.run(&["services", "disable", "pay"]).code, 0);
    let pull = plane.run(&["services", "pull", "pay", "--allow-outgoing", rules, "-o", "json"]);
    assert_eq!((pull.code, &pull.json()["code"]), (4, &"service_disabled".into()));
    assert!(plane.run(&["services", "ls", "--environment", "dev"]).out.contains("disabled"));
    assert!(!plane.run(&["services", "ls", "--environment", "prod"]).out.contains("pay"));
    assert_eq!(plane.run(&["services", "delete", "pay"]).code, 0);
    assert_eq!(plane.run(&["services", "show", "pay"]).code, 3);
    assert!(plane.run(&["audit", "ls"]).out.contains("services.delete"));
    assert_eq!(plane.run(&["fsck"]).code, 0);
}

#[test]
fn logs_metrics_pods_and_traces_are_asked_where_the_record_says() {
    let home = tempfile::tempdir().unwrap();
    let (url, rules) = (format!("http://127.0.0.1:{}", service()), "127.0.0.0/8:*");
    let plane = Plane::on(home.path(), &["--allow-outgoing", rules], &[]);
    let run = |words: &[&str]| {
        plane.run(&[&["services"], words, &["--allow-outgoing", rules, "-o", "json"]].concat())
    };
    assert_eq!(run(&["register", "pay", &url, "--environment", "dev"]).code, 0);
    let none = run(&["logs", "pay"]);
    assert_eq!((none.code, &none.json()["code"]), (4, &"not_configured".into()), "{}", none.err);
    let labels = r#""service_selector_labels":{"app":"pay"}"#;
    let logs = format!(r#"{{"base_url":"{url}",{labels}}}"#);
    let metrics = format!(r#"{{"base_url":"{url}","namespace":"shop",{labels}}}"#);
    let traces = format!(r#"{{"base_url":"{url}"}}"#);
    assert_eq!(run(&["update", "pay", "--log-config", "{"]).code, 2, "no JSON");
    assert_eq!(run(&["update", "pay", "--log-config", &traces]).code, 2, "no labels");
    let told = run(&[
        "update",
        "pay",
        "--log-config",
        &logs,
        "--metrics-config",
        &metrics,
        "--trace-config",
        &traces,
    ]);
    assert_eq!(
        (told.code, &told.json()["log_config"]["base_url"]),
        (0, &url.as_str().into()),
        "{}",
        told.err
    );
    let page = run(&["logs", "pay", "--task", "x\"} or {", "--query", "paid"]);
    assert_eq!((page.code, &page.json()["count"]), (0, &1.into()), "{}", page.err);
    let shown = plane.run(&["services", "logs", "pay", "--allow-outgoing", rules]);
    assert!(shown.out.contains("paid") && !shown.out.contains('\u{1b}'), "{}", shown.out);
    assert_eq!(run(&["logs", "pay", "--before", "yesterday"]).code, 2);
    let found = run(&["metrics", "pay", "--group", "cpu_usage,restarts"]);
    assert_eq!((found.code, found.json()["series"].as_array().map(Vec::len)), (0, Some(2)), "{}", found.err);
    assert_eq!(run(&["metrics", "pay", "--group", "all"]).code, 2);
    assert_eq!(run(&["pods", "pay"]).json()["pods"][0]["name"], "pay-1");
    assert_eq!(run(&["traces", "pay", "t1"]).json()["trace_ids"], serde_json::json!([]));
    let search = ["tasks", "search", "--task", "t7", "--allow-outgoing", rules, "-o", "json"];
    assert_eq!(plane.run(&search).json()["items"][0]["source"], "loki_fallback");
    let denied = plane.run(&["services", "pods", "pay", "-o", "json"]);
    assert_eq!(
        (denied.code, &denied.json()["code"]),
        (4, &"source_failed".into()),
        "it may not be called from here"
    );
    assert_eq!(run(&["update", "pay", "--log-config", "null"]).json()["log_config"], serde_json::Value::Null);
    assert_eq!(run(&["logs", "pay"]).code, 4);
    assert_eq!(plane.run(&["fsck"]).code, 0);
}
