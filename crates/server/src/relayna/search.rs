//! Relayna's addresses of the search.

use axum::Router;
use axum::extract::State;
use axum::http::request::Parts;
use axum::response::Response;
use axum::routing::get;
use serde_json::{Map, Value};

use super::{answer, ask, number, query};
use crate::app::App;
use crate::problem::Problem;

const TASKS: [&str; 9] =
    ["service_id", "task_id", "correlation_id", "status", "stage", "environment", "from", "to", "cursor"];
const SERVICES: [&str; 6] = ["query", "environment", "status", "health", "tag", "cursor"];

/// The word `search` stands where a service's id may stand, and a fixed word goes before a name.
pub(super) fn routes() -> Router<App> {
    Router::new().route("/studio/tasks/search", get(tasks)).route("/studio/services/search", get(services))
}

/// `GET /studio/tasks/search`.
async fn tasks(State(app): State<App>, request: Parts) -> Response {
    let outcome = asked(&app, &request, "tasks.search", &TASKS).await;
    answer(&request, outcome)
}

/// `GET /studio/services/search`.
async fn services(State(app): State<App>, request: Parts) -> Response {
    let outcome = asked(&app, &request, "services.search", &SERVICES).await;
    answer(&request, outcome)
}

async fn asked(app: &App, request: &Parts, action: &str, names: &[&str]) -> Result<Value, Problem> {
    let mut input: Map<String, Value> =
        names.iter().filter_map(|name| Some(((*name).to_owned(), query(request, name)?.into()))).collect();
    if let Some(limit) = number::<u64>(request, "limit")? {
        input.insert("limit".to_owned(), limit.into());
    }
    ask(app, request, action, Value::Object(input)).await
}
