//! `/api/v1/live/…`: who may watch what, from where on.

use axum::Router;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::http::request::Parts;
use axum::response::Response;
use axum::routing::get;
use quorate_catalog::ids::{LogServiceId, ServiceId, TaskId};
use quorate_plane::events::Stream;
use quorate_plane::feed::Source;
use quorate_plane::tokens::Level;
use serde_json::{Value, json};

use super::state::View;
use super::viewer::{self, Line, Places};
use crate::app::App;
use crate::problem::Problem;
use crate::{api, auth};

/// Most services that one viewer follows.
const MOST_SERVICES: usize = 32;

pub(crate) fn routes() -> Router<App> {
    let mut router = Router::new()
        .route("/api/v1/live/events/{stream}", get(events))
        .route("/api/v1/live/logs", get(logs))
        .route("/api/v1/live/events", get(streams))
        .route("/api/v1/live/services/{service_id}", get(service))
        .route("/api/v1/live/tasks/{task_id}", get(task));
    for (name, view) in View::ALL {
        router = router
            .route(&format!("/api/v1/live/{name}"), get(move |app, request| state(app, name, view, request)));
    }
    router
}

/// What OpenAPI says of these routes, which answer for as long as somebody listens.
pub(crate) fn operations() -> Value {
    let mut all = json!({});
    let cursor = json!({ "name": "since", "in": "query", "required": false, "schema": { "type": "string" }, "example": "0-0",
        "description": "The cursor to go on from, for clients that cannot send Last-Event-ID; 0-0 for everything that is still there." });
    let stream = json!({ "name": "stream", "in": "path", "required": true, "schema": { "type": "string" }, "example": Stream::All.name(), "description": "Which stream." });
    let service = json!({ "name": "service", "in": "query", "required": true, "schema": { "type": "array", "items": { "type": "string" } }, "example": ["api"], "description": "Which services; up to 32." });
    let mut put = |path: &str, (name, noun): (&str, &str), summary: &str, parameters: Value| {
        let problem = |text: &str| json!({ "description": text, "content": { "application/problem+json": { "schema": { "$ref": "#/components/schemas/Problem" } } } });
        all[format!("/api/v1/live/{path}")] = json!({ "get": {
            "operationId": format!("live_{name}"), "summary": summary, "tags": ["live"], "x-scope": format!("{noun}:read"), "parameters": parameters,
            "description": "Server-sent events. A cursor in Last-Event-ID is replayed first, without gap or duplicate; what is gone is said in an event `gap`. While the store does not answer an event `away` says why, and `back` when it does again.",
            "responses": { "200": { "description": "Events until the caller goes.", "content": { "text/event-stream": { "schema": { "type": "string" } } } },
                "400": problem("A name is wrong."), "401": problem("No token, or none that counts."), "403": problem("The scope is missing."), "429": problem("Too many streams of one caller.") } } });
    };
    put("events/{stream}", ("events", "events"), "Follows a stream of events.", json!([stream, &cursor]));
    let streams = json!({ "name": "stream", "in": "query", "required": true, "schema": { "type": "array", "items": { "type": "string" } }, "example": [Stream::All.name()], "description": "Which streams." });
    put("events", ("streams", "events"), "Follows several streams of events.", json!([streams, &cursor]));
    put("logs", ("logs", "logs"), "Follows the logs of services.", json!([service, cursor]));
    let task = json!({ "name": "task_id", "in": "path", "required": true, "schema": { "type": "string" }, "example": "task-123", "description": "Which task." });
    let last = json!({ "name": "since", "in": "query", "required": false, "schema": { "type": "string" }, "example": "evt-0001", "description": "The id of the event that was seen last, for clients that cannot send Last-Event-ID." });
    put(
        "tasks/{task_id}",
        ("tasks", "tasks"),
        "Follows the status of a task until it ends: its history from the oldest event on, then what comes.",
        json!([task, last]),
    );
    put("agents", ("agents", "agents"), "Follows who is here.", json!([]));
    put("locks", ("locks", "locks"), "Follows who holds what.", json!([]));
    put("queues", ("queues", "queues"), "Follows how the queues stand.", json!([]));
    put("services", ("services", "services"), "Follows how the services fare.", json!([]));
    let id = json!({ "name": "service_id", "in": "path", "required": true, "schema": { "type": "string" }, "example": "payments-api", "description": "Which service." });
    let seen = json!({ "name": "since", "in": "query", "required": false, "schema": { "type": "string" }, "example": "payments-api:status:evt-0001", "description": "The name of the event that was seen last, for clients that cannot send Last-Event-ID." });
    put(
        "services/{service_id}",
        ("service", "services"),
        "Follows the events of a service: what there is, from the oldest on, then what comes.",
        json!([id, seen]),
    );
    all
}

