//! Errors as `application/problem+json` with a stable code, each with a page in `docs/errors/`.

use axum::body::Body;
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::response::Response;
use quorate_verbs::{Fault, Refused};
use serde_json::{Map, Value};

use crate::api::Whole;

/// Why a request got no answer of the kind it asked for.
#[derive(Debug, Clone)]
pub(crate) struct Problem(Box<Facts>);

#[derive(Debug, Clone)]
struct Facts {
    status: StatusCode,
    code: String,
    message: String,
    field: Option<String>,
    /// What the code's own page would say too: what to do, what stands in the way.
    more: Map<String, Value>,
    retry_after: Option<u64>,
    headers: Vec<(&'static str, String)>,
}

impl Problem {
    pub(crate) fn new(status: StatusCode, code: &str, message: impl Into<String>) -> Self {
        let message = message.into();
        let code = code.to_owned();
        let (more, headers) = (Map::new(), Vec::new());
        Self(Box::new(Facts { status, code, message, field: None, more, retry_after: None, headers }))
    }

    pub(crate) fn bad(field: Option<&str>, message: impl Into<String>) -> Self {
        let mut problem = Self::new(StatusCode::BAD_REQUEST, "bad_input", message);
        problem.0.field = field.map(str::to_owned);
        problem
    }

    pub(crate) fn not_found() -> Self {
        Self::new(StatusCode::NOT_FOUND, "not_found", "there is nothing at this address")
    }

    #[must_use]
    pub(crate) fn with(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.0.more.insert(name.to_owned(), value.into());
        self
    }

    /// Seconds after which to try again.
    #[must_use]
    pub(crate) fn retry_after(mut self, seconds: u64) -> Self {
        self.0.retry_after = Some(seconds);
        self
    }

    /// A header that its answer has.
    #[must_use]
    pub(crate) fn header(mut self, name: &'static str, text: String) -> Self {
        self.0.headers.push((name, text));
        self
    }

    /// Whether a repetition may find what this request did not: the store was away, full or slow.
    pub(crate) fn may_pass(&self) -> bool {
        self.0.status.is_server_error() || self.0.status == StatusCode::TOO_MANY_REQUESTS
    }

    /// The same under another status, at addresses whose clients know it by that.
    #[must_use]
    pub(crate) fn numbered(mut self, status: StatusCode) -> Self {
        self.0.status = status;
        self
    }

    pub(crate) fn code(&self) -> &str {
        &self.0.code
    }

    pub(crate) fn status(&self) -> u16 {
        self.0.status.as_u16()
    }

    /// The document; `request` is the id of the request in logs and in the trail.
    pub(crate) fn document(&self, request: &str) -> Value {
        let mut all = Map::new();
        let mut put = |name: &str, value: Value| drop(all.insert(name.to_owned(), value));
        put("type", format!("/errors/{}", self.0.code).into());
        put("title", self.0.status.canonical_reason().unwrap_or("Error").into());
        put("status", self.0.status.as_u16().into());
        put("code", self.0.code.clone().into());
        put("detail", self.0.message.clone().into());
        put("message", self.0.message.clone().into());
        put("request_id", request.into());
        if let Some(field) = &self.0.field {
            put("field", field.clone().into());
        }
        for (name, value) in &self.0.more {
            put(name, value.clone());
        }
        Value::Object(all)
    }

    pub(crate) fn answer(&self, request: &str) -> Response {
        self.whole(request).map(Body::from)
    }

    pub(crate) fn whole(&self, request: &str) -> Whole {
        let mut response = Whole::new(self.document(request).to_string().into());
        *response.status_mut() = self.0.status;
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/problem+json"));
        if let Some(seconds) = self.0.retry_after {
            headers.insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        for (name, text) in &self.0.headers {
            headers
                .extend(HeaderValue::from_str(text).ok().map(|text| (HeaderName::from_static(name), text)));
        }
        if self.0.status == StatusCode::UNAUTHORIZED {
            headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer realm=\"quorate\""));
        }
        response
    }
}

/// A refusal of a library, which has words of its own, as a problem; one that is a document already stays what it is.
pub(crate) fn formal(response: Response) -> Response {
    let kind = response.headers().get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
    if kind.is_some_and(|kind| kind.contains("json")) {
        return response;
    }
    let code = match response.status() {
        StatusCode::NOT_FOUND => "not_found",
        StatusCode::METHOD_NOT_ALLOWED => "method",
        StatusCode::NOT_ACCEPTABLE => "not_acceptable",
        StatusCode::PAYLOAD_TOO_LARGE => "body_too_large",
        StatusCode::UNSUPPORTED_MEDIA_TYPE => "media_type",
        _ => "bad_input",
    };
    let said = crate::codes::CODES.iter().find(|(own, ..)| *own == code);
    let message = said.map_or_else(String::new, |(_, _, what, next)| format!("{what}; {next}"));
    let status = if code == "bad_input" { StatusCode::BAD_REQUEST } else { response.status() };
    let (mut parts, _) = response.into_parts();
    let answer = Problem::new(status, code, message).answer(&quorate_store::unique_id());
    parts.headers.remove(header::CONTENT_LENGTH);
    parts.headers.extend(answer.headers().clone());
    parts.status = status;
    Response::from_parts(parts, answer.into_body())
}

impl From<Refused> for Problem {
    fn from(refused: Refused) -> Self {
        let status = StatusCode::from_u16(refused.status()).unwrap_or(StatusCode::CONFLICT);
        let mut problem = Self::new(status, &refused.why.code, refused.why.reason.clone());
        for (name, value) in refused.document().as_object().into_iter().flatten() {
            // The standard has its own meaning of "detail"; what stands in the way goes by another name.
            let name = if name == "detail" { "in_the_way" } else { name };
            problem.0.more.insert(name.to_owned(), value.clone());
        }
        problem.0.retry_after = matches!(refused.status(), 429 | 503).then_some(1);
        problem
    }
}

impl From<Fault> for Problem {
    fn from(fault: Fault) -> Self {
        match fault {
            Fault::BadInput { field, message } => Self::bad(field.as_deref(), message),
            Fault::NotFound(message) => Self::new(StatusCode::NOT_FOUND, "not_found", message),
            // Whether the agent exists is nobody else's business.
            Fault::NotYours(_) => Self::new(StatusCode::FORBIDDEN, "other_agent", fault.to_string()),
            Fault::Store(error) => Self::from(&error),
        }
    }
}

impl From<&quorate_store::Error> for Problem {
    fn from(error: &quorate_store::Error) -> Self {
        use quorate_store::ErrorKind as Kind;
        if error.kind() == Kind::Changed {
            let message = "it has changed since you read it; read it again and decide anew";
            return Self::new(StatusCode::PRECONDITION_FAILED, "changed", message);
        }
        let (status, retry) = match error.kind() {
            Kind::OutOfMemory | Kind::Unreachable | Kind::Loading | Kind::TimedOut => {
                (StatusCode::SERVICE_UNAVAILABLE, Some(1))
            }
            Kind::WrongType => (StatusCode::CONFLICT, None),
            _ => (StatusCode::BAD_GATEWAY, None),
        };
        let code = if error.kind() == Kind::OutOfMemory { "store_full" } else { error.code() };
        let problem = Self::new(status, code, error.to_string()).with("next", error.advice());
        match retry {
            Some(seconds) => problem.retry_after(seconds),
            None => problem,
        }
    }
}
