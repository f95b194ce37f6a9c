//! Running a verb for a request, and what goes on record about it.

use std::borrow::Cow;
use std::sync::Arc;

use axum::body::Bytes;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use quorate_plane::Plane;
use quorate_plane::idempotency::Claim;
use quorate_plane::tokens::Caller;
use quorate_plane::trace::Trace;
use quorate_plane::trail::{Record, UNKNOWN};
use quorate_store::ErrorKind;
use quorate_verbs::{Answered, Call, Effect, Entry, Fault, Verdict};
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};

use super::Whole;
use super::condition::Condition;
use super::paging::{self, Paging};
use crate::app::App;
use crate::problem::Problem;

/// Headers of an answer, with those that the server adds: room that is made once need not grow.
const HEADERS: usize = 10;

/// A request whose right to be asked was checked.
pub(super) struct Asked {
    pub(super) app: App,
    pub(super) entry: Arc<Entry>,
    pub(super) caller: Arc<Caller>,
    /// The way it came, as the trail has it.
    pub(super) via: &'static str,
    pub(super) id: String,
    /// The id under which it stands in the trail, if that is another.
    pub(super) recorded: Option<String>,
    /// The trace that the caller named.
    pub(super) trace: Option<Trace>,
    /// What the caller has seen of what it wants to change.
    pub(super) seen: Option<Condition>,
}

/// An answer as it is sent, now or to a repetition.
pub(super) struct Answer {
    pub(super) status: u16,
    pub(super) content_type: Cow<'static, str>,
    pub(super) body: Vec<u8>,
    pub(super) retry_after: Option<u64>,
    /// The cursor of the next page.
    pub(super) next: Option<String>,
}

impl Asked {
    /// Runs the verb, and gives its answer as it is sent.
    pub(super) async fn run(
        &self,
        claim: Option<&Claim>,
        page: Option<&Paging>,
        input: Map<String, Value>,
    ) -> Result<Answer, Problem> {
        let answer = self.perform(claim, input).await?;
        if page.is_none() && !paging::is_own(&self.entry) {
            return Ok(Answer::done(answer.bytes()));
        }
        let mut body = answer.value();
        let next = match page {
            Some(page) => page.cut(&mut body)?,
            None => paging::next(&body),
        };
        Ok(Answer { next, ..Answer::done(quorate_verbs::Document::bytes(&body)) })
    }

    /// Runs the verb. With a claim it is one of the attempts of a request, which have one effect together.
    pub(super) async fn perform(
        &self,
        claim: Option<&Claim>,
        input: Map<String, Value>,
    ) -> Result<Answered, Problem> {
        let call = Call {
            request: claim.map(|claim| claim.request.clone()),
            bound: self.caller.agent.clone(),
            rights: Some(Arc::clone(&self.caller)),
            // Where spans are exported, what is handed on belongs to the span of this request.
            trace: Trace::current().or_else(|| self.trace.clone()),
            ..Call::new(self.plane(claim), self.caller.name.clone())
        };
        // What only some requests need is in a box: every other one would carry room for it.
        let mut record = match self.entry.about.effect {
            Effect::Change | Effect::Destroys => {
                Some(Box::pin(self.intend(&input, call.request.clone())).await?)
            }
            Effect::None | Effect::Hot => None,
        };
        // An attempt at a request that another one began may have changed what was seen itself.
        let looked = match &self.seen {
            Some(seen) if claim.is_none() => Box::pin(seen.look(&self.app)).await,
            _ => Ok(()),
        };
        let outcome = match looked {
            Ok(()) => self.entry.answer(call, input).await,
            Err(error) => Err(Fault::from(error)),
        };
        if self.entry.about.noun == "tokens" && self.entry.about.changes() {
            self.app.checks.forget();
        }
        if let Some(record) = &mut record {
            Box::pin(self.record(record, &outcome)).await;
        }
        match outcome {
            Ok(Verdict::Done(answer)) => Ok(answer),
            Ok(Verdict::Refused(refused)) => {
                self.app.plane.refused(&refused.why.code);
                Err(Problem::from(refused))
            }
            Err(fault) => Err(Problem::from(fault)),
        }
    }

    /// The plane as this request sees it: what it changes is done once, and only if it is what the caller has seen.
    fn plane(&self, claim: Option<&Claim>) -> Plane {
        let plane = &self.app.plane;
        if claim.is_none() && self.seen.is_none() {
            return plane.clone();
        }
        let once = claim.map(|claim| plane.idempotency().once(claim)).unwrap_or_default();
        plane.under(once.expecting(self.seen.as_ref().map(Condition::seen)))
    }

    /// What the call is about, for people who read the trail.
    fn target(&self, input: &Map<String, Value>) -> String {
        let names = super::openapi::in_path(self.entry.about.path);
        let said: Vec<&str> = names.iter().filter_map(|name| input.get(*name)?.as_str()).collect();
        if said.is_empty() {
            self.named(input).unwrap_or_else(|| self.entry.about.noun.to_owned())
        } else {
            said.join("/")
        }
    }

    /// What the members of a document that name the changed thing say.
    fn named(&self, document: &Map<String, Value>) -> Option<String> {
        let values = self.entry.about.names.iter().filter_map(|name| document.get(*name));
        let texts =
            values.flat_map(|value| value.as_array().map_or(std::slice::from_ref(value), Vec::as_slice));
        let said: Vec<&str> = texts.filter_map(Value::as_str).collect();
        (!said.is_empty()).then(|| said.join(" "))
    }

