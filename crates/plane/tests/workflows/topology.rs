//! What a workflow may say, and its versions.

use quorate_catalog::ids::WorkflowId;
use quorate_plane::invariants;
use quorate_testkit::check;
use serde_json::{Value, json};

use super::{parts, topology};
use crate::support::plane;

fn faults(text: Value) -> String {
    topology(text).faults().join("; ")
}

#[test]
fn a_topology_that_could_stand_still_or_go_nowhere_is_refused_with_every_reason() {
    assert_eq!(faults(parts(json!({ "branches": ["left", "right"] }))), "");
    let stages = |stages: Value| json!({ "entry": ["a"], "stages": stages });
    let cases = [
        (json!({ "entry": [], "stages": [] }), "it has 0 stages"),
        (stages(json!([{ "name": "a" }])), "a terminal stage has no next stages, and any other has some"),
        (stages(json!([{ "name": "a", "terminal": true }, { "name": "a", "terminal": true }])), "twice"),
        (stages(json!([{ "name": "a", "allowed_next_stages": ["b"] }])), "\"b\" is not there"),
        (stages(json!([{ "name": "a:b", "terminal": true }])), "its name is none"),
        (
            stages(
                json!([{ "name": "a", "allowed_next_stages": ["b"] }, { "name": "b", "allowed_next_stages": ["a"] }]),
            ),
            "no terminal stage can follow",
        ),
        (
            stages(json!([{ "name": "a", "terminal": true }, { "name": "b", "terminal": true }])),
            "no entry leads to it",
        ),
        (
            stages(json!([{ "name": "a", "allowed_next_stages": ["b"], "produced_actions": ["x"] },
                { "name": "b", "terminal": true, "accepted_actions": ["y"] }])),
            "none of its actions is accepted",
        ),
        (stages(json!([{ "name": "a", "terminal": true, "join": {} }])), "waits for branches"),
        (
            stages(json!([{ "name": "a", "allowed_next_stages": ["b"] },
                { "name": "b", "allowed_next_stages": ["b", "c"], "join": {} }, { "name": "c", "terminal": true }])),
            "comes again after itself",
        ),
        (
            parts(json!({ "rule": "at_least", "at_least": 3, "branches": ["left", "right"] })),
            "at_least is from 1",
        ),
        (parts(json!({ "rule": "all", "at_least": 1 })), "at_least goes with"),
        (stages(json!([{ "name": "a", "terminal": true, "max_inflight": 0 }])), "max_inflight"),
        (
            stages(json!([{ "name": "a", "terminal": true, "payload_schema": { "type": "nothing" } }])),
            "payload_schema",
        ),
        (
            stages(
                json!([{ "name": "a", "terminal": true, "payload_schema": { "$ref": "http://127.0.0.1:1/x" } }]),
            ),
            "payload_schema",
        ),
    ];
    for (text, why) in cases {
        let found = faults(text.clone());
        assert!(found.contains(why), "{text}: {found:?}");
    }
    assert!(
        serde_json::from_value::<quorate_plane::workflows::Topology>(
            json!({ "entry": [], "stages": [], "x": 1 })
        )
        .is_err()
    );
}

#[tokio::test]
async fn the_same_topology_is_the_same_version_and_a_bad_one_is_not_kept() {
    check(&invariants(), async |bench| {
        let plane = plane(bench, &[]).await;
        let name = WorkflowId::parse("w").unwrap();
        let (one, two) = (topology(parts(json!({}))), topology(parts(json!({ "rule": "any" }))));
        for (text, version, known) in [(&one, 1, false), (&two, 2, false), (&one, 1, true)] {
            let defined = plane.workflows().define(&name, text, "ann").await.unwrap().unwrap();
            assert_eq!((defined.version, defined.known), (version, known));
        }
        let shown = plane.workflows().show(&name, None).await.unwrap().unwrap();
        assert_eq!((shown.version, &shown.topology, shown.defined_by.as_str()), (1, &one, "ann"));
        assert_eq!(plane.workflows().show(&name, Some(2)).await.unwrap().unwrap().topology, two);
        assert!(plane.workflows().show(&name, Some(3)).await.unwrap().is_none());
        let bad = topology(json!({ "entry": ["a"], "stages": [] }));
        let error = plane.workflows().define(&name, &bad, "ann").await.unwrap_err();
        assert_eq!(error.kind(), quorate_store::ErrorKind::InvalidArgument);
        assert_eq!(plane.workflows().ls().await.unwrap().len(), 1);
        let known = plane.queues().known().await.unwrap();
        assert!(
            known.iter().any(|queue| queue.name() == "job:merges"),
            "the queues of its stages are known: {known:?}"
        );
    })
    .await;
}
