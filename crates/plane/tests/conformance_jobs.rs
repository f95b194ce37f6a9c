//! Jobs against the seed's own commands, in both directions.

use crate::support::raw::text;
use std::time::Duration;

use crate::support::{agent, plane, refused};
use quorate_catalog::FamilyId;
use quorate_catalog::ids::{JobId, QueueNameId};
use quorate_plane::jobs::{Plan, When};
use quorate_store::FromRedisValue;
use quorate_testkit::conformance::both_directions;

fn plan(delay: Duration) -> Plan {
    Plan::new(QueueNameId::parse("lock_cleanup").unwrap(), "ade:lock:task:123", When::In(delay))
}

#[tokio::test]
async fn ade_scheduled_jobs() {
    both_directions(
        FamilyId::AdeScheduledJobs,
        async |bench| {
            let plane = plane(bench, &[]).await;
            let job = r#"{"type":"lock_cleanup","target":"ade:lock:task:123"}"#;
            bench.cli(&format!("ZADD ade:job:scheduled 1710776400 '{job}' 99999999999 later")).await;
            assert_eq!(plane.jobs().tick().await.unwrap().queued, 1);
            let item: serde_json::Value =
                serde_json::from_str(&text(bench, "RPOP ade:job:queue:lock_cleanup").await).unwrap();
            assert_eq!(item["payload"], job, "byte for byte");
            assert!(!text(bench, "ZSCORE ade:job:scheduled later").await.is_empty(), "what is not due stays");
        },
        async |bench| {
            let plane = plane(bench, &[]).await;
            let done = plane.jobs().schedule(&plan(Duration::from_secs(60))).await.unwrap().unwrap();
            let found = Vec::<(String, f64)>::from_redis_value(
                bench.cli("ZRANGE ade:job:scheduled 0 -1 WITHSCORES").await,
            )
            .unwrap();
            let json: serde_json::Value = serde_json::from_str(&found[0].0).unwrap();
            assert_eq!(
                (json["type"].as_str(), json["target"].as_str()),
                (Some("lock_cleanup"), Some("ade:lock:task:123"))
            );
            assert!((found[0].1 - done.next_at.millis() as f64 / 1e3).abs() < 0.001, "Unix seconds");
        },
    )
    .await;
}

#[tokio::test]
async fn ade_job_lock() {
    let minute = Duration::from_secs(60);
    both_directions(
        FamilyId::AdeJobLock,
        async |bench| {
            let plane = plane(bench, &[]).await;
            let done = plane.jobs().schedule(&plan(Duration::ZERO)).await.unwrap().unwrap();
            plane.jobs().tick().await.unwrap();
            bench.cli(&format!("SET ade:job:lock:{} worker-7 NX EX 60", done.id)).await;
            let id = JobId::parse(&done.id).unwrap();
            let no = plane.jobs().begin(&id, done.next_at.millis(), &agent("w"), minute).await.unwrap();
            assert_eq!(refused(no).detail.as_deref(), Some("worker-7"));
        },
        async |bench| {
            let plane = plane(bench, &[]).await;
            let done = plane.jobs().schedule(&plan(Duration::ZERO)).await.unwrap().unwrap();
            plane.jobs().tick().await.unwrap();
            let id = JobId::parse(&done.id).unwrap();
            plane.jobs().begin(&id, done.next_at.millis(), &agent("w"), minute).await.unwrap().unwrap();
            assert_eq!(text(bench, &format!("GET ade:job:lock:{id}")).await, "w");
        },
    )
    .await;
}
