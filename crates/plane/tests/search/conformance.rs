//! The eight families of the search against the seed's own commands, in both directions, and against a client in
//! Relayna's shape written with redis-py.

use std::process::Command;

use quorate_catalog::FamilyId;
use quorate_plane::invariants;
use quorate_plane::search::{ServiceQuery, Sighting, TaskQuery};
use quorate_testkit::conformance::both_directions;
use quorate_testkit::{Bench, check_verbatim};
use serde_json::{Value, json};

use super::support::{by_status, found, id, note, plane, search, seen, service, text, texts};

const DOCUMENT: &str = "eyJzZXJ2aWNlX2lkIjoicGF5bWVudHMtYXBpIiwidGFza19pZCI6InRhc2stMTIzIn0=";

/// A task document with its sets, as Relayna writes them one by one.
async fn relayna_writes(bench: &Bench) {
    let document = json!({ "service_id": "payments-api", "service_name": "Payments", "environment": "production",
        "task_id": "task-123", "correlation_id": "order-7", "status": "completed", "stage": null,
        "first_seen_at": "2026-04-06T08:00:00Z", "last_seen_at": "2026-04-06T08:00:00.500000Z",
        "detail_path": "/studio/tasks/payments-api/task-123", "expires_at": "2999-01-01T00:00:00Z" });
    bench.cli(&format!("SET studio:search:task:doc:{DOCUMENT} '{document}'")).await;
    for set in [
        "all",
        "service:payments-api",
        "filter:service_id:payments-api",
        "filter:task_id:task-123",
        "filter:correlation_id:order-7",
        "filter:status:completed",
    ] {
        bench.cli(&format!("SADD studio:search:task:{set} {DOCUMENT}")).await;
    }
}

fn ours() -> Sighting {
    Sighting {
        correlation_id: Some("order-7".into()),
        stage: Some("fetch".into()),
        ..seen("payments-api", "task-123", "completed")
    }
}

/// Relayna writes and we find it by what `ask` says; we write, and the seed's command finds our document in that key.
async fn task_set(family: FamilyId, ask: TaskQuery, key: &str) {
    both_directions(
        family,
        async |bench| {
            relayna_writes(bench).await;
            let plane = plane(bench);
            if ask.service_id.is_none() {
                let page = search(&plane, &ask).await;
                assert_eq!((page.count, page.catching_up), (1, false), "{page:?}");
            }
            assert_eq!(found(&plane, &TaskQuery { limit: 5, ..ask }).await.0, ["task-123"]);
        },
        async |bench| {
            note(&plane(bench), &ours()).await;
            assert_eq!(texts(bench, &format!("SMEMBERS {key}")).await, [DOCUMENT]);
        },
    )
    .await;
}

#[tokio::test]
async fn relayna_task_documents() {
    let ask = TaskQuery { from: Some(quorate_store::Micros::new(0)), limit: 5, ..TaskQuery::default() };
    task_set(FamilyId::RelaynaTaskDocuments, ask, "studio:search:task:all").await;
}

#[tokio::test]
async fn relayna_task_filter() {
    task_set(
        FamilyId::RelaynaTaskFilter,
        by_status("completed"),
        "studio:search:task:filter:status:completed",
    )
    .await;
}

#[tokio::test]
async fn relayna_service_task_documents() {
    let ask = TaskQuery { service_id: Some("payments-api".into()), limit: 5, ..TaskQuery::default() };
    task_set(FamilyId::RelaynaServiceTaskDocuments, ask, "studio:search:task:service:payments-api").await;
}

#[tokio::test]
async fn relayna_task_document() {
    both_directions(
        FamilyId::RelaynaTaskDocument,
        async |bench| {
            relayna_writes(bench).await;
            let plane = plane(bench);
            note(&plane, &seen("payments-api", "task-123", "failed")).await;
            let query = TaskQuery { correlation_id: Some("order-7".into()), ..by_status("failed") };
            let known = search(&plane, &query).await.items.remove(0);
            assert_eq!(known.first_seen_at.as_deref(), Some("2026-04-06T08:00:00Z"), "what it knew stays");
            assert!(texts(bench, "SMEMBERS studio:search:task:filter:status:completed").await.is_empty());
        },
        async |bench| {
            note(&plane(bench), &ours()).await;
            let text = text(bench, &format!("GET studio:search:task:doc:{DOCUMENT}")).await;
            let document: Value = serde_json::from_str(&text).unwrap();
            assert_eq!((&document["status"], &document["stage"]), (&json!("completed"), &json!("fetch")));
            assert_eq!(document["detail_path"], "/studio/tasks/payments-api/task-123");
            for name in [
                "service_name",
                "environment",
                "first_seen_at",
                "last_seen_at",
                "latest_event_type",
                "latest_event_at",
                "latest_ingested_at",
                "expires_at",
            ] {
                assert!(document[name].is_string(), "{name}");
            }
        },
    )
    .await;
}

