//! What every request passes, whatever it asks for. By hand and not as layers: a layer puts each request and each answer into
//! boxes of its own, and together they cost more than a claim does.

use std::net::SocketAddr;

use axum::Router;
use axum::body::Body;
use axum::extract::{ConnectInfo, Request};
use axum::http::request::Parts;
use axum::http::{HeaderName, HeaderValue, Method, header};
use axum::response::Response;
use hyper::body::Incoming;
use tower::ServiceExt;

use crate::verbs::{Found, Verbs};
use crate::{api, host, problem, studio};

/// The one way to the routes.
pub(crate) struct Door {
    pub(crate) routes: Router,
    /// Where there is a plane: its verbs, which most requests are for.
    pub(crate) verbs: Option<Verbs>,
    /// Whether only this machine can reach the server, so that whoever names another host is refused.
    pub(crate) loopback: bool,
}

impl Door {
    /// The verb that an address means.
    pub(crate) fn find(&self, method: &Method, path: &str) -> Option<Found<'_>> {
        self.verbs.as_ref()?.find(method, path)
    }

    pub(crate) async fn answer(&self, request: hyper::Request<Incoming>, from: SocketAddr) -> Response {
        let mut request = request.map(Body::new);
        if let Some(found) = self.find(request.method(), request.uri().path()) {
            let (parts, body) = request.into_parts();
            return self.ask(found, parts, api::Sent::Coming(body)).await;
        }
        request.extensions_mut().insert(ConnectInfo(from));
        let response = match self.at_once(&request) {
            Some(response) => response,
            None => match self.routes.clone().oneshot(request).await {
                Ok(response) => response,
                Err(never) => match never {},
            },
        };
        finished(response)
    }

    /// Answers a request for a verb.
    pub(crate) async fn ask(&self, found: Found<'_>, parts: Parts, body: api::Sent) -> Response {
        let refusal = if self.loopback { host::refusal(&parts.headers, &parts.uri) } else { None };
        let (Some(verbs), None) = (&self.verbs, &refusal) else {
            return finished(refusal.unwrap_or_else(|| api::other_method(&parts.headers)));
        };
        let Found { verb, names } = found;
        let response = api::ask(&verbs.app, &verb.entry, names, parts, body).await;
        verb.count(&verbs.app.own, response.status().as_u16());
        finished(response)
    }

    /// What is answered without a route: a foreign host, a proxy's method, or a file of the Studio.
    fn at_once(&self, request: &Request) -> Option<Response> {
        if self.loopback
            && let Some(refusal) = host::refusal(request.headers(), request.uri())
        {
            return Some(refusal);
        }
        // Who takes this for a proxy names a host and no path, and would be told that the path is wrong.
        if request.method() == Method::CONNECT {
            return Some(api::other_method(request.headers()));
        }
        // Without a plane there is nothing that the Studio could show.
        if self.verbs.is_some() { studio::file(request) } else { None }
    }
}

fn finished(mut response: Response) -> Response {
    if response.status().is_client_error() {
        response = problem::formal(response);
    }
    make_safe(&mut response);
    response
}

/// No answer is taken for another type, framed, or told to other sites.
fn make_safe(response: &mut Response) {
    let headers = response.headers_mut();
    let mut put = |name: HeaderName, value: &'static str| {
        headers.entry(name).or_insert(HeaderValue::from_static(value));
    };
    put(header::X_CONTENT_TYPE_OPTIONS, "nosniff");
    put(header::REFERRER_POLICY, "no-referrer");
    put(header::CONTENT_SECURITY_POLICY, "default-src 'none'; frame-ancestors 'none'");
}
