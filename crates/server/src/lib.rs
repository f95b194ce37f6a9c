//! The plane over HTTP. Today: whether it is alive and whether it is ready to serve.
//!
//! # Layout
//! - [`listen`]: where it listens, and where it refuses to.
//! - [`health`]: `/healthz` and `/readyz`.
//! - [`host`]: only requests that name this machine are answered.
//!
//! **Invariant:** nothing here holds state; everything is asked of the store.

mod health;
mod host;
mod listen;
mod problem;

use std::future::Future;

use axum::routing::get;
use axum::{Router, middleware};
use quorate_store::Store;
use tokio::net::TcpListener;

pub use listen::{ListenError, bind};

/// Serves until `stop` resolves; requests under way are finished first.
pub async fn serve(
    listener: TcpListener,
    store: Store,
    stop: impl Future<Output = ()> + Send + 'static,
) -> std::io::Result<()> {
    axum::serve(listener, routes(store)).with_graceful_shutdown(stop).await
}

fn routes(store: Store) -> Router {
    Router::new()
        .route("/healthz", get(health::alive))
        .route("/readyz", get(health::ready))
        .fallback(problem::not_found)
        .layer(middleware::from_fn(host::only_this_machine))
        .with_state(store)
}