    /// Notes a change that goes on record, before it is made: one that ends with this process has its record too.
    async fn intend(&self, input: &Map<String, Value>, request: Option<String>) -> Result<Record, Problem> {
        let entries = self.app.entries.iter().map(AsRef::as_ref);
        let before = quorate_verbs::before(entries, &self.entry, &self.app.plane, input).await;
        let mut record = Record {
            who: self.caller.name.clone(),
            via: self.via.to_owned(),
            action: self.entry.about.action(),
            target: self.target(input),
            before,
            after: Some(serde_json::json!({ "asked": input })),
            request: request.or_else(|| self.recorded.clone()).unwrap_or_else(|| self.id.clone()),
            result: UNKNOWN.to_owned(),
        };
        // What the first attempt at a request has seen counts: a later one may see what that one did.
        record.before =
            self.app.plane.trail().intend(&record).await.map_err(|error| Problem::from(&error))?;
        Ok(record)
    }

    /// Writes the one record of a change. What could never be done was none, as on the command line.
    async fn record(&self, record: &mut Record, outcome: &Result<Verdict<Answered>, Fault>) {
        let (result, answer) = match outcome {
            Err(Fault::BadInput { .. }) => {
                // Where this fails, a record will say that it is not known how it ended.
                let _ = self.app.plane.trail().withdraw(&record.request).await;
                return;
            }
            Err(Fault::NotFound(_)) => ("refused:not_found".to_owned(), Value::Null),
            Err(Fault::NotYours(_)) => ("refused:other_agent".to_owned(), Value::Null),
            Ok(Verdict::Done(answer)) => ("ok".to_owned(), without_secrets(answer.value())),
            Ok(Verdict::Refused(refused)) => (format!("refused:{}", refused.why.code), Value::Null),
            Err(Fault::Store(error)) if error.kind() == ErrorKind::Changed => {
                ("refused:changed".to_owned(), Value::Null)
            }
            Err(Fault::Store(_)) => ("fault".to_owned(), Value::Null),
        };
        if let Some(before) = answer.get("before") {
            record.before = Some(before.clone());
        }
        // What the plane has made up a name for is known only now.
        let unnamed = record.target == self.entry.about.noun;
        if let Some(name) = answer.as_object().filter(|_| unnamed).and_then(|answer| self.named(answer)) {
            record.target = name;
        }
        if let Some(Value::Object(after)) = &mut record.after {
            after.insert("answer".to_owned(), answer);
        }
        record.result = result;
        // The change is made; that its record could not be written is said where operators look, and its note stays.
        if let Err(error) = self.app.plane.trail().record(record).await {
            tracing::error!(action = record.action, request = record.request, %error, "a change is not on record yet");
        }
    }
}

/// The tag of a document: the same for the same bytes. A version that changes can be made dependent on stands before it.
fn tag(version: Option<&str>, body: &[u8]) -> String {
    let (version, dot) = version.map_or(("", ""), |version| (version, "."));
    format!("\"{version}{dot}{}\"", hex::encode(&Sha256::digest(body)[..12]))
}

/// Members of an answer that are a secret, and how each of those begins.
const SECRETS: [(&str, &str); 3] = [("token", "qt_"), ("code", "qi_"), ("secret", "whsec_")];

/// A new secret is shown once, to whoever asked for it, and stands nowhere else.
fn without_secrets(mut body: Value) -> Value {
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
    let body = serde_json::from_slice(&answer.body).map(|body| without_secrets(body).to_string());
    body.map_or_else(|_| answer.body.clone(), String::into_bytes)
}

impl Answer {
    fn done(body: Vec<u8>) -> Self {
        // An answer that has an outcome begins with it.
        let status = if body.starts_with(br#"{"outcome":"queued""#) { 202 } else { 200 };
        Self { status, content_type: Cow::Borrowed("application/json"), body, retry_after: None, next: None }
    }

    /// A problem, in the form in which it is kept.
    pub(super) fn of(problem: &Problem, request: &str) -> Self {
        let body = problem.document(request).to_string().into_bytes();
        Self {
            status: problem.status(),
            content_type: Cow::Borrowed("application/problem+json"),
            body,
            retry_after: None,
            next: None,
        }
    }

    /// The response; to a caller who already has what a GET would give, that nothing changed.
    pub(super) fn response(self, headers: &HeaderMap, tagged: bool, version: Option<&str>) -> Whole {
        let tag = tagged.then(|| tag(version, &self.body));
        let known = headers.get(header::IF_NONE_MATCH).and_then(|known| known.to_str().ok());
        let same = tag
            .as_deref()
            .is_some_and(|tag| known.is_some_and(|known| known.split(',').any(|own| own.trim() == tag)));
        let mut response = Whole::new(Bytes::new());
        *response.headers_mut() = HeaderMap::with_capacity(HEADERS);
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
        let kind = match self.content_type {
            Cow::Borrowed(kind) => Some(HeaderValue::from_static(kind)),
            Cow::Owned(kind) => HeaderValue::from_str(&kind).ok(),
        };
        all.extend(kind.map(|kind| (header::CONTENT_TYPE, kind)));
        if let Some(seconds) = self.retry_after {
            all.insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        *response.status_mut() = StatusCode::from_u16(self.status).unwrap_or(StatusCode::OK);
        *response.body_mut() = Bytes::from(self.body);
        response
    }
}
