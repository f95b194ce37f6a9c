//! The studio's stores against the seed's own commands, in both directions.

use quorate_catalog::FamilyId;
use quorate_plane::services::{EventFilter, Overall, Status, Took};
use quorate_store::{Notice, Topics};
use quorate_testkit::Bench;
use quorate_testkit::conformance::both_directions;
use serde_json::{Value, json};

use super::support::{Fake, code, event, id, ingest, plane, register, task, text, texts, wanted};

const RECORD: &str = r#"{"service_id":"payments-api","name":"Payments","base_url":"https://payments.example.com","environment":"production","tags":["core"],"auth_mode":"internal_network","status":"healthy","capabilities":null,"last_seen_at":"2026-04-06T10:00:00Z","log_config":null,"theirs":12345678901234567890123}"#;

/// A service as the seed's backend registers it.
async fn theirs(bench: &Bench) {
    bench.cli(&format!("SET studio:services:by-id:payments-api '{RECORD}'")).await;
    bench.cli("SADD studio:services:all payments-api").await;
    bench.cli("SET studio:services:by-env-url:production:https://payments.example.com payments-api").await;
}

fn sample(event_id: &str, kind: &str, time: &str) -> Value {
    json!({ "task_id": "task-123", "event_type": "x", "source_kind": kind, "event_id": event_id, "timestamp": time })
}

#[tokio::test]
async fn relayna_service() {
    both_directions(
        FamilyId::RelaynaService,
        async |bench| {
            theirs(bench).await;
            let plane = plane(bench);
            let shown = plane.services().show(&id("payments-api")).await.unwrap().unwrap();
            assert_eq!(
                (shown.status, shown.tags, shown.environment.as_str()),
                (Status::Healthy, vec!["core".to_owned()], "production")
            );
            let change = quorate_plane::services::Change { name: Some("P".into()), ..Default::default() };
            plane.services().update(&id("payments-api"), &change).await.unwrap().unwrap();
            let kept = text(bench, "GET studio:services:by-id:payments-api").await;
            assert!(kept.contains("12345678901234567890123"), "what only they know stays: {kept}");
        },
        async |bench| {
            register(&plane(bench), "payments-api", "https://payments.example.com").await;
            let kept: Value =
                serde_json::from_str(&text(bench, "GET studio:services:by-id:payments-api").await).unwrap();
            assert_eq!(
                (&kept["service_id"], &kept["status"], &kept["tags"]),
                (&json!("payments-api"), &json!("registered"), &json!([]))
            );
            assert_eq!(
                (&kept["auth_mode"], &kept["capabilities"]),
                (&json!("internal_network"), &Value::Null)
            );
        },
    )
    .await;
}

#[tokio::test]
async fn relayna_service_index() {
    both_directions(
        FamilyId::RelaynaServiceIndex,
        async |bench| {
            theirs(bench).await;
            let all = plane(bench).services().ls(None).await.unwrap();
            assert_eq!(all[0].service_id, "payments-api");
        },
        async |bench| {
            register(&plane(bench), "payments-api", "https://payments.example.com").await;
            assert_eq!(texts(bench, "SMEMBERS studio:services:all").await, ["payments-api"]);
        },
    )
    .await;
}

#[tokio::test]
async fn relayna_service_by_url() {
    both_directions(
        FamilyId::RelaynaServiceByUrl,
        async |bench| {
            theirs(bench).await;
            let mut same = wanted("other", "https://payments.example.com");
            same.environment = "production".parse().unwrap();
            let refused = plane(bench).services().register(&same).await.unwrap();
            assert_eq!(code(&refused), "url_taken");
            // What their client leaves that dies between its writes is not in the way.
            bench.cli("DEL studio:services:by-id:payments-api").await;
            bench.cli("SREM studio:services:all payments-api").await;
            plane(bench).services().register(&same).await.unwrap().unwrap();
        },
        async |bench| {
            register(&plane(bench), "payments-api", "https://payments.example.com:8443/api/").await;
            let owner = text(
                bench,
                "SET studio:services:by-env-url:dev:https://payments.example.com:8443/api other NX",
            )
            .await;
            assert_eq!(owner, "", "their client finds it taken");
        },
    )
    .await;
}

#[tokio::test]
async fn relayna_studio_event() {
    both_directions(
        FamilyId::RelaynaStudioEvent,
        async |bench| {
            theirs(bench).await;
            bench.cli("SET studio:events:event:payments-api:status:evt-0001 '{}' NX EX 86400").await;
            let again =
                ingest(&plane(bench), "payments-api", sample("evt-0001", "status", "2026-04-06T10:00:00Z"))
                    .await;
            assert_eq!(again, Took::Duplicate);
        },
        async |bench| {
            theirs(bench).await;
            ingest(&plane(bench), "payments-api", sample("evt-0001", "status", "2026-04-06T10:00:00Z")).await;
            let kept: Value = serde_json::from_str(
                &text(bench, "GET studio:events:event:payments-api:status:evt-0001").await,
            )
            .unwrap();
            assert_eq!(
                (&kept["service_id"], &kept["ingest_method"], &kept["out_of_order"]),
                (&json!("payments-api"), &json!("push"), &json!(false))
            );
            assert_eq!(
                (&kept["dedupe_key"], &kept["payload"]),
                (&json!("payments-api:status:evt-0001"), &json!({}))
            );
            let ttl: i64 =
                text(bench, "TTL studio:events:event:payments-api:status:evt-0001").await.parse().unwrap();
            assert!((86_390..=86_400).contains(&ttl));
        },
    )
    .await;
}

