//! An unfinished restore: the store holds a part of a copy, and no other check could know it.

use std::collections::BTreeMap;

use futures_util::future::BoxFuture;
use quorate_store::Result;
use quorate_store::invariant::{Finding, Invariant, Level, Scope};

/// `~q:quorate:restore` is there only while `quorate restore` runs.
#[derive(Debug, Clone, Copy)]
pub struct Restore;

impl Invariant for Restore {
    fn code(&self) -> &'static str {
        "FSCK011"
    }

    fn promise(&self) -> &'static str {
        "no restore was cut off in the middle"
    }

    fn check<'a>(&'a self, scope: &'a Scope) -> BoxFuture<'a, Result<Vec<Finding>>> {
        Box::pin(async move {
            let key = scope.keys.quorate().restore();
            let kind: String = scope.store.query(redis::cmd("TYPE").arg(key.as_str())).await?;
            if kind != "hash" {
                // Of another kind, the census has said so.
                return Ok(vec![]);
            }
            let fields: BTreeMap<String, String> =
                scope.store.query(redis::cmd("HGETALL").arg(key.as_str())).await?;
            Ok(vec![finding(key.as_str(), &fields)])
        })
    }
}

fn finding(key: &str, fields: &BTreeMap<String, String>) -> Finding {
    let said =
        |name: &str| fields.get(name).map_or("unknown".into(), |text| quorate_catalog::rule::show(text));
    let (file, since) = (said("file"), said("started_at"));
    Finding {
        code: "FSCK011",
        level: Level::Finding,
        family: Some("quorate.restore".into()),
        key: key.to_owned(),
        message: format!(
            "says that a restore of the file with sha256 {file} began at {since} and has not ended"
        ),
        advice: Some("if it no longer runs, start it again with `quorate restore FILE --replace`".into()),
    }
}
