//! Traces: spans reach a collector where the standard variables name one, and a push and its claim are in one trace.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use opentelemetry_proto::tonic::collector::trace::v1::ExportTraceServiceRequest;
use opentelemetry_proto::tonic::trace::v1::Span;
use prost::Message;
use serde_json::{Value, json};

use crate::support::{Plane, quorate, said};

const TRACE: &str = "4bf92f3577b34da6a3ce929d0e0e4736";

fn parent() -> String {
    format!("00-{TRACE}-00f067aa0ba902b7-01")
}

/// Head and body of one message of HTTP/1.1.
fn message(socket: &mut TcpStream) -> Option<(String, Vec<u8>)> {
    let (mut bytes, mut part) = (Vec::new(), [0; 16_384]);
    loop {
        if let Some(end) = bytes.windows(4).position(|four| four == b"\r\n\r\n") {
            let head = String::from_utf8_lossy(&bytes[..end]).to_lowercase();
            let length =
                head.lines().find_map(|line| line.strip_prefix("content-length:")?.trim().parse().ok());
            if bytes.len() >= end + 4 + length.unwrap_or(0) {
                return Some((head, bytes[end + 4..].to_vec()));
            }
        }
        let count = socket.read(&mut part).ok().filter(|count| *count > 0)?;
        bytes.extend_from_slice(&part[..count]);
    }
}

/// A collector that takes spans over HTTP and gives each to the test.
fn collector() -> (u16, Receiver<Span>) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = listener.local_addr().expect("an address").port();
    let (send, got) = channel();
    std::thread::spawn(move || {
        for mut socket in listener.incoming().flatten() {
            let send = send.clone();
            std::thread::spawn(move || {
                while let Some((head, body)) = message(&mut socket) {
                    assert!(head.starts_with("post /v1/traces "), "{head}");
                    let request = ExportTraceServiceRequest::decode(&body[..]).expect("spans");
                    let scopes = request.resource_spans.into_iter().flat_map(|one| one.scope_spans);
                    scopes.flat_map(|one| one.spans).for_each(|span| drop(send.send(span)));
                    let _ = socket.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n");
                }
            });
        }
    });
    (port, got)
}

fn post(address: &str, token: &str, path: &str, trace: Option<&str>, body: &Value) -> Value {
    let mut socket = TcpStream::connect(address).expect("it listens");
    let (body, trace) =
        (body.to_string(), trace.map(|own| format!("traceparent: {own}\r\n")).unwrap_or_default());
    let length = body.len();
    let head =
        format!("POST /api/v1{path} HTTP/1.1\r\nhost: {address}\r\nauthorization: Bearer {token}\r\n{trace}");
    let rest = format!("content-type: application/json\r\ncontent-length: {length}\r\n\r\n{body}");
    socket.write_all((head + &rest).as_bytes()).expect("sent");
    let (head, body) = message(&mut socket).expect("an answer");
    assert!(head.starts_with("http/1.1 200"), "{head} {}", String::from_utf8_lossy(&body));
    serde_json::from_slice(&body).expect("JSON")
}

