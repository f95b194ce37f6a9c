//! The traces that a task left: found by what its service and its logs say of it, and shown as its Tempo has them.

use std::collections::BTreeSet;

use quorate_catalog::ids::{ServiceId, TaskId};
use quorate_outgoing::Call;
use quorate_store::Result;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value as Json, json};

use super::super::call::object;
use super::super::{Service, Services};
use super::{Asked, LogQuery, Span, config, configured, failed, spans};
use crate::Outcome;

const TEMPO: &str = "Tempo";
/// Most traces of a task that are fetched, and how many of its lines are looked through.
const MOST: usize = 10;
const LINES: usize = 100;
/// How often a text within a text is read as JSON.
const DEEPEST: usize = 4;

/// The traces of a task.
#[derive(Debug, Clone, Default, Serialize, JsonSchema)]
pub struct Traces {
    pub service_id: String,
    pub task_id: String,
    pub trace_ids: Vec<String>,
    /// By their beginning, trace after trace.
    pub spans: Vec<Span>,
    /// What could not be looked at, and what is missing.
    pub warnings: Vec<String>,
}

impl Services<'_> {
    /// The traces of a task; that there are none, or that nobody says where they would be, is an answer.
    pub async fn traces(&self, id: &ServiceId, task: &TaskId) -> Result<Outcome<Traces>> {
        let service = match self.show(id).await? {
            Outcome::Done(service) => service,
            Outcome::Refused(why) => return Ok(Outcome::Refused(why)),
        };
        let mut found = Traces { service_id: id.to_string(), task_id: task.to_string(), ..Traces::default() };
        self.discover(&service, id, task, &mut found).await?;
        let config: config::Traces = match configured(&service) {
            Ok(config) => config,
            Err(why) if why.is("not_configured") => {
                found.warnings.push("the service does not say where its traces are".to_owned());
                return Ok(Outcome::Done(found));
            }
            Err(why) => return Ok(Outcome::Refused(why)),
        };
        if found.trace_ids.is_empty() {
            found.warnings.push("neither the events of the task nor its logs name a trace".to_owned());
        }
        if found.trace_ids.len() > MOST {
            found.warnings.push(format!("of {} traces the first {MOST} are shown", found.trace_ids.len()));
        }
        for trace in found.trace_ids.iter().take(MOST) {
            match self.trace(&config, trace).await {
                Ok(spans) => found.spans.extend(spans),
                Err(why) => return Ok(Outcome::Refused(why)),
            }
        }
        Ok(Outcome::Done(found))
    }

    /// Looks for the names of traces in what the service says of the task, and in its logs.
    async fn discover(
        &self,
        service: &Service,
        id: &ServiceId,
        task: &TaskId,
        found: &mut Traces,
    ) -> Result<()> {
        let mut ids = BTreeSet::new();
        if let Outcome::Done(detail) = self.task(id, task).await? {
            collect(
                &json!([detail.latest_status, detail.history, detail.dlq_messages, detail.execution_graph]),
                &mut ids,
                0,
            );
            if detail.errors.len() == 4 {
                found.warnings.push("the service could not be asked about the task".to_owned());
            }
        }
        if service.log_config.as_ref().is_some_and(|said| !said.is_null()) {
            let query = LogQuery { task_id: Some(task.to_string()), limit: LINES, ..LogQuery::default() };
            match self.logs(id, &query).await? {
                Outcome::Done(page) => {
                    page.items
                        .iter()
                        .for_each(|line| collect(&json!([line.message, line.fields]), &mut ids, 0));
                }
                Outcome::Refused(why) => {
                    found
                        .warnings
                        .push(format!("the logs of the task could not be looked at: {}", why.reason));
                }
            }
        }
        found.trace_ids = ids.into_iter().collect();
        Ok(())
    }

    async fn trace(&self, config: &config::Traces, trace: &str) -> Asked<Vec<Span>> {
        let path = config.query_path.replace("{trace_id}", trace);
        let mut call = Call::get().below(path.split('/'));
        if let Some(tenant) = &config.place.tenant_id {
            call = call.header("x-scope-orgid", tenant);
        }
        let answer = self.source(TEMPO, &config.place.base_url, call).await?;
        if answer.status == 404 {
            return Ok(Vec::new());
        }
        let said = object(&answer).map_err(|why| failed(TEMPO, &why))?;
        spans::spans(&said, &seen_at(config, &path))
            .ok_or_else(|| failed(TEMPO, "its answer has no list of spans"))
    }
}

/// Where people see a trace; from a container its host has another name than from outside.
fn seen_at(config: &config::Traces, path: &str) -> String {
    let base = match &config.public_base_url {
        Some(public) => public.as_str().to_owned(),
        None => config.place.base_url.as_str().replacen("://host.docker.internal", "://localhost", 1),
    };
    format!("{base}/{}", path.trim_start_matches('/'))
}

/// Every `trace_id` in a document, and in the JSON that its texts contain.
fn collect(said: &Json, found: &mut BTreeSet<String>, depth: usize) {
    match said {
        Json::Object(all) => {
            found.extend(
                all.get("trace_id").and_then(Json::as_str).filter(|text| is_trace(text)).map(str::to_owned),
            );
            all.values().for_each(|value| collect(value, found, depth));
        }
        Json::Array(all) => all.iter().for_each(|value| collect(value, found, depth)),
        Json::String(text) if depth < DEEPEST && text.contains("\"trace_id\"") => {
            if let Ok(inner) = serde_json::from_str(text) {
                collect(&inner, found, depth + 1);
            }
        }
        _ => {}
    }
}

/// A trace is named by 32 hexadecimal digits in small letters.
fn is_trace(text: &str) -> bool {
    text.len() == 32 && text.bytes().all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn traces_are_found_in_documents_and_in_the_lines_of_logs() {
        let (one, two) = ("0af7651916cd43dd8448eb211c80319c", "1af7651916cd43dd8448eb211c80319d");
        let said = json!({ "events": [{ "meta": { "trace_id": one } }], "line": format!("{{\"trace_id\":\"{two}\"}}"),
            "odd": { "trace_id": "../../admin" }, "upper": { "trace_id": one.to_uppercase() }, "none": { "trace_id": 5 }, "broken": "{\"trace_id\":" });
        let mut found = BTreeSet::new();
        collect(&said, &mut found, 0);
        assert_eq!(found.into_iter().collect::<Vec<_>>(), [one, two]);
    }
}
