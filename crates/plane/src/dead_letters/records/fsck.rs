//! What must hold of relayna's dead letters: each is in the list and in the indexes, and nothing else is.

use std::collections::HashSet;

use futures_util::future::BoxFuture;
use futures_util::{StreamExt, TryStreamExt, stream};
use quorate_catalog::ids::{DeadLetterId, TaskId};
use quorate_store::invariant::{Finding, Invariant, Level, Scope};
use quorate_store::{Result, cmd, pipe};

use super::{Record, word};
use crate::Plane;
use crate::walk::names;

/// The invariants of relayna's store.
pub(in crate::dead_letters) fn invariants() -> Vec<&'static dyn Invariant> {
    vec![&Indexed]
}

const CODE: &str = "FSCK111";
/// How many are looked at together.
const AT_ONCE: usize = 64;
const OF_TASK: &str = "quorate.dlq_task";
/// What a foreign client wrote is in no index of ours until somebody asks for the list, which takes it in.
const THEIRS: &str = "another client wrote it, and it is in no index of ours yet";
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
            let (list, indexed) = listed(&plane).await?;
            all.extend(list.iter().cloned().chain(indexed));
            all.sort();
            all.dedup();
            // With a time to live, names of what has expired stay until somebody reads the list.
            let expires = plane.dlq_settings().await?.ttl_ms > 0;
            let mut findings = Vec::new();
            let list: HashSet<String> = list.into_iter().collect();
            let mut looked = Vec::new();
            for id in all.iter().filter_map(|name| DeadLetterId::parse(name).ok()) {
                let (plane, known) = (&plane, list.contains(id.as_key()));
                looked.push(async move { fault(plane, &id, Some(known)).await.map(|message| (id, message)) });
            }
            let mut looked = stream::iter(looked).buffered(AT_ONCE).boxed();
            while let Some((id, message)) = looked.try_next().await? {
                if let Some(message) = message {
                    let minor = message == THEIRS || (expires && message == GONE);
                    let level = if minor { Level::Information } else { Level::Finding };
                    findings.push(finding(scope, &id, level, message));
                }
            }
            findings.extend(strays(&plane, scope, expires).await?);
            Ok(findings)
        })
    }

    fn repair<'a>(&'a self, scope: &'a Scope, finding: &'a Finding) -> BoxFuture<'a, Result<bool>> {
        Box::pin(async move {
            let Ok(plane) = Plane::new(scope.clone()) else { return Ok(false) };
            let records = plane.dead_letters().records();
            let name = finding.key.rsplit(':').next().unwrap_or_default();
            if finding.family.as_deref() == Some(OF_TASK) {
                let Ok(task) = TaskId::parse(name) else { return Ok(false) };
                records.unname(&task, &records.strays(&task).await?).await?;
                return Ok(records.strays(&task).await?.is_empty());
            }
            let Ok(id) = DeadLetterId::parse(name) else { return Ok(false) };
            if !records.adopt_one(&id).await? {
                records.expired(&id, None).await?;
            }
            Ok(fault(&plane, &id, None).await?.is_none())
        })
    }
}

/// The names in the seed's list, and those in the two indexes.
async fn listed(plane: &Plane) -> Result<(Vec<String>, Vec<String>)> {
    let mut both = pipe();
    both.cmd("LRANGE").arg(plane.keys().relayna().dead_letter_index().as_str()).arg(0).arg(-1);
    both.cmd("ZRANGE").arg(plane.keys().quorate().dlq_all().as_str()).arg(0).arg(-1);
    both.cmd("ZRANGE").arg(plane.keys().relayna().failed_task_index().as_str()).arg(0).arg(-1);
    let (list, mut index, failed): (Vec<String>, Vec<String>, Vec<String>) =
        plane.store().pipeline(&both).await?;
    index.extend(failed);
    Ok((list, index))
}

