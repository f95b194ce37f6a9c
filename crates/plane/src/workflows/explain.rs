//! Why a run stands where it stands: which edge is missing, who looks after it, since when.

use quorate_catalog::ids::TaskId;
use quorate_store::Result;

use super::{Explanation, Held, JoinState, Run, Stage, StageState, Topology, Wait, Workflows};
use crate::Outcome;

/// Missing branches that are told one by one.
const TOLD: usize = 50;

impl Workflows<'_> {
    /// Says what a run waits for, or what was still missing when it failed.
    pub async fn explain(&self, task: &TaskId) -> Result<Option<Explanation>> {
        let Some(run) = self.run(task).await? else { return Ok(None) };
        let topology = match self.course(task).await? {
            Outcome::Done(course) => Some(course.topology),
            Outcome::Refused(_) => None,
        };
        let waits = match run.state.as_str() {
            "running" => waits(&run, topology.as_deref()),
            "failed" => missing(&run, topology.as_deref()),
            _ => vec![],
        };
        Ok(Some(Explanation {
            summary: summary(&run, &waits),
            task: run.task,
            workflow: run.workflow,
            state: run.state,
            waits,
        }))
    }
}

fn waits(run: &Run, topology: Option<&Topology>) -> Vec<Wait> {
    let mut waits = Vec::new();
    for stage in &run.stages {
        let known = topology.and_then(|topology| topology.stage(&stage.stage));
        if stage.ready > 0 {
            waits.push(worker(stage, known));
        }
        waits.extend(stage.attempts.iter().map(|held| attempt(stage, held, known)));
    }
    waits.extend(missing(run, topology));
    waits
}

/// What has not come to the joins that have not fired.
fn missing(run: &Run, topology: Option<&Topology>) -> Vec<Wait> {
    let open = run.joins.iter().filter(|join| join.fired.is_none());
    open.flat_map(|join| branches(run, join, topology)).collect()
}

fn worker(stage: &StageState, known: Option<&Stage>) -> Wait {
    let queue = known.and_then(|stage| stage.queue.as_ref());
    let place =
        queue.map_or_else(|| "a worker".to_owned(), |queue| format!("a worker of the queue job:{queue}"));
    let late = if stage.sla_missed > 0 { ", and its service level is missed" } else { "" };
    let again = stage.error.as_ref().map(|error| format!("; its last attempt failed: {error}"));
    Wait {
        stage: stage.stage.clone(),
        kind: if again.is_some() { "retry" } else { "worker" },
        edge: format!("{place} -> {}", stage.stage),
        owner: owner(known),
        since: stage.since.clone(),
        until: None,
        says: format!(
            "{} of {} ready, and {place} has not entered{late}{}",
            if stage.ready == 1 { "1 action".to_owned() } else { format!("{} actions", stage.ready) },
            format_args!("{} {}", stage.stage, if stage.ready == 1 { "is" } else { "are" }),
            again.unwrap_or_default()
        ),
    }
}

fn attempt(stage: &StageState, held: &Held, known: Option<&Stage>) -> Wait {
    let late = if stage.sla_missed > 0 { "; its service level is missed" } else { "" };
    Wait {
        stage: stage.stage.clone(),
        kind: "attempt",
        edge: format!("{} -> {}", held.by, stage.stage),
        owner: owner(known),
        since: held.since.clone(),
        until: Some(held.until.clone()),
        says: format!("{} is doing {} as attempt {}{late}", held.by, held.action, held.attempt),
    }
}

fn branches(run: &Run, join: &JoinState, topology: Option<&Topology>) -> Vec<Wait> {
    let of = |name: &str| topology.and_then(|topology| topology.stage(name));
    let wait = |edge: String, owner: Option<String>, says: String| Wait {
        stage: join.stage.clone(),
        kind: "branch",
        edge,
        owner,
        since: join.since.clone(),
        until: Some(join.deadline.clone()),
        says,
    };
    if join.expected.is_none() && join.rule != "any" {
        let says = "nobody has said which branches there are; `workflows expect` does".to_owned();
        return vec![wait(format!("? -> {}", join.stage), owner(of(&join.stage)), says)];
    }
    let came = format!("{} of {} have come", join.arrived, join.expected.unwrap_or_default());
    let one = |name: &String| {
        let state = run.stages.iter().find(|stage| stage.stage == *name);
        let how = match state {
            Some(stage) if stage.running > 0 => "it is being done",
            Some(stage) if stage.ready > 0 => "it is ready, and nobody has begun it",
            Some(stage) if stage.failed > 0 => "it has failed",
            Some(_) => "it was done and did not lead here",
            None if of(name).is_some() => "it has not been reached",
            None => "it comes from outside",
        };
        wait(
            format!("{name} -> {}", join.stage),
            owner(of(name)).or_else(|| owner(of(&join.stage))),
            format!("the branch {name} is missing: {how}; {came}"),
        )
    };
    let mut told: Vec<Wait> = join.missing.iter().take(TOLD).map(one).collect();
    if let Some(more) = join.missing.len().checked_sub(TOLD).filter(|more| *more > 0) {
        let says = format!("{more} more branches are missing; {came}");
        told.push(wait(format!("{more} more -> {}", join.stage), owner(of(&join.stage)), says));
    }
    told
}

fn owner(stage: Option<&Stage>) -> Option<String> {
    stage.and_then(|stage| stage.owner.clone())
}

fn summary(run: &Run, waits: &[Wait]) -> String {
    match (run.state.as_str(), waits) {
        _ if run.workflow.is_empty() => {
            format!("another client keeps this run ({}), and only it knows what it waits for", run.state)
        }
        ("running", []) => {
            format!("nothing is under way; it has failed if nothing comes until {}", run.deadline)
        }
        ("running", [only]) => format!("it waits for {}: {}", only.edge, only.says),
        ("running", all) => {
            format!("it waits for {} things, first {}: {}", all.len(), all[0].edge, all[0].says)
        }
        (state, _) => {
            let why = run.error.as_ref().map(|why| format!(": {why}")).unwrap_or_default();
            let lacked =
                waits.first().map(|wait| format!("; {}: {}", wait.edge, wait.says)).unwrap_or_default();
            let since = run.ended_at.as_deref().unwrap_or("an unknown time");
            format!("it is {state} since {since}{why}{lacked}")
        }
    }
}
