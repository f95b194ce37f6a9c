//! D5: a join lets its stage go exactly once, when all k branches have come, in any order, with duplicates and `kill -9`.

use std::collections::BTreeMap;
use std::process::{Command, Stdio};
use std::time::Duration;

use quorate_catalog::ids::{QueueNameId, StageId, TaskId, WorkflowId};
use quorate_plane::workflows::{Start, Topology};
use quorate_plane::{Plane, invariants};
use quorate_store::cmd;
use quorate_testkit::chaos::Worker;
use quorate_testkit::soak::{Dice, full, say, size};
use quorate_testkit::{Bench, check};
use serde_json::{Value, json};

use crate::support::{later, plane};

fn width(run: usize) -> usize {
    if full() { 2 + run % 199 } else { [2, 3, 5, 8, 13, 40, 100, 200][run % 8] }
}

fn task(run: usize) -> TaskId {
    TaskId::parse(&format!("run-{run}")).unwrap()
}

fn bringer(bench: &Bench, seed: u64, runs: usize) -> Worker {
    let mut command = Command::new(env!("CARGO_BIN_EXE_job-worker"));
    command.arg(bench.node.url().reveal()).arg(bench.scope.keys.namespace_text().trim_end_matches(':'));
    command.arg("branches").arg((seed >> 1).to_string()).arg(runs.to_string());
    command.arg(if full() { "full" } else { "smoke" });
    Worker::spawn(command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null())).unwrap()
}

async fn begin(plane: &Plane, runs: usize) {
    let text = json!({ "entry": ["go"], "stages": [
        { "name": "go", "allowed_next_stages": ["end"] },
        { "name": "merge", "allowed_next_stages": ["end"], "queue": "merges", "join": { "deadline_ms": 3_600_000 } },
        { "name": "end", "terminal": true },
    ] });
    let workflow = WorkflowId::parse("w").unwrap();
    let topology: Topology = serde_json::from_value(text).unwrap();
    plane.workflows().define(&workflow, &topology, "proof").await.unwrap().unwrap();
    for run in 0..runs {
        let start = Start {
            workflow: workflow.clone(),
            task: task(run),
            payload: "null".into(),
            who: "proof".into(),
        };
        plane.workflows().start(&start).await.unwrap().unwrap();
    }
}

/// How many items each run has in the queue of its join.
async fn fired(plane: &Plane) -> BTreeMap<String, usize> {
    let key = plane.keys().ade().job_queue(&QueueNameId::parse("merges").unwrap());
    let items: Vec<String> =
        plane.store().query(cmd("LRANGE").arg(key.as_str()).arg(0).arg(-1)).await.unwrap();
    let mut all = BTreeMap::new();
    for item in items {
        let item: Value = serde_json::from_str(&item).unwrap();
        let payload: Value = serde_json::from_str(item["payload"].as_str().unwrap()).unwrap();
        *all.entry(payload["task"].as_str().unwrap().to_owned()).or_default() += 1;
    }
    all
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn d5_a_join_fires_exactly_once_in_any_order_with_duplicates_and_kills() {
    check(&invariants(), async |bench| {
        let (mut dice, runs, kills) = (Dice::of("d5"), size(24, 5_000), size(12, 200));
        let plane = plane(bench, &[]).await;
        begin(&plane, runs).await;
        let mut bringers: Vec<Worker> = (0..3).map(|_| bringer(bench, dice.roll(), runs)).collect();
        for kill in 0..kills {
            tokio::time::sleep(Duration::from_millis(dice.below(60) as u64)).await;
            bringers[kill % 3].kill9().unwrap();
            bringers[kill % 3] = bringer(bench, dice.roll(), runs);
            let early = fired(&plane).await;
            assert!(early.values().all(|count| *count == 1), "{early:?}");
        }
        // Those that are left bring all; whatever the killed ones brought comes a second time.
        for _ in 0..size(600, 60_000) {
            if fired(&plane).await.len() == runs {
                break;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        drop(bringers);
        let all = fired(&plane).await;
        assert!(all.len() == runs && all.values().all(|count| *count == 1), "{} of {runs}", all.len());
        let merge = StageId::parse("merge").unwrap();
        for run in 0..runs {
            let join = plane.workflows().run(&task(run)).await.unwrap().unwrap().joins.remove(0);
            assert_eq!((join.arrived, join.missing.len()), (width(run) as u64, 0), "{run}");
            let again =
                plane.workflows().arrive(&task(run), &merge, &StageId::parse("b0").unwrap(), "1").await;
            assert_eq!(again.unwrap().unwrap().outcome, "duplicate");
        }
        // Its deadline is over long after, and nothing more happens.
        later(bench, 7_200).workflows().tick().await.unwrap();
        assert_eq!(fired(&plane).await, all);
        say(&format!("d5: {runs} joins of 2 to 200 branches under {kills} kills fired once each"));
    })
    .await;
}
