//! Logs, metrics, pods and traces of a service, asked of servers that stand where its record says.

use quorate_plane::services::{Change, Group, LogQuery, MetricsQuery};
use quorate_plane::{Outcome, Plane, invariants};
use quorate_testkit::check;
use serde_json::{Value, json};

use super::support::{Fake, change, code, id, plane, register, task};

const TRACE: &str = "0af7651916cd43dd8448eb211c80319c";

/// What was asked since the last time: the path, and the query as it arrived.
fn asked(fake: &Fake) -> Vec<(String, Vec<(String, String)>)> {
    let read = |target: String| {
        let (path, query) = target.split_once('?').unwrap_or((&target, ""));
        let pairs = url::form_urlencoded::parse(query.as_bytes()).into_owned().collect();
        (path.to_owned(), pairs)
    };
    fake.asked().into_iter().map(read).collect()
}

fn param(asked: &(String, Vec<(String, String)>), name: &str) -> String {
    asked.1.iter().find(|(own, _)| own == name).map(|(_, value)| value.clone()).unwrap_or_default()
}

/// A service that says where everything is: at the same server.
async fn sourced(plane: &Plane, fake: &Fake) {
    if plane.services().show(&id("pay")).await.unwrap().refusal().is_some() {
        register(plane, "pay", &fake.url()).await;
    }
    let labels = json!({ "app": "pay" });
    let all = Change {
        log_config: Some(
            json!({ "base_url": fake.url(), "service_selector_labels": labels, "task_id_label": "task", "level_label": "level",
            "correlation_id_label": "correlation", "theirs": { "kept": 12345678901234567890_u64 } }),
        ),
        metrics_config: Some(
            json!({ "base_url": fake.url(), "namespace": "shop", "service_selector_labels": labels }),
        ),
        trace_config: Some(
            json!({ "base_url": fake.url(), "public_base_url": "https://traces.example.com" }),
        ),
        ..Change::default()
    };
    change(plane, "pay", all).await.unwrap();
    fake.asked();
}

fn streams(lines: &[(&str, &str)]) -> Value {
    let values: Vec<Value> = lines.iter().map(|(at, line)| json!([at, line])).collect();
    json!({ "status": "success", "data": { "resultType": "streams",
        "result": [{ "stream": { "app": "pay", "level": "error", "task": "t1" }, "values": values }] } })
}

async fn logs(plane: &Plane, query: LogQuery) -> Outcome<quorate_plane::services::LogPage> {
    plane.services().logs(&id("pay"), &LogQuery { limit: 2, ..query }).await.unwrap()
}

#[tokio::test]
async fn what_a_service_logged_is_asked_of_its_loki_and_paged() {
    check(&invariants(), async |bench| {
        let (plane, fake) = (plane(bench), Fake::start().await);
        register(&plane, "pay", &fake.url()).await;
        assert_eq!(code(&logs(&plane, LogQuery::default()).await), "not_configured");
        sourced(&plane, &fake).await;
        fake.answers("/loki/api/v1/query_range", streams(&[("9", "c"), ("8", "b"), ("7", "a")]));
        let hostile = "t1\"} or {app=\"bank\"} |= \"\\";
        let page = logs(
            &plane,
            LogQuery { task_id: Some(hostile.into()), level: Some("error".into()), ..LogQuery::default() },
        )
        .await
        .unwrap();
        assert_eq!(
            (page.count, page.items[0].message.as_str(), page.next_cursor.as_deref()),
            (2, "c", Some("8"))
        );
        assert_eq!(
            (page.items[0].level.as_deref(), page.items[0].task_id.as_deref()),
            (Some("error"), Some("t1"))
        );
        let question = &asked(&fake)[0];
        assert_eq!(question.0, "/loki/api/v1/query_range");
        let wanted = r#"{app="pay",level="error",task="t1\"} or {app=\"bank\"} |= \"\\"}"#;
        assert_eq!(param(question, "query"), wanted, "it stayed in its quotes");
        assert_eq!((param(question, "limit"), param(question, "direction")), ("3".into(), "backward".into()));
        logs(
            &plane,
            LogQuery {
                before: Some("loki:8:1".parse().unwrap()),
                from: Some("1".parse().unwrap()),
                ..LogQuery::default()
            },
        )
        .await
        .unwrap();
        let question = &asked(&fake)[0];
        assert_eq!(
            (param(question, "end"), param(question, "start"), param(question, "limit")),
            ("9".into(), "1".into(), "4".into())
        );
        let source = LogQuery { source: Some("web".into()), ..LogQuery::default() };
        assert_eq!(code(&logs(&plane, source).await), "bad_config", "its record names no such label");
        for (status, answer) in [
            (Some(302), json!({})),
            (Some(500), json!({})),
            (None, json!({ "status": "error" })),
            (None, json!([])),
        ] {
            fake.answers_all(status);
            fake.answers("/loki/api/v1/query_range", answer);
            assert_eq!(code(&logs(&plane, LogQuery::default()).await), "source_failed");
        }
        let backwards = LogQuery {
            from: Some("9".parse().unwrap()),
            to: Some("8".parse().unwrap()),
            ..LogQuery::default()
        };
        assert!(plane.services().logs(&id("pay"), &backwards).await.is_err());
        let long = LogQuery { query: Some("x".repeat(600)), ..LogQuery::default() };
        assert!(plane.services().logs(&id("pay"), &long).await.is_err());
        assert_eq!(
            code(&plane.services().logs(&id("none"), &LogQuery::default()).await.unwrap()),
            "no_service"
        );
    })
    .await;
}

