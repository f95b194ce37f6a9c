//! What must hold of the runs: each is listed and watched, or it would stand still for ever and nobody would see it.

use futures_util::future::BoxFuture;
use quorate_catalog::ids::{StageId, TaskId};
use quorate_store::invariant::{Finding, Invariant, Level, Scope};
use quorate_store::{Arg, Result};

use crate::outcome::Reply;
use crate::walk::names;
use crate::{Outcome, Plane};

/// The invariants of this capability.
pub fn invariants() -> Vec<&'static dyn Invariant> {
    vec![&Watched]
}

const CODE: &str = "FSCK110";

#[derive(Debug)]
struct Watched;

impl Invariant for Watched {
    fn code(&self) -> &'static str {
        CODE
    }

    fn promise(&self) -> &'static str {
        "every run that is not over is listed, and it and each of its attempts have an end in the agenda"
    }

    fn check<'a>(&'a self, scope: &'a Scope) -> BoxFuture<'a, Result<Vec<Finding>>> {
        Box::pin(async move {
            let Ok(plane) = Plane::new(scope.clone()) else { return Ok(vec![]) };
            let any = TaskId::parse("any").expect("a name");
            let mut findings = Vec::new();
            for name in names(scope, &scope.keys.relayna().workflow_run(&any)).await? {
                let Ok(task) = TaskId::parse(&name) else { continue };
                let faults = judge(&plane, &task, false).await?;
                findings.extend(faults.iter().map(|fault| finding(scope, &task, fault)));
            }
            Ok(findings)
        })
    }

    fn repair<'a>(&'a self, scope: &'a Scope, finding: &'a Finding) -> BoxFuture<'a, Result<bool>> {
        Box::pin(async move {
            let Ok(plane) = Plane::new(scope.clone()) else { return Ok(false) };
            let name = finding.key.rsplit(':').next().and_then(|name| TaskId::parse(name).ok());
            let Some(task) = name else { return Ok(false) };
            judge(&plane, &task, true).await?;
            Ok(judge(&plane, &task, false).await?.is_empty())
        })
    }
}

/// What is wrong with a run: once for itself, and once for the attempts of each stage.
async fn judge(plane: &Plane, task: &TaskId, commit: bool) -> Result<Vec<String>> {
    let Some(run) = plane.workflows().run(task).await.ok().flatten() else { return Ok(vec![]) };
    let mut stages: Vec<String> =
        run.stages.into_iter().filter(|stage| stage.running > 0).map(|stage| stage.stage).collect();
    stages.push(String::new());
    let keys = (plane.keys().relayna(), plane.keys().quorate());
    let mut faults = Vec::new();
    for stage in stages {
        let Ok(id) = StageId::parse(if stage.is_empty() { "any" } else { &stage }) else { continue };
        let list = [keys.0.workflow_run(task), keys.0.stage_inflight(&id, task), keys.1.workflow_agenda()];
        let args = [Arg::from(task.as_key()), Arg::from(stage), Arg::from(u32::from(commit))];
        let reply: Reply =
            plane.store().repeatable().run(&plane.workflow_scripts().mend, &list, &args).await?;
        if let Outcome::Done(words) = reply.expect("judged")? {
            faults.extend(words.into_iter().filter(|word| !word.is_empty()));
        }
    }
    faults.sort();
    faults.dedup();
    Ok(faults)
}

fn finding(scope: &Scope, task: &TaskId, fault: &str) -> Finding {
    let message = match fault {
        "unlisted" => "is not in the list of the runs that go on",
        "unwatched" => "has no deadline in the agenda, so it could stand still for ever",
        _ => "has an attempt whose lease is not in the agenda, so it would never be given to another",
    };
    Finding {
        code: CODE,
        level: Level::Finding,
        family: Some("relayna.workflow_run".into()),
        key: scope.keys.relayna().workflow_run(task).to_string(),
        message: message.into(),
        advice: Some("`quorate fsck --repair` puts it there again".into()),
    }
}
