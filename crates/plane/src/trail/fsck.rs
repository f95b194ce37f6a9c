//! What must hold of the trail: it is what it was when it was sealed, and it is being sealed.

use futures_util::future::BoxFuture;
use quorate_store::Result;
use quorate_store::invariant::{Finding, Invariant, Level, Scope};

use crate::Plane;

/// The invariants of this capability.
pub fn invariants() -> Vec<&'static dyn Invariant> {
    vec![&Unchanged, &Tended]
}

/// How long a record waits at most where a plane runs; milliseconds.
const LATE: u64 = 60_000;

#[derive(Debug)]
struct Unchanged;

#[derive(Debug)]
struct Tended;

impl Invariant for Unchanged {
    fn code(&self) -> &'static str {
        "FSCK074"
    }

    fn promise(&self) -> &'static str {
        "no record of the audit trail was edited, deleted, put in or moved after it was sealed"
    }

    fn check<'a>(&'a self, scope: &'a Scope) -> BoxFuture<'a, Result<Vec<Finding>>> {
        Box::pin(async move {
            let Ok(plane) = Plane::new(scope.clone()) else { return Ok(vec![]) };
            let faults = plane.trail().verify().await?.findings;
            let key = scope.keys.quorate().trail().to_string();
            Ok(faults
                .into_iter()
                .map(|fault| Finding {
                    code: self.code(),
                    level: Level::Finding,
                    family: Some("quorate.trail".into()),
                    key: key.clone(),
                    message: format!("{}: {}", fault.kind, fault.message),
                    advice: Some("find out who else writes to the store; compare with a backup".into()),
                })
                .collect())
        })
    }
}

impl Invariant for Tended {
    fn code(&self) -> &'static str {
        "FSCK075"
    }

    fn promise(&self) -> &'static str {
        "every record of the audit trail is sealed within a minute"
    }

    fn check<'a>(&'a self, scope: &'a Scope) -> BoxFuture<'a, Result<Vec<Finding>>> {
        Box::pin(async move {
            let Ok(plane) = Plane::new(scope.clone()) else { return Ok(vec![]) };
            let Some((since, waiting)) = plane.trail().waiting().await? else { return Ok(vec![]) };
            if scope.store.time().await?.millis().saturating_sub(since) < LATE {
                return Ok(vec![]);
            }
            Ok(vec![Finding {
                code: self.code(),
                level: Level::Information,
                family: Some("quorate.trail".into()),
                key: scope.keys.quorate().trail().to_string(),
                message: format!("{waiting} records are older than a minute and not sealed"),
                advice: Some("start `quorate up`, which seals them".into()),
            }])
        })
    }
}
