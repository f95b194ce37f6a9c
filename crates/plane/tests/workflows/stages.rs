//! Attempts: dedup, leases, retries, limits, contracts.

use std::time::Duration;

use quorate_catalog::ids::WorkflowId;
use quorate_plane::invariants;
use quorate_plane::workflows::{Enter, Failed, Next, Start};
use quorate_store::cmd;
use quorate_testkit::{Bench, check, check_verbatim};
use serde_json::json;

use super::{complete, enter, parts, pass, queued, stage, start, state, task};
use crate::support::{later, plane, refused};

fn two() -> serde_json::Value {
    json!({ "entry": ["a"], "stages": [
        { "name": "a", "allowed_next_stages": ["b"], "max_retries": 2, "retry_delay_ms": 5_000, "max_inflight": 1, "queue": "as",
          "timeout_ms": 30_000, "sla_ms": 10_000, "accepted_actions": ["make"], "dedup_key_fields": ["n"],
          "payload_schema": { "type": "object", "required": ["n"] } },
        { "name": "b", "terminal": true },
    ] })
}

fn wants(name: &str, n: u32) -> Enter {
    Enter { payload: format!("{{\"n\":{n},\"x\":{n}}}"), ..Enter::new(task(name), stage("a"), "w1") }
}

#[tokio::test]
async fn a_run_goes_from_its_entry_to_its_end() {
    check(&invariants(), async |bench| {
        let plane = plane(bench, &[]).await;
        start(&plane, parts(json!({ "branches": ["left", "right"] })), "t").await;
        assert_eq!(pass(&plane, "t", "fetch").await, ["left ready", "right ready"]);
        assert_eq!(pass(&plane, "t", "left").await, ["merge waiting"]);
        assert_eq!(pass(&plane, "t", "right").await, ["merge fired"]);
        assert_eq!(queued(bench, "merges").await, 1);
        assert!(pass(&plane, "t", "merge").await.is_empty());
        assert_eq!(state(&plane, "t").await, "completed");
        let run = plane.workflows().run(&task("t")).await.unwrap().unwrap();
        assert_eq!(run.joins[0].results["left"], json!({ "ok": true }));
        assert!(run.stages.iter().all(|stage| stage.done == 1 && stage.ready + stage.running == 0));
        let completed = quorate_plane::workflows::State::Completed;
        assert_eq!(plane.workflows().runs(completed, Some("w"), 10).await.unwrap().len(), 1);
        assert_eq!(refused(enter(&plane, "t", "merge").await).code, "action_done");
        assert_eq!(refused(enter(&later(bench, 90_000), "t", "left").await).code, "action_done");
    })
    .await;
}

#[tokio::test]
async fn a_task_has_one_run_and_a_repeated_start_is_one() {
    check(&invariants(), async |bench| {
        let plane = plane(bench, &[]).await;
        start(&plane, two(), "t").await;
        let again = Start {
            workflow: WorkflowId::parse("w").unwrap(),
            task: task("u"),
            payload: "{\"n\":1}".into(),
            who: "ann".into(),
        };
        for _ in 0..3 {
            plane.workflows().asked(Some("one call")).start(&again).await.unwrap().unwrap();
        }
        assert_eq!(queued(bench, "as").await, 2, "one item for each run");
        assert_eq!(refused(plane.workflows().start(&again).await.unwrap()).code, "run_exists");
        let bad = Start { payload: "[]".into(), task: task("v"), ..again.clone() };
        assert_eq!(refused(plane.workflows().start(&bad).await.unwrap()).code, "bad_payload");
        let none = Start { workflow: WorkflowId::parse("x").unwrap(), ..again };
        assert_eq!(refused(plane.workflows().start(&none).await.unwrap()).code, "no_workflow");
    })
    .await;
}

#[tokio::test]
async fn an_action_under_way_or_done_is_not_begun_again_and_limits_hold() {
    check(&invariants(), async |bench| {
        let plane = plane(bench, &[]).await;
        start(&plane, two(), "t").await;
        start(&plane, two(), "u").await;
        let first = plane.workflows().asked(Some("r")).enter(&wants("t", 1)).await.unwrap().unwrap();
        let again = plane.workflows().asked(Some("r")).enter(&wants("t", 1)).await.unwrap().unwrap();
        assert_eq!(first, again, "a repeated call is one attempt");
        let other = refused(plane.workflows().enter(&wants("t", 1)).await.unwrap());
        assert_eq!((other.code.as_str(), other.detail.as_deref()), ("in_flight", Some("w1")));
        assert_eq!(refused(plane.workflows().enter(&wants("t", 2)).await.unwrap()).code, "not_ready");
        assert_eq!(refused(plane.workflows().enter(&wants("u", 1)).await.unwrap()).code, "stage_full");
        let wrong = Enter { action: Some("eat".parse().unwrap()), ..wants("t", 1) };
        assert_eq!(refused(plane.workflows().enter(&wrong).await.unwrap()).code, "wrong_action");
        let bad = Enter { payload: "{}".into(), ..wants("t", 1) };
        assert_eq!(refused(plane.workflows().enter(&bad).await.unwrap()).code, "bad_payload");
        assert_eq!(complete(&plane, "t", "a", &first.attempt).await, ["b ready"]);
        assert!(complete(&plane, "t", "a", &first.attempt).await.is_empty(), "a repeated result counts once");
        let run = plane.workflows().run(&task("t")).await.unwrap().unwrap();
        assert_eq!((run.stages[0].done, run.stages[1].ready), (1, 1));
        assert_eq!(refused(plane.workflows().enter(&wants("t", 1)).await.unwrap()).code, "action_done");
        plane.workflows().enter(&wants("u", 1)).await.unwrap().unwrap();
        let far = [Next::to(stage("zz"))];
        let at =
            plane.workflows().enter(&Enter::new(task("t"), stage("b"), "w")).await.unwrap().unwrap().attempt;
        let no = plane.workflows().complete(&task("t"), &stage("b"), &at, "null", &far).await.unwrap();
        assert_eq!(refused(no).code, "wrong_next");
    })
    .await;
}

