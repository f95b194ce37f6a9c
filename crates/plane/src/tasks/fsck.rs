//! What must hold of the tasks: each that has a history can be found, and none is in the list that has none.

use futures_util::future::BoxFuture;
use quorate_catalog::ids::TaskId;
use quorate_store::invariant::{Finding, Invariant, Level, Scope};
use quorate_store::{Result, cmd, pipe};

use crate::Plane;
use crate::walk::names;

/// The invariants of this capability.
pub fn invariants() -> Vec<&'static dyn Invariant> {
    vec![&Listed]
}

const CODE: &str = "FSCK090";

#[derive(Debug)]
struct Listed;

impl Invariant for Listed {
    fn code(&self) -> &'static str {
        CODE
    }

    fn promise(&self) -> &'static str {
        "every task with a history of ours is in the list of tasks, and its newest event is the one that counts"
    }

    fn check<'a>(&'a self, scope: &'a Scope) -> BoxFuture<'a, Result<Vec<Finding>>> {
        Box::pin(async move {
            let Ok(plane) = Plane::new(scope.clone()) else { return Ok(vec![]) };
            let any = TaskId::parse("any").expect("a name");
            let mut findings = Vec::new();
            for name in names(scope, &scope.keys.relayna().status_history(&any)).await? {
                let Ok(task) = TaskId::parse(&name) else { continue };
                if let Some((level, message)) = fault(&plane, &task).await? {
                    findings.push(finding(scope, &task, level, message));
                }
            }
            Ok(findings)
        })
    }

    fn repair<'a>(&'a self, scope: &'a Scope, finding: &'a Finding) -> BoxFuture<'a, Result<bool>> {
        Box::pin(async move {
            let Ok(plane) = Plane::new(scope.clone()) else { return Ok(false) };
            let name = finding.key.rsplit(':').next().and_then(|name| TaskId::parse(name).ok());
            let Some(task) = name else { return Ok(false) };
            let Some((Level::Finding, _)) = fault(&plane, &task).await? else { return Ok(false) };
            let now = plane.store().time().await?.millis();
            let key = plane.keys().quorate().task_recent(&plane.tasks().store()?);
            let mut add = cmd("ZADD");
            add.arg(key.as_str()).arg("NX").arg(now).arg(task.as_key());
            plane.store().repeatable().query::<u64>(&add).await?;
            Ok(fault(&plane, &task).await?.is_none())
        })
    }
}

/// What is wrong with a task. What only the seed's own clients wrote is information: they keep no list.
async fn fault(plane: &Plane, task: &TaskId) -> Result<Option<(Level, String)>> {
    let tasks = plane.tasks();
    let history = plane.keys().relayna().status_history(task);
    let kind: String = plane.store().query(cmd("TYPE").arg(history.as_str())).await?;
    if kind != "list" {
        return Ok(None);
    }
    let mut all = pipe();
    all.cmd("ZSCORE").arg(plane.keys().quorate().task_recent(&tasks.store()?).as_str()).arg(task.as_key());
    all.cmd("HGET").arg(tasks.record_key(task)?.as_str()).arg("status");
    all.cmd("LRANGE").arg(history.as_str()).arg(0).arg(0);
    type Facts = (Option<f64>, Option<String>, Vec<Vec<u8>>);
    let (listed, status, newest): Facts = plane.store().pipeline(&all).await?;
    let newest = newest.first().and_then(|item| super::Event::read(item));
    let head = newest.as_ref().and_then(super::Event::status);
    Ok(match (listed, status) {
        (None, Some(_)) => Some((Level::Finding, "has reported and is not in the list of tasks".to_owned())),
        (None, None) => Some((
            Level::Information,
            "was reported by another client alone, and is not in the list".to_owned(),
        )),
        (Some(_), Some(counts)) if head.is_some_and(|head| head != counts) => Some((
            Level::Information,
            format!("counts as {counts}, and another client has put an event before that one"),
        )),
        _ => None,
    })
}

fn finding(scope: &Scope, task: &TaskId, level: Level, message: String) -> Finding {
    let advice = match level {
        Level::Finding => "`quorate fsck --repair` lists it",
        Level::Information => "let its workers report through the plane",
    };
    Finding {
        code: CODE,
        level,
        family: Some("relayna.status_history".into()),
        key: scope.keys.relayna().status_history(task).to_string(),
        message,
        advice: Some(advice.into()),
    }
}
