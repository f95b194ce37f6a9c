//! The span of a request, where spans are exported; without that it is nothing and costs nothing.

use axum::http::{HeaderMap, HeaderName, StatusCode};
use quorate_plane::trace::Trace;
use quorate_verbs::{Entry, Method};
use tracing::Span;
use tracing::field::Empty;

/// The trace that a request names.
pub(crate) fn trace(headers: &HeaderMap) -> Option<Trace> {
    const PARENT: HeaderName = HeaderName::from_static("traceparent");
    let text = |name: HeaderName| headers.get(name).and_then(|value| value.to_str().ok());
    Trace::read(text(PARENT)?, text(HeaderName::from_static("tracestate")))
}

/// A span that is a child of it.
pub(super) fn of(entry: &Entry, headers: &HeaderMap, id: &str) -> Span {
    let method = match entry.about.method {
        Method::Get => "GET",
        Method::Post => "POST",
        Method::Put => "PUT",
        Method::Patch => "PATCH",
        Method::Delete => "DELETE",
    };
    let span = tracing::info_span!(
        target: "quorate::http",
        "http.request",
        otel.name = Empty,
        otel.kind = "server",
        otel.status_code = Empty,
        http.request.method = method,
        http.route = Empty,
        http.response.status_code = Empty,
        quorate.request = id,
    );
    if span.is_disabled() {
        return span;
    }
    let route = format!("/api/v1{}", entry.about.path);
    span.record("otel.name", format!("{method} {route}"));
    span.record("http.route", route);
    if let Some(trace) = trace(headers) {
        trace.adopt(&span);
    }
    span
}

/// Notes how it ended.
pub(super) fn ended(span: &Span, status: StatusCode) {
    if span.is_disabled() {
        return;
    }
    span.record("http.response.status_code", status.as_u16());
    if status.is_server_error() {
        span.record("otel.status_code", "ERROR");
    }
}
