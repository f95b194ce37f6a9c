//! What every request passes, whatever it asks for. By hand and not as layers: a layer puts each request and each answer into
//! boxes of its own, and together they cost more than a claim does.

use std::net::SocketAddr;

use axum::Router;
use axum::body::Body;
use axum::extract::{ConnectInfo, Request};
use axum::http::{HeaderName, HeaderValue, Method, header};
use axum::response::Response;
use hyper::body::Incoming;
use tower::ServiceExt;

use crate::{api, host, problem, studio};

/// The one way to the routes.
pub(crate) struct Door {
    pub(crate) routes: Router,
    /// Whether only this machine can reach the server, so that whoever names another host is refused.
    pub(crate) loopback: bool,
    /// Whether there is a plane that the Studio could show.
    pub(crate) studio: bool,
}

impl Door {
    pub(crate) async fn answer(&self, request: hyper::Request<Incoming>, from: SocketAddr) -> Response {
        let mut request = request.map(Body::new);
        request.extensions_mut().insert(ConnectInfo(from));
        let mut response = match self.at_once(&request) {
            Some(response) => response,
            None => match self.routes.clone().oneshot(request).await {
                Ok(response) => response,
                Err(never) => match never {},
            },
        };
        if response.status().is_client_error() {
            response = problem::formal(response);
        }
        make_safe(&mut response);
        response
    }

    /// What is answered without a route: a foreign host, a proxy's method, or a file of the Studio.
    fn at_once(&self, request: &Request) -> Option<Response> {
        if self.loopback
            && let Some(refusal) = host::refusal(request)
        {
            return Some(refusal);
        }
        // Who takes this for a proxy names a host and no path, and would be told that the path is wrong.
        if request.method() == Method::CONNECT {
            return Some(api::other_method(request.headers()));
        }
        if self.studio { studio::file(request) } else { None }
    }
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
