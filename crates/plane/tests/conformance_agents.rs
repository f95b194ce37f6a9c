//! Agents against the seeds' own commands: what they write we read, and what we write they read.

use quorate_catalog::ids::AgentId;
use quorate_catalog::{FamilyId, Key, Keys};
use quorate_plane::Plane;
use quorate_plane::agents::{Label, Query, Registration};
use quorate_store::Micros;
use quorate_testkit::Bench;
use quorate_testkit::conformance::both_directions;

fn plane(bench: &Bench) -> Plane {
    Plane::new(bench.scope.clone()).unwrap()
}

fn id(text: &str) -> AgentId {
    AgentId::parse(text).unwrap()
}

fn family(key: &Key) -> FamilyId {
    key.family()
}

async fn text(bench: &Bench, line: &str) -> String {
    redis::from_redis_value::<Option<String>>(bench.cli(line).await).unwrap().unwrap_or_default()
}

async fn number(bench: &Bench, line: &str) -> f64 {
    text(bench, line).await.parse().unwrap()
}

async fn now(bench: &Bench) -> f64 {
    bench.scope.store.time().await.unwrap().get() as f64 / 1e6
}

async fn register(bench: &Bench) {
    let wanted = Registration {
        task: Some("review".into()),
        capabilities: vec!["rust".parse().unwrap()],
        max_tasks: Some(10),
        kind: Some("planner".into()),
        blob: Some(quorate_plane::json::Object::parse(r#"{"host":"h1"}"#).unwrap()),
        ..Registration::new(id("4711"))
    };
    plane(bench).agents().register(&wanted).await.unwrap().unwrap();
}

#[tokio::test]
async fn reverie_session() {
    let keys = Keys::default();
    both_directions(
        family(&keys.reverie().session(&id("4711"))),
        async |bench| {
            let at = now(bench).await as u64;
            let line = format!(
                r#"HSET sessions:4711 task 'fix the build' status in_progress last_heartbeat {at} blob '{{"cwd":"/src"}}' registered_at {at} capabilities '["rust"]'"#
            );
            bench.cli(&line).await;
            bench.cli("EXPIRE sessions:4711 600").await;
            let seen = plane(bench).agents().show(&id("4711")).await.unwrap().unwrap();
            assert_eq!((seen.task.as_deref(), seen.status.as_deref()), (Some("fix the build"), Some("in_progress")));
            assert_eq!((seen.label, seen.last_heartbeat), (Label::Online, Some(at as f64)));
            assert_eq!((seen.blob.unwrap()["cwd"].as_str(), seen.capabilities), (Some("/src"), vec!["rust".to_owned()]));
            register(bench).await;
            assert_eq!(text(bench, "HGET sessions:4711 status").await, "in_progress", "what we do not state stays");
            assert_eq!(text(bench, "HGET sessions:4711 blob").await, r#"{"cwd":"/src","host":"h1"}"#);
        },
        async |bench| {
            register(bench).await;
            assert_eq!(text(bench, "TYPE sessions:4711").await, "hash");
            assert_eq!(text(bench, "HGET sessions:4711 task").await, "review");
            assert_eq!(text(bench, "HGET sessions:4711 blob").await, r#"{"host":"h1"}"#);
            assert_eq!(text(bench, "HGET sessions:4711 capabilities").await, r#"["rust"]"#);
            for field in ["last_heartbeat", "registered_at"] {
                let at = number(bench, &format!("HGET sessions:4711 {field}")).await;
                assert!((now(bench).await - at).abs() < 5.0, "{field} is in Unix seconds");
            }
            assert!((590.0..=600.0).contains(&number(bench, "TTL sessions:4711").await));
        },
    )
    .await;
}

#[tokio::test]
async fn reverie_session_index() {
    let keys = Keys::default();
    both_directions(
        family(&keys.reverie().session_index()),
        async |bench| {
            let at = now(bench).await as u64;
            for (pid, ago) in [("4711", 10), ("4712", 400)] {
                bench.cli(&format!("HSET sessions:{pid} last_heartbeat {}", at - ago)).await;
                bench.cli(&format!("ZADD sessions:index {} {pid}", at - ago)).await;
            }
            let names = async |live| {
                let page =
                    plane(bench).agents().ls(&Query { live, limit: 9, ..Query::default() }).await.unwrap();
                page.agents.into_iter().map(|agent| agent.agent).collect::<Vec<_>>()
            };
            assert_eq!(names(false).await, ["4712", "4711"]);
            assert_eq!(names(true).await, ["4711"]);
        },
        async |bench| {
            register(bench).await;
            let since = now(bench).await as u64 - 300;
            let live: Vec<String> = redis::from_redis_value(
                bench.cli(&format!("ZRANGEBYSCORE sessions:index {since} +inf")).await,
            )
            .unwrap();
            assert_eq!(live, ["4711"]);
            plane(bench).agents().deregister(&id("4711"), None).await.unwrap().unwrap();
            assert_eq!(number(bench, "ZCARD sessions:index").await, 0.0);
        },
    )
    .await;
}

#[tokio::test]
async fn skynet_presence() {
    let keys = Keys::default();
    both_directions(
        family(&keys.skynet().presence(&id("claude_cli"))),
        async |bench| {
            bench.cli("SETEX presence:claude_cli 60 online").await;
            bench.cli(&format!("HSET sessions:claude_cli last_heartbeat {}", now(bench).await)).await;
            let seen = plane(bench).agents().show(&id("claude_cli")).await.unwrap().unwrap();
            assert_eq!(seen.presence.as_deref(), Some("online"));
            plane(bench).agents().register(&Registration::new(id("claude_cli"))).await.unwrap().unwrap();
        },
        async |bench| {
            register(bench).await;
            assert_eq!(text(bench, "GET presence:4711").await, "online");
            assert!((55.0..=60.0).contains(&number(bench, "TTL presence:4711").await));
            bench.cli("EXPIRE presence:4711 5").await;
            plane(bench).agents().heartbeat(&id("4711"), None).await.unwrap().unwrap();
            assert!(number(bench, "TTL presence:4711").await > 50.0, "a heartbeat renews it");
            plane(bench).agents().deregister(&id("4711"), None).await.unwrap().unwrap();
            assert_eq!(text(bench, "GET presence:4711").await, "", "a missing key means offline");
        },
    )
    .await;
}

#[tokio::test]
async fn ade_agent_capacity() {
    let keys = Keys::default();
    both_directions(
        family(&keys.ade().agent_capacity(&id("agent-123"))),
        async |bench| {
            bench
                .cli(
                    "HSET ade:lock:agent:agent-123:capacity max_tasks 10 active_tasks 3 queued_tasks 1 \
                     last_heartbeat \"2026-03-18T15:30:00Z\" status \"active\"",
                )
                .await;
            plane(bench).agents().register(&Registration::new(id("agent-123"))).await.unwrap().unwrap();
            let seen = plane(bench).agents().show(&id("agent-123")).await.unwrap().unwrap().capacity.unwrap();
            assert_eq!((seen.max_tasks, seen.active_tasks, seen.queued_tasks), (Some(10), 3, 1));
            assert_eq!(seen.status.as_deref(), Some("active"));
        },
        async |bench| {
            register(bench).await;
            let key = "ade:lock:agent:4711:capacity";
            for (field, value) in
                [("max_tasks", "10"), ("active_tasks", "0"), ("queued_tasks", "0"), ("status", "active")]
            {
                assert_eq!(text(bench, &format!("HGET {key} {field}")).await, value, "{field}");
            }
            let heard = text(bench, &format!("HGET {key} last_heartbeat")).await;
            assert!(Micros::parse_iso(&heard).is_some(), "{heard}");
            assert_eq!(number(bench, &format!("TTL {key}")).await, -1.0, "persistent");
            plane(bench).agents().drain(&id("4711"), None, "x").await.unwrap().unwrap();
            assert_eq!(text(bench, &format!("HGET {key} status")).await, "draining");
            plane(bench).agents().deregister(&id("4711"), None).await.unwrap().unwrap();
            assert_eq!(number(bench, &format!("EXISTS {key}")).await, 0.0, "cleaned up on deregistration");
        },
    )
    .await;
}
