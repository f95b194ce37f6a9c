//! A server of the test's own, and a client of it.

use quorate_outgoing::{Client, Guard};
use quorate_plane::Plane;
use quorate_plane::tokens::{NewToken, Role, TokenName};
use quorate_server::Served;
use quorate_testkit::Bench;
use reqwest::{Method, RequestBuilder, Response};
use serde_json::Value;
use tokio::net::TcpListener;
use tokio::sync::oneshot;

/// A running server; it stops when this is dropped.
pub(crate) struct Server {
    pub(crate) plane: Plane,
    pub(crate) url: String,
    pub(crate) client: reqwest::Client,
    /// A token that may do everything.
    pub(crate) admin: String,
    _stop: oneshot::Sender<()>,
}

impl Server {
    pub(crate) async fn start(bench: &Bench) -> Self {
        Self::serving(bench, Plane::new(bench.scope.clone()).expect("a plain deployment")).await
    }

    /// One whose plane may call what the test has on this machine.
    pub(crate) async fn calling(bench: &Bench) -> Self {
        let near = Client::new(Guard::parse("127.0.0.1:*").expect("a rule"));
        let plane = Plane::new(bench.scope.clone()).expect("a plain deployment");
        Self::serving(bench, plane.calling(near)).await
    }

    async fn serving(bench: &Bench, plane: Plane) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let url = format!("http://{}", listener.local_addr().expect("an address"));
        let (stop, stopped) = oneshot::channel::<()>();
        let served =
            Served { store: bench.scope.store.clone(), plane: Some(plane.clone()), certificate: None };
        tokio::spawn(quorate_server::serve(listener, served, async move { drop(stopped.await) }));
        let admin = token(&plane, "root", Role::Admin).await;
        let client =
            reqwest::Client::builder().redirect(reqwest::redirect::Policy::none()).build().expect("a client");
        Self { plane, url, client, admin, _stop: stop }
    }

    /// Tells it to stop.
    pub(crate) fn stop(self) {}

    /// A request without a token.
    pub(crate) fn bare(&self, method: Method, path: &str) -> RequestBuilder {
        self.client.request(method, format!("{}{path}", self.url))
    }

    pub(crate) fn ask(&self, method: Method, path: &str) -> RequestBuilder {
        self.bare(method, path).bearer_auth(&self.admin)
    }

    pub(crate) async fn get(&self, path: &str) -> (u16, Value) {
        read(self.ask(Method::GET, path).send().await.expect("an answer")).await
    }

    pub(crate) async fn post(&self, path: &str, body: Value) -> (u16, Value) {
        read(self.send(Method::POST, path, body).await).await
    }

    /// Registers a service at Relayna's own address.
    pub(crate) async fn service(&self, id: &str, url: &str) -> (u16, Value) {
        let wanted = serde_json::json!({ "service_id": id, "base_url": url, "environment": "dev" });
        self.post("/studio/services", wanted).await
    }

    pub(crate) async fn send(&self, method: Method, path: &str, body: Value) -> Response {
        let request = self.ask(method, path).header("content-type", "application/json");
        request.body(body.to_string()).send().await.expect("an answer")
    }
}

/// A new token.
pub(crate) async fn token(plane: &Plane, name: &str, role: Role) -> String {
    let name = TokenName::parse(name).expect("a name");
    plane.tokens().create(&NewToken::new(name, role, "test")).await.expect("creates").unwrap().token
}

/// Status and document of an answer.
pub(crate) async fn read(response: Response) -> (u16, Value) {
    let status = response.status().as_u16();
    let text = response.text().await.expect("a body");
    (status, serde_json::from_str(&text).unwrap_or(Value::String(text)))
}