/// Events as the seed's backend keeps them.
async fn their_events(bench: &Bench, list: &str) -> Vec<String> {
    theirs(bench).await;
    for number in 1..=2 {
        let name = format!("payments-api:status:evt-{number}");
        let event = json!({ "service_id": "payments-api", "ingest_method": "pull", "ingested_at": "2026-04-06T10:00:00+00:00", "dedupe_key": name,
            "out_of_order": false, "task_id": "task-123", "event_type": "status.queued", "source_kind": "status", "payload": {} });
        bench.cli(&format!("SET studio:events:event:{name} '{event}' NX EX 86400")).await;
        bench.cli(&format!("LPUSH {list} {name}")).await;
    }
    let task = list.contains(":task:").then(|| task("task-123"));
    let filter = EventFilter { task, ..EventFilter::default() };
    let page = plane(bench).services().events(&id("payments-api"), &filter, None, 10).await.unwrap().unwrap();
    page.items.iter().map(|event| event.text("dedupe_key").to_owned()).collect()
}

#[tokio::test]
async fn relayna_service_history() {
    both_directions(
        FamilyId::RelaynaServiceHistory,
        async |bench| {
            let seen = their_events(bench, "studio:events:service:payments-api:history").await;
            assert_eq!(seen, ["payments-api:status:evt-2", "payments-api:status:evt-1"]);
        },
        async |bench| {
            theirs(bench).await;
            ingest(&plane(bench), "payments-api", event(1)).await;
            assert_eq!(
                texts(bench, "LRANGE studio:events:service:payments-api:history 0 -1").await,
                ["payments-api:status:e1"]
            );
        },
    )
    .await;
}

#[tokio::test]
async fn relayna_service_task_history() {
    both_directions(
        FamilyId::RelaynaServiceTaskHistory,
        async |bench| {
            let seen = their_events(bench, "studio:events:task:payments-api:task-123:history").await;
            assert_eq!(seen, ["payments-api:status:evt-2", "payments-api:status:evt-1"]);
        },
        async |bench| {
            theirs(bench).await;
            ingest(&plane(bench), "payments-api", sample("e1", "status", "2026-04-06T10:00:00Z")).await;
            assert_eq!(
                texts(bench, "LRANGE studio:events:task:payments-api:task-123:history 0 -1").await,
                ["payments-api:status:e1"]
            );
        },
    )
    .await;
}

#[tokio::test]
async fn relayna_service_task_latest() {
    both_directions(
        FamilyId::RelaynaServiceTaskLatest,
        async |bench| {
            theirs(bench).await;
            bench
                .cli(
                    "SET studio:events:task:payments-api:task-123:latest-timestamp 2026-04-06T12:00:00+02:00",
                )
                .await;
            let older =
                ingest(&plane(bench), "payments-api", sample("e1", "status", "2026-04-06T09:59:59")).await;
            assert_eq!(older, Took::Late);
        },
        async |bench| {
            theirs(bench).await;
            ingest(&plane(bench), "payments-api", sample("e1", "status", "2026-04-06T12:00:00+02:00")).await;
            assert_eq!(
                text(bench, "GET studio:events:task:payments-api:task-123:latest-timestamp").await,
                "2026-04-06T12:00:00+02:00"
            );
        },
    )
    .await;
}

async fn latest(family: FamilyId, kind: &str, key: &str) {
    both_directions(
        family,
        async |bench| {
            theirs(bench).await;
            bench.cli(&format!("SET {key} 2026-04-06T10:00:00Z")).await;
            let known = plane(bench).services().activity(&id("payments-api")).await.unwrap();
            let all =
                [known.latest_status_event_at, known.latest_observation_event_at, known.latest_ingested_at];
            assert_eq!(all.into_iter().flatten().collect::<Vec<_>>(), ["2026-04-06T10:00:00Z"]);
        },
        async |bench| {
            theirs(bench).await;
            let plane = plane(bench);
            for (number, time) in ["2026-04-06T10:00:00Z", "2026-04-06T09:00:00Z"].iter().enumerate() {
                ingest(&plane, "payments-api", sample(&format!("e{number}"), kind, time)).await;
            }
            let kept = text(bench, &format!("GET {key}")).await;
            let newest = if key.ends_with("ingested-timestamp") {
                kept.len() == 27
            } else {
                kept == "2026-04-06T10:00:00Z"
            };
            assert!(newest, "{kept}: an older one does not take its place");
        },
    )
    .await;
}

#[tokio::test]
async fn relayna_service_latest_status() {
    latest(
        FamilyId::RelaynaServiceLatestStatus,
        "status",
        "studio:events:service:payments-api:latest-status-timestamp",
    )
    .await;
}

