//! A repetition with the same `Idempotency-Key` has one effect and gets the first answer.

use axum::http::{HeaderValue, StatusCode};
use quorate_plane::idempotency::{Begun, Kept};
use quorate_plane::tokens::Via;
use serde_json::{Map, Value};

use super::run::{Answer, Asked};
use crate::problem::Problem;

/// Runs the verb unless the key has been used; then the answer is the one it got.
pub(super) async fn run(
    asked: &Asked,
    key: &HeaderValue,
    print: &[u8; 32],
    input: Map<String, Value>,
) -> Result<Answer, Problem> {
    let key = key.to_str().ok().filter(|key| (1..=255).contains(&key.len()));
    let key =
        key.ok_or_else(|| Problem::bad(Some("Idempotency-Key"), "a key is 1 to 255 visible characters"))?;
    let idempotency = asked.app.plane.idempotency();
    let fault = |error: quorate_store::Error| Problem::from(&error);
    match idempotency.begin(&whose(asked), key, print).await.map_err(fault)? {
        Begun::Known(kept) => Ok(Answer {
            status: kept.status,
            content_type: kept.content_type.into(),
            body: kept.body,
            retry_after: None,
            next: None,
        }),
        Begun::Other => {
            let message = "this Idempotency-Key was used for another request";
            Err(Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "key_reused", message))
        }
        Begun::Busy => {
            let message = "a request with this Idempotency-Key is under way";
            Err(Problem::new(StatusCode::CONFLICT, "key_busy", message).retry_after(1))
        }
        Begun::Go(claim) => {
            let answer = match asked.run(Some(&claim), None, input).await {
                Ok(answer) => answer,
                // It may be that nothing was done, or all of it: the next repetition finds out, and goes on from there.
                Err(problem) if problem.may_pass() => {
                    let _ = idempotency.leave(&claim).await;
                    return Err(problem);
                }
                Err(problem) => Answer::of(&problem, &asked.id),
            };
            let kept = Kept {
                status: answer.status,
                content_type: answer.content_type.clone().into_owned(),
                // Whoever lost the first answer makes a new secret; this one is not in the store.
                body: super::run::kept(&answer),
            };
            idempotency.finish(&claim, &kept).await.map_err(fault)?;
            Ok(answer)
        }
    }
}

/// Two callers may choose the same key.
fn whose(asked: &Asked) -> String {
    match &asked.caller.via {
        Via::Token { id } => format!("token {id}"),
        Via::Session { .. } | Via::Local => format!("user {}", asked.caller.name),
    }
}
