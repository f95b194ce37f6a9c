//! What must hold of the notices: what waits to be told can be read, or nobody would ever be told of it.

use futures_util::future::BoxFuture;
use quorate_store::invariant::{Finding, Invariant, Level, Scope};
use quorate_store::{Result, cmd};

use super::model::Pending;

/// The invariants of this capability.
pub fn invariants() -> Vec<&'static dyn Invariant> {
    vec![&Readable]
}

const CODE: &str = "FSCK120";

#[derive(Debug)]
struct Readable;

impl Invariant for Readable {
    fn code(&self) -> &'static str {
        CODE
    }

    fn promise(&self) -> &'static str {
        "what waits to be told of failed tasks can be read, and so can the settings of the notices"
    }

    fn check<'a>(&'a self, scope: &'a Scope) -> BoxFuture<'a, Result<Vec<Finding>>> {
        Box::pin(async move {
            let seed = scope.keys.relayna();
            let mut findings = Vec::new();
            for (key, family) in [
                (seed.notice_pending(), "relayna.notice_pending"),
                (seed.notice_settings(), "relayna.notice_settings"),
            ] {
                // The census reports a key of another type.
                let text: Result<Option<String>> = scope.store.query(cmd("GET").arg(key.as_str())).await;
                let Ok(Some(text)) = text else { continue };
                let sound = if family.ends_with("pending") {
                    serde_json::from_str::<Pending>(&text).is_ok()
                } else {
                    serde_json::from_str::<serde_json::Map<String, serde_json::Value>>(&text).is_ok()
                };
                if !sound {
                    findings.push(finding(family, key.as_str()));
                }
            }
            Ok(findings)
        })
    }

    fn repair<'a>(&'a self, _: &'a Scope, _: &'a Finding) -> BoxFuture<'a, Result<bool>> {
        // What it told of is found again when it is gone; that it may go is for a person to say.
        Box::pin(async { Ok(false) })
    }
}

fn finding(family: &str, key: &str) -> Finding {
    Finding {
        code: CODE,
        level: Level::Finding,
        family: Some(family.to_owned()),
        key: key.to_owned(),
        message: "it cannot be read, so nobody is told of failed tasks as was asked".to_owned(),
        advice: Some("delete the key; failures that are not reviewed are found again".to_owned()),
    }
}