#[tokio::test]
async fn a_failed_action_is_tried_again_after_its_delay_and_given_up_in_the_end() {
    check(&invariants(), async |bench| {
        let plane = plane(bench, &[]).await;
        start(&plane, two(), "t").await;
        for (round, at) in [(0, 0), (1, 6), (2, 12)] {
            let then = later(bench, at);
            let attempt = then.workflows().enter(&wants("t", 1)).await.unwrap().unwrap().attempt;
            let said =
                then.workflows().fail(&task("t"), &stage("a"), &attempt, "boom").await.unwrap().unwrap();
            let again =
                then.workflows().fail(&task("t"), &stage("a"), &attempt, "boom").await.unwrap().unwrap();
            assert_eq!(said, again, "a repeated failure counts once");
            if round < 2 {
                assert!(matches!(said, Failed::Retry(_)), "{said:?}");
                assert_eq!(
                    refused(then.workflows().enter(&wants("t", 1)).await.unwrap()).code,
                    "retry_later"
                );
                let items = queued(bench, "as").await;
                later(bench, at + 6).workflows().tick().await.unwrap();
                assert_eq!(queued(bench, "as").await, items + 1, "its queue has it again");
            } else {
                assert_eq!(said, Failed::ForGood("failed".into()));
            }
        }
        let run = plane.workflows().run(&task("t")).await.unwrap().unwrap();
        assert_eq!((run.state.as_str(), run.error.as_deref()), ("failed", Some("a: boom")));
        assert_eq!(refused(plane.workflows().enter(&wants("t", 1)).await.unwrap()).code, "run_over");
    })
    .await;
}

#[tokio::test]
async fn a_failure_that_says_no_reason_names_its_stage() {
    check(&invariants(), async |bench| {
        let plane = plane(bench, &[]).await;
        start(&plane, json!({ "entry": ["a"], "stages": [{ "name": "a", "terminal": true }] }), "t").await;
        let attempt = enter(&plane, "t", "a").await.unwrap().attempt;
        plane.workflows().fail(&task("t"), &stage("a"), &attempt, "").await.unwrap().unwrap();
        let run = plane.workflows().run(&task("t")).await.unwrap().unwrap();
        assert_eq!((run.state.as_str(), run.error.as_deref()), ("failed", Some("a")));
    })
    .await;
}

#[tokio::test]
async fn a_lease_that_ran_out_clears_itself_and_the_late_result_does_not_count() {
    check(&invariants(), async |bench| {
        let plane = plane(bench, &[]).await;
        start(&plane, two(), "t").await;
        let lost = plane.workflows().enter(&wants("t", 1)).await.unwrap().unwrap().attempt;
        let until =
            plane.workflows().extend(&task("t"), &stage("a"), &lost, Some(Duration::from_secs(600))).await;
        let now = plane.store().time().await.unwrap().millis();
        assert!(until.unwrap().unwrap().millis() <= now + 30_000, "never beyond the stage's timeout");
        let far = later(bench, 31);
        let look = far.workflows();
        // Any number of processes look; the attempt is given up once.
        let (one, two) = tokio::join!(look.tick(), look.tick());
        let (one, two) = (one.unwrap(), two.unwrap());
        assert_eq!(one.lapsed + two.lapsed, 1, "{one:?} {two:?}");
        let seed = plane.keys().relayna();
        for key in [
            seed.stage_dedup(&stage("a"), &task("t"), &lost.signature),
            seed.stage_inflight(&stage("a"), &task("t")),
        ] {
            let there: u64 = plane.store().query(cmd("EXISTS").arg(key.as_str())).await.unwrap();
            assert_eq!(there, 0, "{key}");
        }
        let late = plane.workflows().complete(&task("t"), &stage("a"), &lost, "null", &[]).await.unwrap();
        assert_eq!(refused(late).code, "stale_attempt");
        assert_eq!(
            refused(plane.workflows().extend(&task("t"), &stage("a"), &lost, None).await.unwrap()).code,
            "stale_attempt"
        );
        let next = later(bench, 40).workflows().enter(&wants("t", 1)).await.unwrap().unwrap().attempt;
        assert_eq!(complete(&plane, "t", "a", &next).await, ["b ready"]);
    })
    .await;
}

