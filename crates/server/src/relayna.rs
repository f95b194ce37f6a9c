//! Relayna's own addresses, for its clients: what they ask is asked of the same verbs, and answered in the shape they know.

mod dlq;
mod failed;
mod offers;
mod path;
mod search;
mod sources;
mod studio;

use axum::Router;
use axum::extract::{Path, State};
use axum::http::request::Parts;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use quorate_plane::tasks::moment;
use serde_json::{Map, Value, json};

use crate::app::App;
use crate::problem::Problem;
use crate::{api, auth, live};

/// Most events that a history without a task looks at.
const MOST_SCANNED: u64 = 5_000;

pub(crate) fn routes() -> Router<App> {
    Router::new()
        .merge(dlq::routes())
        .merge(failed::routes())
        .merge(offers::routes())
        .merge(path::routes())
        .merge(search::routes())
        .merge(sources::routes())
        .merge(studio::routes())
        .route("/status/{task_id}", get(status))
        .route("/history", get(history))
        .route("/events/feed", get(feed))
        .route("/executions/{task_id}/graph", get(graph))
        .route("/relayna/runtime/backpressure", get(pressure))
        .route("/events/{task_id}", get(live::routes::task))
}

/// Asks a verb for whoever sent the request.
async fn ask(app: &App, request: &Parts, action: &str, input: Value) -> Result<Value, Problem> {
    let (caller, _) = auth::caller(&app.checks, &request.method, &request.headers).await?;
    let entry = app.entries.iter().find(|entry| entry.about.action() == action);
    let entry = entry.ok_or_else(Problem::not_found)?;
    let fields: Map<String, Value> = match input {
        Value::Object(fields) => fields.into_iter().filter(|(_, value)| !value.is_null()).collect(),
        _ => Map::new(),
    };
    api::call(app, entry, &caller, api::Came::over_http(&request.headers), fields).await
}

fn answer(request: &Parts, outcome: Result<Value, Problem>) -> Response {
    match outcome {
        Err(problem) => problem.answer(&api::request_id(&request.headers)),
        Ok(body) => {
            let kind = [(header::CONTENT_TYPE, "application/json"), (header::CACHE_CONTROL, "no-store")];
            (kind, body.to_string()).into_response()
        }
    }
}

fn query(request: &Parts, name: &str) -> Option<String> {
    let mut pairs = form_urlencoded::parse(request.uri.query().unwrap_or_default().as_bytes());
    pairs.find(|(own, _)| own == name).map(|(_, value)| value.into_owned())
}

fn number<T: std::str::FromStr>(request: &Parts, name: &str) -> Result<Option<T>, Problem> {
    let wrong = |_| Problem::bad(Some(name), format!("{name} is no number that makes sense"));
    query(request, name).map(|text| text.parse::<T>().map_err(|_| ()).map_err(wrong)).transpose()
}

/// `GET /status/{task_id}`: the event that counts.
async fn status(State(app): State<App>, Path(task): Path<String>, request: Parts) -> Response {
    let shown = ask(&app, &request, "tasks.show", json!({ "task_id": task })).await;
    answer(&request, shown.map(|shown| json!({ "task_id": task, "event": shown["latest"] })))
}

/// `GET /executions/{task_id}/graph`.
async fn graph(State(app): State<App>, Path(task): Path<String>, request: Parts) -> Response {
    let drawn = ask(&app, &request, "tasks.graph", json!({ "task_id": task })).await;
    answer(&request, drawn)
}

/// `GET /relayna/runtime/backpressure`.
async fn pressure(State(app): State<App>, request: Parts) -> Response {
    let found = ask(&app, &request, "tasks.pressure", json!({})).await;
    answer(&request, found)
}

/// `GET /events/feed?after&limit`.
async fn feed(State(app): State<App>, request: Parts) -> Response {
    let outcome = async {
        let input = json!({ "after": query(&request, "after"), "limit": number::<u64>(&request, "limit")? });
        ask(&app, &request, "tasks.feed", input).await
    };
    let outcome = outcome.await;
    answer(&request, outcome)
}

/// `GET /history`: of one task, or of all within bounds; newest first, unless `start_offset=first` is asked for.
async fn history(State(app): State<App>, request: Parts) -> Response {
    let outcome = events(&app, &request).await;
    answer(&request, outcome)
}

async fn events(app: &App, request: &Parts) -> Result<Value, Problem> {
    let task = query(request, "task_id");
    let seconds = number::<f64>(request, "max_seconds")?.filter(|seconds| seconds.is_finite());
    let scan = number::<u64>(request, "max_scan")?;
    if task.is_none() && seconds.is_none() && scan.is_none() {
        let message = "set max_seconds, max_scan or task_id, so that the question has bounds";
        return Err(Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "bad_input", message));
    }
    let mut events = match &task {
        Some(task) => of_task(app, request, task, scan).await?,
        None => of_all(app, request, scan.unwrap_or(MOST_SCANNED).min(MOST_SCANNED)).await?,
    };
    if let Some(seconds) = seconds {
        let now = app.plane.store().time().await.map_err(|error| Problem::from(&error))?;
        let recent = |event: &Value| {
            let at = event["timestamp"].as_str().and_then(moment);
            at.is_some_and(|at| now.since(at).as_secs_f64() <= seconds.max(0.0))
        };
        events.retain(recent);
    }
    if query(request, "start_offset").as_deref() == Some("first") {
        events.reverse();
    }
    let mut body = json!({ "count": events.len(), "events": events });
    if let Some(task) = task {
        body["task_id"] = task.into();
    }
    Ok(body)
}

async fn of_task(app: &App, request: &Parts, task: &str, scan: Option<u64>) -> Result<Vec<Value>, Problem> {
    let input = json!({ "task_id": task, "limit": scan.unwrap_or(1_000).clamp(1, 1_000) });
    match ask(app, request, "tasks.history", input).await {
        Ok(found) => Ok(found["events"].as_array().cloned().unwrap_or_default()),
        // A task of which nobody reported has no events, which is no fault here.
        Err(problem) if problem.status() == 404 => Ok(Vec::new()),
        Err(problem) => Err(problem),
    }
}

/// The status events among the last events of all tasks.
async fn of_all(app: &App, request: &Parts, scan: u64) -> Result<Vec<Value>, Problem> {
    let (mut found, mut cursor, mut left) = (Vec::new(), None::<String>, scan);
    while left > 0 {
        let input = json!({ "after": cursor, "limit": left.min(500) });
        let page = ask(app, request, "tasks.feed", input).await?;
        let items = page["items"].as_array().cloned().unwrap_or_default();
        left -= (items.len() as u64).min(left);
        found.extend(
            items
                .into_iter()
                .filter(|item| item["source_kind"] == "status")
                .map(|item| item["payload"].clone()),
        );
        cursor = page["next_cursor"].as_str().map(str::to_owned);
        if cursor.is_none() {
            break;
        }
    }
    Ok(found)
}
