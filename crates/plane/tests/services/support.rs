//! What the tests of services share: a plane, and a service outside that it may call.

use std::collections::HashMap;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use quorate_catalog::ids::{EnvironmentId, ServiceId, TaskId};
use quorate_outgoing::{Client, Guard};
use quorate_plane::json::Object;
use quorate_plane::services::{Change, Ingest, IngestMethod, NewService, Service, Took};
use quorate_plane::{Outcome, Plane};
use quorate_testkit::Bench;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

pub(crate) use crate::support::raw::{dump, text, texts};

pub(crate) fn plane(bench: &Bench) -> Plane {
    let guard = Guard::parse("127.0.0.1:*").unwrap();
    Plane::new(bench.scope.clone()).unwrap().calling(Client::new(guard))
}

pub(crate) fn id(name: &str) -> ServiceId {
    ServiceId::parse(name).unwrap()
}

pub(crate) fn task(name: &str) -> TaskId {
    TaskId::parse(name).unwrap()
}

pub(crate) fn wanted(name: &str, url: &str) -> NewService {
    NewService {
        id: id(name),
        name: name.to_owned(),
        base_url: url.parse().unwrap(),
        environment: EnvironmentId::parse("dev").unwrap(),
        tags: vec![],
        auth_mode: "internal_network".to_owned(),
        log_config: None,
        metrics_config: None,
        trace_config: None,
    }
}

pub(crate) async fn register(plane: &Plane, name: &str, url: &str) -> Service {
    plane.services().register(&wanted(name, url)).await.unwrap().unwrap()
}

pub(crate) async fn change(plane: &Plane, name: &str, change: Change) -> Outcome<Service> {
    plane.services().update(&id(name), &change).await.unwrap()
}

pub(crate) fn code<T>(outcome: &Outcome<T>) -> &str {
    outcome.refusal().map_or("", |refusal| refusal.code.as_str())
}

pub(crate) fn event(number: usize) -> Value {
    json!({ "cursor": format!("c{number}"), "task_id": format!("t{}", number % 3), "event_type": "status.running",
        "source_kind": "status", "event_id": format!("e{number}"), "timestamp": format!("2026-04-06T10:{:02}:{:02}Z", number / 60 % 60, number % 60),
        "payload": { "n": number } })
}

pub(crate) fn pushed(service: &str, document: &Value) -> Ingest {
    Ingest::of(&id(service), IngestMethod::Push, &Object::parse(&document.to_string()).unwrap()).unwrap()
}

pub(crate) async fn ingest(plane: &Plane, service: &str, document: Value) -> Took {
    plane.services().ingest(&pushed(service, &document)).await.unwrap().unwrap()
}

/// A service of Relayna's kind.
#[derive(Clone)]
pub(crate) struct Fake {
    pub(crate) at: SocketAddr,
    inner: Arc<Mutex<Inner>>,
}

#[derive(Default)]
struct Inner {
    /// The oldest first.
    feed: Vec<Value>,
    status: Option<u16>,
    asked: Vec<String>,
    routes: Vec<&'static str>,
    workers: Value,
    answers: HashMap<String, Value>,
    /// Failed tasks, the last to fail first.
    failed: Vec<Value>,
    slow: Duration,
}

