//! Joins: their rules, what comes twice or late, and what explains a run that stands still.

use quorate_plane::invariants;
use quorate_plane::workflows::{Arrived, Failed};
use quorate_plane::{Outcome, Plane};
use quorate_testkit::check;
use serde_json::{Value, json};

use super::{enter, parts, pass, queued, stage, start, state, task};
use crate::support::{later, plane, refused};

/// One stage that joins branches from outside.
fn open(join: Value) -> Value {
    json!({ "entry": ["go"], "stages": [
        { "name": "go", "allowed_next_stages": ["end"] },
        { "name": "merge", "allowed_next_stages": ["end"], "queue": "merges", "join": join },
        { "name": "end", "terminal": true },
    ] })
}

async fn arrive(plane: &Plane, name: &str, branch: &str) -> Outcome<Arrived> {
    plane.workflows().arrive(&task(name), &stage("merge"), &stage(branch), "{\"v\":1}").await.unwrap()
}

async fn told(plane: &Plane, name: &str, branch: &str) -> String {
    arrive(plane, name, branch).await.unwrap().outcome
}

#[tokio::test]
async fn each_rule_lets_the_stage_go_once_and_late_branches_are_recorded() {
    check(&invariants(), async |bench| {
        let plane = plane(bench, &[]).await;
        let cases = [
            ("all", json!({ "branches": ["x", "y", "z"] }), 3),
            ("any", json!({ "rule": "any", "branches": ["x", "y", "z"] }), 1),
            ("k", json!({ "rule": "at_least", "at_least": 2, "branches": ["x", "y", "z"] }), 2),
            ("deadline", json!({ "rule": "deadline", "branches": ["x", "y", "z"] }), 3),
        ];
        for (count, (name, join, need)) in cases.into_iter().enumerate() {
            start(&plane, open(join), name).await;
            for (place, branch) in ["z", "x", "y"].into_iter().enumerate() {
                let expected = match place + 1 {
                    here if here < need => "waiting",
                    here if here == need => "fired",
                    _ => "late",
                };
                assert_eq!(told(&plane, name, branch).await, expected, "{name} {branch}");
                assert_eq!(told(&plane, name, branch).await, "duplicate", "{name} {branch}");
            }
            assert_eq!(queued(bench, "merges").await, count as u64 + 1, "{name}: one item");
            let join = plane.workflows().run(&task(name)).await.unwrap().unwrap().joins.remove(0);
            assert_eq!((join.late.len(), join.arrived), (3 - need, need as u64), "{name}");
            assert_eq!(refused(arrive(&plane, name, "w").await).code, "unknown_branch");
        }
    })
    .await;
}

#[tokio::test]
async fn a_join_ends_at_its_deadline_whatever_has_come() {
    check(&invariants(), async |bench| {
        let plane = plane(bench, &[]).await;
        start(&plane, open(json!({ "branches": ["x", "y"], "deadline_ms": 60_000 })), "strict").await;
        start(
            &plane,
            open(json!({ "rule": "deadline", "branches": ["x", "y"], "deadline_ms": 60_000 })),
            "soft",
        )
        .await;
        for name in ["strict", "soft"] {
            assert_eq!(told(&plane, name, "x").await, "waiting");
        }
        later(bench, 50).workflows().tick().await.unwrap();
        assert_eq!(queued(bench, "merges").await, 0, "not before its time");
        let far = later(bench, 61);
        let look = far.workflows();
        let (one, two) = tokio::join!(look.tick(), look.tick());
        assert_eq!(one.unwrap().due + two.unwrap().due, 2);
        assert_eq!(
            (state(&plane, "strict").await.as_str(), state(&plane, "soft").await.as_str()),
            ("failed", "running")
        );
        assert_eq!(queued(bench, "merges").await, 1);
        for name in ["strict", "soft"] {
            assert_eq!(told(&plane, name, "y").await, "late");
            let run = plane.workflows().run(&task(name)).await.unwrap().unwrap();
            assert_eq!(run.joins[0].late["y"], json!({ "v": 1 }), "{name}");
        }
        // What nobody gave a deadline has one all the same.
        start(&plane, open(json!({ "branches": ["x", "y"] })), "silent").await;
        told(&plane, "silent", "x").await;
        later(bench, 86_401).workflows().tick().await.unwrap();
        assert_eq!(state(&plane, "silent").await, "failed");
        let told = plane.workflows().explain(&task("silent")).await.unwrap().unwrap();
        let edges: Vec<&str> = told.waits.iter().map(|wait| wait.edge.as_str()).collect();
        assert_eq!(edges, ["y -> merge"], "what was missing when it failed is still told: {told:?}");
        assert!(told.summary.contains("not met in time; y -> merge"), "{}", told.summary);
    })
    .await;
}

