//! What a scene stands on: the HTTP API, chance, and the pace of the demo.

use std::time::Duration;

use reqwest::{Client, Method};
use serde_json::Value;

/// How long a call may take; longer than any scene waits for a lock.
const PATIENCE: Duration = Duration::from_secs(30);

/// Why a turn ended early.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Trouble {
    /// The plane does not answer; it may come back.
    Away,
    /// The demo's token does not count any more: somebody has ended the demo.
    Over,
}

/// The API as the demo's own token may use it.
#[derive(Clone)]
pub(crate) struct Stage {
    client: Client,
    base: String,
    token: String,
    speed: f64,
}

impl Stage {
    /// `base` is where the API is, such as `http://127.0.0.1:7770`.
    pub(crate) fn new(base: String, token: String, speed: f64) -> Result<Self, String> {
        let client = Client::builder().timeout(PATIENCE).build().map_err(|error| error.to_string())?;
        Ok(Self { client, base, token, speed })
    }

    /// A pause at the pace of this demo.
    pub(crate) fn paced(&self, rest: Duration) -> Duration {
        rest.div_f64(self.speed).max(Duration::from_millis(50))
    }

    /// The answer; nothing, if the plane refused, as it often does in the life of a fleet.
    pub(crate) async fn post(&self, path: &str, body: Value) -> Result<Option<Value>, Trouble> {
        self.ask(Method::POST, path, Some(body)).await
    }

    pub(crate) async fn put(&self, path: &str, body: Value) -> Result<Option<Value>, Trouble> {
        self.ask(Method::PUT, path, Some(body)).await
    }

    pub(crate) async fn patch(&self, path: &str, body: Value) -> Result<Option<Value>, Trouble> {
        self.ask(Method::PATCH, path, Some(body)).await
    }

    pub(crate) async fn get(&self, path: &str) -> Result<Option<Value>, Trouble> {
        self.ask(Method::GET, path, None).await
    }

    pub(crate) async fn delete(&self, path: &str) -> Result<Option<Value>, Trouble> {
        self.ask(Method::DELETE, path, None).await
    }

    async fn ask(&self, method: Method, path: &str, body: Option<Value>) -> Result<Option<Value>, Trouble> {
        let mut request = self.client.request(method, format!("{}/api/v1{path}", self.base));
        request = request.header("authorization", format!("Bearer {}", self.token));
        if let Some(body) = body {
            request = request.header("content-type", "application/json").body(body.to_string());
        }
        let response = request.send().await.map_err(|_| Trouble::Away)?;
        match response.status().as_u16() {
            401 => Err(Trouble::Over),
            status if status >= 500 => Err(Trouble::Away),
            status if status >= 300 => Ok(None),
            _ => {
                let text = response.text().await.map_err(|_| Trouble::Away)?;
                Ok(Some(serde_json::from_str(&text).unwrap_or_default()))
            }
        }
    }
}

/// One of them, by chance.
pub(super) fn pick<T>(of: &[T]) -> &T {
    &of[fastrand::usize(..of.len())]
}

/// Whether something happens that happens so often in a hundred.
pub(super) fn chance(percent: u8) -> bool {
    fastrand::u8(..100) < percent
}

/// A pause of about so long.
pub(super) fn about(seconds: u64) -> Duration {
    Duration::from_millis(seconds * 1_000 * 3 / 4 + fastrand::u64(..=seconds * 500))
}

/// A new name, such as `demo-build-4f2a91c0`.
pub(super) fn fresh(what: &str) -> String {
    format!("{}{what}-{:08x}", super::MARK, fastrand::u32(..))
}
