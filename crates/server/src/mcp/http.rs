//! `/mcp`: the tools over streamable HTTP, without sessions; each request shows its own token.

use std::sync::Arc;

use axum::Router;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::Response;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};

use super::Mcp;
use crate::app::App;
use crate::problem::Problem;
use crate::{api, auth};

pub(crate) fn routes(app: &App) -> Router<App> {
    let mut config = StreamableHttpServerConfig::default();
    config.legacy_session_mode = false;
    config.json_response = true;
    // The server's own check of hosts comes first, and knows more.
    config.allowed_hosts = Vec::new();
    config.max_request_body_bytes = api::MAX_BODY;
    let own = app.clone();
    let service = StreamableHttpService::new(
        move || Ok(Mcp::new(own.clone(), None)),
        Arc::new(LocalSessionManager::default()),
        config,
    );
    Router::new().route_service("/mcp", service).layer(from_fn_with_state(app.clone(), admit))
}

/// Finds out who asks, and leaves it where the tools look.
async fn admit(State(app): State<App>, request: Request, next: Next) -> Response {
    let (mut parts, body) = request.into_parts();
    match auth::caller(&app.checks, &parts.method, &parts.headers).await {
        Err(problem) => problem.answer(&api::request_id(&parts.headers)),
        Ok((caller, _)) => {
            parts.extensions.insert(caller);
            let (id, json) = (api::request_id(&parts.headers), is_json(&parts.headers));
            let answer = next.run(Request::from_parts(parts, body)).await;
            // The library takes a body that it cannot read for one of another type.
            if json && answer.status() == StatusCode::UNSUPPORTED_MEDIA_TYPE {
                return Problem::bad(None, "the body is no message of JSON-RPC").answer(&id);
            }
            answer
        }
    }
}

fn is_json(headers: &HeaderMap) -> bool {
    let kind = headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
    kind.is_some_and(|kind| kind.starts_with("application/json"))
}
