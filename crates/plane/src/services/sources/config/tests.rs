//! What a record may say about where logs, metrics and traces are.

use serde_json::json;

use super::*;

fn logs(more: Json) -> Result<Logs, String> {
    let mut said =
        json!({ "base_url": "http://Loki.example:3100/", "service_selector_labels": { "app": "pay" } });
    said.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    read(&said)
}

#[test]
fn where_logs_are_has_relaynas_defaults_and_keeps_out_what_could_not_be_asked() {
    let usual = logs(json!({ "theirs": 1, "tenant_id": " " })).unwrap();
    assert_eq!(
        (usual.place.base_url.as_str(), usual.task_match_mode),
        ("http://loki.example:3100", Match::Label)
    );
    assert_eq!(usual.place.tenant_id, None);
    for bad in [
        json!({ "provider": "elastic" }),
        json!({ "base_url": "ftp://x" }),
        json!({ "base_url": 5 }),
        json!({ "tenant_id": "a\r\nb" }),
        json!({ "service_selector_labels": {} }),
        json!({ "service_selector_labels": { "app": " " } }),
        json!({ "service_selector_labels": { "a\"} or {b": "x" } }),
        json!({ "service_selector_labels": null }),
        json!({ "source_label": "a b" }),
        json!({ "task_match_mode": "guess" }),
        json!({ "task_match_template": "x".repeat(600) }),
    ] {
        assert!(logs(bad.clone()).is_err(), "{bad}");
    }
    assert!(read::<Logs>(&json!([])).is_err() && read::<Logs>(&json!({})).is_err());
}

#[test]
fn where_metrics_are_names_a_namespace_and_labels_with_few_values() {
    let said = |more: Json| {
        let mut said = json!({ "base_url": "http://prom.example", "namespace": "shop", "service_selector_labels": { "app.kubernetes.io/name": "pay" } });
        said.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        read::<Metrics>(&said)
    };
    let usual = said(json!({})).unwrap();
    assert_eq!(
        (usual.step_seconds, usual.task_window_padding_seconds, usual.pod_label.as_str()),
        (30, 120, "pod")
    );
    for bad in [
        json!({ "namespace": " " }),
        json!({ "pod_label": "pod) or vector(1" }),
        json!({ "pod_label": "task_id" }),
        json!({ "service_selector_labels": { "worker_id": "w" } }),
        json!({ "step_seconds": 4 }),
        json!({ "step_seconds": -1 }),
        json!({ "task_window_padding_seconds": 3_601 }),
    ] {
        assert!(said(bad.clone()).is_err(), "{bad}");
    }
}

#[test]
fn where_traces_are_is_a_path_below_the_address() {
    let said =
        |path: &str| read::<Traces>(&json!({ "base_url": "http://tempo.example", "query_path": path }));
    assert!(said("/api/v2/traces/{trace_id}").is_ok());
    for bad in ["/api/traces", "/t?id={trace_id}", "/{trace_id}#x", "/{trace_id}\n"] {
        assert!(said(bad).is_err(), "{bad}");
    }
    assert!(
        read::<Traces>(&json!({ "base_url": "http://t.example", "public_base_url": "javascript:alert(1)" }))
            .is_err()
    );
}
