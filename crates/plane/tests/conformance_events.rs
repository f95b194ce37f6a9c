//! Streams, observations and logs against the seeds' own commands, in both directions.

use std::time::Duration;

use crate::support::plane;
use quorate_catalog::FamilyId;
use quorate_catalog::ids::{EventType, LogServiceId};
use quorate_plane::events::{Event, Gate, Note, Observation, Read, Scrape, Stream, Wake};
use quorate_plane::logs::{Filter, Level, Record};
use quorate_store::{Notice, Topics};
use quorate_testkit::Bench;
use quorate_testkit::conformance::both_directions;

async fn shown(bench: &Bench, line: &str) -> String {
    format!("{:?}", bench.cli(line).await)
}

/// We read what the seed's own XADD wrote, as a group and without one.
async fn reads(bench: &Bench, stream: Stream, field: &str, value: &str) {
    let plane = plane(bench, &[]).await;
    let batch = plane.events().read(&Read::new(stream, "observability", "c")).await.unwrap().unwrap();
    assert_eq!((batch.entries.len(), batch.entries[0].field(field)), (1, Some(value)));
    assert_eq!(plane.events().newest(stream, 5).await.unwrap()[0].field(field), Some(value));
}

/// The seed's own reader, in a group of its own, gets what we wrote.
async fn is_read(bench: &Bench, stream: Stream, words: &[&str]) {
    bench.cli(&format!("XGROUP CREATE {stream} forensics 0")).await;
    let found = shown(bench, &format!("XREADGROUP GROUP forensics c COUNT 10 STREAMS {stream} >")).await;
    for word in words {
        assert!(found.contains(word), "{word} in {found}");
    }
}

fn event() -> Event {
    Event {
        event: "task:state_changed".into(),
        payload: "{\"task_id\":\"t1\"}".into(),
        source: "api-server-01".into(),
    }
}

#[tokio::test]
async fn reverie_events() {
    both_directions(
        FamilyId::ReverieEvents,
        async |bench| {
            bench.cli("XADD events:all MAXLEN ~ 10000 * kind hello from 4711").await;
            reads(bench, Stream::All, "kind", "hello").await;
        },
        async |bench| {
            plane(bench, &[]).await.events().publish(Stream::All, &[event()]).await.unwrap().unwrap();
            is_read(bench, Stream::All, &["task:state_changed", "api-server-01"]).await;
        },
    )
    .await;
}

#[tokio::test]
async fn ade_events() {
    both_directions(
        FamilyId::AdeEvents,
        async |bench| {
            for about in ["task", "approval", "lock"] {
                bench
                    .cli(&format!(
                        "XADD ade:events:{about} * event {about}:changed timestamp 2026-03-18T15:30:00Z payload '{{\"task_id\":\"t\"}}' source api"
                    ))
                    .await;
                let stream: Stream = about.parse().unwrap();
                reads(bench, stream, "event", &format!("{about}:changed")).await;
            }
        },
        async |bench| {
            let plane = plane(bench, &[]).await;
            for about in [EventType::Task, EventType::Approval, EventType::Lock] {
                plane.events().publish(Stream::Ade(about), &[event()]).await.unwrap().unwrap();
                is_read(bench, Stream::Ade(about), &["event", "timestamp", "payload", "source", "{\\\"task_id\\\":\\\"t1\\\"}"]).await;
            }
        },
    )
    .await;
}

#[tokio::test]
async fn ade_event_groups() {
    both_directions(
        FamilyId::AdeEventGroup,
        async |bench| {
            bench.cli("XADD ade:events:task * event a timestamp t payload {} source s").await;
            for group in ["notification-service", "audit-logger", "webhook-dispatcher", "analytics-pipeline"]
            {
                bench.cli(&format!("XGROUP CREATE ade:events:task {group} 0")).await;
            }
            let plane = plane(bench, &[]).await;
            assert_eq!(plane.events().groups(Some(Stream::Ade(EventType::Task))).await.unwrap().len(), 4);
            let batch = plane
                .events()
                .read(&Read::new(Stream::Ade(EventType::Task), "audit-logger", "c"))
                .await
                .unwrap()
                .unwrap();
            assert_eq!(batch.entries.len(), 1);
        },
        async |bench| {
            let plane = plane(bench, &[]).await;
            let stream = Stream::Ade(EventType::Task);
            plane.events().publish(stream, &[event()]).await.unwrap().unwrap();
            let batch =
                plane.events().read(&Read::new(stream, "audit-logger", "ours")).await.unwrap().unwrap();
            assert!(shown(bench, "XINFO GROUPS ade:events:task").await.contains("audit-logger"));
            assert!(shown(bench, "XPENDING ade:events:task audit-logger - + 10").await.contains("ours"));
            let id = &batch.entries[0].id;
            assert_eq!(
                bench.cli(&format!("XACK ade:events:task audit-logger {id}")).await,
                quorate_store::Value::Int(1)
            );
        },
    )
    .await;
}

fn wake(pseudoagent: bool) -> Wake {
    Wake {
        waker: "anchor".into(),
        target: "w1".into(),
        method: "redis_xadd".into(),
        fence: Some(7),
        payload: b"hello".to_vec(),
        reason: "stuck".into(),
        pseudoagent,
    }
}

#[tokio::test]
async fn reverie_wake_audits() {
    for (family, stream, pseudoagent) in [
        (FamilyId::ReverieWakeAudit, Stream::Wake, false),
        (FamilyId::ReveriePseudoagentWakeAudit, Stream::PseudoagentWake, true),
    ] {
        both_directions(
            family,
            async |bench| {
                bench
                    .cli(&format!("XADD {stream} MAXLEN ~ 10000 * ts 1 waker a target b method http_post fence 3 payload_sha256 00 reason r"))
                    .await;
                reads(bench, stream, "target", "b").await;
            },
            async |bench| {
                plane(bench, &[]).await.events().wake(&wake(pseudoagent), async |_| ()).await.unwrap().unwrap();
                is_read(bench, stream, &["waker", "anchor", "redis_xadd", "fence", "payload_sha256", "stuck"]).await;
            },
        )
        .await;
    }
}

