//! Relayna's addresses of logs, metrics, pods and traces, of a service and of one of its tasks.
//!
//! Its clients know by the status what is the matter: 501 where the record does not say whom to ask, 502 where whoever was asked did
//! not answer. Our own addresses keep the numbers above 500 for faults of ours.

use axum::Router;
use axum::extract::{RawPathParams, State};
use axum::http::StatusCode;
use axum::http::request::Parts;
use axum::routing::{MethodRouter, get};
use serde_json::{Map, Value};

use super::{answer, ask, number, query};
use crate::app::App;
use crate::problem::Problem;

const LOGS: [&str; 9] =
    ["task_id", "correlation_id", "level", "source", "pod", "query", "before", "from", "to"];
const METRICS: [&str; 2] = ["from", "to"];

pub(super) fn routes() -> Router<App> {
    let (logs, metrics) = (|| of("services.logs", &LOGS), || of("services.metrics", &METRICS));
    Router::new()
        .route("/studio/services/{service_id}/logs", logs())
        .route("/studio/tasks/{service_id}/{task_id}/logs", logs())
        .route("/studio/services/{service_id}/metrics", metrics())
        .route("/studio/tasks/{service_id}/{task_id}/metrics", metrics())
        .route("/studio/services/{service_id}/pods", of("services.pods", &[]))
        .route("/studio/tasks/{service_id}/{task_id}/traces", of("services.traces", &[]))
}

fn of(action: &'static str, names: &'static [&'static str]) -> MethodRouter<App> {
    get(move |State(app): State<App>, path: RawPathParams, request: Parts| async move {
        let outcome = async {
            let input = input(&request, &path, action, names)?;
            ask(&app, &request, action, Value::Object(input)).await
        };
        let outcome = outcome.await.map_err(in_their_numbers);
        answer(&request, outcome)
    })
}

/// What is asked: what the query says under the names that Relayna has, and whose it is, as the path has it.
fn input(
    request: &Parts,
    path: &RawPathParams,
    action: &str,
    names: &[&str],
) -> Result<Map<String, Value>, Problem> {
    // A parameter without a text is one that nobody gave.
    let said = names.iter().filter_map(|name| Some((*name, query(request, name)?)));
    let said = said.filter(|(_, text)| !text.is_empty());
    let mut input: Map<String, Value> = said.map(|(name, text)| (name.to_owned(), text.into())).collect();
    let numbered = if action == "services.logs" { "limit" } else { "step" };
    if !names.is_empty() {
        input.extend(number::<u64>(request, numbered)?.map(|number| (numbered.to_owned(), number.into())));
    }
    if action == "services.metrics" {
        let pairs = form_urlencoded::parse(request.uri.query().unwrap_or_default().as_bytes());
        let groups = pairs.filter(|(name, _)| name == "group").map(|(_, value)| value.into_owned().into());
        input.insert("group".to_owned(), Value::Array(groups.collect()));
    }
    input.extend(path.iter().map(|(name, text)| (name.to_owned(), text.into())));
    Ok(input)
}

fn in_their_numbers(problem: Problem) -> Problem {
    match problem.code() {
        "not_configured" => problem.numbered(StatusCode::NOT_IMPLEMENTED),
        "source_failed" => problem.numbered(StatusCode::BAD_GATEWAY),
        _ => problem,
    }
}
