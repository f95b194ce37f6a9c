//! What this plane says of itself as a service of Relayna's kind: what it offers, its workers and its workflows. A studio, another
//! plane's included, registers it by its address and reads it like any other service.

use axum::Router;
use axum::extract::State;
use axum::http::StatusCode;
use axum::http::request::Parts;
use axum::response::Response;
use axum::routing::get;
use quorate_plane::workflows::Topology;
use quorate_store::Micros;
use serde_json::{Value, json};

use super::{answer, ask, number, query};
use crate::app::App;
use crate::problem::Problem;

/// The names by which a studio knows what it may ask.
const OFFERED: [&str; 14] = [
    "status.events",
    "status.latest",
    "status.history",
    "events.feed",
    "execution.graph",
    "dlq.queues",
    "dlq.messages",
    "dlq.message_detail",
    "dlq.replay",
    "broker.dlq.messages",
    "workflow.topology",
    "workflow.stages",
    "health.workers",
    "runtime.backpressure",
];

pub(super) fn routes() -> Router<App> {
    Router::new()
        .route("/relayna/capabilities", get(capabilities))
        .route("/relayna/health/workers", get(workers))
        .route("/workflow/topology", get(topology))
        .route("/workflow/stages", get(stages))
        .route("/broker/dlq/queues", get(broker))
        .route("/broker/dlq/messages", get(broker))
        .route("/studio/gateway/services", get(gateway))
}

/// `GET /relayna/capabilities`.
async fn capabilities(State(app): State<App>, request: Parts) -> Response {
    let outcome = ask(&app, &request, "tasks.pressure", json!({})).await;
    answer(
        &request,
        outcome.map(|_| {
            json!({ "relayna_version": "1.4.12", "topology_kind": "shared_status_workflow",
                "alias_config_summary": { "aliasing_enabled": false, "payload_aliases": {}, "http_aliases": {} },
                "supported_routes": OFFERED, "feature_flags": [],
                "service_metadata": { "service_title": "Quorate", "capability_path": "/relayna/capabilities",
                    "discovery_source": "live", "compatibility": "capabilities_v1" } })
        }),
    )
}

/// `GET /relayna/health/workers`: the agents are the workers, each with its last sign of life.
async fn workers(State(app): State<App>, request: Parts) -> Response {
    let outcome = running(&app, &request).await;
    answer(&request, outcome)
}

async fn running(app: &App, request: &Parts) -> Result<Value, Problem> {
    let agents = ask(app, request, "agents.ls", json!({ "limit": 1000 })).await?;
    let agents = agents["agents"].as_array().cloned().unwrap_or_default();
    let now = app.plane.store().time().await.map_err(|error| Problem::from(&error))?;
    let workers: Vec<Value> = agents
        .iter()
        .map(|agent| {
            let beat = agent["last_heartbeat"].as_f64().map(|at| Micros::from_millis((at * 1_000.0) as u64).iso());
            json!({ "worker_name": agent["agent"], "running": agent["label"] != "dead", "last_heartbeat_at": beat, "active_leases": [] })
        })
        .collect();
    Ok(json!({ "reported_at": now.iso(), "workers": workers }))
}

/// The workflow that is asked for by `workflow`, or the only one there is.
async fn workflow(app: &App, request: &Parts) -> Result<(String, Topology), Problem> {
    let name = match query(request, "workflow") {
        Some(name) => name,
        None => only(app, request).await?,
    };
    let shown = ask(app, request, "workflows.show", json!({ "workflow": name })).await?;
    let topology = serde_json::from_value(shown["topology"].clone());
    topology.map(|topology| (name, topology)).map_err(|_| Problem::not_found())
}

async fn only(app: &App, request: &Parts) -> Result<String, Problem> {
    let all = ask(app, request, "workflows.ls", json!({})).await?;
    let all = all.as_array().cloned().unwrap_or_default();
    let name = |one: &Value| one["workflow"].as_str().map(str::to_owned);
    match &all[..] {
        [] => Err(Problem::not_found()),
        [one] => name(one).ok_or_else(Problem::not_found),
        many => {
            let names: Vec<String> = many.iter().filter_map(name).collect();
            let message = format!("there are several workflows; name one: ?workflow={}", names.join(" or "));
            Err(Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "bad_input", message))
        }
    }
}

