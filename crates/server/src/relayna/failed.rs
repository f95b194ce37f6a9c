//! Relayna's addresses of failed tasks: of this plane, of the services it watches, and of the notices about them.

use axum::Router;
use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::http::request::Parts;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use serde_json::{Map, Value, json};

use super::{answer, ask, number, query};
use crate::app::App;
use crate::problem::Problem;

const FILTERS: [&str; 11] = [
    "service_name",
    "queue_name",
    "dlq_name",
    "error_type",
    "status",
    "task_id",
    "worker_id",
    "investigation_status",
    "failed_from",
    "failed_to",
    "cursor",
];
/// What Relayna's studio shows of the notices.
const SETTINGS: [&str; 5] =
    ["configured", "enabled", "batch_wait_seconds", "max_batch_wait_seconds", "receivers"];

pub(super) fn routes() -> Router<App> {
    let notices = get(settings).patch(set);
    Router::new()
        .route("/failed-tasks", get(list))
        .route("/failed-tasks/{failure_id}", get(show).delete(delete))
        .route("/failed-tasks/{failure_id}/mark-investigated", post(investigated))
        .route("/failed-tasks/{failure_id}/mark-uninvestigated", post(uninvestigated))
        .route("/failed-tasks/{failure_id}/retry", post(retry))
        .route("/studio/failed-tasks/{service_id}/{failure_id}", get(show_there).delete(delete_there))
        .route("/studio/failed-tasks/{service_id}/{failure_id}/mark-investigated", post(investigated_there))
        .route(
            "/studio/failed-tasks/{service_id}/{failure_id}/mark-uninvestigated",
            post(uninvestigated_there),
        )
        .route("/studio/failed-tasks/{service_id}/{failure_id}/retry", post(retry_there))
        .route("/studio/failed-task-email-settings", notices)
}

/// What was sent with a request: an object, or nothing.
fn body(request: &Parts, bytes: &Bytes) -> Result<Map<String, Value>, Problem> {
    if bytes.iter().all(u8::is_ascii_whitespace) || bytes.as_ref() == b"null" {
        return Ok(Map::new());
    }
    let kind = request.headers.get("content-type").and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    if !kind.starts_with("application/json") {
        let message = "send JSON, and say so: content-type: application/json";
        return Err(Problem::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "media_type", message));
    }
    let text =
        std::str::from_utf8(bytes).map_err(|_| Problem::bad(None, "the body is no text".to_owned()))?;
    quorate_plane::json::Object::parse(text).map_err(|why| Problem::bad(None, format!("the body: {why}")))?;
    serde_json::from_str(text).map_err(|_| Problem::bad(None, "the body is no JSON object".to_owned()))
}

/// `GET /failed-tasks`.
async fn list(State(app): State<App>, request: Parts) -> Response {
    let outcome = async {
        let mut input: Map<String, Value> = FILTERS
            .iter()
            .filter_map(|name| Some(((*name).to_owned(), query(&request, name)?.into())))
            .collect();
        if let Some(limit) = number::<u64>(&request, "limit")? {
            input.insert("limit".to_owned(), limit.into());
        }
        ask(&app, &request, "dead.failed", Value::Object(input)).await
    };
    let outcome = outcome.await;
    answer(&request, outcome)
}

/// `GET /failed-tasks/{failure_id}`.
async fn show(State(app): State<App>, Path(id): Path<String>, request: Parts) -> Response {
    let outcome = ask(&app, &request, "dead.failure", json!({ "failure_id": id })).await;
    answer(&request, outcome)
}

/// `DELETE /failed-tasks/{failure_id}`: what is gone is 204, and says nothing.
async fn delete(State(app): State<App>, Path(id): Path<String>, request: Parts) -> Response {
    let outcome = ask(&app, &request, "dead.delete", json!({ "dlq_id": id })).await;
    gone(&request, outcome)
}

fn gone(request: &Parts, outcome: Result<Value, Problem>) -> Response {
    match outcome {
        Ok(_) => StatusCode::NO_CONTENT.into_response(),
        problem => answer(request, problem),
    }
}

/// `POST /failed-tasks/{failure_id}/mark-investigated`. Who it was is who asks, whatever `investigated_by` says.
async fn investigated(
    State(app): State<App>,
    Path(id): Path<String>,
    request: Parts,
    bytes: Bytes,
) -> Response {
    let outcome = async {
        let said = body(&request, &bytes)?;
        let note = said.get("note").and_then(Value::as_str).unwrap_or_default();
        review(&app, &request, &id, Some(note)).await
    };
    let outcome = outcome.await;
    answer(&request, outcome)
}

