//! Every lock: what its record says of holders and waiters is what the indexes and the seeds' keys show.

use futures_util::future::BoxFuture;
use quorate_catalog::ids::LockRef;
use quorate_store::invariant::{Finding, Invariant, Scope};
use quorate_store::{Arg, Result};

use super::super::keys;
use super::finding;
use crate::outcome::{Reply, undecodable};
use crate::{Outcome, Plane};

const CODE: &str = "FSCK031";
/// Places of a queue that one call looks at.
const PAGE: usize = 200;

#[derive(Debug)]
pub(super) struct ShownQueues;

impl Invariant for ShownQueues {
    fn code(&self) -> &'static str {
        CODE
    }

    fn promise(&self) -> &'static str {
        "every hold and every waiting request of a lock is in the indexes, the wait-for graph and the queue ade's readers see"
    }

    fn check<'a>(&'a self, scope: &'a Scope) -> BoxFuture<'a, Result<Vec<Finding>>> {
        Box::pin(async move {
            let Ok(plane) = Plane::new(scope.clone()) else { return Ok(vec![]) };
            let mut findings = Vec::new();
            let example = LockRef::parse("name:x").expect("a lock");
            for lock in crate::walk::names(scope, &scope.keys.quorate().lock_state(&example)).await? {
                for message in reckon(&plane, &lock, false).await? {
                    findings.push(finding(CODE, "quorate.lock_state", lock.clone(), message));
                }
            }
            Ok(findings)
        })
    }

    fn repair<'a>(&'a self, scope: &'a Scope, finding: &'a Finding) -> BoxFuture<'a, Result<bool>> {
        Box::pin(async move {
            let Ok(plane) = Plane::new(scope.clone()) else { return Ok(false) };
            reckon(&plane, &finding.key, true).await?;
            Ok(true)
        })
    }
}

/// What is wrong with one lock, a page of its queue at a time.
async fn reckon(plane: &Plane, lock: &str, commit: bool) -> Result<Vec<String>> {
    let mut faults = Vec::new();
    let mut start = 0;
    loop {
        let args = [Arg::from(lock), Arg::from(start), Arg::from(PAGE), Arg::from(i64::from(commit))];
        let store = plane.store().repeatable();
        let reply: Reply = store.run(&plane.lock_scripts().reckon, &keys::NONE, &args).await?;
        let Outcome::Done(mut words) = reply.expect("reckoned")? else { return Err(undecodable("reckon")) };
        let waiting: usize = words.first().and_then(|text| text.parse().ok()).unwrap_or_default();
        faults.extend(words.drain(1..));
        start += PAGE;
        if start >= waiting {
            return Ok(faults);
        }
    }
}