async fn events(
    State(app): State<App>,
    stream: Result<Path<String>, axum::extract::rejection::PathRejection>,
    request: Parts,
) -> Response {
    let id = api::request_id(&request.headers);
    let source =
        stream.map_err(|_| Problem::bad(Some("stream"), "the path is not UTF-8")).and_then(|Path(name)| {
            name.parse::<Stream>()
                .map_err(|why| Problem::bad(Some("stream"), why))
                .map(|stream| (name, Source::Events(stream)))
        });
    let outcome = match source {
        Ok(source) => follow(app, "events", vec![source], &request).await,
        // Who may not look is not told what there is.
        Err(problem) => admit(&app, "events", &request).await.and(Err(problem)),
    };
    outcome.unwrap_or_else(|problem| problem.answer(&id))
}

/// Several streams in one line of time.
async fn streams(State(app): State<App>, request: Parts) -> Response {
    let read = |name: &str| name.parse().map(Source::Events);
    several(app, ("events", "stream", Stream::EVERY.len()), read, &request).await
}

async fn logs(State(app): State<App>, request: Parts) -> Response {
    let read = |name: &str| LogServiceId::parse(name).map(Source::Log).map_err(|why| why.to_string());
    several(app, ("logs", "service", MOST_SERVICES), read, &request).await
}

/// Follows the sources that the query names.
async fn several(
    app: App,
    (noun, field, most): (&'static str, &'static str, usize),
    read: impl Fn(&str) -> Result<Source, String>,
    request: &Parts,
) -> Response {
    let names = query(request, field);
    let sources = if names.is_empty() || names.len() > most {
        Err(format!("name from 1 to {most}"))
    } else {
        names.into_iter().map(|name| read(&name).map(|source| (name, source))).collect()
    };
    let outcome = match sources {
        Ok(sources) => follow(app, noun, sources, request).await,
        // Who may not look is not told what is wrong with a name.
        Err(why) => admit(&app, noun, request).await.and(Err(Problem::bad(Some(field), why))),
    };
    outcome.unwrap_or_else(|problem| problem.answer(&api::request_id(&request.headers)))
}

/// The status of one task as it changes, also at Relayna's own address.
pub(crate) async fn task(
    State(app): State<App>,
    task: Result<Path<String>, axum::extract::rejection::PathRejection>,
    request: Parts,
) -> Response {
    let id = api::request_id(&request.headers);
    // Who may not look is not told what is wrong with a name.
    let (line, response) = match admit(&app, "tasks", &request).await {
        Ok(admitted) => admitted,
        Err(problem) => return problem.answer(&id),
    };
    let name = task.map_err(|_| "the path is not UTF-8".to_owned());
    match name.and_then(|Path(name)| TaskId::parse(&name).map_err(|why| why.to_string())) {
        Err(why) => Problem::bad(Some("task_id"), why).answer(&id),
        Ok(task) => {
            let last = cursor(&request);
            tokio::spawn(counted(app.clone(), app.tasks.clone().serve(task, last, line)));
            response
        }
    }
}

