//! One failed task of a service: shown, reviewed, retried and deleted there, on somebody's behalf.
//!
//! Relayna's services publish a retry as often as they are asked. Here it is asked for once: a mark is taken before the call and
//! kept after it, also where nobody knows whether the service heard it. Only a retry that the service did not take leaves no mark.

use quorate_catalog::ids::{DeadLetterId, ServiceId};
use quorate_outgoing::{Answer, Call};
use quorate_store::{Arg, Result, cmd};
use serde_json::{Map, Value as Json};

use super::call::{ASK, object};
use super::{Service, Services, Status, script};
use crate::outcome::Reply;
use crate::{Outcome, Refusal};

/// How long the call has, in milliseconds, and how long it is remembered, in seconds.
const ASKING: u64 = 60_000;
const REMEMBERED: u64 = 604_800;

/// What is to be done with a failed task of a service.
#[derive(Debug, Clone)]
pub enum Act {
    Show,
    /// Somebody has looked into it, and found out this.
    Investigated {
        by: String,
        note: Option<String>,
    },
    Uninvestigated,
    /// Again, with what the service understands: `target_queue`, `override_payload`, `note`, `retried_by`.
    Retry {
        how: Map<String, Json>,
        force: bool,
    },
    Delete,
}

impl Services<'_> {
    /// Does it there; an answer without words is an empty object.
    pub async fn failure(&self, id: &ServiceId, failure: &DeadLetterId, act: &Act) -> Result<Outcome<Json>> {
        let service = match self.show(id).await? {
            Outcome::Done(service) => service,
            Outcome::Refused(why) => return Ok(Outcome::Refused(why)),
        };
        if service.status == Status::Disabled {
            return Ok(Outcome::Refused(Refusal::new("service_disabled", Some(id.to_string()))));
        }
        match act {
            Act::Retry { how, force } => self.retry(&service, id, failure, how, *force).await,
            other => Ok(said(&service, self.call(&service, asked(failure, other), ASK).await)),
        }
    }

    async fn retry(
        &self,
        service: &Service,
        id: &ServiceId,
        failure: &DeadLetterId,
        how: &Map<String, Json>,
        force: bool,
    ) -> Result<Outcome<Json>> {
        let token = crate::random_id();
        if let Some(known) = self.claim_retry(id, failure, &token, force).await? {
            return Ok(Outcome::Refused(known));
        }
        let call =
            Call::post(Json::Object(how.clone()).to_string()).header("content-type", "application/json");
        let answer = self.call(service, call.below(["failed-tasks", failure.as_key(), "retry"]), ASK).await;
        let now = self.plane.store().time().await?.iso();
        let word = match &answer {
            Ok(answer) if answer.is_success() => format!("retried {now}"),
            // Refused there: nothing was published.
            Ok(answer) if (400..500).contains(&answer.status) => String::new(),
            _ => format!("unknown {now}"),
        };
        self.settle(id, failure, &token, &word).await?;
        Ok(match said(service, answer) {
            Outcome::Refused(_) if word.starts_with("unknown") => {
                Outcome::Refused(Refusal::new("retry_unknown", Some(failure.to_string())))
            }
            other => other,
        })
    }

    /// Takes the mark; why not, where it was retried before.
    async fn claim_retry(
        &self,
        id: &ServiceId,
        failure: &DeadLetterId,
        token: &str,
        force: bool,
    ) -> Result<Option<Refusal>> {
        let mark = self.plane.keys().quorate().failed_retry(id, failure);
        let mut set = cmd("SET");
        set.arg(mark.as_str()).arg(token).arg("PX").arg(ASKING);
        if !force {
            set.arg("NX");
        }
        if self.plane.store().query::<Option<String>>(&set).await?.is_some() {
            return Ok(None);
        }
        let known: Option<String> = self.plane.store().query(cmd("GET").arg(mark.as_str())).await?;
        let known = known.unwrap_or_default();
        let code = match known.split_once(' ') {
            Some(("retried", _)) => "already_replayed",
            Some(("unknown", _)) => "retry_unknown",
            _ => "replay_claimed",
        };
        let detail = known.split_once(' ').map_or("", |(_, at)| at);
        Ok(Some(Refusal::new(code, Some(format!("{failure} {detail}").trim().to_owned()))))
    }

    async fn settle(&self, id: &ServiceId, failure: &DeadLetterId, token: &str, word: &str) -> Result<()> {
        let keys = [self.plane.keys().quorate().failed_retry(id, failure)];
        let args = [Arg::from(token), Arg::from(word), Arg::from(REMEMBERED)];
        let _: Reply = self.plane.store().repeatable().run(&script::SETTLE, &keys, &args).await?;
        Ok(())
    }
}

fn asked(failure: &DeadLetterId, act: &Act) -> Call {
    let words = |last: Option<&'static str>| ["failed-tasks", failure.as_key()].into_iter().chain(last);
    let json = |fields: Json| Call::post(fields.to_string()).header("content-type", "application/json");
    match act {
        Act::Delete => Call::delete().below(words(None)),
        Act::Investigated { by, note } => json(serde_json::json!({ "investigated_by": by, "note": note }))
            .below(words(Some("mark-investigated"))),
        Act::Uninvestigated => json(Json::Object(Map::new())).below(words(Some("mark-uninvestigated"))),
        Act::Show | Act::Retry { .. } => Call::get().below(words(None)),
    }
}

/// What the service said, with whose it is; or in our words that it did not do it.
fn said(service: &Service, answer: std::result::Result<Answer, String>) -> Outcome<Json> {
    let refused = |code: &str, detail: String| Outcome::Refused(Refusal::new(code, Some(detail)));
    let answer = match answer {
        Ok(answer) => answer,
        Err(why) => return refused("service_failed", why),
    };
    match answer.status {
        404 => return refused("unknown_there", service.service_id.clone()),
        409 => return refused("refused_there", reason(&answer)),
        _ => {}
    }
    let body = match answer.body.is_empty() && answer.is_success() {
        true => Ok(Json::Object(Map::new())),
        false => object(&answer),
    };
    match body {
        Err(why) => refused("service_failed", why),
        Ok(mut body) => {
            body["service_id"] = service.service_id.as_str().into();
            body["service_name"] = service.name.as_str().into();
            body["environment"] = service.environment.as_str().into();
            Outcome::Done(body)
        }
    }
}

/// The word by which a service of Relayna's kind refuses, if it is one.
fn reason(answer: &Answer) -> String {
    let body: Json = serde_json::from_slice(&answer.body).unwrap_or_default();
    let detail = &body["detail"];
    let word = detail["error"].as_str().or_else(|| body["code"].as_str()).unwrap_or("it did not say why");
    let tame = |sign: &char| sign.is_ascii_alphanumeric() || "_- ".contains(*sign);
    word.chars().filter(tame).take(80).collect()
}