impl Fake {
    pub(crate) async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let at = listener.local_addr().unwrap();
        let inner =
            Inner { routes: vec!["events.feed", "status.latest", "status.history"], ..Inner::default() };
        let own = Self { at, inner: Arc::new(Mutex::new(inner)) };
        let server = own.clone();
        tokio::spawn(async move {
            while let Ok((socket, _)) = listener.accept().await {
                let server = server.clone();
                tokio::spawn(async move { server.serve(socket).await });
            }
        });
        own
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}", self.at)
    }

    fn with<T>(&self, change: impl FnOnce(&mut Inner) -> T) -> T {
        change(&mut self.inner.lock().unwrap())
    }

    /// Reports events from this number to that one.
    pub(crate) fn reports(&self, from: usize, to: usize) {
        self.with(|own| own.feed.extend((from..to).map(event)));
    }

    pub(crate) fn adds(&self, item: Value) {
        self.with(|own| own.feed.push(item));
    }

    /// Forgets all but its last events.
    pub(crate) fn keeps(&self, last: usize) {
        self.with(|own| drop(own.feed.drain(..own.feed.len().saturating_sub(last))));
    }

    /// Answers everything with this status; None for what it should.
    pub(crate) fn answers_all(&self, status: Option<u16>) {
        self.with(|own| own.status = status);
    }

    pub(crate) fn answers(&self, path: &str, document: Value) {
        self.with(|own| drop(own.answers.insert(path.to_owned(), document)));
    }

    pub(crate) fn offers(&self, routes: &[&'static str], workers: Value) {
        self.with(|own| (own.routes, own.workers) = (routes.to_vec(), workers));
    }

    pub(crate) fn fails(&self, failed: Vec<Value>) {
        self.with(|own| own.failed = failed);
    }

    pub(crate) fn takes(&self, slow: Duration) {
        self.with(|own| own.slow = slow);
    }

    /// What it was asked since the last time.
    pub(crate) fn asked(&self) -> Vec<String> {
        self.with(|own| std::mem::take(&mut own.asked))
    }

    async fn serve(&self, mut socket: TcpStream) -> Option<()> {
        let (mut bytes, mut part) = (Vec::new(), [0; 4_096]);
        while !bytes.windows(4).any(|end| end == b"\r\n\r\n") {
            let count = socket.read(&mut part).await.ok().filter(|count| *count > 0)?;
            bytes.extend_from_slice(&part[..count]);
        }
        let head = String::from_utf8_lossy(&bytes).into_owned();
        let mut words = head.split_whitespace();
        let (method, target) = (words.next()?.to_owned(), words.next()?.to_owned());
        tokio::time::sleep(self.with(|own| own.slow)).await;
        let (status, body) = self.answer(&method, &target);
        let body = body.to_string();
        let text = format!(
            "HTTP/1.1 {status} x\r\nlocation: http://127.0.0.1:1/\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}",
            body.len()
        );
        socket.write_all(text.as_bytes()).await.ok()
    }

    fn answer(&self, method: &str, target: &str) -> (u16, Value) {
        let (path, query) = target.split_once('?').unwrap_or((target, ""));
        let query: HashMap<&str, &str> = query.split('&').filter_map(|pair| pair.split_once('=')).collect();
        self.with(|own| {
            own.asked.push(if method == "GET" { target.to_owned() } else { format!("{method} {target}") });
            if let Some(status) = own.status {
                return (status, json!({}));
            }
            match path {
                "/relayna/capabilities" => (200, json!({ "relayna_version": "1.4.18", "topology_kind": "single", "supported_routes": own.routes,
                    "service_metadata": { "compatibility": "capabilities_v1" } })),
                "/relayna/health/workers" => (200, json!({ "reported_at": "2026-04-06T10:00:00Z", "workers": own.workers })),
                "/events/feed" => (200, page(&own.feed, query.get("after").copied(), query["limit"].parse().unwrap())),
                "/failed-tasks" if !own.failed.is_empty() => (200, failures(&own.failed, query.get("cursor").copied(), query["limit"].parse().unwrap())),
                _ => own.answers.get(path).map_or((404, json!({})), |document| (200, document.clone())),
            }
        })
    }
}

/// As Relayna's list of failed tasks: a cursor is the name of the last one.
fn failures(all: &[Value], cursor: Option<&str>, limit: usize) -> Value {
    let place = cursor.and_then(|cursor| all.iter().position(|item| item["failure_id"] == cursor));
    let rest = &all[place.map_or(0, |place| place + 1)..];
    let items = &rest[..rest.len().min(limit)];
    let next =
        if rest.len() > items.len() { items.last().map(|last| last["failure_id"].clone()) } else { None };
    json!({ "items": items, "next_cursor": next })
}

/// As Relayna's feed: newest first, and one that does not know a cursor begins at its newest.
fn page(feed: &[Value], after: Option<&str>, limit: usize) -> Value {
    let newest: Vec<&Value> = feed.iter().rev().collect();
    let place = after.and_then(|after| newest.iter().position(|item| item["cursor"] == after));
    let rest = &newest[place.map_or(0, |place| place + 1)..];
    let items = &rest[..rest.len().min(limit)];
    let next = if rest.len() > items.len() { items.last().map(|last| last["cursor"].clone()) } else { None };
    json!({ "count": items.len(), "items": items, "next_cursor": next })
}