/// `GET /workflow/topology`: stages as nodes, what may follow what as edges.
async fn topology(State(app): State<App>, request: Parts) -> Response {
    let outcome = workflow(&app, &request).await.map(|(name, topology)| {
        let nodes: Vec<Value> = topology
            .stages
            .iter()
            .map(|stage| {
                json!({ "id": format!("stage:{}", stage.name), "kind": "stage", "label": stage.name, "terminal": stage.terminal,
                    "owner": stage.owner, "tags": stage.tags })
            })
            .collect();
        let edge = |from: &str, to: &String| json!({ "source": format!("stage:{from}"), "target": format!("stage:{to}"), "kind": "allowed_next" });
        let edges: Vec<Value> = topology
            .stages
            .iter()
            .flat_map(|stage| stage.allowed_next_stages.iter().map(|to| edge(&stage.name, to)))
            .collect();
        json!({ "workflow": name, "entry_routes": topology.entry, "nodes": nodes, "edges": edges, "stages": topology.stages })
    });
    answer(&request, outcome)
}

/// `GET /workflow/stages`.
async fn stages(State(app): State<App>, request: Parts) -> Response {
    let outcome = workflow(&app, &request).await.map(|(_, topology)| {
        let one = |stage: &quorate_plane::workflows::Stage| {
            json!({ "name": stage.name, "queue": stage.queue, "binding_keys": [stage.name], "publish_routing_key": stage.name })
        };
        json!({ "stages": topology.stages.iter().map(one).collect::<Vec<_>>() })
    });
    answer(&request, outcome)
}

/// `GET /broker/dlq/*`: there is no broker beside the store, so what is indexed is what there is.
async fn broker(State(app): State<App>, request: Parts) -> Response {
    let outcome = async {
        if request.uri.path().ends_with("queues") {
            return ask(&app, &request, "dead.sums", json!({})).await;
        }
        let input = json!({ "queue_name": query(&request, "queue_name"), "task_id": query(&request, "task_id"),
            "limit": number::<u64>(&request, "limit")? });
        let mut page = ask(&app, &request, "dead.records", input).await?;
        if let Some(fields) = page.as_object_mut() {
            fields.remove("next_cursor");
        }
        Ok::<_, Problem>(page)
    };
    let outcome = outcome.await;
    answer(&request, outcome)
}

/// `GET /studio/gateway/services`: the registry as Relayna's gateway imports it, without what is nobody else's business.
async fn gateway(State(app): State<App>, request: Parts) -> Response {
    let outcome = ask(&app, &request, "services.ls", json!({})).await.map(|all| {
        let all = all.as_array().cloned().unwrap_or_default();
        let mut names = std::collections::BTreeSet::new();
        let services: Vec<Value> = all.iter().map(|own| exported(own, &mut names)).collect();
        json!({ "count": services.len(), "services": services })
    });
    answer(&request, outcome)
}

fn exported(own: &Value, names: &mut std::collections::BTreeSet<String>) -> Value {
    let id = own["service_id"].as_str().unwrap_or_default();
    let words: Vec<String> = id
        .to_lowercase()
        .split(|sign: char| !sign.is_ascii_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
        .collect();
    let slug = words.join("-");
    let mut name = slug.clone();
    // Two ids that read the same get a number each, in the order of the list.
    for number in 2.. {
        if names.insert(name.clone()) {
            break;
        }
        name = format!("{slug}-{number}");
    }
    json!({ "studio_service_id": id, "name": name, "display_name": own["name"], "base_url": own["base_url"],
        "environment": own["environment"], "tags": own["tags"], "auth_mode": own["auth_mode"], "status": own["status"],
        "capabilities": own["capabilities"], "default_route_pattern": format!("/services/{name}/*") })
}
