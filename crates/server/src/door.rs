//! What every request passes, whatever it asks for. By hand and not as layers: a layer puts each request and each answer into
//! boxes of its own, and together they cost more than a claim does.

use std::net::SocketAddr;

use axum::Router;
use axum::body::Body;
use axum::extract::{ConnectInfo, Request};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, Uri, header};
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
    /// The server's own address where only this machine can reach it, so that whoever names another host is refused.
    pub(crate) loopback: Option<String>,
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
            let mut response = self.ask(found, &parts, api::Sent::Coming(body)).await.map(Body::from);
            make_safe(&mut response);
            return response;
        }
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

    /// Answers a request for a verb; whoever sends the answer makes it safe.
    pub(crate) async fn ask(&self, found: Found<'_>, parts: &Parts, body: api::Sent) -> api::Whole {
        if let Some(refusal) = self.elsewhere(&parts.headers, &parts.uri) {
            return refusal;
        }
        let Found { app, verb, names } = found;
        let response = api::ask(app, &verb.entry, names, parts, body).await;
        verb.count(&app.own, response.status().as_u16());
        response
    }

    /// What a request gets that is meant for another host.
    fn elsewhere(&self, headers: &HeaderMap, uri: &Uri) -> Option<api::Whole> {
        let own = self.loopback.as_deref()?;
        // As nearly everybody says it: the very address that is listened on.
        let mut said = headers.get_all(header::HOST).iter();
        let plain = said.next().is_some_and(|host| host == own) && said.next().is_none();
        if plain && uri.authority().is_none() { None } else { host::refusal(headers, uri) }
    }

    /// What is answered without a route: a foreign host, a proxy's method, or a file of the Studio.
    fn at_once(&self, request: &Request) -> Option<Response> {
        if let Some(refusal) = self.elsewhere(request.headers(), request.uri()) {
            return Some(refusal.map(Body::from));
        }
        // Who takes this for a proxy names a host and no path, and would be told that the path is wrong.
        if request.method() == Method::CONNECT {
            return Some(api::other_method(request.headers()));
        }
        // Without a plane there is nothing that the Studio could show.
        if self.verbs.is_some() { studio::file(request) } else { None }
    }
}

/// What every answer has that says nothing else: it is not taken for another type, framed, or told to other sites.
pub(crate) static SAFE: [(HeaderName, &str); 3] = [
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "no-referrer"),
    (header::CONTENT_SECURITY_POLICY, "default-src 'none'; frame-ancestors 'none'"),
];

fn make_safe(response: &mut Response) {
    for (name, value) in &SAFE {
        response.headers_mut().entry(name).or_insert(HeaderValue::from_static(value));
    }
}
