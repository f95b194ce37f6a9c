//! What must hold of relayna's dead letters: each is in the list and in the indexes, and nothing else is.

use futures_util::future::BoxFuture;
use quorate_catalog::ids::DeadLetterId;
use quorate_store::invariant::{Finding, Invariant, Level, Scope};
use quorate_store::{Result, pipe};

use super::{Record, word};
use crate::Plane;
use crate::walk::names;

/// The invariants of relayna's store.
pub(in crate::dead_letters) fn invariants() -> Vec<&'static dyn Invariant> {
    vec![&Indexed]
}

const CODE: &str = "FSCK111";
const GONE: &str = "a list names it, and there is no such record";

#[derive(Debug)]
struct Indexed;

impl Invariant for Indexed {
    fn code(&self) -> &'static str {
        CODE
    }

    fn promise(&self) -> &'static str {
        "every dead letter of relayna's store is in its list and in the indexes, and every name there has a record"
    }

    fn check<'a>(&'a self, scope: &'a Scope) -> BoxFuture<'a, Result<Vec<Finding>>> {
        Box::pin(async move {
            let Ok(plane) = Plane::new(scope.clone()) else { return Ok(vec![]) };
            let any = DeadLetterId::parse("any").expect("a name");
            let mut all = names(scope, &scope.keys.relayna().dead_letter(&any)).await?;
            all.extend(listed(&plane).await?);
            all.sort();
            all.dedup();
            // With a time to live, names of what has expired stay until somebody reads the list.
            let expires = plane.dlq_settings().await?.ttl_ms > 0;
            let mut findings = Vec::new();
            for id in all.iter().filter_map(|name| DeadLetterId::parse(name).ok()) {
                if let Some(message) = fault(&plane, &id).await? {
                    let level = if expires && message == GONE { Level::Information } else { Level::Finding };
                    findings.push(finding(scope, &id, level, message));
                }
            }
            Ok(findings)
        })
    }

    fn repair<'a>(&'a self, scope: &'a Scope, finding: &'a Finding) -> BoxFuture<'a, Result<bool>> {
        Box::pin(async move {
            let Ok(plane) = Plane::new(scope.clone()) else { return Ok(false) };
            let name = finding.key.rsplit(':').next().and_then(|name| DeadLetterId::parse(name).ok());
            let Some(id) = name else { return Ok(false) };
            let records = plane.dead_letters().records();
            if !records.adopt_one(&id).await? {
                records.expired(&id).await?;
            }
            Ok(fault(&plane, &id).await?.is_none())
        })
    }
}

async fn listed(plane: &Plane) -> Result<Vec<String>> {
    let mut both = pipe();
    both.cmd("LRANGE").arg(plane.keys().relayna().dead_letter_index().as_str()).arg(0).arg(-1);
    both.cmd("ZRANGE").arg(plane.keys().quorate().dlq_all().as_str()).arg(0).arg(-1);
    both.cmd("ZRANGE").arg(plane.keys().relayna().failed_task_index().as_str()).arg(0).arg(-1);
    let (mut list, index, failed): (Vec<String>, Vec<String>, Vec<String>) =
        plane.store().pipeline(&both).await?;
    list.extend(index.into_iter().chain(failed));
    Ok(list)
}

async fn fault(plane: &Plane, id: &DeadLetterId) -> Result<Option<&'static str>> {
    let Some(text) = plane.dead_letters().records().text(id).await? else {
        let mut both = pipe();
        both.cmd("LPOS").arg(plane.keys().relayna().dead_letter_index().as_str()).arg(id.as_key());
        both.cmd("ZSCORE").arg(plane.keys().quorate().dlq_all().as_str()).arg(id.as_key());
        both.cmd("ZSCORE").arg(plane.keys().relayna().failed_task_index().as_str()).arg(id.as_key());
        let (list, index, failed): (Option<u64>, Option<f64>, Option<f64>) =
            plane.store().pipeline(&both).await?;
        return Ok((list.is_some() || index.or(failed).is_some()).then_some(GONE));
    };
    let named = Record::of(id, &text).and_then(|record| word(&record.queue_name).ok());
    let Some(queue) = named else { return Ok(Some("it cannot be read, so nobody can replay it")) };
    let own = plane.keys().quorate();
    let mut all = pipe();
    all.cmd("LPOS").arg(plane.keys().relayna().dead_letter_index().as_str()).arg(id.as_key());
    all.cmd("ZSCORE").arg(own.dlq_all().as_str()).arg(id.as_key());
    all.cmd("ZSCORE").arg(own.dlq_queue(&queue).as_str()).arg(id.as_key());
    all.cmd("ZSCORE").arg(plane.keys().relayna().failed_task_index().as_str()).arg(id.as_key());
    let (list, scores): (Option<u64>, [Option<f64>; 3]) = {
        let (list, index, queue, failed) = plane.store().pipeline(&all).await?;
        (list, [index, queue, failed])
    };
    let lost = list.is_none() || scores.iter().any(Option::is_none);
    Ok(lost.then_some("it is missing in the list or in an index, so it could be overlooked"))
}

fn finding(scope: &Scope, id: &DeadLetterId, level: Level, message: &str) -> Finding {
    Finding {
        code: CODE,
        level,
        family: Some("relayna.dead_letter".into()),
        key: scope.keys.relayna().dead_letter(id).to_string(),
        message: message.to_owned(),
        advice: Some("`quorate fsck --repair` lists it again, or takes a name out that has no record".into()),
    }
}
