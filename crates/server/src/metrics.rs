//! `/metrics`, in the text format of Prometheus. Everything is asked of the store when somebody scrapes; only what this
//! process alone knows, its requests and viewers, is counted here.

mod engine;
mod work;

use std::sync::atomic::AtomicI64;
use std::time::Instant;

use axum::extract::{Request, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::registry::Registry;
use quorate_plane::events::Scrape;
use quorate_plane::tokens::{Caller, Level};

use crate::app::App;
use crate::problem::Problem;
use crate::{api, auth};

pub(crate) type Labels = Vec<(&'static str, String)>;
pub(super) type Gauges = Family<Labels, Gauge<f64, std::sync::atomic::AtomicU64>>;

/// What this process counts by itself.
#[derive(Default, Clone)]
pub(crate) struct Own {
    /// Requests by method, route and status.
    pub(crate) requests: Family<Labels, Counter>,
    pub(crate) viewers: Gauge<i64, AtomicI64>,
    /// What browsers reported, by what was forbidden.
    pub(crate) reports: Family<Labels, Counter>,
}

/// A set of gauges under one name, one for each set of labels.
pub(super) fn gauges(
    registry: &mut Registry,
    name: &str,
    help: &str,
    values: impl IntoIterator<Item = (Labels, f64)>,
) {
    let family = Gauges::default();
    for (labels, value) in values {
        family.get_or_create(&labels).set(value);
    }
    registry.register(name, help, family);
}

/// Each scrape of somebody who is known is on record, a refused one too. Strangers are only counted: they could wash the
/// record away.
pub(crate) async fn scrape(State(app): State<App>, request: Request) -> Response {
    let started = Instant::now();
    let (parts, _) = request.into_parts();
    let id = quorate_plane::random_id();
    let caller = match auth::caller(&app.checks, &parts.method, &parts.headers).await {
        Ok((caller, _)) => caller,
        Err(problem) => return problem.answer(&id),
    };
    let (answer, series) = match permitted(&app, &caller).await {
        Ok(text) => {
            let series = text.lines().filter(|line| !line.starts_with('#')).count() as u64;
            let kind = "application/openmetrics-text; version=1.0.0; charset=utf-8";
            (([(header::CONTENT_TYPE, kind)], text).into_response(), series)
        }
        Err(problem) => (problem.answer(&id), 0),
    };
    let duration_ms = started.elapsed().as_millis() as u64;
    let scrape = Scrape { scraper: caller.name, status: answer.status().as_u16(), duration_ms, series };
    if let Err(error) = app.plane.events().scraped(&scrape).await {
        tracing::warn!(%error, "a scrape is not on record");
    }
    answer
}

async fn permitted(app: &App, caller: &Caller) -> Result<String, Problem> {
    if !caller.may("metrics", Level::Read) {
        let message = "this needs the scope metrics:read";
        return Err(Problem::new(StatusCode::FORBIDDEN, "forbidden", message));
    }
    text(app).await.map_err(|error| Problem::from(&error))
}

async fn text(app: &App) -> quorate_store::Result<String> {
    let mut registry = Registry::with_prefix("quorate");
    let build = vec![("version", env!("CARGO_PKG_VERSION").to_owned())];
    gauges(&mut registry, "build_info", "The version that answers", [(build, 1.0)]);
    registry.register("http_requests", "Requests by method, route and status", app.own.requests.clone());
    registry.register("http_viewers", "Open live streams", app.own.viewers.clone());
    let help = "Times that a page of the Studio tried what its policy forbids";
    registry.register("csp_reports", help, app.own.reports.clone());
    work::register(&mut registry, &app.plane).await?;
    engine::register(&mut registry, &app.plane).await?;
    let mut text = String::new();
    // Writing to a string does not fail.
    let _ = encode(&mut text, &registry);
    Ok(text)
}

/// Counts a request under its route, not its path, so that names from outside make no series.
pub(crate) async fn count(
    State(app): State<App>,
    request: Request,
    next: axum::middleware::Next,
) -> Response {
    let route = request.extensions().get::<axum::extract::MatchedPath>().map(|path| path.as_str().to_owned());
    let method = match request.method().as_str() {
        known @ ("GET" | "POST" | "PUT" | "PATCH" | "DELETE" | "HEAD" | "OPTIONS") => known.to_owned(),
        _ => "other".to_owned(),
    };
    let response = next.run(request).await;
    let labels = vec![
        ("method", method),
        ("route", route.unwrap_or_else(|| "none".to_owned())),
        ("status", response.status().as_u16().to_string()),
    ];
    app.own.requests.get_or_create(&labels).inc();
    response
}

pub(crate) fn routes() -> axum::Router<App> {
    axum::Router::new()
        .route("/metrics", axum::routing::get(scrape))
        .method_not_allowed_fallback(api::no_method)
}
