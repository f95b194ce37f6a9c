//! The seed's own commands and ours understand each other.

use crate::support::raw::text;
use quorate_catalog::FamilyId;
use quorate_plane::workflows::Enter;
use quorate_store::Value;
use quorate_testkit::conformance::both_directions;
use serde_json::json;

use super::{complete, enter, parts, pass, stage, start, task};
use crate::support::{plane, refused};

#[tokio::test]
async fn relayna_workflow_run() {
    both_directions(
        FamilyId::RelaynaWorkflowRun,
        async |bench| {
            bench.cli("HSET relayna:workflow:run:task-123 workflow w state running stage:merge '1 0 0 0 1700000000000'").await;
            let run = plane(bench, &[]).await.workflows().run(&task("task-123")).await.unwrap().unwrap();
            assert_eq!((run.workflow.as_str(), run.state.as_str(), run.stages[0].ready), ("w", "running", 1));
        },
        async |bench| {
            let plane = plane(bench, &[]).await;
            start(&plane, parts(json!({})), "task-123").await;
            assert_eq!(text(bench, "HGET relayna:workflow:run:task-123 state").await, "running");
            assert!(text(bench, "HGET relayna:workflow:run:task-123 stage:fetch").await.starts_with("1 0 0 0 "));
        },
    )
    .await;
}

#[tokio::test]
async fn relayna_fan_in() {
    let branches = json!({ "branches": ["left", "right"] });
    both_directions(
        FamilyId::RelaynaFanIn,
        async |bench| {
            let plane = plane(bench, &[]).await;
            start(&plane, parts(branches.clone()), "t").await;
            bench.cli("HSET relayna:workflow:fanin:t:merge branch:left '{\"rows\":3}' branch:right ''").await;
            let join = plane.workflows().run(&task("t")).await.unwrap().unwrap().joins.remove(0);
            assert_eq!(
                (join.arrived, &join.results["left"]["rows"], join.missing.join(" ")),
                (1, &json!(3), "right".into())
            );
            // What another client recorded counts: the last branch lets the stage go.
            let said = plane.workflows().arrive(&task("t"), &stage("merge"), &stage("right"), "1").await;
            assert_eq!(said.unwrap().unwrap().outcome, "fired");
        },
        async |bench| {
            let plane = plane(bench, &[]).await;
            start(&plane, parts(branches.clone()), "t").await;
            pass(&plane, "t", "fetch").await;
            pass(&plane, "t", "left").await;
            let key = "relayna:workflow:fanin:t:merge";
            assert_eq!(text(bench, &format!("HGET {key} branch:left")).await, "{\"ok\":true}");
            assert_eq!(text(bench, &format!("HGET {key} expected")).await, "2");
            assert_eq!(bench.cli(&format!("HGET {key} fired")).await, Value::Nil);
            pass(&plane, "t", "right").await;
            assert!(text(bench, &format!("HGET {key} fired")).await.contains('T'));
        },
    )
    .await;
}

#[tokio::test]
async fn relayna_stage_dedup() {
    both_directions(
        FamilyId::RelaynaStageDedup,
        async |bench| {
            let plane = plane(bench, &[]).await;
            start(&plane, parts(json!({})), "t").await;
            let own = enter(&plane, "t", "fetch").await.unwrap().attempt;
            plane.workflows().fail(&task("t"), &stage("fetch"), &own, "x").await.unwrap().unwrap();
            let key = format!("relayna:workflow:contract:fetch:dedup:t:{}", own.signature.as_key());
            assert_eq!(
                bench.cli(&format!("SET {key} 1 NX EX 86400")).await,
                Value::Okay,
                "a failure released it"
            );
            assert_eq!(refused(enter(&plane, "t", "fetch").await).code, "action_done");
            bench.cli(&format!("DEL {key}")).await;
            enter(&plane, "t", "fetch").await.unwrap();
        },
        async |bench| {
            let plane = plane(bench, &[]).await;
            start(&plane, parts(json!({})), "t").await;
            let own = enter(&plane, "t", "fetch").await.unwrap().attempt;
            let key = format!("relayna:workflow:contract:fetch:dedup:t:{}", own.signature.as_key());
            assert_eq!(bench.cli(&format!("SET {key} 1 NX EX 86400")).await, Value::Nil);
            complete(&plane, "t", "fetch", &own).await;
            let Value::Int(ttl) = bench.cli(&format!("TTL {key}")).await else { panic!("no time to live") };
            assert!((86_000..=86_400).contains(&ttl), "{ttl}");
        },
    )
    .await;
}

#[tokio::test]
async fn relayna_stage_inflight() {
    both_directions(
        FamilyId::RelaynaStageInflight,
        async |bench| {
            let plane = plane(bench, &[]).await;
            start(&plane, parts(json!({})), "t").await;
            let own = enter(&plane, "t", "fetch").await.unwrap().attempt;
            plane.workflows().fail(&task("t"), &stage("fetch"), &own, "x").await.unwrap().unwrap();
            let field = format!("relayna:workflow:contract:fetch:inflight:t {}", own.signature.as_key());
            bench.cli(&format!("HSET {field} '{{\"action\":\"run\"}}'")).await;
            let no = plane.workflows().enter(&Enter::new(task("t"), stage("fetch"), "w2")).await.unwrap();
            assert_eq!(refused(no).detail.as_deref(), Some("another client"), "honoured while it is there");
        },
        async |bench| {
            let plane = plane(bench, &[]).await;
            start(&plane, parts(json!({})), "t").await;
            let own = enter(&plane, "t", "fetch").await.unwrap().attempt;
            let field = format!("relayna:workflow:contract:fetch:inflight:t {}", own.signature.as_key());
            let seen: serde_json::Value =
                serde_json::from_str(&text(bench, &format!("HGET {field}")).await).unwrap();
            assert_eq!(
                (&seen["by"], &seen["action"], &seen["attempt"]),
                (&json!("w1"), &json!("run"), &json!(own.number))
            );
        },
    )
    .await;
}