/// Whether the seed's list has a name; looking through it for each would take the longer the more there are.
async fn in_list(plane: &Plane, id: &DeadLetterId) -> Result<bool> {
    let mut look = cmd("LPOS");
    look.arg(plane.keys().relayna().dead_letter_index().as_str()).arg(id.as_key());
    Ok(plane.store().query::<Option<u64>>(&look).await?.is_some())
}

async fn fault(plane: &Plane, id: &DeadLetterId, list: Option<bool>) -> Result<Option<&'static str>> {
    let list = match list {
        Some(known) => known,
        None => in_list(plane, id).await?,
    };
    let own = plane.keys().quorate();
    let Some(text) = plane.dead_letters().records().text(id).await? else {
        let mut both = pipe();
        both.cmd("ZSCORE").arg(own.dlq_all().as_str()).arg(id.as_key());
        both.cmd("ZSCORE").arg(plane.keys().relayna().failed_task_index().as_str()).arg(id.as_key());
        let (index, failed): (Option<f64>, Option<f64>) = plane.store().pipeline(&both).await?;
        return Ok((list || index.or(failed).is_some()).then_some(GONE));
    };
    let named = Record::of(id, &text).and_then(|record| Some((word(&record.queue_name).ok()?, record)));
    let Some((queue, record)) = named else { return Ok(Some("it cannot be read, so nobody can replay it")) };
    let mut all = pipe();
    all.cmd("ZSCORE").arg(own.dlq_all().as_str()).arg(id.as_key());
    all.cmd("ZSCORE").arg(own.dlq_queue(&queue).as_str()).arg(id.as_key());
    all.cmd("ZSCORE").arg(plane.keys().relayna().failed_task_index().as_str()).arg(id.as_key());
    let scores: (Option<f64>, Option<f64>, Option<f64>) = plane.store().pipeline(&all).await?;
    if list && scores.0.is_none() && scores.1.is_none() {
        return Ok(Some(THEIRS));
    }
    let indexed = scores.0.and(scores.1).and(scores.2).is_some();
    let lost = !list || !indexed || !of_its_task(plane, id, &record).await?;
    Ok(lost.then_some("it is missing in the list or in an index, so it could be overlooked"))
}

/// Whether the index of its task names a record, if it has a task.
async fn of_its_task(plane: &Plane, id: &DeadLetterId, record: &Record) -> Result<bool> {
    let Some(task) = record.task() else { return Ok(true) };
    let mut score = cmd("ZSCORE");
    score.arg(plane.keys().quorate().dlq_task(&task).as_str()).arg(id.as_key());
    Ok(plane.store().query::<Option<f64>>(&score).await?.is_some())
}

/// The indexes of tasks that name what is no record of theirs. One that has an end may: its names go with it.
async fn strays(plane: &Plane, scope: &Scope, expires: bool) -> Result<Vec<Finding>> {
    let any = TaskId::parse("any").expect("a name");
    let tasks = names(scope, &scope.keys.quorate().dlq_task(&any)).await?;
    let mut findings = Vec::new();
    let mut looked = Vec::new();
    for task in tasks.iter().filter_map(|name| TaskId::parse(name).ok()) {
        looked.push(
            async move { plane.dead_letters().records().strays(&task).await.map(|found| (task, found)) },
        );
    }
    let mut looked = stream::iter(looked).buffered(AT_ONCE).boxed();
    while let Some((task, found)) = looked.try_next().await? {
        let Some(first) = found.first() else { continue };
        let key = scope.keys.quorate().dlq_task(&task);
        let ends = plane.store().query::<i64>(cmd("PTTL").arg(key.as_str())).await? >= 0;
        findings.push(Finding {
            code: CODE,
            level: if ends || expires { Level::Information } else { Level::Finding },
            family: Some(OF_TASK.into()),
            key: key.to_string(),
            message: format!("it names {} that are no dead letters of this task, {first} first", found.len()),
            advice: Some("`quorate fsck --repair` takes these names out".into()),
        });
    }
    Ok(findings)
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