#[tokio::test]
async fn relayna_service_latest_observation() {
    let key = "studio:events:service:payments-api:latest-observation-timestamp";
    latest(FamilyId::RelaynaServiceLatestObservation, "observation", key).await;
}

#[tokio::test]
async fn relayna_service_latest_ingested() {
    latest(
        FamilyId::RelaynaServiceLatestIngested,
        "status",
        "studio:events:service:payments-api:latest-ingested-timestamp",
    )
    .await;
}

#[tokio::test]
async fn relayna_pull_cursor() {
    both_directions(
        FamilyId::RelaynaPullCursor,
        async |bench| {
            let (plane, fake) = (plane(bench), Fake::start().await);
            register(&plane, "payments-api", &fake.url()).await;
            fake.reports(0, 5);
            bench.cli("SET studio:events:pull-cursor:payments-api c2").await;
            let pulled = plane.services().pull(&id("payments-api")).await.unwrap().unwrap();
            assert_eq!((pulled.events.inserted, pulled.gap), (2, false), "only what is newer");
        },
        async |bench| {
            let (plane, fake) = (plane(bench), Fake::start().await);
            register(&plane, "payments-api", &fake.url()).await;
            fake.reports(0, 5);
            plane.services().pull(&id("payments-api")).await.unwrap().unwrap();
            assert_eq!(text(bench, "GET studio:events:pull-cursor:payments-api").await, "c4");
        },
    )
    .await;
}

async fn channel(family: FamilyId, name: &'static str) {
    let hear = async |bench: &Bench, say: &mut dyn AsyncSay| {
        let mut channel = bench.scope.store.subscribe(Topics::channels([name])).await.unwrap();
        say.say(bench).await;
        match channel.next().await {
            Notice::Message { payload, .. } => serde_json::from_slice::<Value>(&payload).unwrap(),
            other => panic!("{other:?}"),
        }
    };
    both_directions(
        family,
        async |bench| {
            let heard = hear(bench, &mut Theirs(name)).await;
            assert_eq!(heard["task_id"], "task-123");
        },
        async |bench| {
            theirs(bench).await;
            let heard = hear(bench, &mut Ours).await;
            assert_eq!((&heard["event_id"], &heard["service_id"]), (&json!("e1"), &json!("payments-api")));
        },
    )
    .await;
}

/// Somebody who publishes.
trait AsyncSay {
    fn say<'a>(&'a mut self, bench: &'a Bench) -> futures_util::future::BoxFuture<'a, ()>;
}

struct Theirs(&'static str);
struct Ours;

impl AsyncSay for Theirs {
    fn say<'a>(&'a mut self, bench: &'a Bench) -> futures_util::future::BoxFuture<'a, ()> {
        Box::pin(async move {
            bench.cli(&format!("PUBLISH {} '{{\"task_id\":\"task-123\"}}'", self.0)).await;
        })
    }
}

impl AsyncSay for Ours {
    fn say<'a>(&'a mut self, bench: &'a Bench) -> futures_util::future::BoxFuture<'a, ()> {
        Box::pin(async move {
            ingest(&plane(bench), "payments-api", sample("e1", "status", "2026-04-06T10:00:00Z")).await;
        })
    }
}

/// A subscriber of the seed hears ours; that our live stream hears the seed's is shown where that is.
#[tokio::test]
async fn relayna_service_channel() {
    channel(FamilyId::RelaynaServiceChannel, "studio:events:channel:service:payments-api").await;
}

#[tokio::test]
async fn relayna_service_task_channel() {
    channel(FamilyId::RelaynaServiceTaskChannel, "studio:events:channel:task:payments-api:task-123").await;
}

#[tokio::test]
async fn relayna_service_health() {
    both_directions(
        FamilyId::RelaynaServiceHealth,
        async |bench| {
            theirs(bench).await;
            let kept = r#"{"service_id":"payments-api","registry_status":"healthy","http_status":{"state":"unreachable","checked_at":"2026-04-06T10:00:00Z","error_detail":"boom"},"last_checked_at":"2026-04-06T10:00:00Z","overall_status":"unreachable"}"#;
            bench.cli(&format!("SET studio:health:payments-api '{kept}'")).await;
            let health = plane(bench).services().health(&id("payments-api")).await.unwrap().unwrap();
            assert_eq!((health.overall_status, health.http_status.error_detail.as_deref()), (Overall::Unreachable, Some("boom")));
        },
        async |bench| {
            let (plane, fake) = (plane(bench), Fake::start().await);
            register(&plane, "payments-api", &fake.url()).await;
            plane.services().check(&id("payments-api")).await.unwrap().unwrap();
            let kept: Value = serde_json::from_str(&text(bench, "GET studio:health:payments-api").await).unwrap();
            assert_eq!((&kept["service_id"], &kept["registry_status"]), (&json!("payments-api"), &json!("healthy")));
            assert_eq!((&kept["http_status"]["state"], &kept["overall_status"]), (&json!("reachable"), &json!("unknown")));
            assert_eq!((&kept["capability_status"]["state"], &kept["worker_health"]["state"]), (&json!("fresh"), &json!("unsupported")));
        },
    )
    .await;
}
