//! Limits, dedupe and counters against the seeds' own commands, in both directions.

use std::time::Duration;

use crate::support::{plane, refused, request, take};
use quorate_catalog::FamilyId;
use quorate_catalog::ids::{ContentHash, MetricId};
use quorate_plane::dedupe::{DEFAULT_WINDOW, content_hash};
use quorate_plane::limits::{Rule, Wish};
use quorate_store::FromRedisValue;
use quorate_testkit::Bench;
use quorate_testkit::conformance::both_directions;

async fn number(bench: &Bench, line: &str) -> i64 {
    i64::from_redis_value(bench.cli(line).await).unwrap()
}

fn limited() -> Wish {
    let wish: Wish = "tasks:create/user-123".parse().unwrap();
    Wish { rule: Some(Rule { limit: 3, window: Duration::from_secs(60) }), ..wish }
}

#[tokio::test]
async fn ade_rate_limit() {
    both_directions(
        FamilyId::AdeRateLimit,
        async |bench| {
            let plane = plane(bench, &[]).await;
            for _ in 0..3 {
                bench.cli("INCR ade:ratelimit:tasks:create:user-123").await;
            }
            bench.cli("EXPIRE ade:ratelimit:tasks:create:user-123 60").await;
            let verdict = plane.limits().check(&[limited()]).await.unwrap().unwrap();
            assert_eq!((verdict.allowed, verdict.limits[0].used), (false, 3));
        },
        async |bench| {
            let plane = plane(bench, &[]).await;
            for used in 1..=2 {
                assert!(plane.limits().check(&[limited()]).await.unwrap().unwrap().allowed);
                assert_eq!(number(bench, "GET ade:ratelimit:tasks:create:user-123").await, used);
            }
            assert!((1..=61).contains(&number(bench, "TTL ade:ratelimit:tasks:create:user-123").await));
            assert_eq!(number(bench, "INCR ade:ratelimit:tasks:create:user-123").await, 3);
            assert!(
                !plane.limits().check(&[limited()]).await.unwrap().unwrap().allowed,
                "an old client counts too"
            );
        },
    )
    .await;
}

#[tokio::test]
async fn ade_lock_rate_limit() {
    both_directions(
        FamilyId::AdeLockRateLimit,
        async |bench| {
            let plane = plane(bench, &["a"]).await;
            bench.cli("SET ade:config:lock:acquire_limit 2").await;
            bench.cli("INCRBY ade:ratelimit:lock:acquire:a 2").await;
            bench.cli("EXPIRE ade:ratelimit:lock:acquire:a 60").await;
            let no = refused(plane.locks().acquire(&request("a", "name:x")).await.unwrap());
            assert_eq!(no.code, "rate_limited");
        },
        async |bench| {
            take(&plane(bench, &["a"]).await, "a", "name:x").await;
            assert_eq!(number(bench, "GET ade:ratelimit:lock:acquire:a").await, 1);
            assert!((1..=60).contains(&number(bench, "TTL ade:ratelimit:lock:acquire:a").await));
        },
    )
    .await;
}

#[tokio::test]
async fn reverie_seen() {
    let (scope, content) = (ContentHash::parse("9f86d081884c7d65").unwrap(), content_hash(b"text"));
    both_directions(
        FamilyId::ReverieSeen,
        async |bench| {
            let plane = plane(bench, &[]).await;
            let now = plane.store().time().await.unwrap().seconds();
            bench.cli(&format!("ZADD seen:{scope} {} {content}", now - 10)).await;
            let seen = plane.dedupe().check(&scope, &content, DEFAULT_WINDOW).await.unwrap().unwrap();
            assert_eq!((seen.first, seen.seen_at as u64), (false, now - 10));
        },
        async |bench| {
            let plane = plane(bench, &[]).await;
            assert!(plane.dedupe().check(&scope, &content, DEFAULT_WINDOW).await.unwrap().unwrap().first);
            let score =
                String::from_redis_value(bench.cli(&format!("ZSCORE seen:{scope} {content}")).await).unwrap();
            let now = plane.store().time().await.unwrap().seconds();
            assert!(score.parse::<f64>().unwrap() as u64 + 5 >= now, "Unix seconds: {score}");
            assert_eq!(
                number(bench, &format!("ZREMRANGEBYSCORE seen:{scope} -inf {}", now - 86_400)).await,
                0
            );
        },
    )
    .await;
}

#[tokio::test]
async fn reverie_counter() {
    let name = MetricId::parse("coord_messages_sent_total").unwrap();
    both_directions(
        FamilyId::ReverieCounter,
        async |bench| {
            bench.cli("INCR metrics:coord_messages_sent_total").await;
            let plane = plane(bench, &[]).await;
            assert_eq!(plane.metrics().ls().await.unwrap()["coord_messages_sent_total"], Some(1));
            assert_eq!(plane.metrics().incr(&name, 1).await.unwrap().unwrap(), 2);
        },
        async |bench| {
            plane(bench, &[]).await.metrics().incr(&name, 41).await.unwrap().unwrap();
            assert_eq!(number(bench, "INCR metrics:coord_messages_sent_total").await, 42);
        },
    )
    .await;
}
