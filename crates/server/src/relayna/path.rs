//! Relayna's address of the path that a task took: the graph that its service draws, and at each node what else is known of it.
//!
//! The parts come from a service, from its traces and from the events that were taken in. What could not be had is a warning; the
//! path is what is left.

mod nodes;

use axum::Router;
use axum::extract::{Path, State};
use axum::http::request::Parts;
use axum::response::Response;
use axum::routing::get;
use quorate_plane::tasks::moment;
use serde_json::{Value, json};

use super::{answer, ask};
use crate::app::App;
use crate::problem::Problem;
use nodes::Walked;

/// Most events that are put to their nodes.
const EVENTS: u64 = 200;

pub(super) fn routes() -> Router<App> {
    Router::new().route("/studio/tasks/{service_id}/{task_id}/trace-path", get(path))
}

/// `GET /studio/tasks/{service_id}/{task_id}/trace-path`.
async fn path(
    State(app): State<App>,
    Path((service, task)): Path<(String, String)>,
    request: Parts,
) -> Response {
    let outcome = walked(&app, &request, &service, &task).await;
    answer(&request, outcome)
}

async fn walked(app: &App, request: &Parts, service: &str, task: &str) -> Result<Value, Problem> {
    let input = json!({ "service_id": service, "task_id": task });
    let detail = ask(app, request, "services.task", input.clone()).await?;
    let mut warnings = missing(&detail);
    let traces = ask(app, request, "services.traces", input).await.unwrap_or_else(|why| {
        warnings.push(format!("the traces could not be had: {}", why.code()));
        Value::Null
    });
    warnings.extend(list(&traces["warnings"]).iter().filter_map(|own| Some(own.as_str()?.to_owned())));
    let input = json!({ "service_id": service, "task_id": task, "limit": EVENTS });
    let events = ask(app, request, "services.events", input).await?;
    let (events, spans) = (list(&events["items"]), list(&traces["spans"]));
    let dead = list(&detail["dlq_messages"]["items"]);
    let mut walked = Walked::of(&detail, task);
    dead.iter().for_each(|letter| walked.letter(letter));
    events.iter().for_each(|event| walked.event(event));
    spans.iter().for_each(|span| walked.span(span));
    walked.nest(spans);
    let (nodes, edges) = walked.sorted();
    let mut summary = summary(&detail["execution_graph"]["summary"], &nodes);
    summary["trace_ids"] = json!(list(&traces["trace_ids"]));
    for (name, count) in [
        ("node_count", nodes.len()),
        ("edge_count", edges.len()),
        ("span_count", spans.len()),
        ("event_count", events.len()),
        ("dlq_count", dead.len()),
    ] {
        summary[name] = count.into();
    }
    let logs = logs(&detail, task, &summary);
    Ok(
        json!({ "service_id": service, "task_id": task, "summary": summary, "nodes": nodes, "edges": edges, "spans": spans,
        "events": events, "dlq_messages": dead, "log_metadata": logs, "warnings": warnings }),
    )
}

fn list(of: &Value) -> &[Value] {
    of.as_array().map(Vec::as_slice).unwrap_or_default()
}

fn text<'v>(of: &'v Value, name: &str) -> Option<&'v str> {
    of[name].as_str().map(str::trim).filter(|text| !text.is_empty())
}

/// What the service did not say, in a line each.
fn missing(detail: &Value) -> Vec<String> {
    let line = |own: &Value| Some(format!("{} is missing: {}", text(own, "part")?, text(own, "detail")?));
    list(&detail["errors"]).iter().filter_map(line).collect()
}

/// The whole in a line: as the graph says it, or as its nodes do.
fn summary(said: &Value, nodes: &[Value]) -> Value {
    let times = |name: &'static str| nodes.iter().filter_map(move |node| text(node, name));
    let by_time = |time: &&str| moment(time);
    let first = times("started_at").min_by_key(by_time);
    let last = times("ended_at").chain(times("started_at")).max_by_key(by_time);
    let (began, ended) = (text(said, "started_at").or(first), text(said, "ended_at").or(last));
    let both = began.and_then(moment).zip(ended.and_then(moment));
    let took = both.map(|(began, ended)| ended.get().saturating_sub(began.get()) / 1_000);
    let state = nodes.iter().rev().find_map(|node| text(node, "state"));
    json!({ "status": text(said, "status").or(state), "started_at": began, "ended_at": ended,
        "duration_ms": said["duration_ms"].as_u64().or(took), "graph_completeness": said["graph_completeness"],
        "live_state_counts": said["live_state_counts"].as_object().cloned().unwrap_or_default() })
}

/// How the logs of the path are found, for whoever asks for them next.
fn logs(detail: &Value, task: &str, summary: &Value) -> Value {
    let config = &detail["service"]["log_config"];
    let belongs = text(&detail["latest_status"]["event"], "correlation_id");
    let both = belongs.filter(|own| *own != task).map(|own| format!("{task} OR {own}"));
    let query = config.is_object().then(|| both.unwrap_or_else(|| task.to_owned()));
    json!({ "configured": config.is_object(), "provider": config["provider"], "source_label": config["source_label"],
        "task_id_label": config["task_id_label"], "correlation_id_label": config["correlation_id_label"], "task_id": task,
        "correlation_id": belongs, "query": query, "from_time": summary["started_at"], "to_time": summary["ended_at"] })
}
