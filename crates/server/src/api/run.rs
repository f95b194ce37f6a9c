//! Running a verb for a request, and what goes on record about it.

use std::sync::Arc;

use axum::body::Body;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::Response;
use quorate_plane::tokens::Caller;
use quorate_plane::trace::Trace;
use quorate_plane::trail::Record;
use quorate_verbs::{Call, Effect, Entry, Verdict};
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};

use crate::app::App;
use crate::problem::Problem;

/// A request whose right to be asked was checked.
pub(super) struct Asked {
    pub(super) app: App,
    pub(super) entry: Arc<Entry>,
    pub(super) caller: Caller,
    pub(super) id: String,
    /// The trace that the caller named.
    pub(super) trace: Option<Trace>,
}

/// An answer as it is sent, now or to a repetition.
pub(super) struct Answer {
    pub(super) status: u16,
    pub(super) content_type: String,
    pub(super) body: Vec<u8>,
    pub(super) retry_after: Option<u64>,
}

impl Asked {
    /// Runs the verb, and gives its answer as it is sent.
    pub(super) async fn run(
        &self,
        request: Option<String>,
        input: Map<String, Value>,
    ) -> Result<Answer, Problem> {
        self.perform(request, input).await.map(|body| Answer::done(&body))
    }

    /// Runs the verb. `request` is the same for every repetition of one call.
    pub(super) async fn perform(
        &self,
        request: Option<String>,
        input: Map<String, Value>,
    ) -> Result<Value, Problem> {
        let target = self.target(&input);
        let call = Call {
            request: request.clone(),
            bound: self.caller.agent.clone(),
            rights: Some(self.caller.clone()),
            // Where spans are exported, what is handed on belongs to the span of this request.
            trace: Trace::current().or_else(|| self.trace.clone()),
            ..Call::new(self.app.plane.clone(), self.caller.name.clone())
        };
        let outcome = self.entry.run(call, input.clone()).await;
        self.record(&target, &input, request, &outcome).await;
        match outcome {
            Ok(Verdict::Done(body)) => Ok(body),
            Ok(Verdict::Refused(refused)) => Err(Problem::from(refused)),
            Err(fault) => Err(Problem::from(fault)),
        }
    }

    /// What the call is about, for people who read the trail.
    fn target(&self, input: &Map<String, Value>) -> String {
        let names = super::openapi::in_path(self.entry.about.path);
        let said: Vec<&str> = names.iter().filter_map(|name| input.get(*name)?.as_str()).collect();
        if said.is_empty() { self.entry.about.noun.to_owned() } else { said.join("/") }
    }

    /// One record for every change that is not made all day long.
    async fn record(
        &self,
        target: &str,
        input: &Map<String, Value>,
        request: Option<String>,
        outcome: &Result<Verdict<Value>, quorate_verbs::Fault>,
    ) {
        if !matches!(self.entry.about.effect, Effect::Change | Effect::Destroys) {
            return;
        }
        let (result, after) = match outcome {
            Ok(Verdict::Done(body)) => ("ok".to_owned(), without_secrets(body)),
            Ok(Verdict::Refused(refused)) => (format!("refused:{}", refused.why.code), Value::Null),
            Err(_) => ("fault".to_owned(), Value::Null),
        };
        let before = after.get("before").cloned();
        let record = Record {
            who: self.caller.name.clone(),
            via: "http".to_owned(),
            action: self.entry.about.action(),
            target: target.to_owned(),
            before,
            after: Some(serde_json::json!({ "asked": input, "answer": after })),
            request: request.unwrap_or_else(|| self.id.clone()),
            result,
        };
        // The change is made; that its record could not be written is said where operators look.
        if let Err(error) = self.app.plane.trail().record(&record).await {
            tracing::error!(action = record.action, request = record.request, %error, "a change is not on record");
        }
    }
}

/// The tag of a document: the same for the same bytes.
pub(super) fn tag(body: &[u8]) -> String {
    format!("\"{}\"", hex::encode(&Sha256::digest(body)[..12]))
}

/// Members of an answer that are a secret, and how each of those begins.
const SECRETS: [(&str, &str); 3] = [("token", "qt_"), ("code", "qi_"), ("secret", "whsec_")];

/// A new secret is shown once, to whoever asked for it, and stands nowhere else.
fn without_secrets(body: &Value) -> Value {
    let mut body = body.clone();
    for (name, begin) in SECRETS {
        let is_secret = |value: &&mut Value| value.as_str().is_some_and(|text| text.starts_with(begin));
        if let Some(secret) = body.get_mut(name).filter(is_secret) {
            *secret = "(shown once)".into();
        }
    }
    body
}

/// The body of an answer as it is kept for repetitions of the request.
pub(super) fn kept(answer: &Answer) -> Vec<u8> {
    let holds = |begin: &str| answer.body.windows(begin.len()).any(|part| part == begin.as_bytes());
    if !SECRETS.iter().any(|(_, begin)| holds(begin)) {
        return answer.body.clone();
    }
    let body = serde_json::from_slice(&answer.body).map(|body| without_secrets(&body).to_string());
    body.map_or_else(|_| answer.body.clone(), String::into_bytes)
}

impl Answer {
    fn done(body: &Value) -> Self {
        let status = if body.get("outcome").is_some_and(|word| word == "queued") { 202 } else { 200 };
        Self {
            status,
            content_type: "application/json".to_owned(),
            body: body.to_string().into_bytes(),
            retry_after: None,
        }
    }

    /// A problem, in the form in which it is kept.
    pub(super) fn of(problem: &Problem, request: &str) -> Self {
        let body = problem.document(request).to_string().into_bytes();
        Self {
            status: problem.status(),
            content_type: "application/problem+json".to_owned(),
            body,
            retry_after: None,
        }
    }

    /// The response; to a caller who already has what a GET would give, that nothing changed.
    pub(super) fn response(self, headers: &HeaderMap, tagged: bool) -> Response {
        let tag = tagged.then(|| tag(&self.body));
        let known = headers.get(header::IF_NONE_MATCH).and_then(|known| known.to_str().ok());
        let same = tag
            .as_deref()
            .is_some_and(|tag| known.is_some_and(|known| known.split(',').any(|own| own.trim() == tag)));
        let mut response = Response::new(Body::empty());
        let all = response.headers_mut();
        all.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
        if let Some(tag) = tag.and_then(|tag| HeaderValue::from_str(&tag).ok()) {
            all.insert(header::ETAG, tag);
            all.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
        }
        if same {
            *response.status_mut() = StatusCode::NOT_MODIFIED;
            return response;
        }
        if let Ok(kind) = HeaderValue::from_str(&self.content_type) {
            all.insert(header::CONTENT_TYPE, kind);
        }
        if let Some(seconds) = self.retry_after {
            all.insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        *response.status_mut() = StatusCode::from_u16(self.status).unwrap_or(StatusCode::OK);
        *response.body_mut() = Body::from(self.body);
        response
    }
}
