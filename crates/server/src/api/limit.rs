//! How often a caller may ask: ade's rate limits, with the endpoint `<noun>:<verb>`.
//!
//! What agents do all day is limited only where an operator has set a limit; everything else has one by itself, so that
//! a page that loops hurts nobody.

use std::time::Duration;

use axum::http::{HeaderMap, HeaderValue, StatusCode};
use quorate_catalog::ids::{Endpoint, UserId};
use quorate_plane::Outcome;
use quorate_plane::limits::{Rule, Standing, Wish};
use quorate_plane::tokens::Caller;
use quorate_verbs::{Effect, Entry};

use crate::app::App;
use crate::problem::Problem;
use crate::rules;

/// What one caller may ask of one verb in a minute, unless an operator has said otherwise.
const USUAL: Rule = Rule { limit: 6_000, window: Duration::from_secs(60) };

/// What is left of a limit, for the headers of the answer.
pub(super) struct Allowance(Option<Standing>);

/// Takes one from the caller's limit, or says when there will be one.
pub(super) async fn take(app: &App, entry: &Entry, caller: &Caller) -> Result<Allowance, Problem> {
    let set = app.rules.get(&app.plane, &entry.about).await.map_err(|error| Problem::from(&error))?;
    let rule = match (set, entry.about.effect) {
        (Some(rule), _) => rule,
        (None, Effect::Hot) => return Ok(Allowance(None)),
        (None, _) => USUAL,
    };
    let name = rules::endpoint(&entry.about);
    let (Ok(endpoint), Ok(user)) = (Endpoint::parse(&name), UserId::parse(&caller.name)) else {
        return Ok(Allowance(None));
    };
    let wish = Wish { rule: Some(rule), ..Wish::new(endpoint, user) };
    let outcome = Box::pin(app.plane.limits().check(&[wish])).await.map_err(|error| Problem::from(&error))?;
    let verdict = match outcome {
        Outcome::Done(verdict) => verdict,
        Outcome::Refused(refusal) => return Err(quorate_verbs::Refused::from(refusal).into()),
    };
    let allowance = Allowance(verdict.limits.into_iter().next());
    if verdict.allowed {
        return Ok(allowance);
    }
    let wait = allowance.0.as_ref().and_then(|one| one.retry_after_ms).unwrap_or(1_000).div_ceil(1_000);
    let message = format!("{name}: at most {} in {} s", rule.limit, rule.window.as_secs());
    let problem = Problem::new(StatusCode::TOO_MANY_REQUESTS, "rate_limited", message).retry_after(wait);
    Err(allowance.headers().into_iter().fold(problem, |problem, (name, text)| problem.header(name, text)))
}

impl Allowance {
    pub(super) fn show(&self, headers: &mut HeaderMap) {
        for (name, text) in self.headers() {
            if let Ok(value) = HeaderValue::from_str(&text) {
                headers.insert(name, value);
            }
        }
    }

    /// How much there is in all, and how much is left until when.
    fn headers(&self) -> Vec<(&'static str, String)> {
        let Some(one) = &self.0 else { return Vec::new() };
        let (Some(limit), Some(remaining)) = (one.limit, one.remaining) else { return Vec::new() };
        let window = one.window_ms / 1_000;
        let until = one.retry_after_ms.map_or(window, |wait| wait.div_ceil(1_000));
        let policy = format!("\"caller\";q={limit};w={window}");
        vec![("ratelimit-policy", policy), ("ratelimit", format!("\"caller\";r={remaining};t={until}"))]
    }
}
