//! Alive: this process answers. Ready: the store answers too, and takes writes.

use std::time::Duration;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use quorate_store::Store;
use serde_json::json;

use crate::problem::Problem;

/// A probe that waits longer than this is as good as a failure to whoever asks.
const PATIENCE: Duration = Duration::from_secs(1);

pub(crate) async fn alive() -> Response {
    Json(json!({ "status": "ok" })).into_response()
}

pub(crate) async fn ready(State(store): State<Store>) -> Response {
    match store.within(PATIENCE).info("replication").await {
        Ok(info) if info.get("role") == Some("master") => Json(json!({ "status": "ready" })).into_response(),
        Ok(_) => not_ready("read_only", "the store is a replica and takes no writes"),
        Err(error) => not_ready(error.code(), &error.to_string()),
    }
}

fn not_ready(code: &str, why: &str) -> Response {
    Problem::new(StatusCode::SERVICE_UNAVAILABLE, code, why).answer(&quorate_store::random_id())
}
