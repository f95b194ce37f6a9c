//! The deployment's own record: every process that starts relies on it.

use std::collections::BTreeMap;

use futures_util::future::BoxFuture;
use quorate_store::Result;
use quorate_store::invariant::{Finding, Invariant, Level, Scope};

/// `~q:quorate:meta` is whole and says the layout that this process uses.
#[derive(Debug, Clone, Copy)]
pub struct Deployment;

impl Invariant for Deployment {
    fn code(&self) -> &'static str {
        "FSCK010"
    }

    fn promise(&self) -> &'static str {
        "the deployment's record names its layout, its id, its format and its beginning"
    }

    fn check<'a>(&'a self, scope: &'a Scope) -> BoxFuture<'a, Result<Vec<Finding>>> {
        Box::pin(async move {
            let key = scope.keys.quorate().meta();
            let kind: String = scope.store.query(redis::cmd("TYPE").arg(key.as_str())).await?;
            if kind != "hash" {
                // Absent before the first start; of another kind, the census has said so.
                return Ok(vec![]);
            }
            let fields: BTreeMap<String, String> =
                scope.store.query(redis::cmd("HGETALL").arg(key.as_str())).await?;
            Ok(faults(scope, &fields).into_iter().map(|fault| finding(key.as_str(), fault)).collect())
        })
    }
}

fn faults(scope: &Scope, fields: &BTreeMap<String, String>) -> Vec<String> {
    let missing = ["layout", "deployment", "created_at", "format"]
        .into_iter()
        .filter(|name| !fields.contains_key(*name));
    let mut faults: Vec<String> = missing.map(|name| format!("has no field {name}")).collect();
    let layout = scope.keys.layout().as_str();
    if let Some(other) = fields.get("layout").filter(|own| *own != layout) {
        faults.push(format!(
            "says the layout is {}, and this process uses {layout}",
            quorate_catalog::rule::show(other)
        ));
    }
    faults
}

fn finding(key: &str, message: String) -> Finding {
    Finding {
        code: "FSCK010",
        level: Level::Finding,
        family: Some("quorate.meta".into()),
        key: key.to_owned(),
        message,
        advice: Some(
            "restore the record from a backup; processes refuse to start without a sound one".into(),
        ),
    }
}
