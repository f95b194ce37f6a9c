//! Workflows: topologies, attempts, joins, deadlines, and the seed's own commands in both directions.

mod conformance;
mod joins;
mod stages;
mod topology;

use quorate_catalog::ids::{StageId, TaskId, WorkflowId};
use quorate_plane::workflows::{Attempt, Enter, Entered, Start, Topology};
use quorate_plane::{Outcome, Plane};
use quorate_testkit::Bench;
use serde_json::{Value, json};

fn task(name: &str) -> TaskId {
    TaskId::parse(name).unwrap()
}

fn stage(name: &str) -> StageId {
    StageId::parse(name).unwrap()
}

fn topology(text: Value) -> Topology {
    serde_json::from_value(text).unwrap()
}

/// Fetch, then several parts, then one merge that is the end.
fn parts(join: Value) -> Value {
    json!({ "entry": ["fetch"], "stages": [
        { "name": "fetch", "allowed_next_stages": ["left", "right"], "max_retries": 1, "owner": "ingest" },
        { "name": "left", "allowed_next_stages": ["merge"], "owner": "team-left", "on_failure": "continue" },
        { "name": "right", "allowed_next_stages": ["merge"], "owner": "team-right", "on_failure": "continue" },
        { "name": "merge", "terminal": true, "queue": "merges", "join": join },
    ] })
}

async fn start(plane: &Plane, topology_of: Value, name: &str) {
    let workflow = WorkflowId::parse("w").unwrap();
    plane.workflows().define(&workflow, &topology(topology_of), "ann").await.unwrap().unwrap();
    let start = Start { workflow, task: task(name), payload: "{\"n\":1}".into(), who: "ann".into() };
    plane.workflows().start(&start).await.unwrap().unwrap();
}

async fn enter(plane: &Plane, name: &str, at: &str) -> Outcome<Entered> {
    plane.workflows().enter(&Enter::new(task(name), stage(at), "w1")).await.unwrap()
}

/// Enters a stage and completes it; what the next stages said.
async fn pass(plane: &Plane, name: &str, at: &str) -> Vec<String> {
    let attempt = enter(plane, name, at).await.unwrap().attempt;
    complete(plane, name, at, &attempt).await
}

async fn complete(plane: &Plane, name: &str, at: &str, attempt: &Attempt) -> Vec<String> {
    let done = plane.workflows().complete(&task(name), &stage(at), attempt, "{\"ok\":true}", &[]).await;
    done.unwrap().unwrap().next.into_iter().map(|(to, said)| format!("{to} {said}")).collect()
}

async fn state(plane: &Plane, name: &str) -> String {
    plane.workflows().run(&task(name)).await.unwrap().unwrap().state
}

/// How many items a job queue has.
async fn queued(bench: &Bench, queue: &str) -> u64 {
    let name = quorate_catalog::ids::QueueNameId::parse(queue).unwrap();
    let key = bench.scope.keys.ade().job_queue(&name);
    bench.scope.store.query(quorate_store::cmd("LLEN").arg(key.as_str())).await.unwrap()
}
