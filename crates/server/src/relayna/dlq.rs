//! Relayna's addresses of dead letters.

use axum::Router;
use axum::extract::{Path, State};
use axum::http::request::Parts;
use axum::response::Response;
use axum::routing::{get, post};
use serde_json::{Value, json};

use super::{answer, ask, number, query};
use crate::app::App;
use crate::problem::Problem;

pub(super) fn routes() -> Router<App> {
    Router::new()
        .route("/dlq/queues", get(queues))
        .route("/dlq/messages", get(messages))
        .route("/dlq/messages/{dlq_id}", get(message))
        .route("/dlq/messages/{dlq_id}/replay", post(replay))
}

/// `GET /dlq/queues`.
async fn queues(State(app): State<App>, request: Parts) -> Response {
    let outcome = ask(&app, &request, "dead.sums", json!({})).await;
    answer(&request, outcome)
}

/// `GET /dlq/messages`: what its clients filter by, and their cursor.
async fn messages(State(app): State<App>, request: Parts) -> Response {
    let outcome = list(&app, &request).await;
    answer(&request, outcome)
}

async fn list(app: &App, request: &Parts) -> Result<Value, Problem> {
    let input = json!({
        "queue_name": query(request, "queue_name"),
        "task_id": query(request, "task_id"),
        "reason": query(request, "reason"),
        "source_queue_name": query(request, "source_queue_name"),
        "state": query(request, "state"),
        "cursor": query(request, "cursor"),
        "limit": number::<u64>(request, "limit")?,
    });
    ask(app, request, "dead.records", input).await
}

/// `GET /dlq/messages/{dlq_id}`.
async fn message(State(app): State<App>, Path(id): Path<String>, request: Parts) -> Response {
    let outcome = ask(&app, &request, "dead.record", json!({ "dlq_id": id })).await;
    answer(&request, outcome)
}

/// `POST /dlq/messages/{dlq_id}/replay?force=true`.
async fn replay(State(app): State<App>, Path(id): Path<String>, request: Parts) -> Response {
    let force = query(&request, "force").is_some_and(|text| text == "true" || text == "1");
    let outcome = ask(&app, &request, "dead.retry", json!({ "dlq_id": id, "force": force })).await;
    answer(&request, outcome)
}