#[test]
fn a_push_and_its_claim_are_in_one_trace_at_the_collector() {
    let (port, spans) = collector();
    let home = tempfile::tempdir().unwrap();
    let endpoint = format!("http://127.0.0.1:{port}");
    let env = [("OTEL_EXPORTER_OTLP_ENDPOINT", endpoint.as_str()), ("OTEL_BSP_SCHEDULE_DELAY", "100")];
    let mut plane = Plane::on(home.path(), &[], &env);
    let token = plane.run(&["tokens", "create", "t", "--role", "admin"]).out.trim().to_owned();
    assert_eq!(plane.run(&["agents", "register", "a"]).code, 0);
    let address = plane.record()["listen"].as_str().unwrap().to_owned();
    post(&address, &token, "/queues/normal/push", Some(&parent()), &json!({ "payload": "x" }));
    let claimed = post(&address, &token, "/queues/normal/claim", None, &json!({ "agent": "a" }));
    let given = claimed["items"][0]["traceparent"].as_str().unwrap().to_owned();
    assert!(given.contains(TRACE) && given != parent(), "a child of the caller's span: {given}");
    let (mut seen, deadline) = (Vec::new(), Instant::now() + Duration::from_secs(15));
    let named = |seen: &[Span], name: &str| seen.iter().find(|span| span.name == name).cloned();
    while named(&seen, "receive normal").is_none()
        || named(&seen, "POST /api/v1/queues/{queue}/claim").is_none()
    {
        let left = deadline.saturating_duration_since(Instant::now());
        seen.push(spans.recv_timeout(left).unwrap_or_else(|_| panic!("{seen:#?}")));
    }
    let hex = |bytes: &[u8]| bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    let push = named(&seen, "POST /api/v1/queues/{queue}/push").expect("the push");
    let receive = named(&seen, "receive normal").expect("the claim");
    assert_eq!(
        (hex(&push.trace_id), hex(&push.parent_span_id)),
        (TRACE.to_owned(), "00f067aa0ba902b7".to_owned())
    );
    assert_eq!((&receive.trace_id, &receive.parent_span_id), (&push.trace_id, &push.span_id));
    let claim = named(&seen, "POST /api/v1/queues/{queue}/claim").expect("its request");
    assert_ne!(claim.trace_id, push.trace_id, "the worker's call is its own");
    let text = format!("{seen:?}");
    assert!(!text.contains(&token) && !text.contains("Bearer"), "no span has a secret");
    plane.signal("TERM");
    assert_eq!(plane.wait(), 0);
}

#[test]
fn a_trace_of_the_environment_goes_along_and_a_broken_one_does_no_harm() {
    let plane = Plane::start();
    let push = |trace: &str| {
        let mut command = quorate(&["queues", "push", "normal", "x"]);
        command.env("QUORATE_DATA_DIR", &plane.dir).env("TRACEPARENT", trace);
        assert_eq!(said(command.output().expect("quorate runs")).code, 0, "{trace}");
    };
    push(&parent());
    push("00-\x1b[2J");
    assert_eq!(plane.run(&["agents", "register", "a"]).code, 0);
    let claim = || plane.run(&["queues", "claim", "normal", "--agent", "a", "-o", "json"]).json();
    assert_eq!(claim()["items"][0]["traceparent"], parent());
    assert!(claim()["items"][0].get("traceparent").is_none());
}

#[test]
fn a_collector_that_does_not_take_spans_is_said_once() {
    let home = tempfile::tempdir().unwrap();
    let nobody = format!("http://127.0.0.1:{}/secret-path", crate::support::free_port());
    let env = [("OTEL_EXPORTER_OTLP_ENDPOINT", nobody.as_str()), ("OTEL_BSP_SCHEDULE_DELAY", "50")];
    let env = [&env[..], &[("OTEL_EXPORTER_OTLP_PROTOCOL", "grpc")]].concat();
    let mut plane = Plane::begin(home.path(), &[], &env);
    plane.wait_for("warning: OTEL_EXPORTER_OTLP_PROTOCOL is not http/protobuf");
    plane.wait_for("stop with Ctrl-C");
    let token = plane.run(&["tokens", "create", "t", "--role", "admin"]).out.trim().to_owned();
    let address = plane.record()["listen"].as_str().unwrap().to_owned();
    for _ in 0..3 {
        post(&address, &token, "/queues/normal/push", None, &json!({ "payload": "x" }));
        std::thread::sleep(Duration::from_millis(200));
    }
    plane.wait_for("warning: the collector does not take spans");
    plane.signal("TERM");
    assert_eq!(plane.wait(), 0);
    let rest = plane.rest().join("\n");
    assert!(!rest.contains("collector does not") && !rest.contains("secret-path"), "{rest}");
}
