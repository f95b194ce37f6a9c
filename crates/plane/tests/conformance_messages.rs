//! Inboxes against the seed's own commands, in both directions.

use crate::support::{agent, plane};
use quorate_catalog::FamilyId;
use quorate_plane::messages::Outgoing;
use quorate_store::FromRedisValue;
use quorate_testkit::conformance::both_directions;

#[tokio::test]
async fn reverie_inbox() {
    both_directions(
        FamilyId::ReverieInbox,
        async |bench| {
            let plane = plane(bench, &["b"]).await;
            let old = r#"{"from":"anchor","to":"b","sent_at":"2026-04-09T10:00:00Z","kind":"handoff","subject":"s","body":"take it","blob":{"n":1}}"#;
            bench.cli(&format!("LPUSH tasks:inbox:b '{old}'")).await;
            let beat = plane.agents().heartbeat(&agent("b"), None).await.unwrap().unwrap();
            assert_eq!((beat.messages, beat.unread), (1, 1));
            let got = plane.messages().read(&agent("b"), None, 10, false).await.unwrap().unwrap();
            let one = &got.messages[0];
            assert_eq!((one.from.as_deref(), one.kind.as_deref(), one.body.as_str()), (Some("anchor"), Some("handoff"), "take it"));
            assert_eq!((one.subject.as_deref(), one.sent_at.as_deref()), (Some("s"), Some("2026-04-09T10:00:00Z")));
            assert_eq!(one.blob.as_ref().unwrap()["n"], 1);
            let still = String::from_redis_value(bench.cli("LINDEX tasks:inbox:b 0").await).unwrap();
            assert_eq!(still, old, "it stands there as it was written");
        },
        async |bench| {
            let plane = plane(bench, &[]).await;
            for body in ["first", "second"] {
                let out = Outgoing::new(agent("a"), body);
                plane.messages().send(&agent("b"), &out).await.unwrap().unwrap();
            }
            // Old readers take from the tail, and parse JSON.
            for body in ["first", "second"] {
                let text = String::from_redis_value(bench.cli("RPOP tasks:inbox:b").await).unwrap();
                let json: serde_json::Value = serde_json::from_str(&text).unwrap();
                let field = |name: &str| json[name].as_str().unwrap().to_owned();
                assert_eq!((field("from"), field("to"), field("kind"), field("body")), ("a".into(), "b".into(), "status".into(), body.into()));
                assert!(field("sent_at").ends_with('Z') && !field("id").is_empty());
            }
        },
    )
    .await;
}