#[tokio::test]
async fn branches_may_come_before_it_is_said_how_many_there_are() {
    check(&invariants(), async |bench| {
        let plane = plane(bench, &[]).await;
        start(&plane, open(json!({})), "t").await;
        for branch in ["b2", "b1", "stray"] {
            assert_eq!(told(&plane, "t", branch).await, "waiting");
        }
        let names = ["b1", "b2", "b3"].map(stage);
        let said = plane.workflows().expect(&task("t"), &stage("merge"), &names).await.unwrap().unwrap();
        assert_eq!((said.outcome.as_str(), said.arrived, said.expected), ("waiting", 2, Some(3)));
        plane.workflows().expect(&task("t"), &stage("merge"), &names).await.unwrap().unwrap();
        let other = plane.workflows().expect(&task("t"), &stage("merge"), &names[..1]).await.unwrap();
        assert_eq!(refused(other).code, "already_expected");
        let last = stage("b3");
        let ask = async || {
            plane.workflows().asked(Some("one call")).arrive(&task("t"), &stage("merge"), &last, "1").await
        };
        assert_eq!(ask().await.unwrap().unwrap().outcome, "fired");
        assert_eq!(ask().await.unwrap().unwrap().outcome, "fired", "a repeated call is told the same");
        assert_eq!(told(&plane, "t", "b3").await, "duplicate", "another call is not");
        assert_eq!(queued(bench, "merges").await, 1);
    })
    .await;
}

#[tokio::test]
async fn a_lost_branch_counts_where_the_run_goes_on_without_it() {
    check(&invariants(), async |bench| {
        let plane = plane(bench, &[]).await;
        let fails = async |name: &str, at: &str| {
            let attempt = enter(&plane, name, at).await.unwrap().attempt;
            plane.workflows().fail(&task(name), &stage(at), &attempt, "no disk").await.unwrap().unwrap()
        };
        start(&plane, parts(json!({ "branches": ["left", "right"] })), "all").await;
        pass(&plane, "all", "fetch").await;
        assert_eq!(fails("all", "left").await, Failed::ForGood("running".into()));
        assert_eq!(pass(&plane, "all", "right").await, ["merge fired"]);
        let join = plane.workflows().run(&task("all")).await.unwrap().unwrap().joins.remove(0);
        assert_eq!((join.arrived, join.lost, &join.results["left"]["error"]), (1, 1, &json!("no disk")));

        let both = json!({ "rule": "at_least", "at_least": 2, "branches": ["left", "right"] });
        start(&plane, parts(both), "both").await;
        pass(&plane, "both", "fetch").await;
        assert_eq!(fails("both", "left").await, Failed::ForGood("failed".into()));
        let run = plane.workflows().run(&task("both")).await.unwrap().unwrap();
        assert_eq!(run.error.as_deref(), Some("the join merge can no longer be met"));
    })
    .await;
}

#[tokio::test]
async fn explain_names_the_missing_edge_its_owner_and_since_when() {
    check(&invariants(), async |bench| {
        let plane = plane(bench, &[]).await;
        start(&plane, parts(json!({ "branches": ["left", "right"] })), "t").await;
        let explain = async || plane.workflows().explain(&task("t")).await.unwrap().unwrap();
        let first = explain().await;
        assert_eq!(
            (first.waits.len(), first.waits[0].kind, first.waits[0].owner.as_deref()),
            (1, "worker", Some("ingest"))
        );
        pass(&plane, "t", "fetch").await;
        pass(&plane, "t", "left").await;
        let held = enter(&plane, "t", "right").await.unwrap();
        let waits = explain().await.waits;
        let edge = waits.iter().find(|wait| wait.kind == "branch").unwrap();
        assert_eq!((edge.edge.as_str(), edge.owner.as_deref()), ("right -> merge", Some("team-right")));
        assert!(edge.says.contains("it is being done; 1 of 2 have come"), "{edge:?}");
        assert!(!edge.since.is_empty() && edge.until.is_some());
        let doing = waits.iter().find(|wait| wait.kind == "attempt").unwrap();
        assert_eq!(
            (doing.edge.as_str(), doing.until.as_deref()),
            ("w1 -> right", Some(held.until.iso().as_str()))
        );
        plane.workflows().cancel(&task("t"), "ann", "").await.unwrap().unwrap();
        assert!(explain().await.summary.starts_with("it is cancelled since"));
        assert!(plane.workflows().explain(&task("nobody")).await.unwrap().is_none());
    })
    .await;
}

#[tokio::test]
async fn explain_of_many_branches_says_how_many_it_does_not_name() {
    check(&invariants(), async |bench| {
        let plane = plane(bench, &[]).await;
        let branches: Vec<String> = (0..200).map(|number| format!("b{number}")).collect();
        start(&plane, open(json!({ "branches": branches })), "t").await;
        arrive(&plane, "t", "b0").await.unwrap();
        let told = plane.workflows().explain(&task("t")).await.unwrap().unwrap();
        let last = told.waits.last().unwrap();
        assert_eq!(last.edge, "149 more -> merge");
        assert!(last.says.contains("149 more branches are missing; 1 of 200 have come"), "{}", last.says);
    })
    .await;
}
