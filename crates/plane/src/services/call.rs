//! Calls to registered services. Every one goes through the plane's guard, with limits of its own; what comes back is a stranger's
//! word, read as JSON or not at all.

use std::time::Duration;

use quorate_outgoing::{Address, Answer, Call, Client, Limits};
use serde_json::Value as Json;

use super::{Service, Services};

/// What a page of a feed may cost.
pub(super) const FEED: Limits =
    Limits { connect: Duration::from_secs(2), total: Duration::from_secs(10), body: 4 << 20 };
/// What a look at its health may cost.
pub(super) const LOOK: Limits =
    Limits { connect: Duration::from_secs(2), total: Duration::from_secs(5), body: 256 << 10 };
/// What a question that somebody waits for may cost.
pub(super) const ASK: Limits =
    Limits { connect: Duration::from_secs(2), total: Duration::from_secs(5), body: 1 << 20 };

impl Services<'_> {
    /// One call; why there is no answer, in our own words.
    pub(super) async fn call(&self, service: &Service, call: Call, limits: Limits) -> Result<Answer, String> {
        let address: Address =
            service.base_url.parse().map_err(|bad| format!("its address is none: {bad}"))?;
        self.reach(&address, call, limits).await
    }

    /// The same to an address that its record names.
    pub(super) async fn reach(
        &self,
        address: &Address,
        call: Call,
        limits: Limits,
    ) -> Result<Answer, String> {
        let client: Client = self.plane.outgoing().clone().limits(limits);
        client.send(address, call.header("accept", "application/json")).await.map_err(|why| why.to_string())
    }
}

/// The object in an answer that says that all is well.
pub(super) fn object(answer: &Answer) -> Result<Json, String> {
    if !answer.is_success() {
        return Err(format!("HTTP {}", answer.status));
    }
    if answer.cut {
        return Err("its answer is too long".to_owned());
    }
    match serde_json::from_slice(&answer.body) {
        Ok(Json::Object(fields)) => Ok(Json::Object(fields)),
        _ => Err("its answer is no JSON object".to_owned()),
    }
}
