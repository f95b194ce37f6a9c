//! The plane over HTTP.
//!
//! # Layout
//! - [`api`]: the verbs as routes below `/api/v1`, their OpenAPI document, idempotency, rate limits, the trail.
//! - [`live`]: server-sent events: replay, then live.
//! - [`relayna`]: Relayna's own addresses, for its clients.
//! - [`auth`], [`sign_in`], [`welcome`]: who asks, who is signed in, who may go on watching.
//! - [`mcp`]: the verbs as tools, over stdio and HTTP.
//! - [`metrics`]: `/metrics`. [`health`]: `/healthz` and `/readyz`.
//! - [`studio`]: the web app that the binary carries.
//! - [`serve`], [`listen`], [`host`], [`door`]: connections, where the server listens, to whom it answers, and what every
//!   request passes. [`lane`]: the short way of plain requests; [`verbs`]: which verb an address means.
//! - [`problem`], [`json`]: errors as documents; bodies read strictly.
//!
//! **Invariant:** everything is asked of the store. What is kept here is a cache that may be lost, or a stream that its
//! viewer takes up again by its cursor.

mod api;
mod app;
mod auth;
mod checks;
mod codes;
mod curt;
mod door;
mod health;
mod host;
mod json;
mod lane;
mod listen;
mod live;
mod mcp;
mod metrics;
mod patient;
mod problem;
mod relayna;
mod rewound;
mod rules;
mod serve;
mod sign_in;
mod studio;
mod through;
mod verbs;
mod welcome;

use std::future::Future;

use axum::Router;
use axum::extract::Path;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use quorate_plane::Plane;
use quorate_store::Store;
use tokio::net::TcpListener;
use tower::layer::layer_fn;

use app::App;
pub use codes::CODES;
use door::Door;
pub use listen::{Certificate, ListenError, bind};
pub use mcp::serve_stdio;
pub use serve::make_room;
pub use studio::carries_studio;

/// What is served: the plane, or of a deployment that has none yet only whether it lives.
pub struct Served {
    pub store: Store,
    pub plane: Option<Plane>,
    /// For connections from other machines.
    pub certificate: Option<Certificate>,
}

/// Serves until `stop` resolves; requests under way are finished first.
pub async fn serve(
    listener: TcpListener,
    served: Served,
    stop: impl Future<Output = ()> + Send + 'static,
) -> std::io::Result<()> {
    let address = listener.local_addr()?;
    let loopback = address.ip().is_loopback().then(|| address.to_string());
    let tls = served.certificate.map(|certificate| certificate.acceptor());
    let app = served.plane.map(|plane| App::new(plane, tls.is_some()));
    let door = Door {
        routes: routes(served.store, app.as_ref()),
        verbs: app.as_ref().map(verbs::Verbs::new),
        loopback,
    };
    let stop = async move {
        stop.await;
        // A stream never ends by itself, and the server would wait for it as long as it waits for anybody.
        if let Some(app) = app {
            app.welcome.end();
            app.plane.end_waits();
        }
    };
    serve::serve(listener, tls, door, stop).await
}

/// The OpenAPI document of this version.
pub fn openapi() -> serde_json::Value {
    api::openapi::document(&quorate_verbs::all())
}

fn routes(store: Store, app: Option<&App>) -> Router {
    let health = Router::new()
        .route("/healthz", get(health::alive))
        .route("/readyz", get(health::ready))
        .with_state(store);
    let all = match app {
        None => health,
        Some(app) => health.merge(of_plane(app)),
    };
    all.fallback(api::not_found).method_not_allowed_fallback(api::no_method)
}

fn of_plane(app: &App) -> Router {
    let counting = app.clone();
    Router::new()
        .route("/errors/{code}", get(error_page))
        .merge(api::routes(app))
        .merge(live::routes::routes())
        .merge(relayna::routes())
        .merge(sign_in::routes())
        .merge(studio::routes())
        .merge(mcp::routes(app))
        .merge(metrics::routes())
        .layer(layer_fn(move |inner| metrics::Counted { inner, app: counting.clone() }))
        .with_state(app.clone())
}

/// What a problem's `type` points to.
async fn error_page(Path(code): Path<String>) -> Response {
    match codes::page(&code) {
        Some(page) => ([(header::CONTENT_TYPE, "text/markdown; charset=utf-8")], page).into_response(),
        None => problem::Problem::not_found().answer(&quorate_store::random_id()),
    }
}