/// The events of a service as they are taken in, at Relayna's address.
pub(crate) async fn service(State(app): State<App>, Path(service): Path<String>, request: Parts) -> Response {
    events_of(app, &service, None, &request).await
}

/// The same of one of its tasks.
pub(crate) async fn service_task(
    State(app): State<App>,
    Path((service, task)): Path<(String, String)>,
    request: Parts,
) -> Response {
    events_of(app, &service, Some(&task), &request).await
}

async fn events_of(app: App, service: &str, task: Option<&str>, request: &Parts) -> Response {
    let id = api::request_id(&request.headers);
    let outcome = async {
        // Who may not look is not told what is wrong with a name.
        let (line, response) = admit(&app, "services", request).await?;
        let wrong =
            |field: &'static str, why: quorate_catalog::BadName| Problem::bad(Some(field), why.to_string());
        let service = ServiceId::parse(service).map_err(|why| wrong("service_id", why))?;
        let task = task.map(TaskId::parse).transpose().map_err(|why| wrong("task_id", why))?;
        let shown = app.plane.services().show(&service).await.map_err(|error| Problem::from(&error))?;
        if let quorate_plane::Outcome::Refused(why) = shown {
            return Err(Problem::from(quorate_verbs::Refused::from(why)));
        }
        let last = cursor(request);
        tokio::spawn(counted(app.clone(), app.services.clone().serve((service, task), last, line)));
        Ok(response)
    };
    outcome.await.unwrap_or_else(|problem: Problem| problem.answer(&id))
}

async fn state(State(app): State<App>, noun: &'static str, view: View, request: Parts) -> Response {
    let id = api::request_id(&request.headers);
    match admit(&app, noun, &request).await {
        Err(problem) => problem.answer(&id),
        Ok((line, response)) => {
            tokio::spawn(counted(app.clone(), app.views.clone().serve(view, line)));
            response
        }
    }
}

async fn follow(
    app: App,
    noun: &str,
    sources: Vec<(String, Source)>,
    request: &Parts,
) -> Result<Response, Problem> {
    let (line, response) = admit(&app, noun, request).await?;
    let places = Places::read(sources, cursor(request).as_deref());
    tokio::spawn(counted(app.clone(), viewer::serve(app.hub.clone(), places, line)));
    Ok(response)
}

/// Where a viewer goes on: what the browser says, or the query for clients that cannot say it.
fn cursor(request: &Parts) -> Option<String> {
    let header =
        request.headers.get("last-event-id").map(|id| String::from_utf8_lossy(id.as_bytes()).into_owned());
    header.or_else(|| query(request, "since").pop()).filter(|cursor| !cursor.is_empty())
}

async fn counted(app: App, viewer: impl Future<Output = ()>) {
    app.own.viewers.inc();
    viewer.await;
    app.own.viewers.dec();
}

/// Lets a viewer in: a credential with the scope, and not too many streams of it.
async fn admit(app: &App, noun: &str, request: &Parts) -> Result<(Line, Response), Problem> {
    let (caller, credential) = auth::caller(&app.checks, &request.method, &request.headers).await?;
    if !caller.may(noun, Level::Read) {
        let message = format!("this needs the scope {noun}:read, which {} does not have", caller.name);
        return Err(Problem::new(StatusCode::FORBIDDEN, "forbidden", message));
    }
    let welcome = app.welcome.join(&credential).ok_or_else(|| {
        let message = format!("one caller has at most {} streams", crate::welcome::MOST);
        Problem::new(StatusCode::TOO_MANY_REQUESTS, "too_many_streams", message).retry_after(5)
    })?;
    Ok(viewer::open(welcome))
}

fn query(request: &Parts, name: &str) -> Vec<String> {
    let pairs = form_urlencoded::parse(request.uri.query().unwrap_or_default().as_bytes());
    pairs.filter(|(own, _)| own == name).map(|(_, value)| value.into_owned()).collect()
}