#[tokio::test]
async fn an_address_that_may_not_be_called_is_not_called_whatever_the_record_says() {
    check(&invariants(), async |bench| {
        let (own, fake) = (plane(bench), Fake::start().await);
        sourced(&own, &fake).await;
        let strict = Plane::new(bench.scope.clone()).unwrap();
        assert_eq!(code(&logs(&strict, LogQuery::default()).await), "source_failed");
        assert_eq!(code(&strict.services().pods(&id("pay")).await.unwrap()), "source_failed");
        assert_eq!(
            code(&strict.services().metrics(&id("pay"), &MetricsQuery::default()).await.unwrap()),
            "source_failed"
        );
        strict.services().traces(&id("pay"), &task("t1")).await.unwrap().unwrap();
        assert_eq!(fake.asked(), Vec::<String>::new());
        let traces = json!({ "base_url": "http://169.254.169.254" });
        let change = Change { trace_config: Some(traces), ..Change::default() };
        assert_eq!(code(&strict.services().update(&id("pay"), &change).await.unwrap()), "url_denied");
    })
    .await;
}

#[tokio::test]
async fn what_others_wrote_into_a_record_is_used_as_far_as_it_can_be_and_stays() {
    check(&invariants(), async |bench| {
        let (plane, fake) = (plane(bench), Fake::start().await);
        sourced(&plane, &fake).await;
        let kept =
            super::support::text(bench, &format!("GET {}", bench.scope.keys.relayna().service(&id("pay"))))
                .await;
        assert!(kept.contains("\"kept\":12345678901234567890"), "{kept}");
        let broken = kept.replace("\"app\":\"pay\"", "\"app\\\"}\":\"pay\"");
        bench
            .scope
            .store
            .query::<()>(
                quorate_store::cmd("SET")
                    .arg(bench.scope.keys.relayna().service(&id("pay")).as_str())
                    .arg(broken),
            )
            .await
            .unwrap();
        assert_eq!(
            code(&logs(&plane, LogQuery::default()).await),
            "bad_config",
            "a label that is none is not sent"
        );
        assert_eq!(fake.asked(), Vec::<String>::new());
        let none = Change { log_config: Some(Value::Null), ..Change::default() };
        let after = change(&plane, "pay", none).await.unwrap();
        assert_eq!((after.log_config, after.trace_config.is_some()), (None, true));
        assert_eq!(code(&logs(&plane, LogQuery::default()).await), "not_configured");
    })
    .await;
}

