//! The verbs as routes below `/api/v1`. A route knows nothing of its verb but its entry.

mod condition;
pub(crate) mod idempotent;
mod input;
mod limit;
pub(crate) mod openapi;
mod page;
mod paging;
mod run;
mod spans;

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::{FromRequestParts, RawPathParams, Request};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodFilter, on};
use quorate_plane::tokens::Caller;
use quorate_plane::trace::Trace;
use quorate_verbs::{Entry, Method};
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};
use tracing::Instrument;

use crate::app::App;
use crate::auth;
use crate::problem::Problem;
pub(crate) use input::object;
pub(crate) use spans::trace;

/// Longest body: the longest payload, with room for the escapes of JSON.
pub(crate) const MAX_BODY: usize = 10 * 1024 * 1024;
/// How long a body may take to arrive: ten seconds, of which the short way may have waited a part.
const BODY_TIME: Duration = Duration::from_secs(10 - crate::lane::BEGUN.as_secs());
/// Under this name a request stands in logs, in the trail and in every answer.
pub(crate) const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
const IDEMPOTENCY_KEY: HeaderName = HeaderName::from_static("idempotency-key");

/// A route for each verb, and the pages about them.
pub(crate) fn routes(app: &App) -> Router<App> {
    let mut router = Router::new();
    for entry in &app.entries {
        let (app, entry) = (app.clone(), Arc::clone(entry));
        let filter = match entry.about.method {
            Method::Get => MethodFilter::GET,
            Method::Post => MethodFilter::POST,
            Method::Put => MethodFilter::PUT,
            Method::Patch => MethodFilter::PATCH,
            Method::Delete => MethodFilter::DELETE,
        };
        let path = route(&entry);
        router = router.route(&path, on(filter, move |request: Request| serve(app, entry, request)));
    }
    router.merge(page::routes())
}

/// The address of a verb.
pub(crate) fn route(entry: &Entry) -> String {
    format!("/api/v1{}", entry.about.path)
}

pub(crate) fn method(entry: &Entry) -> axum::http::Method {
    match entry.about.method {
        Method::Get => axum::http::Method::GET,
        Method::Post => axum::http::Method::POST,
        Method::Put => axum::http::Method::PUT,
        Method::Patch => axum::http::Method::PATCH,
        Method::Delete => axum::http::Method::DELETE,
    }
}

/// The names in a path and what they stand for.
pub(crate) type Names = Vec<(String, String)>;

/// The body of a request.
pub(crate) enum Sent {
    /// All of it is here.
    Whole(Bytes),
    /// It is on its way.
    Coming(Body),
}

/// An answer whose body is there. In a body that could also come in pieces it would be put into a box and taken out again.
pub(crate) type Whole = axum::http::Response<Bytes>;

/// Serves a request as the route of a verb does, also at another address that has the same names.
pub(crate) async fn serve(app: App, entry: Arc<Entry>, request: Request) -> Response {
    let (mut parts, body) = request.into_parts();
    let names = RawPathParams::from_request_parts(&mut parts, &()).await.ok();
    let names =
        names.map(|names| names.iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect());
    ask(&app, &entry, names, &parts, Sent::Coming(body)).await.map(Body::from)
}

/// Answers a request for a verb. A path that is not text has no names.
pub(crate) async fn ask(
    app: &App,
    entry: &Arc<Entry>,
    names: Option<Names>,
    parts: &Parts,
    body: Sent,
) -> Whole {
    let id = request_id(&parts.headers);
    let span = spans::of(entry, &parts.headers, &id);
    let asked = (names, parts, body);
    // What goes along with a span is moved into it, and looked at through it; a request without one need not be.
    let outcome = match span.is_disabled() {
        true => answer(app, entry, asked, &id).await,
        false => Box::pin(answer(app, entry, asked, &id).instrument(span.clone())).await,
    };
    let mut response = outcome.unwrap_or_else(|problem| problem.whole(&id));
    spans::ended(&span, response.status());
    if let Ok(value) = HeaderValue::from_str(&id) {
        response.headers_mut().insert(REQUEST_ID, value);
    }
    response
}

/// How a request came that is asked in another way than at the route of its verb.
pub(crate) struct Came {
    pub(crate) via: &'static str,
    pub(crate) id: String,
    /// Its id in the trail, if that is another.
    pub(crate) recorded: Option<String>,
    pub(crate) trace: Option<Trace>,
}

impl Came {
    pub(crate) fn over_http(headers: &HeaderMap) -> Self {
        let id = request_id(headers);
        Self { via: "http", recorded: record_id(headers, &id), id, trace: trace(headers) }
    }
}

/// Runs a verb for a caller who came another way; the same rights, limits and records hold.
pub(crate) async fn call(
    app: &App,
    entry: &Arc<Entry>,
    caller: &Arc<Caller>,
    came: Came,
    input: Map<String, Value>,
) -> Result<Value, Problem> {
    permit(entry, caller)?;
    limit::take(app, entry, caller).await?;
    let input = input::named(entry, input)?;
    let (app, entry, caller) = (app.clone(), Arc::clone(entry), Arc::clone(caller));
    let Came { via, id, recorded, trace } = came;
    let asked = run::Asked { app, entry, caller, via, id, recorded, trace, seen: None };
    asked.perform(None, input).await.map(|answer| answer.value())
}

fn permit(entry: &Entry, caller: &Caller) -> Result<(), Problem> {
    if caller.may(entry.about.noun, entry.about.level) {
        return Ok(());
    }
    let message =
        format!("this needs the scope {}, which {} does not have", entry.about.scope(), caller.name);
    Err(Problem::new(StatusCode::FORBIDDEN, "forbidden", message).with("scope", entry.about.scope()))
}

