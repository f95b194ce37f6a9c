//! Where the demo's services are at home: one loopback port, and a path for each of them.
//!
//! They speak as services of Relayna do, so that the plane asks them, reads their feeds and judges them as it does any other.

use std::collections::VecDeque;
use std::net::TcpListener;
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;

use axum::Router;
use axum::extract::Path;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Json, Response};
use axum::routing::get;
use quorate_store::Micros;
use serde_json::{Value, json};

/// How many events a service remembers.
const KEPT: usize = 100;

/// The port of this process, taken when somebody first asks for it.
static DOOR: LazyLock<Option<(TcpListener, u16)>> = LazyLock::new(|| {
    let listener = TcpListener::bind("127.0.0.1:0").ok()?;
    listener.set_nonblocking(true).ok()?;
    let port = listener.local_addr().ok()?.port();
    Some((listener, port))
});

/// Where the services answer, if they can.
pub(super) fn url(service: &str) -> Option<String> {
    DOOR.as_ref().map(|(_, port)| format!("http://127.0.0.1:{port}/{service}"))
}

/// What the plane must be allowed to call for them.
pub(crate) fn rule() -> Option<String> {
    DOOR.as_ref().map(|(_, port)| format!("127.0.0.1:{port}"))
}

/// How a service is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Mood {
    #[default]
    Well,
    /// One of its workers has stopped.
    Limping,
    /// It answers nobody.
    Away,
}

#[derive(Default)]
struct Own {
    mood: Mood,
    events: VecDeque<Value>,
}

static SERVICES: Mutex<Vec<(&'static str, Own)>> = Mutex::new(Vec::new());

fn services() -> MutexGuard<'static, Vec<(&'static str, Own)>> {
    SERVICES.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Does something with a service, which is made if it is new.
fn with<T>(name: &'static str, work: impl FnOnce(&mut Own) -> T) -> T {
    let mut all = services();
    let place = all.iter().position(|(own, _)| *own == name).unwrap_or_else(|| {
        all.push((name, Own::default()));
        all.len() - 1
    });
    work(&mut all[place].1)
}

pub(super) fn set(name: &'static str, mood: Mood) {
    with(name, |own| own.mood = mood);
}

/// Something happened to a task of a service.
pub(super) fn tell(name: &'static str, task: &str, status: &str, payload: &Value) {
    let id = format!("{:016x}", fastrand::u64(..));
    let event = json!({ "cursor": id, "event_id": id, "task_id": task, "event_type": format!("status.{status}"),
        "source_kind": "status", "component": name, "timestamp": now(), "payload": payload });
    with(name, |own| {
        own.events.push_front(event);
        own.events.truncate(KEPT);
    });
}

#[expect(clippy::disallowed_methods, reason = "a service that is watched has a clock of its own")]
fn now() -> String {
    let ms = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(0, |since| since.as_millis());
    Micros::from_millis(u64::try_from(ms).unwrap_or_default()).iso()
}

/// Opens the door; false if there is none.
pub(super) fn open() -> bool {
    let Some((listener, _)) = DOOR.as_ref() else { return false };
    let Some(listener) =
        listener.try_clone().ok().and_then(|own| tokio::net::TcpListener::from_std(own).ok())
    else {
        return false;
    };
    let router = Router::new()
        .route("/{service}/relayna/capabilities", get(|path| answer(path, capabilities)))
        .route("/{service}/relayna/health/workers", get(|path| answer(path, workers)))
        .route("/{service}/events/feed", get(|path| answer(path, feed)));
    tokio::spawn(async move { axum::serve(listener, router).await });
    true
}

async fn answer(Path(service): Path<String>, say: fn(&str, &Own) -> Value) -> Response {
    match services().iter().find(|(name, _)| *name == service) {
        None => StatusCode::NOT_FOUND.into_response(),
        Some((_, own)) if own.mood == Mood::Away => StatusCode::SERVICE_UNAVAILABLE.into_response(),
        Some((name, own)) => Json(say(name, own)).into_response(),
    }
}

fn capabilities(name: &str, _: &Own) -> Value {
    json!({ "relayna_version": "1.0.1", "topology_kind": "shared_tasks", "supported_routes": ["events.feed", "health.workers"], "feature_flags": [],
        "service_metadata": { "service_title": name, "capability_path": "/relayna/capabilities", "discovery_source": "live", "compatibility": "capabilities_v1" } })
}

fn workers(name: &str, own: &Own) -> Value {
    let limps = own.mood == Mood::Limping;
    let worker = |number: u8, running: bool| json!({ "worker_id": format!("{name}-{number}"), "running": running, "last_heartbeat_at": now(), "active_leases": [] });
    json!({ "reported_at": now(), "workers": [worker(1, true), worker(2, !limps)] })
}

/// The newest first, in one page.
fn feed(_: &str, own: &Own) -> Value {
    json!({ "items": own.events, "next_cursor": null })
}
