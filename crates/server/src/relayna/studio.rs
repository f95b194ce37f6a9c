//! The addresses of Relayna's studio: registry, events, health, and what services say of their own tasks.

use std::sync::Arc;

use axum::Router;
use axum::extract::{Path, Request, State};
use axum::http::StatusCode;
use axum::http::request::Parts;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use quorate_catalog::ids::ServiceId;
use serde_json::{Map, Value, json};

use super::{answer, ask, query};
use crate::app::App;
use crate::problem::Problem;
use crate::{api, live};

pub(super) fn routes() -> Router<App> {
    let service = get(|app, request| verb(app, "services.show", request))
        .patch(|app, request| verb(app, "services.update", request))
        .delete(delete);
    let check = post(|app, request| verb(app, "services.check", request));
    Router::new()
        .route("/studio/services", get(list).post(register))
        .route("/studio/services/{service_id}", service)
        .route(
            "/studio/services/{service_id}/refresh",
            post(|app, request| verb(app, "services.refresh", request)),
        )
        .route(
            "/studio/services/{service_id}/health",
            get(|app, request| verb(app, "services.health", request)),
        )
        .route("/studio/services/{service_id}/health/refresh", check)
        .route("/studio/ingest/events", post(|app, request| verb(app, "services.ingest", request)))
        .route(
            "/studio/services/{service_id}/events",
            get(|app, request| verb(app, "services.events", request)),
        )
        .route("/studio/services/{service_id}/events/stream", get(live::routes::service))
        .route(
            "/studio/tasks/{service_id}/{task_id}/events",
            get(|app, request| verb(app, "services.events", request)),
        )
        .route("/studio/tasks/{service_id}/{task_id}/events/stream", get(live::routes::service_task))
        .route(
            "/studio/tasks/{service_id}/{task_id}",
            get(|app, request| verb(app, "services.task", request)),
        )
        .route("/studio/services/{service_id}/status/{task_id}", of_task("status"))
        .route("/studio/services/{service_id}/executions/{task_id}/graph", of_task("graph"))
        .route("/studio/services/{service_id}/history", of("history"))
        .route("/studio/services/{service_id}/workflow/topology", of("topology"))
        .route("/studio/services/{service_id}/dlq/messages", of("dead"))
        .route("/studio/services/{service_id}/broker/dlq/messages", of("broker_dead"))
        .route("/studio/services/{service_id}/runtime/backpressure", of("pressure"))
        .route("/studio/failed-tasks", get(failed))
}

/// The same as at our own address: path, query and body have the same names.
async fn verb(State(app): State<App>, action: &'static str, request: Request) -> Response {
    match app.entries.iter().find(|entry| entry.about.action() == action) {
        Some(entry) => api::serve(app.clone(), Arc::clone(entry), request).await,
        None => api::not_found(request).await,
    }
}

/// `POST /studio/services`: what was made is 201.
async fn register(app: State<App>, request: Request) -> Response {
    let mut response = verb(app, "services.register", request).await;
    if response.status() == StatusCode::OK {
        *response.status_mut() = StatusCode::CREATED;
    }
    response
}

/// `DELETE /studio/services/{service_id}`: what is gone is 204, and says nothing.
async fn delete(app: State<App>, request: Request) -> Response {
    let response = verb(app, "services.delete", request).await;
    if response.status() == StatusCode::OK { StatusCode::NO_CONTENT.into_response() } else { response }
}

/// `GET /studio/services?environment`: each with how it fares.
async fn list(State(app): State<App>, request: Parts) -> Response {
    let outcome = listed(&app, &request).await;
    answer(&request, outcome)
}

async fn listed(app: &App, request: &Parts) -> Result<Value, Problem> {
    let input = json!({ "environment": query(request, "environment") });
    let found = ask(app, request, "services.ls", input).await?;
    let mut services = found.as_array().cloned().unwrap_or_default();
    for service in &mut services {
        let id = service["service_id"].as_str().and_then(|id| ServiceId::parse(id).ok());
        let Some(id) = id else { continue };
        let health = app.plane.services().health(&id).await.map_err(|error| Problem::from(&error))?;
        if let quorate_plane::Outcome::Done(health) = health {
            service["health"] = json!(health);
        }
    }
    Ok(json!({ "count": services.len(), "services": services }))
}

/// What a service says of one of its tasks.
fn of_task(what: &'static str) -> axum::routing::MethodRouter<App> {
    get(
        move |State(app): State<App>, Path((service, task)): Path<(String, String)>, request: Parts| async move {
            let input =
                json!({ "service_id": service, "what": what, "task_id": task, "query": pairs(&request) });
            let outcome = ask(&app, &request, "services.ask", input).await;
            answer(&request, outcome)
        },
    )
}

/// What a service says of itself, or of what the query names.
fn of(what: &'static str) -> axum::routing::MethodRouter<App> {
    get(move |State(app): State<App>, Path(service): Path<String>, request: Parts| async move {
        let input = json!({ "service_id": service, "what": what, "query": pairs(&request) });
        let outcome = ask(&app, &request, "services.ask", input).await;
        answer(&request, outcome)
    })
}

/// `GET /studio/failed-tasks`: of all services, and who did not answer.
async fn failed(State(app): State<App>, request: Parts) -> Response {
    let mut query = pairs(&request);
    let mut named = |name: &str| query.remove(name).unwrap_or_default();
    let input =
        json!({ "environment": named("environment"), "service_id": named("service_id"), "query": query });
    let outcome = ask(&app, &request, "services.failed", input).await;
    answer(&request, outcome)
}

fn pairs(request: &Parts) -> Map<String, Value> {
    let pairs = form_urlencoded::parse(request.uri.query().unwrap_or_default().as_bytes());
    pairs.map(|(name, value)| (name.into_owned(), value.into_owned().into())).collect()
}
