//! The seed's own commands and ours understand each other.

use super::*;

#[tokio::test]
async fn relayna_dead_letter() {
    both_directions(
        FamilyId::RelaynaDeadLetter,
        async |bench| {
            let plane = plane(bench, &[]).await;
            let foreign = json!({ "dlq_id": "d1", "queue_name": "q.dlq", "source_queue_name": "q", "retry_queue_name": "q.retry",
                "reason": "timeout", "retry_attempt": 1, "max_retries": 1, "dead_lettered_at": "2026-11-16T12:00:00.5+00:00",
                "state": "dead_lettered", "headers": {}, "body": 7 });
            bench.cli(&format!("SET relayna:dlq:record:d1 '{foreign}'")).await;
            bench.cli("LPUSH relayna:dlq:records d1").await;
            assert_eq!(names(&page(&plane, &RecordFilter::default(), None, 5).await), ["d1"]);
            let done = plane.dead_letters().records().replay(&id("d1"), &asked("r")).await.unwrap().unwrap();
            assert_eq!((done.job_id.as_str(), done.target_queue_name.as_str()), ("d1.r1", "q.retry"));
        },
        async |bench| {
            let plane = plane(bench, &[]).await;
            keep(&plane, record("d1", "a.dlq", 1)).await;
            let seen: Value = serde_json::from_str(&text(bench, "GET relayna:dlq:record:d1").await).unwrap();
            assert_eq!((&seen["state"], &seen["replay_count"], &seen["body"]["n"]), (&json!("dead_lettered"), &json!(0), &json!(1)));
        },
    )
    .await;
}

#[tokio::test]
async fn relayna_dead_letter_index() {
    both_directions(
        FamilyId::RelaynaDeadLetterIndex,
        async |bench| {
            let plane = plane(bench, &[]).await;
            for (name, second) in [("d1", 1), ("d2", 2)] {
                bench
                    .cli(&format!("SET relayna:dlq:record:{name} '{}'", {
                        let mut one = record(name, "a.dlq", second);
                        one["state"] = "dead_lettered".into();
                        one
                    }))
                    .await;
                bench.cli(&format!("LPUSH relayna:dlq:records {name}")).await;
            }
            assert_eq!(plane.dead_letters().records().queues().await.unwrap()[0].indexed_count, 2);
        },
        async |bench| {
            let plane = plane(bench, &[]).await;
            keep(&plane, record("d1", "a.dlq", 1)).await;
            keep(&plane, record("d2", "a.dlq", 2)).await;
            assert_eq!(text(bench, "LINDEX relayna:dlq:records 0").await, "d2", "the newest is at the head");
        },
    )
    .await;
}

#[tokio::test]
async fn relayna_replay_lock() {
    both_directions(
        FamilyId::RelaynaReplayLock,
        async |bench| {
            let plane = plane(bench, &[]).await;
            keep(&plane, record("d1", "a.dlq", 1)).await;
            bench.cli("SET relayna:dlq:replay-lock:d1 1 NX EX 30").await;
            let records = plane.dead_letters().records();
            assert_eq!(refused(records.replay(&id("d1"), &asked("r")).await.unwrap()).code, "replay_claimed");
            assert_eq!(
                text(bench, "GET relayna:dlq:replay-lock:d1").await,
                "1",
                "it is another client's, and stays"
            );
            records.replay(&id("d1"), &Again { force: true, ..asked("f") }).await.unwrap().unwrap();
        },
        async |bench| {
            let plane = plane(bench, &[]).await;
            keep(&plane, record("d1", "a.dlq", 1)).await;
            plane.dead_letters().records().replay(&id("d1"), &asked("r")).await.unwrap().unwrap();
            // A replay is one step, so an old client finds no lock, and a record that says it was replayed.
            assert_eq!(
                bench.cli("SET relayna:dlq:replay-lock:d1 1 NX EX 30").await,
                quorate_store::Value::Okay
            );
            assert!(text(bench, "GET relayna:dlq:record:d1").await.contains("\"state\":\"replayed\""));
        },
    )
    .await;
}
