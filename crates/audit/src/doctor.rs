//! What is right and wrong with the server under the plane, in plain words.
//!
//! One file per check. A check never fails because the server will not tell: what cannot be known is said to be
//! unknown. `quorate doctor` shows all of them; `quorate up` refuses to start on a [`Verdict::Unfit`] one.

use std::collections::BTreeMap;

use quorate_store::invariant::Scope;
use quorate_store::{Info, Result};
use serde::Serialize;

mod acl;
mod clock;
mod eviction;
mod layout;
mod memory;
mod persistence;
mod role;
mod version;

/// How a check came out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    Right,
    /// Worth knowing; nothing to do.
    Note,
    /// Works, and will hurt one day.
    Wrong,
    /// The plane cannot keep its promises on this server and does not start on it.
    Unfit,
}

/// One check with its outcome.
#[derive(Debug, Clone, Serialize)]
pub struct Check {
    pub check: &'static str,
    pub verdict: Verdict,
    pub detail: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub advice: Option<String>,
}

impl Check {
    fn right(check: &'static str, detail: impl Into<String>) -> Self {
        Self { check, verdict: Verdict::Right, detail: detail.into(), advice: None }
    }

    fn of(check: &'static str, verdict: Verdict, detail: impl Into<String>, advice: &str) -> Self {
        Self { check, verdict, detail: detail.into(), advice: Some(advice.to_owned()) }
    }
}

/// Runs every check; an error means the server could not be asked at all.
pub async fn examine(scope: &Scope) -> Result<Vec<Check>> {
    let server = scope.store.info("server").await?;
    let replication = scope.store.info("replication").await?;
    let persistence = scope.store.info("persistence").await?;
    let memory = scope.store.info("memory").await?;
    Ok(vec![
        version::check(&server),
        role::check(&replication),
        eviction::check(&memory),
        persistence::check(&persistence, setting(scope, "appendfsync").await.as_deref()),
        memory::check(&memory),
        acl::check(scope).await,
        layout::check(scope, &server).await?,
        clock::check(scope).await?,
    ])
}

/// A setting of the server, where we may ask.
async fn setting(scope: &Scope, name: &str) -> Option<String> {
    let query = redis::cmd("CONFIG").arg("GET").arg(name).to_owned();
    scope.store.query::<BTreeMap<String, String>>(&query).await.ok()?.remove(name)
}

fn text<'i>(info: &'i Info, name: &str) -> &'i str {
    info.get(name).unwrap_or("unknown")
}