/// A service with its sets, as Relayna writes them one by one.
async fn relayna_registers(bench: &Bench) {
    let document = json!({ "service_id": "payments-api", "name": "Payments", "environment": "production",
        "tags": ["core"], "status": "healthy", "health_status": "healthy", "base_url": "https://p.example.com",
        "auth_mode": "none", "last_seen_at": null });
    bench.cli(&format!("SET studio:search:service:doc:payments-api '{document}'")).await;
    for set in [
        "all",
        "filter:environment:production",
        "filter:status:healthy",
        "filter:health:healthy",
        "filter:tag:core",
        "token:p",
        "token:pa",
        "token:pay",
    ] {
        bench.cli(&format!("SADD studio:search:service:{set} payments-api")).await;
    }
}

async fn service_set(family: FamilyId, ask: ServiceQuery, key: &str) {
    both_directions(
        family,
        async |bench| {
            relayna_registers(bench).await;
            let page =
                plane(bench).search().services(&ServiceQuery { limit: 5, ..ask }).await.unwrap().unwrap();
            assert_eq!((page.count, page.items[0].document.name.as_str()), (1, "Payments"));
        },
        async |bench| {
            let plane = plane(bench);
            plane.search().place(&id("payments-api"), &service("payments-api")).await.unwrap().unwrap();
            assert_eq!(texts(bench, &format!("SMEMBERS {key}")).await, ["payments-api"]);
        },
    )
    .await;
}

#[tokio::test]
async fn relayna_service_documents() {
    service_set(FamilyId::RelaynaServiceDocuments, ServiceQuery::default(), "studio:search:service:all")
        .await;
}

#[tokio::test]
async fn relayna_service_filter() {
    let ask = ServiceQuery { tag: Some("core".into()), ..ServiceQuery::default() };
    service_set(FamilyId::RelaynaServiceFilter, ask, "studio:search:service:filter:tag:core").await;
}

#[tokio::test]
async fn relayna_service_token() {
    let ask = ServiceQuery { query: Some("PAY".into()), ..ServiceQuery::default() };
    service_set(FamilyId::RelaynaServiceToken, ask, "studio:search:service:token:pay").await;
}

#[tokio::test]
async fn relayna_service_document() {
    both_directions(
        FamilyId::RelaynaServiceDocument,
        async |bench| {
            relayna_registers(bench).await;
            let plane = plane(bench);
            plane.search().place(&id("payments-api"), &service("payments-api")).await.unwrap().unwrap();
            assert!(texts(bench, "SMEMBERS studio:search:service:filter:status:healthy").await.is_empty());
            assert_eq!(texts(bench, "SMEMBERS studio:search:service:filter:health:healthy").await.len(), 1);
        },
        async |bench| {
            let plane = plane(bench);
            plane.search().place(&id("payments-api"), &service("payments-api")).await.unwrap().unwrap();
            let text = text(bench, "GET studio:search:service:doc:payments-api").await;
            let document: Value = serde_json::from_str(&text).unwrap();
            assert_eq!(document["tags"], json!(["core", "billing team"]));
            assert_eq!(document["base_url"], "https://payments-api.example.com");
        },
    )
    .await;
}

/// What the client answers.
fn client(bench: &Bench, asked: &Value) -> Value {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/search/relayna_search.py");
    let mut command = Command::new(quorate_testkit::python::python());
    let output = command.arg(script).arg(bench.node.url().reveal()).arg(asked.to_string()).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("JSON")
}

#[tokio::test]
async fn a_client_in_relaynas_shape_and_the_plane_find_each_others_tasks() {
    check_verbatim(&invariants(), async |bench| {
        let plane = plane(bench);
        note(&plane, &ours()).await;
        let theirs = json!({ "service_id": "mail", "service_name": "Mail", "environment": "production",
            "task_id": "t9", "status": "completed", "last_seen_at": "2026-04-06T08:00:00Z", "detail_path": "/x" });
        let told = client(bench, &json!([["put", theirs], ["find", { "status": "completed" }],
            ["find", { "status": "completed", "stage": "fetch", "service_id": "payments-api" }]]));
        assert_eq!(told, json!([null, ["t9", "task-123"], ["task-123"]]));
        assert_eq!(found(&plane, &by_status("completed")).await.0, ["task-123", "t9"], "the last seen first");
        let mut changed = theirs.clone();
        changed["status"] = "failed".into();
        client(bench, &json!([["put", changed]]));
        assert_eq!(found(&plane, &by_status("failed")).await.0, ["t9"], "also after it was replaced");
        assert_eq!(found(&plane, &by_status("completed")).await.0, ["task-123"]);
        client(bench, &json!([["drop", "mail", "t9"]]));
        assert_eq!(found(&plane, &by_status("failed")).await.0, Vec::<String>::new());
        plane.search().tend_all().await.unwrap();
        for invariant in invariants() {
            for finding in invariant.check(&bench.scope).await.unwrap() {
                invariant.repair(&bench.scope, &finding).await.unwrap();
            }
        }
    })
    .await;
}
