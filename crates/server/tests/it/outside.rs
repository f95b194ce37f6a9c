//! A server outside: a service of Relayna's kind, or where its logs, metrics and traces are. It notes what it is asked.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, Method, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use serde_json::Value;
use tokio::net::TcpListener;

#[derive(Clone)]
pub(crate) struct Outside {
    pub(crate) url: String,
    inner: Arc<Mutex<Inner>>,
}

#[derive(Default)]
struct Inner {
    answers: HashMap<String, (u16, Value)>,
    asked: Vec<Asked>,
}

/// What it was asked.
pub(crate) struct Asked {
    /// Method and path.
    pub(crate) what: String,
    query: String,
    pub(crate) tenant: Option<String>,
    pub(crate) body: Value,
}

impl Asked {
    pub(crate) fn param(&self, name: &str) -> String {
        let mut pairs = form_urlencoded::parse(self.query.as_bytes());
        pairs.find(|(own, _)| own == name).map(|(_, value)| value.into_owned()).unwrap_or_default()
    }
}

impl Outside {
    pub(crate) async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let url = format!("http://{}", listener.local_addr().expect("an address"));
        let own = Self { url, inner: Arc::default() };
        let router = Router::new().fallback(serve).with_state(own.clone());
        tokio::spawn(async move { axum::serve(listener, router).await });
        own
    }

    /// Answers this with that from now on: `GET /path`.
    pub(crate) fn answers(&self, what: &str, status: u16, document: Value) {
        self.inner.lock().expect("whole").answers.insert(what.to_owned(), (status, document));
    }

    /// What it was asked since the last time.
    pub(crate) fn asked(&self) -> Vec<Asked> {
        std::mem::take(&mut self.inner.lock().expect("whole").asked)
    }
}

async fn serve(
    State(own): State<Outside>,
    method: Method,
    uri: Uri,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let what = format!("{method} {}", uri.path());
    let mut inner = own.inner.lock().expect("whole");
    let (status, document) = inner.answers.get(&what).cloned().unwrap_or((404, Value::Null));
    let tenant = headers.get("x-scope-orgid").and_then(|tenant| tenant.to_str().ok()).map(str::to_owned);
    let query = uri.query().unwrap_or_default().to_owned();
    inner.asked.push(Asked { what, query, tenant, body: serde_json::from_slice(&body).unwrap_or_default() });
    let body = if document.is_null() { String::new() } else { document.to_string() };
    (StatusCode::from_u16(status).expect("a status"), body).into_response()
}
