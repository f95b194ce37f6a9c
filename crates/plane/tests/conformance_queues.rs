//! Queues against the seeds' own commands, in both directions.

use crate::support::{agent, plane};
use quorate_catalog::FamilyId;
use quorate_plane::queues::{Claim, Push, Queue};
use quorate_store::{FromRedisValue, Value};
use quorate_testkit::Bench;
use quorate_testkit::conformance::both_directions;

async fn claims(bench: &Bench, name: &str, payload: &str) {
    let plane = plane(bench, &["a"]).await;
    let queue: Queue = name.parse().unwrap();
    let items = plane.queues().claim(&Claim::new(queue, agent("a"))).await.unwrap().unwrap().items;
    assert_eq!((items[0].text().as_str(), items[0].attempt), (payload, 1));
    assert!(
        plane.queues().ack(&agent("a"), None, &[items[0].token.clone()]).await.unwrap().unwrap().is_empty()
    );
}

/// Our push is one JSON element that an old consumer takes from the tail.
async fn takes(bench: &Bench, name: &str, key: &str) {
    let plane = plane(bench, &["a"]).await;
    let queue: Queue = name.parse().unwrap();
    for payload in ["{\"n\":1}", "second"] {
        plane.queues().push(&queue, &Push::new(payload)).await.unwrap().unwrap();
    }
    assert_eq!(bench.cli(&format!("LLEN {key}")).await, Value::Int(2));
    let text = String::from_redis_value(bench.cli(&format!("RPOP {key}")).await).unwrap();
    let item: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(item["payload"], "{\"n\":1}");
    assert!(item["id"].is_string());
}

#[tokio::test]
async fn reverie_task_queue() {
    both_directions(
        FamilyId::ReverieTaskQueue,
        async |bench| {
            bench.cli("LPUSH tasks:queue:high 'review the patch'").await;
            claims(bench, "high", "review the patch").await;
        },
        async |bench| takes(bench, "normal", "tasks:queue:normal").await,
    )
    .await;
}

#[tokio::test]
async fn ade_job_queue() {
    both_directions(
        FamilyId::AdeJobQueue,
        async |bench| {
            let job = "{\"type\":\"lock_cleanup\",\"target\":\"ade:lock:task:123\"}";
            bench.cli(&format!("LPUSH ade:job:queue:lock_cleanup '{job}'")).await;
            claims(bench, "job:lock_cleanup", job).await;
        },
        async |bench| takes(bench, "job:archive", "ade:job:queue:archive").await,
    )
    .await;
}