#[tokio::test]
async fn a_run_that_takes_too_long_has_failed_and_a_missed_service_level_is_said() {
    check(&invariants(), async |bench| {
        let plane = plane(bench, &[]).await;
        start(&plane, two(), "t").await;
        later(bench, 11).workflows().tick().await.unwrap();
        let explained = plane.workflows().explain(&task("t")).await.unwrap().unwrap();
        assert!(explained.summary.contains("service level is missed"), "{explained:?}");
        later(bench, 8 * 86_400).workflows().tick().await.unwrap();
        assert_eq!(state(&plane, "t").await, "failed");
        start(&plane, two(), "u").await;
        plane.workflows().cancel(&task("u"), "ann", "not needed").await.unwrap().unwrap();
        plane.workflows().cancel(&task("u"), "ann", "not needed").await.unwrap().unwrap();
        assert_eq!(refused(plane.workflows().cancel(&task("u"), "bob", "").await.unwrap()).code, "run_over");
        later(bench, 40 * 86_400).workflows().prune().await.unwrap();
        let failed = quorate_plane::workflows::State::Failed;
        assert!(plane.workflows().runs(failed, None, 10).await.unwrap().is_empty());
    })
    .await;
}

#[tokio::test]
async fn a_wrong_typed_key_anywhere_changes_nothing() {
    let bench = Bench::verbatim().await;
    let plane = plane(&bench, &[]).await;
    start(&plane, parts(json!({ "branches": ["left", "right"] })), "t").await;
    let attempt = enter(&plane, "t", "fetch").await.unwrap().attempt;
    bench.cli("SET relayna:workflow:fanin:t:merge oops").await;
    complete(&plane, "t", "fetch", &attempt).await;
    let left = enter(&plane, "t", "left").await.unwrap().attempt;
    let before = bench.cli("HGETALL relayna:workflow:run:t").await;
    let no = plane.workflows().complete(&task("t"), &stage("left"), &left, "null", &[]).await.unwrap();
    assert_eq!(refused(no).code, "wrong_type");
    assert_eq!(bench.cli("HGETALL relayna:workflow:run:t").await, before);
    bench.cli("DEL relayna:workflow:fanin:t:merge").await;
    assert_eq!(complete(&plane, "t", "left", &left).await, ["merge waiting"]);
}

#[tokio::test]
async fn fsck_watches_and_lists_a_run_again() {
    let bench = Bench::verbatim().await;
    let plane = plane(&bench, &[]).await;
    start(&plane, two(), "t").await;
    plane.workflows().enter(&wants("t", 1)).await.unwrap().unwrap();
    let own = plane.keys().quorate();
    let views = [own.workflow_agenda(), own.workflow_view(quorate_plane::workflows::State::Running)];
    for key in views {
        plane.store().query::<u64>(cmd("DEL").arg(key.as_str())).await.unwrap();
    }
    let invariant = quorate_plane::workflows::invariants()[0];
    let findings = invariant.check(&bench.scope).await.unwrap();
    assert_eq!(findings.len(), 2, "{findings:?}");
    for finding in &findings {
        assert!(invariant.repair(&bench.scope, finding).await.unwrap());
    }
    assert!(invariant.check(&bench.scope).await.unwrap().is_empty());
    assert_eq!(later(&bench, 31).workflows().tick().await.unwrap().lapsed, 1);
}

#[tokio::test]
async fn a_run_whose_record_is_broken_does_not_hold_up_the_others() {
    let bench = Bench::verbatim().await;
    let plane = plane(&bench, &[]).await;
    for name in ["a-broken", "b-fine"] {
        start(&plane, parts(json!({})), name).await;
        enter(&plane, name, "fetch").await.unwrap();
    }
    bench.cli("DEL relayna:workflow:run:a-broken").await;
    bench.cli("SET relayna:workflow:run:a-broken oops").await;
    assert!(later(&bench, 61).workflows().tick().await.is_err(), "it is said");
    let run = plane.workflows().run(&task("b-fine")).await.unwrap().unwrap();
    assert_eq!(run.stages[0].running, 0, "the other lease was cleared all the same");
}

/// The seed says nothing of what is in a run: whoever wrote it knows, and nobody else says that he does.
#[tokio::test]
async fn a_run_that_another_client_keeps_is_shown_and_explained_as_such() {
    check_verbatim(&invariants(), async |bench| {
        let plane = plane(bench, &[]).await;
        bench.cli("HSET relayna:workflow:run:theirs state running current merge").await;
        bench.cli("HSET relayna:workflow:fanin:theirs:merge expected [1,2]").await;
        let run = plane.workflows().run(&task("theirs")).await.unwrap().unwrap();
        assert_eq!((run.state.as_str(), run.workflow.as_str()), ("running", ""));
        let told = plane.workflows().explain(&task("theirs")).await.unwrap().unwrap();
        assert!(told.summary.starts_with("another client keeps this run (running)"), "{}", told.summary);
        assert!(told.waits.is_empty());
    })
    .await;
}
