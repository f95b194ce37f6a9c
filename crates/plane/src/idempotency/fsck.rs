//! What must hold of repeated requests: what is kept of one is whole, and goes by itself.

use futures_util::future::BoxFuture;
use quorate_catalog::ids::Idempotency as Name;
use quorate_store::invariant::{Finding, Invariant, Level, Scope};
use quorate_store::{Arg, ErrorKind, Result};

use super::{RETENTION, script};
use crate::outcome::Reply;
use crate::walk::names;

/// The invariants of this capability.
pub fn invariants() -> Vec<&'static dyn Invariant> {
    vec![&Whole]
}

const CODE: &str = "FSCK073";

#[derive(Debug)]
struct Whole;

impl Invariant for Whole {
    fn code(&self) -> &'static str {
        CODE
    }

    fn promise(&self) -> &'static str {
        "what is kept of a request that may be repeated is whole, and expires"
    }

    fn check<'a>(&'a self, scope: &'a Scope) -> BoxFuture<'a, Result<Vec<Finding>>> {
        Box::pin(async move {
            let mut findings = Vec::new();
            for name in names(scope, &scope.keys.quorate().idempotency(&super::name("", ""))).await? {
                let Ok(name) = Name::parse(&name) else { continue };
                if let Some(message) = judge(scope, &name, false).await? {
                    findings.push(Finding {
                        code: CODE,
                        level: Level::Finding,
                        family: Some("quorate.idempotency".into()),
                        key: scope.keys.quorate().idempotency(&name).to_string(),
                        message,
                        advice: Some("`quorate fsck --repair` lets it go".into()),
                    });
                }
            }
            Ok(findings)
        })
    }

    fn repair<'a>(&'a self, scope: &'a Scope, finding: &'a Finding) -> BoxFuture<'a, Result<bool>> {
        Box::pin(async move {
            let name = finding.key.rsplit(':').next().and_then(|name| Name::parse(name).ok());
            let Some(name) = name else { return Ok(false) };
            judge(scope, &name, true).await?;
            Ok(judge(scope, &name, false).await?.is_none())
        })
    }
}

async fn judge(scope: &Scope, name: &Name, repair: bool) -> Result<Option<String>> {
    let keys = [scope.keys.quorate().idempotency(name)];
    let args = [Arg::from(crate::locks::millis(RETENTION)), Arg::from(usize::from(repair))];
    match scope.store.repeatable().run::<Reply>(&script::JUDGE, &keys, &args).await {
        Ok(reply) => Ok(reply.word(1).filter(|wrong| !wrong.is_empty()).map(str::to_owned)),
        // The census reports a key of another type.
        Err(error) if error.kind() == ErrorKind::WrongType => Ok(None),
        Err(error) => Err(error),
    }
}