#[tokio::test]
async fn a_service_is_measured_over_an_hour_or_while_a_task_ran() {
    check(&invariants(), async |bench| {
        let (plane, fake) = (plane(bench), Fake::start().await);
        register(&plane, "pay", &fake.url()).await;
        let all = MetricsQuery::default();
        assert_eq!(code(&plane.services().metrics(&id("pay"), &all).await.unwrap()), "not_configured");
        sourced(&plane, &fake).await;
        let matrix = json!({ "status": "success", "data": { "resultType": "matrix", "result": [{ "metric": { "phase": "Running" }, "values": [[1_775_469_600, "2"]] }] } });
        fake.answers("/api/v1/query_range", matrix);
        let found = plane.services().metrics(&id("pay"), &all).await.unwrap().unwrap();
        assert_eq!((found.series.len(), found.step_seconds, found.approximate), (22, 30, false));
        assert_eq!((found.series[0].metric, found.series[0].unit, found.series[0].points[0].value), (Group::CpuUsage, "cores", Some(2.0)));
        assert_eq!(asked(&fake).len(), 22);
        fake.answers("/executions/t1/graph", json!({ "summary": { "started_at": "2026-04-06T10:00:00Z", "ended_at": "2026-04-06T10:05:00+00:00" } }));
        let ran = MetricsQuery { task: Some(task("t1")), groups: vec![Group::CpuUsage, Group::CpuUsage], step: Some(60), ..MetricsQuery::default() };
        let found = plane.services().metrics(&id("pay"), &ran).await.unwrap().unwrap();
        assert_eq!((found.from.as_str(), found.to.as_str()), ("2026-04-06T09:58:00.000000Z", "2026-04-06T10:07:00.000000Z"));
        assert_eq!((found.series.len(), found.approximate, found.warnings.len()), (1, true, 1));
        let question = asked(&fake).into_iter().find(|(path, _)| path == "/api/v1/query_range").unwrap();
        assert_eq!((param(&question, "start"), param(&question, "end"), param(&question, "step")), ("1775469480.000000".into(), "1775470020.000000".into(), "60".into()));
        let unknown = MetricsQuery { task: Some(task("t2")), ..ran.clone() };
        assert_eq!(plane.services().metrics(&id("pay"), &unknown).await.unwrap().unwrap().warnings.len(), 2, "it says that it does not know");
        let (from, to) = (quorate_plane::tasks::moment("2020-01-01"), quorate_plane::tasks::moment("2026-01-01"));
        assert!(plane.services().metrics(&id("pay"), &MetricsQuery { from, to, ..all.clone() }).await.is_err(), "too many points");
        assert!(plane.services().metrics(&id("pay"), &MetricsQuery { from: to, to: from, ..all.clone() }).await.is_err());
        fake.answers("/api/v1/query_range", json!({ "status": "success", "data": { "resultType": "vector", "result": [] } }));
        assert_eq!(code(&plane.services().metrics(&id("pay"), &all).await.unwrap()), "source_failed");
    })
    .await;
}

#[tokio::test]
async fn the_pods_of_a_service_are_listed_once_each() {
    check(&invariants(), async |bench| {
        let (plane, fake) = (plane(bench), Fake::start().await);
        sourced(&plane, &fake).await;
        let pod = |name: &str, phase: &str| json!({ "metric": { "namespace": "shop", "pod": name, "phase": phase, "label_app": "pay" }, "value": [1, "1"] });
        let odd = [json!({ "metric": { "namespace": "shop" } }), json!(5)];
        let result: Vec<Value> = [pod("b", "Running"), pod("a", "Pending"), pod("b", "Failed")].into_iter().chain(odd).collect();
        fake.answers("/api/v1/query", json!({ "status": "success", "data": { "resultType": "vector", "result": result } }));
        let found = plane.services().pods(&id("pay")).await.unwrap().unwrap();
        let pods: Vec<(&str, Option<&str>)> = found.pods.iter().map(|pod| (pod.name.as_str(), pod.phase.as_deref())).collect();
        assert_eq!((found.count, pods), (2, vec![("a", Some("Pending")), ("b", Some("Failed"))]));
        let question = &asked(&fake)[0];
        assert!(param(question, "query").contains(r#"kube_pod_labels{namespace="shop",label_app="pay"}"#));
    })
    .await;
}

#[tokio::test]
async fn the_traces_of_a_task_are_found_in_its_events_and_logs_and_shown() {
    check(&invariants(), async |bench| {
        let (plane, fake) = (plane(bench), Fake::start().await);
        register(&plane, "pay", &fake.url()).await;
        let of = async |name: &str| plane.services().traces(&id("pay"), &task(name)).await.unwrap();
        let none = of("t1").await.unwrap();
        assert_eq!((none.trace_ids.len(), none.warnings.len()), (0, 2), "{:?}", none.warnings);
        sourced(&plane, &fake).await;
        fake.answers("/status/t1", json!({ "event": { "meta": { "trace_id": TRACE } } }));
        let line = format!("{{\"trace_id\":\"{}\",\"x\":1}}", TRACE.replace('0', "1"));
        fake.answers("/loki/api/v1/query_range", streams(&[("9", &line)]));
        let span = json!({ "traceId": TRACE, "spanId": "0001020304050607", "name": "charge", "startTimeUnixNano": "1", "endTimeUnixNano": "2000001" });
        fake.answers(&format!("/api/traces/{TRACE}"), json!({ "batches": [{ "scopeSpans": [{ "spans": [span] }] }] }));
        let found = of("t1").await.unwrap();
        assert_eq!((found.trace_ids.len(), found.spans.len(), found.warnings.len()), (2, 1, 0), "one is not there any more: {found:?}");
        let span = &found.spans[0];
        assert_eq!((span.name.as_str(), span.duration_ms), ("charge", Some(2.0)));
        assert_eq!(span.backend_url.as_deref(), Some(format!("https://traces.example.com/api/traces/{TRACE}").as_str()));
        fake.answers(&format!("/api/traces/{TRACE}"), json!({ "batches": 5 }));
        assert_eq!(code(&of("t1").await), "source_failed");
    })
    .await;
}
