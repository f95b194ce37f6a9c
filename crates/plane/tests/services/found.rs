//! What the search shows of services and of their tasks is in step with what they are.

use quorate_plane::search::{ServiceQuery, TaskQuery};
use quorate_plane::services::Change;
use quorate_plane::{Plane, invariants};
use quorate_testkit::check;
use serde_json::json;

use super::support::{Fake, change, id, ingest, plane, register};

async fn tasks(plane: &Plane, status: &str) -> Vec<(String, Option<String>, Option<String>)> {
    let query = TaskQuery {
        service_id: Some("pay".into()),
        status: Some(status.into()),
        limit: 10,
        ..TaskQuery::default()
    };
    let page = plane.search().tasks(&query).await.unwrap().unwrap();
    page.items.into_iter().map(|found| (found.task_id, found.service_name, found.environment)).collect()
}

async fn services(plane: &Plane, query: ServiceQuery) -> usize {
    plane.search().services(&ServiceQuery { limit: 10, ..query }).await.unwrap().unwrap().count
}

#[tokio::test]
async fn services_and_what_they_report_are_found_and_go_together() {
    check(&invariants(), async |bench| {
        let (plane, fake) = (plane(bench), Fake::start().await);
        register(&plane, "pay", &fake.url()).await;
        let named = |text: &str| ServiceQuery { query: Some(text.into()), ..ServiceQuery::default() };
        assert_eq!((services(&plane, named("pa")).await, services(&plane, named("other")).await), (1, 0));
        change(&plane, "pay", Change { name: Some("Other".into()), ..Change::default() }).await.unwrap();
        assert_eq!(services(&plane, named("other")).await, 1);
        plane.services().check(&id("pay")).await.unwrap().unwrap();
        let fares = plane.services().health(&id("pay")).await.unwrap().unwrap();
        let word = json!(fares.overall_status).as_str().unwrap().to_owned();
        assert_eq!(services(&plane, ServiceQuery { health: Some(word), ..ServiceQuery::default() }).await, 1);
        let event = |number: u32, status: &str| {
            json!({ "cursor": format!("c{number}"), "task_id": "t", "event_type": format!("status.{status}"), "source_kind": "status",
                "event_id": format!("e{number}"), "timestamp": format!("2026-04-06T10:00:0{number}Z"), "correlation_id": "order-1", "payload": { "status": status } })
        };
        ingest(&plane, "pay", event(2, "running")).await;
        ingest(&plane, "pay", event(1, "queued")).await;
        let found = ("t".to_owned(), Some("Other".to_owned()), Some("dev".to_owned()));
        assert_eq!((tasks(&plane, "running").await, tasks(&plane, "queued").await), (vec![found], vec![]));
        plane.services().delete(&id("pay")).await.unwrap().unwrap();
        assert_eq!((tasks(&plane, "running").await.len(), services(&plane, ServiceQuery::default()).await), (0, 0));
    })
    .await;
}
