//! A search for one id that the index does not know goes on in the logs of services.

use quorate_plane::search::TaskQuery;
use quorate_plane::services::Change;
use quorate_plane::{Plane, invariants};
use quorate_testkit::check;
use serde_json::{Value, json};

use crate::services::support::{Fake, change, code, ingest, plane, register};

async fn logging(plane: &Plane, name: &str, fake: &Fake) {
    register(plane, name, &format!("{}/{name}", fake.url())).await;
    let config = json!({ "base_url": format!("{}/{name}", fake.url()), "service_selector_labels": { "app": name }, "correlation_id_label": "c" });
    change(plane, name, Change { log_config: Some(config), ..Change::default() }).await.unwrap();
}

fn lines(correlation: Option<&str>, lines: &[(&str, &str)]) -> Value {
    let stream = correlation.map_or_else(|| json!({}), |own| json!({ "c": own }));
    let values: Vec<Value> = lines.iter().map(|(at, line)| json!([at, line])).collect();
    json!({ "status": "success", "data": { "resultType": "streams", "result": [{ "stream": stream, "values": values }] } })
}

fn of_task(task: &str) -> TaskQuery {
    TaskQuery { task_id: Some(task.to_owned()), limit: 50, ..TaskQuery::default() }
}

#[tokio::test]
async fn a_task_that_only_the_logs_know_is_found_there_once_per_service() {
    check(&invariants(), async |bench| {
        let (plane, fake) = (plane(bench), Fake::start().await);
        for name in ["mail", "pay", "stock"] {
            logging(&plane, name, &fake).await;
        }
        fake.answers(
            "/pay/loki/api/v1/query_range",
            lines(None, &[("1775469600000000000", "t1 begins"), ("1775469660000000000", "t1 ends")]),
        );
        fake.answers(
            "/mail/loki/api/v1/query_range",
            lines(Some("c1"), &[("1775469630000000000", "sent for t1")]),
        );
        let query = of_task("t1");
        let page = plane.search().tasks(&query).await.unwrap().unwrap();
        let found: Vec<(&str, &str)> = page
            .items
            .iter()
            .map(|own| (own.service_id.as_str(), own.last_seen_at.as_deref().unwrap()))
            .collect();
        assert_eq!(found, [("pay", "2026-04-06T10:01:00.000000Z"), ("mail", "2026-04-06T10:00:30.000000Z")]);
        let first = &page.items[0];
        assert_eq!(
            (first.source.as_deref(), first.first_seen_at.as_deref()),
            (Some("loki_fallback"), Some("2026-04-06T10:00:00.000000Z"))
        );
        assert_eq!(page.items[1].correlation_id.as_deref(), Some("c1"));
        assert_eq!(
            (page.errors.len(), page.errors[0].service_id.as_str()),
            (1, "stock"),
            "who did not answer is named"
        );
        let short = TaskQuery { limit: 1, ..query.clone() };
        let one = plane.search().tasks(&short).await.unwrap().unwrap();
        let next = TaskQuery { cursor: one.next_cursor.clone(), ..short.clone() };
        let two = plane.search().tasks(&next).await.unwrap().unwrap();
        assert_eq!(
            (one.items[0].service_id.as_str(), two.items[0].service_id.as_str(), two.next_cursor),
            ("pay", "mail", None)
        );
        let elsewhere = TaskQuery { status: Some("failed".into()), ..next };
        assert_eq!(code(&plane.search().tasks(&elsewhere).await.unwrap()), "unknown_cursor");
        let narrow = TaskQuery { service_id: Some("mail".into()), ..query };
        assert_eq!(plane.search().tasks(&narrow).await.unwrap().unwrap().count, 1);
    })
    .await;
}

#[tokio::test]
async fn the_logs_are_not_asked_where_the_index_knows_or_where_no_single_id_is_asked_for() {
    check(&invariants(), async |bench| {
        let (plane, fake) = (plane(bench), Fake::start().await);
        logging(&plane, "pay", &fake).await;
        ingest(&plane, "pay", json!({ "task_id": "t1", "event_type": "status.queued", "source_kind": "status", "event_id": "e", "payload": { "status": "queued" } })).await;
        fake.asked();
        let asked = async |query: TaskQuery| {
            plane.search().tasks(&query).await.unwrap().unwrap();
            fake.asked().len()
        };
        assert_eq!(asked(of_task("t1")).await, 0, "the index has it");
        assert_eq!(asked(of_task("t2")).await, 1);
        assert_eq!(asked(TaskQuery { correlation_id: Some("c".into()), ..of_task("t2") }).await, 0, "two ids");
        assert_eq!(asked(TaskQuery { status: Some("failed".into()), ..of_task("t2") }).await, 0, "no log knows a status");
        assert_eq!(asked(TaskQuery { service_id: Some("pay2".into()), ..TaskQuery::default() }).await, 0);
        assert_eq!(asked(TaskQuery { environment: Some("prod".into()), ..of_task("t2") }).await, 0, "no service there");
    })
    .await;
}

#[tokio::test]
async fn by_correlation_only_lines_count_that_say_so_and_tasks_that_can_be_asked_for() {
    check(&invariants(), async |bench| {
        let (plane, fake) = (plane(bench), Fake::start().await);
        logging(&plane, "pay", &fake).await;
        let said = [
            ("1", r#"{"correlation_id":"c1","task_id":"t1"}"#),
            ("2", r#"{"correlation_id":"other","task_id":"t2"}"#),
            ("3", r#"{"correlation_id":"c1","task_id":"../<script>"}"#),
            ("4", "c1 and no JSON"),
        ];
        fake.answers("/pay/loki/api/v1/query_range", lines(None, &said));
        let query = TaskQuery { correlation_id: Some("c1".into()), limit: 5, ..TaskQuery::default() };
        let page = plane.search().tasks(&query).await.unwrap().unwrap();
        assert_eq!(
            (page.count, page.items[0].task_id.as_str(), page.items[0].correlation_id.as_deref()),
            (1, "t1", Some("c1"))
        );
    })
    .await;
}
