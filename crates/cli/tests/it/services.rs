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