#[tokio::test]
async fn reverie_environment_log_and_scrapes() {
    both_directions(
        FamilyId::ReverieEnvironmentLog,
        async |bench| {
            bench.cli("XADD reverie:env:log MAXLEN ~ 10000 * level warn msg disk").await;
            reads(bench, Stream::Environment, "msg", "disk").await;
        },
        async |bench| {
            let note = Note {
                level: "info",
                event: "plane:started".into(),
                msg: "up".into(),
                fields: String::new(),
            };
            plane(bench, &[]).await.events().note(&note).await.unwrap().unwrap();
            is_read(bench, Stream::Environment, &["plane:started", "level", "info"]).await;
        },
    )
    .await;
    both_directions(
        FamilyId::ReverieScrapeAudit,
        async |bench| {
            bench.cli("XADD meshctl:prom:audit MAXLEN ~ 10000 * status 200 scraper prom").await;
            reads(bench, Stream::Scrapes, "status", "200").await;
        },
        async |bench| {
            let scrape = Scrape { scraper: "prom".into(), status: 200, duration_ms: 3, series: 42 };
            plane(bench, &[]).await.events().scraped(&scrape).await.unwrap().unwrap();
            is_read(bench, Stream::Scrapes, &["prom", "200", "42"]).await;
        },
    )
    .await;
}

#[tokio::test]
async fn reverie_observations() {
    let observation = || Observation { content: "full".into(), topic: "disk".into(), source: "a".into() };
    both_directions(
        FamilyId::ReveriePendingObservations,
        async |bench| {
            bench.cli("XADD observations:queue:pending MAXLEN ~ 10000 * content odd").await;
            let plane = plane(bench, &[]).await;
            let batch =
                plane.observations().read("consolidator", "c", 10, Duration::ZERO).await.unwrap().unwrap();
            assert_eq!(batch.entries[0].field("content"), Some("odd"));
        },
        async |bench| {
            plane(bench, &[]).await.observations().submit(&observation()).await.unwrap().unwrap();
            is_read(bench, Stream::Pending, &["content", "full", "disk"]).await;
        },
    )
    .await;
    both_directions(
        FamilyId::ReverieDeadObservations,
        async |bench| {
            bench.cli("XADD observations:queue:dead MAXLEN ~ 10000 * content odd reason bad").await;
            let plane = plane(bench, &[]).await;
            let dead = plane.observations().newest(true, 5).await.unwrap();
            assert_eq!(dead[0].field("reason"), Some("bad"));
            plane.observations().revive(&dead[0].id).await.unwrap().unwrap();
        },
        async |bench| {
            let plane = plane(bench, &[]).await;
            plane.observations().submit(&observation()).await.unwrap().unwrap();
            let again = plane.observations().submit(&observation()).await.unwrap().unwrap();
            assert!(matches!(again, Gate::Rejected { .. }));
            is_read(bench, Stream::Dead, &["content", "full", "reason", "duplicate"]).await;
        },
    )
    .await;
}

#[tokio::test]
async fn reverie_logs() {
    let service = LogServiceId::parse("coord").unwrap();
    let record = || Record::new("coord", Level::Warn, "lock", "slow");
    both_directions(
        FamilyId::ReverieLogStream,
        async |bench| {
            bench.cli("XADD logs:stream:coord MAXLEN ~ 10000 * v 0 ts 2026-04-09T10:00:00Z service coord host h level error pid 7 target t msg gone fields {}").await;
            let plane = plane(bench, &[]).await;
            let (records, _) = plane.logs().tail(&[], 10, None, &Filter::default()).await.unwrap();
            assert_eq!((records[0].level, records[0].msg.as_str(), records[0].pid), (Level::Error, "gone", 7));
            assert_eq!(plane.logs().services().await.unwrap()[0].service, "coord");
        },
        async |bench| {
            plane(bench, &[]).await.logs().emit(&service, &[record()]).await.unwrap();
            let found = shown(bench, "XREVRANGE logs:stream:coord + - COUNT 1").await;
            for word in ["'v'", "ts", "service", "host", "warn", "pid", "target", "slow", "fields"] {
                assert!(found.contains(word.trim_matches('\'')), "{word} in {found}");
            }
        },
    )
    .await;
    both_directions(
        FamilyId::ReverieLogChannel,
        async |bench| {
            // A message is a hint: what a foreign logger published is found in the stream it wrote beside it.
            let mut heard = bench.scope.store.subscribe(Topics::channels(["logs.coord.info"])).await.unwrap();
            bench.cli("PUBLISH logs.coord.info '{\"v\":0,\"msg\":\"hi\"}'").await;
            assert!(matches!(heard.next().await, Notice::Message { payload, .. } if payload.starts_with(b"{\"v\":0")));
        },
        async |bench| {
            let mut heard = bench.scope.store.subscribe(Topics::patterns(["logs.coord.*"])).await.unwrap();
            plane(bench, &[]).await.logs().emit(&service, &[record()]).await.unwrap();
            let Notice::Message { channel, payload, .. } = heard.next().await else { panic!("a message") };
            let envelope: serde_json::Value = serde_json::from_slice(&payload).unwrap();
            assert_eq!((channel.as_str(), &envelope["msg"]), ("logs.coord.warn", &"slow".into()));
        },
    )
    .await;
}
