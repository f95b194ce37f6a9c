//! Errors as `application/problem+json` with a stable code.

use axum::Json;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::json;

pub(crate) fn answer(status: StatusCode, code: &str, detail: &str) -> Response {
    let body = json!({ "title": status.canonical_reason(), "status": status.as_u16(), "code": code, "detail": detail });
    (status, [(header::CONTENT_TYPE, "application/problem+json")], Json(body)).into_response()
}

pub(crate) async fn not_found() -> Response {
    answer(StatusCode::NOT_FOUND, "NOT_FOUND", "there is nothing at this address")
}