/// `POST /failed-tasks/{failure_id}/mark-uninvestigated`.
async fn uninvestigated(State(app): State<App>, Path(id): Path<String>, request: Parts) -> Response {
    let outcome = review(&app, &request, &id, None).await;
    answer(&request, outcome)
}

async fn review(app: &App, request: &Parts, id: &str, note: Option<&str>) -> Result<Value, Problem> {
    ask(app, request, "dead.review", json!({ "dlq_id": id, "note": note })).await?;
    ask(app, request, "dead.failure", json!({ "failure_id": id })).await
}

/// `POST /failed-tasks/{failure_id}/retry`: once, however often the button is pressed.
async fn retry(State(app): State<App>, Path(id): Path<String>, request: Parts, bytes: Bytes) -> Response {
    let outcome = async {
        let said = body(&request, &bytes)?;
        let of = |name: &str| said.get(name).cloned().unwrap_or_default();
        let input = json!({ "dlq_id": id, "by_hand": true, "queue": of("target_queue"), "body": of("override_payload"),
            "note": of("note"), "force": forced(&request) });
        let done = ask(&app, &request, "dead.retry", input).await?;
        let task = ask(&app, &request, "dead.failure", json!({ "failure_id": id })).await?;
        Ok::<_, Problem>(
            json!({ "failure_id": id, "target_queue": done["target_queue_name"], "retry_status": "retried",
            "retried_at": done["replayed_at"], "retried_by": task["retried_by"], "retried_task_id": done["task_id"],
            "job_id": done["job_id"] }),
        )
    };
    let outcome = outcome.await;
    answer(&request, outcome)
}

fn forced(request: &Parts) -> bool {
    query(request, "force").is_some_and(|text| text == "true" || text == "1")
}

type There = Path<(String, String)>;

/// `GET /studio/failed-tasks/{service_id}/{failure_id}`.
async fn show_there(State(app): State<App>, Path((service, id)): There, request: Parts) -> Response {
    let input = json!({ "service_id": service, "failure_id": id });
    let outcome = ask(&app, &request, "services.failure", input).await;
    answer(&request, outcome)
}

/// `DELETE /studio/failed-tasks/{service_id}/{failure_id}`.
async fn delete_there(State(app): State<App>, Path((service, id)): There, request: Parts) -> Response {
    let input = json!({ "service_id": service, "failure_id": id });
    let outcome = ask(&app, &request, "services.discard", input).await;
    gone(&request, outcome)
}

/// `POST /studio/failed-tasks/{service_id}/{failure_id}/mark-investigated`.
async fn investigated_there(
    State(app): State<App>,
    Path((service, id)): There,
    request: Parts,
    bytes: Bytes,
) -> Response {
    let outcome = async {
        let said = body(&request, &bytes)?;
        let note = said.get("note").cloned().unwrap_or_default();
        let input = json!({ "service_id": service, "failure_id": id, "note": note });
        ask(&app, &request, "services.review", input).await
    };
    let outcome = outcome.await;
    answer(&request, outcome)
}

/// `POST /studio/failed-tasks/{service_id}/{failure_id}/mark-uninvestigated`.
async fn uninvestigated_there(
    State(app): State<App>,
    Path((service, id)): There,
    request: Parts,
) -> Response {
    let input = json!({ "service_id": service, "failure_id": id, "investigated": false });
    let outcome = ask(&app, &request, "services.review", input).await;
    answer(&request, outcome)
}

/// `POST /studio/failed-tasks/{service_id}/{failure_id}/retry`.
async fn retry_there(
    State(app): State<App>,
    Path((service, id)): There,
    request: Parts,
    bytes: Bytes,
) -> Response {
    let outcome = async {
        let said = body(&request, &bytes)?;
        let of = |name: &str| said.get(name).cloned().unwrap_or_default();
        let input = json!({ "service_id": service, "failure_id": id, "target_queue": of("target_queue"),
            "override_payload": of("override_payload"), "note": of("note"), "force": forced(&request) });
        ask(&app, &request, "services.retry", input).await
    };
    let outcome = outcome.await;
    answer(&request, outcome)
}

/// `GET /studio/failed-task-email-settings`.
async fn settings(State(app): State<App>, request: Parts) -> Response {
    let outcome = ask(&app, &request, "notices.show", json!({})).await;
    answer(&request, outcome.map(shown))
}

/// `PATCH /studio/failed-task-email-settings`.
async fn set(State(app): State<App>, request: Parts, bytes: Bytes) -> Response {
    let outcome = async {
        let said = body(&request, &bytes)?;
        ask(&app, &request, "notices.set", Value::Object(said)).await
    };
    let outcome = outcome.await;
    answer(&request, outcome.map(shown))
}

fn shown(state: Value) -> Value {
    Value::Object(SETTINGS.iter().map(|name| ((*name).to_owned(), state[*name].clone())).collect())
}
