//! What browsers report when a page tried what its policy forbids. A report may come from anybody and say anything, so
//! it is counted under one of a few words and otherwise only logged.

use std::time::Duration;

use axum::extract::{Request, State};
use axum::http::StatusCode;
use serde_json::Value;

use crate::app::App;

/// Longest report that is read.
const LONGEST: usize = 16 * 1024;
/// How long a report may take to arrive.
const TIME: Duration = Duration::from_secs(5);
/// What can be forbidden; other words are `other`, so that reports make no series.
const DIRECTIVES: [&str; 9] = [
    "script-src",
    "style-src",
    "img-src",
    "font-src",
    "connect-src",
    "worker-src",
    "form-action",
    "frame-ancestors",
    "base-uri",
];

pub(super) async fn count(State(app): State<App>, request: Request) -> StatusCode {
    let read = axum::body::to_bytes(request.into_body(), LONGEST);
    let Ok(Ok(body)) = tokio::time::timeout(TIME, read).await else { return StatusCode::BAD_REQUEST };
    let Ok(report) = serde_json::from_slice::<Value>(&body) else { return StatusCode::BAD_REQUEST };
    let said = |name: &str| report["csp-report"][name].as_str().unwrap_or_default();
    let directive = directive(said("effective-directive"), said("violated-directive"));
    app.own.reports.get_or_create(&vec![("directive", directive.to_owned())]).inc();
    let blocked: String = said("blocked-uri").chars().take(200).collect();
    tracing::warn!(directive, ?blocked, "a page tried what its policy forbids");
    StatusCode::NO_CONTENT
}

/// `script-src-elem` and its like are `script-src`.
fn directive(effective: &str, violated: &str) -> &'static str {
    let word = if effective.is_empty() { violated.split(' ').next().unwrap_or_default() } else { effective };
    DIRECTIVES.into_iter().find(|own| word.starts_with(own)).unwrap_or("other")
}