/// Answers a caller who may ask; whatever the answer is, it says what is left of the caller's limit.
async fn answer(
    app: &App,
    entry: &Arc<Entry>,
    (names, parts, body): (Option<Names>, &Parts, Sent),
    id: &str,
) -> Result<Whole, Problem> {
    let (caller, _) = auth::caller(&app.checks, &parts.method, &parts.headers).await?;
    permit(entry, &caller)?;
    let allowance = limit::take(app, entry, &caller).await?;
    let outcome = permitted(app, entry, (names, parts, body), caller, id).await;
    let mut response = outcome.unwrap_or_else(|problem| problem.whole(id));
    allowance.show(response.headers_mut());
    Ok(response)
}

async fn permitted(
    app: &App,
    entry: &Arc<Entry>,
    (names, parts, body): (Option<Names>, &Parts, Sent),
    caller: Arc<Caller>,
    id: &str,
) -> Result<Whole, Problem> {
    let path = names.ok_or_else(|| Problem::bad(None, "the path is not UTF-8"))?;
    let body = match body {
        Sent::Whole(body) => body,
        Sent::Coming(body) => Box::pin(read(&parts.headers, body)).await?,
    };
    let (page, query) = paging::of(entry, input::query(&parts.uri)?)?;
    let input = input::gather(entry, &path, &query, &parts.headers, &body)?;
    let seen = condition::of(app, entry, &parts.headers, &path)?;
    let version = condition::version(app, entry, &input).await?;
    let (app, entry, trace) = (app.clone(), Arc::clone(entry), trace(&parts.headers));
    let (id, recorded) = (id.to_owned(), record_id(&parts.headers, id));
    let asked = run::Asked { app, entry: Arc::clone(&entry), caller, via: "http", id, recorded, trace, seen };
    let mut keys = parts.headers.get_all(IDEMPOTENCY_KEY).iter();
    let key = keys.next().cloned();
    if keys.next().is_some() {
        return Err(Problem::bad(Some("Idempotency-Key"), "a request has one key"));
    }
    let kept = match key {
        // A client that hangs up does not stop what it began: its repetition wants to know how that ended.
        Some(key) if entry.about.changes() => {
            let print = fingerprint(&parts.method, &parts.uri, &body);
            let work = Box::pin(async move { idempotent::run(&asked, &key, &print, input).await });
            let running = tokio::spawn(work.in_current_span());
            running.await.map_err(|_| {
                Problem::new(StatusCode::INTERNAL_SERVER_ERROR, "fault", "the request ended badly")
            })??
        }
        _ => asked.run(None, page.as_ref(), input).await?,
    };
    let next = kept.next.clone();
    let mut response = kept.response(&parts.headers, entry.about.method == Method::Get, version.as_deref());
    if let Some(next) = next {
        paging::link(response.headers_mut(), &parts.uri, &next);
    }
    Ok(response)
}

/// What was asked, so that one key is never taken for two requests.
fn fingerprint(method: &axum::http::Method, uri: &axum::http::Uri, body: &[u8]) -> [u8; 32] {
    let mut print = Sha256::new();
    for part in [method.as_str().as_bytes(), uri.to_string().as_bytes(), body] {
        print.update((part.len() as u64).to_be_bytes());
        print.update(part);
    }
    print.finalize().into()
}

/// The id that the caller gave if it can stand in a log, or a new one.
pub(crate) fn request_id(headers: &HeaderMap) -> String {
    let given = headers.get(REQUEST_ID).and_then(|id| id.to_str().ok());
    let sound = |id: &&str| {
        (8..=128).contains(&id.len())
            && id.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte))
    };
    given.filter(sound).map_or_else(quorate_store::unique_id, str::to_owned)
}

/// The id of a request in the trail, where it is not the one that it has everywhere: a caller may choose the same for many
/// requests, and each change has its record.
pub(crate) fn record_id(headers: &HeaderMap, id: &str) -> Option<String> {
    let chosen = headers.contains_key(REQUEST_ID);
    chosen.then(|| format!("{id}.{}", quorate_store::unique_id()))
}

/// The whole body, if it is not too long and does not take too long.
pub(crate) async fn read(headers: &HeaderMap, body: Body) -> Result<Bytes, Problem> {
    let long = || {
        let message = format!("the body is longer than {MAX_BODY} bytes");
        Problem::new(StatusCode::PAYLOAD_TOO_LARGE, "body_too_large", message)
    };
    let told =
        headers.get(header::CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse::<u64>().ok());
    if told.is_some_and(|length| length > MAX_BODY as u64) {
        return Err(long());
    }
    match tokio::time::timeout(BODY_TIME, axum::body::to_bytes(body, MAX_BODY)).await {
        Err(_) => {
            Err(Problem::new(StatusCode::REQUEST_TIMEOUT, "slow_body", "the body took longer than 10 s"))
        }
        Ok(Ok(body)) => Ok(body),
        Ok(Err(error)) if error.to_string().contains("length limit") => Err(long()),
        Ok(Err(_)) => Err(Problem::bad(None, "the body was cut off")),
    }
}

/// What is not there, in the same form as everything else.
pub(crate) async fn not_found(request: Request) -> Response {
    Problem::not_found().answer(&request_id(request.headers())).into_response()
}

/// A path that is there, and a method that is not.
pub(crate) async fn no_method(request: Request) -> Response {
    other_method(request.headers())
}

pub(crate) fn other_method(headers: &HeaderMap) -> Response {
    let problem = Problem::new(StatusCode::METHOD_NOT_ALLOWED, "method", "this address has other methods");
    problem.answer(&request_id(headers))
}
