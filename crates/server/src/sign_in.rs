//! Signing in and out, and who one is.

mod record;

use std::net::SocketAddr;

use axum::extract::{ConnectInfo, Request, State};
use axum::http::request::Parts;
use axum::http::{HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use quorate_plane::sign_in::{NewSession, Seen};
use quorate_plane::tokens::Caller;
use serde_json::{Map, Value, json};

use crate::api;
use crate::app::App;
use crate::auth::{self, COOKIE, Credential};
use crate::problem::Problem;

pub(crate) fn routes() -> Router<App> {
    Router::new()
        .route("/login", get(link))
        .route("/api/v1/sign-in", post(sign_in))
        .route("/api/v1/sign-out", post(sign_out))
        .route("/api/v1/me", get(me))
}

/// What OpenAPI says of these routes, which are no verbs of the plane.
pub(crate) fn operations() -> Value {
    let text = |text: &str| json!({ "description": text });
    let problem = |text: &str| json!({ "description": text, "content": { "application/problem+json": { "schema": { "$ref": "#/components/schemas/Problem" } } } });
    let caller = json!({ "type": "object", "required": ["name", "role", "can", "read_only", "environment"], "properties": {
        "name": { "type": "string" }, "role": { "type": "string" }, "scopes": { "type": "array", "items": { "type": "string" } },
        "can": { "type": "array", "items": { "type": "string" }, "description": "The verbs that the caller may ask for, such as `locks.release`." },
        "read_only": { "type": "boolean", "description": "Whether none of them changes anything." },
        "environment": { "type": "object", "description": "Which plane this is.", "required": ["namespace", "layout", "version", "now"], "properties": {
            "namespace": { "type": "string" }, "layout": { "type": "string" }, "version": { "type": "string" }, "now": { "type": "string", "description": "The time of the store." } } } } });
    json!({
        "/api/v1/sign-in": { "post": {
            "operationId": "sign_in", "summary": "Signs a person in and sets the cookie.", "tags": ["sign-in"], "security": [{}, { "bearer": [] }], "x-scope": "none",
            "description": "With the one-time code of a login link, or with a token in the Authorization header.",
            "requestBody": { "required": false, "content": { "application/json": { "example": { "code": "qi_…" },
                "schema": { "type": "object", "additionalProperties": false, "properties": { "code": { "type": "string", "description": "The one-time code." } } } } } },
            "responses": { "200": { "description": "Signed in.", "content": { "application/json": { "schema": { "type": "object" } } } },
                "400": problem("The body is not what it should be."), "401": problem("The code or the token does not count."), "403": problem("Another site asked."), "415": problem("Not JSON.") } } },
        "/api/v1/sign-out": { "post": {
            "operationId": "sign_out", "summary": "Ends the session of the cookie.", "tags": ["sign-in"], "security": [{ "cookie": [] }, { "bearer": [] }], "x-scope": "none",
            "description": "Of a token there is no session to end: it gets the same answer, and counts on.",
            "responses": { "204": text("Signed out."), "401": problem("Nobody is signed in."), "403": problem("Another site asked.") } } },
        "/api/v1/me": { "get": {
            "operationId": "me", "summary": "Says who asks, and what they may do.", "tags": ["sign-in"], "x-scope": "none",
            "responses": { "200": { "description": "Who asks.", "content": { "application/json": { "schema": caller } } }, "401": problem("Nobody is signed in.") } } },
    })
}

/// The one-time link that `quorate up` prints. Programs that only look whether a link is good ask for its head; that must
/// not use it up.
async fn link(State(app): State<App>, request: Request) -> Response {
    if request.method() == Method::HEAD {
        return api::no_method(request).await;
    }
    let (request, _) = request.into_parts();
    let id = api::request_id(&request.headers);
    let recorded = api::record_id(&request.headers, &id).unwrap_or_else(|| id.clone());
    let mut said = form_urlencoded::parse(request.uri.query().unwrap_or_default().as_bytes());
    let code = said.find(|(name, _)| name == "code").map(|(_, code)| code).unwrap_or_default();
    match record::redeem(&app, &code, &seen(&request), &recorded).await {
        Ok(Some(session)) => with_cookie(&app, &session, Redirect::to("/").into_response()),
        Ok(None) => Problem::new(
            StatusCode::UNAUTHORIZED,
            "unauthenticated",
            "this link was used, or is too old; make a new one with `quorate sign-ins invite`",
        )
        .answer(&id),
        Err(error) => Problem::from(&error).answer(&id),
    }
}

async fn sign_in(State(app): State<App>, request: Request) -> Response {
    let id = api::request_id(request.headers());
    let recorded = api::record_id(request.headers(), &id).unwrap_or_else(|| id.clone());
    match open(&app, request, &recorded).await {
        Ok(session) => {
            let body = json!({ "outcome": "signed_in", "user": session.user, "role": session.role, "expires_at": session.expires_at.iso() });
            with_cookie(&app, &session, Json(body).into_response())
        }
        Err(problem) => problem.answer(&id),
    }
}

async fn open(app: &App, request: Request, id: &str) -> Result<NewSession, Problem> {
    let (parts, body) = request.into_parts();
    let fault = |error: quorate_store::Error| Problem::from(&error);
    // A page elsewhere could sign its visitor in as somebody else.
    if parts.headers.contains_key(header::ORIGIN) && !auth::from_here(&parts.headers) {
        return Err(Problem::new(
            StatusCode::FORBIDDEN,
            "cross_origin",
            "sign in from a page of this server",
        ));
    }
    let seen = seen(&parts);
    let nobody = || {
        Problem::new(
            StatusCode::UNAUTHORIZED,
            "unauthenticated",
            "the code or the token does not count, or does not any more",
        )
    };
    let code = code(&api::object(&parts.headers, &api::read(&parts.headers, body).await?)?)?;
    match (Credential::of(&parts.headers), code) {
        (Some(Credential::Bearer(_)), Some(_)) => {
            Err(Problem::bad(Some("code"), "sign in with a code or with a token, not both"))
        }
        (Some(credential @ Credential::Bearer(_)), None) => {
            let caller = credential.check(&app.plane).await.map_err(fault)?.ok_or_else(nobody)?;
            record::open(app, &caller, &seen, id).await.map_err(fault)
        }
        (_, Some(code)) => record::redeem(app, &code, &seen, id).await.map_err(fault)?.ok_or_else(nobody),
        (_, None) => Err(Problem::bad(Some("code"), "a code is missing")),
    }
}

/// The code in a body, which has no other field.
fn code(said: &Map<String, Value>) -> Result<Option<String>, Problem> {
    if let Some(other) = said.keys().find(|name| *name != "code") {
        let shown: String = other.chars().take(60).collect();
        return Err(Problem::bad(Some(&shown), "a sign-in has no field of this name"));
    }
    match said.get("code") {
        None => Ok(None),
        Some(Value::String(code)) => Ok(Some(code.clone())),
        Some(_) => Err(Problem::bad(Some("code"), "a code is a text")),
    }
}

async fn sign_out(State(app): State<App>, request: Parts) -> Response {
    let id = api::request_id(&request.headers);
    let recorded = api::record_id(&request.headers, &id).unwrap_or_else(|| id.clone());
    let outcome = async {
        let (caller, credential) = auth::caller(&app.checks, &request.method, &request.headers).await?;
        if let Credential::Session(secret) = credential {
            record::close(&app, &caller, &secret, &recorded).await.map_err(|error| Problem::from(&error))?;
        }
        Ok::<_, Problem>(())
    };
    match outcome.await {
        Ok(()) => (StatusCode::NO_CONTENT, [(header::SET_COOKIE, cookie(&app, "", 0))]).into_response(),
        Err(problem) => problem.answer(&id),
    }
}

async fn me(State(app): State<App>, request: Parts) -> Response {
    let told = async {
        let (caller, _) = auth::caller(&app.checks, &request.method, &request.headers).await?;
        about(&app, &caller).await.map_err(|error| Problem::from(&error))
    };
    match told.await {
        Ok(body) => Json(body).into_response(),
        Err(problem) => problem.answer(&api::request_id(&request.headers)),
    }
}

/// Who that is, which controls to show them, and where they are. The rights are checked again at every request.
async fn about(app: &App, caller: &Caller) -> quorate_store::Result<Value> {
    let may: Vec<_> =
        app.entries.iter().filter(|entry| caller.may(entry.about.noun, entry.about.level)).collect();
    let keys = app.plane.keys();
    let mut body = json!(caller);
    body["can"] = may.iter().map(|entry| entry.about.action()).collect();
    body["read_only"] = (!may.iter().any(|entry| entry.about.changes())).into();
    body["environment"] = json!({ "namespace": keys.namespace_text(), "layout": keys.layout().to_string(),
        "version": env!("CARGO_PKG_VERSION"), "now": app.plane.store().time().await?.iso() });
    Ok(body)
}

fn seen(request: &Parts) -> Seen {
    let from = request.extensions.get::<ConnectInfo<SocketAddr>>();
    let agent =
        request.headers.get(header::USER_AGENT).and_then(|agent| agent.to_str().ok()).unwrap_or_default();
    Seen { ip: from.map(|from| from.0.ip().to_string()).unwrap_or_default(), user_agent: agent.to_owned() }
}

fn with_cookie(app: &App, session: &NewSession, mut response: Response) -> Response {
    if let Ok(value) = HeaderValue::from_str(&cookie(app, &session.secret, 86_400)) {
        response.headers_mut().insert(header::SET_COOKIE, value);
        response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    }
    response
}

/// For this server alone, never for a script, and never sent along by another site.
fn cookie(app: &App, secret: &str, seconds: u32) -> String {
    let tls = if app.tls { "; Secure" } else { "" };
    format!("{COOKIE}={secret}; Path=/; HttpOnly; SameSite=Strict; Max-Age={seconds}{tls}")
}
