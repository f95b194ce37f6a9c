//! One call: resolve once, check, connect to what was checked, and read no more than there is room for.

use std::time::Duration;

use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use reqwest::{Method, redirect};
use tokio::time::timeout;
use url::Url;

use crate::{Address, Denied, Guard, retry, tls};

/// How much of our time and memory a call may take.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    pub connect: Duration,
    /// From the first step to the last byte.
    pub total: Duration,
    /// Most bytes of the answer that are kept; the rest is not read.
    pub body: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { connect: Duration::from_secs(2), total: Duration::from_secs(10), body: 64 * 1024 }
    }
}

/// What is asked.
#[derive(Debug, Clone)]
pub struct Call {
    method: Method,
    headers: HeaderMap,
    body: Vec<u8>,
    path: Vec<String>,
    query: Vec<(String, String)>,
    /// Whether the head of the answer is all that is wanted.
    head: bool,
}

impl Call {
    fn new(method: Method, body: Vec<u8>) -> Self {
        Self { method, headers: HeaderMap::new(), body, path: Vec::new(), query: Vec::new(), head: false }
    }

    pub fn get() -> Self {
        Self::new(Method::GET, Vec::new())
    }

    pub fn post(body: impl Into<Vec<u8>>) -> Self {
        Self::new(Method::POST, body.into())
    }

    pub fn delete() -> Self {
        Self::new(Method::DELETE, Vec::new())
    }

    /// The same for a caller to whom the status says everything: no byte of the answer's body is waited for.
    #[must_use]
    pub fn for_its_status(self) -> Self {
        Self { head: true, ..self }
    }

    /// A place below the address: each word is one part of the path, whatever it contains.
    #[must_use]
    pub fn below<'w>(mut self, words: impl IntoIterator<Item = &'w str>) -> Self {
        self.path.extend(words.into_iter().map(str::to_owned));
        self
    }

    /// A parameter behind the path.
    #[must_use]
    pub fn with(mut self, name: &str, value: &str) -> Self {
        self.query.push((name.to_owned(), value.to_owned()));
        self
    }

    /// The address itself, or what is asked for below it; host and port stay those of the address.
    fn url(&self, address: &Address) -> Url {
        let mut url = address.url().clone();
        // A word that is a step up or none at all would not stay below.
        let words = self.path.iter().filter(|word| !matches!(word.as_str(), "" | "." | ".."));
        if let (false, Ok(mut path)) = (self.path.is_empty(), url.path_segments_mut()) {
            path.pop_if_empty().extend(words);
        }
        if !self.query.is_empty() {
            url.query_pairs_mut().extend_pairs(&self.query);
        }
        url
    }

    /// A header; a value that could not stand in one is left out.
    #[must_use]
    pub fn header(mut self, name: &'static str, value: &str) -> Self {
        if let Ok(value) = HeaderValue::from_str(value) {
            self.headers.insert(HeaderName::from_static(name), value);
        }
        self
    }
}

/// What came back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    pub status: u16,
    /// As it came, never unpacked; a stranger's words, for programs to read and not for people.
    pub body: Vec<u8>,
    /// Whether there was more than the limit, or nobody looked.
    pub cut: bool,
    /// How long to wait before the next call, in seconds, if the answer says so.
    pub retry_after: Option<u64>,
}

impl Answer {
    pub fn is_success(&self) -> bool {
        (200..300).contains(&self.status)
    }
}

/// Why there is no answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Failure {
    #[error("not called: {0}")]
    Denied(#[from] Denied),
    #[error("no answer in time")]
    TimedOut,
    #[error("no connection")]
    Unreachable,
    #[error("the connection broke, or what came was no HTTP")]
    Broken,
}

/// Calls what its guard lets it call.
#[derive(Debug, Clone, Default)]
pub struct Client {
    guard: Guard,
    limits: Limits,
}

impl Client {
    pub fn new(guard: Guard) -> Self {
        Self { guard, limits: Limits::default() }
    }

    #[must_use]
    pub fn limits(self, limits: Limits) -> Self {
        Self { limits, ..self }
    }

    pub fn guard(&self) -> &Guard {
        &self.guard
    }

    /// Makes a call. A redirect is an answer like any other: it is not followed.
    pub async fn send(&self, address: &Address, call: Call) -> Result<Answer, Failure> {
        timeout(self.limits.total, self.exchange(address, call)).await.unwrap_or(Err(Failure::TimedOut))
    }

    async fn exchange(&self, address: &Address, call: Call) -> Result<Answer, Failure> {
        let places = self.guard.resolve(address).await?;
        // A client for each call: it knows these places alone, and no connection outlives their check.
        let mut client = reqwest::Client::builder()
            .tls_backend_preconfigured(tls::config())
            .redirect(redirect::Policy::none())
            .no_proxy()
            .no_gzip()
            .no_brotli()
            .no_deflate()
            .no_zstd()
            .referer(false)
            .http1_only()
            .pool_max_idle_per_host(0)
            .user_agent(concat!("quorate/", env!("CARGO_PKG_VERSION")))
            .connect_timeout(self.limits.connect);
        if let Some(name) = address.name() {
            client = client.resolve_to_addrs(name, &places);
        }
        let client = client.build().map_err(|_| Failure::Broken)?;
        let url = call.url(address);
        let request = client.request(call.method, url).headers(call.headers).body(call.body);
        let response = request.send().await.map_err(|error| failure(&error))?;
        self.read(response, call.head).await
    }

    async fn read(&self, mut response: reqwest::Response, head: bool) -> Result<Answer, Failure> {
        let status = response.status().as_u16();
        let retry_after = retry::after(response.headers());
        let (mut body, mut cut) = (Vec::new(), head);
        if head {
            return Ok(Answer { status, body, cut, retry_after });
        }
        while let Some(part) = response.chunk().await.map_err(|error| failure(&error))? {
            let room = self.limits.body - body.len();
            body.extend_from_slice(&part[..part.len().min(room)]);
            if part.len() > room {
                cut = true;
                break;
            }
        }
        Ok(Answer { status, body, cut, retry_after })
    }
}

/// Our own words: those of a library may repeat the address, or what a stranger sent.
fn failure(error: &reqwest::Error) -> Failure {
    if error.is_timeout() {
        Failure::TimedOut
    } else if error.is_connect() {
        Failure::Unreachable
    } else {
        Failure::Broken
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_asked_for_stays_below_the_address() {
        let address: Address = "http://example.org:8080/api".parse().expect("an address");
        let url = |words: &[&str]| Call::get().below(words.iter().copied()).url(&address).to_string();
        assert_eq!(url(&[]), "http://example.org:8080/api");
        assert_eq!(url(&["status", "a/b?c#d"]), "http://example.org:8080/api/status/a%2Fb%3Fc%23d");
        assert_eq!(url(&["..", "", "x@evil"]), "http://example.org:8080/api/x@evil");
        let asked = Call::get().below(["feed"]).with("after", "a&b=c").url(&address);
        assert_eq!(asked.as_str(), "http://example.org:8080/api/feed?after=a%26b%3Dc");
    }
}
