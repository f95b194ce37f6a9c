//! `quorate services check`, `refresh`, `pull`, `ingest`, `ask`, `task`, `failed`: what reaches out to services, or comes from them.

use quorate_catalog::ids::{EnvironmentId, ServiceId, TaskId};
use quorate_plane::Plane;
use quorate_plane::services::{Missing, What};
use quorate_verbs::said::Said;
use quorate_verbs::services::{Ask, Check, Envelope, Failed, Ingest, Pull, Refresh, Task};
use serde_json::Value;

use super::read::{verdict, word};
use crate::ask::ask;
use crate::failure::Failure;
use crate::out::{Answer, View};
use crate::outgoing::{Outgoing, calling};

#[derive(Debug, clap::Args)]
pub(crate) struct One {
    /// The service.
    id: ServiceId,
    #[command(flatten)]
    outgoing: Outgoing,
}

#[derive(Debug, clap::Args)]
pub(crate) struct IngestArgs {
    /// The service.
    id: ServiceId,
    /// The event, as a JSON object.
    event: String,
}

#[derive(Debug, clap::Args)]
pub(crate) struct AskArgs {
    /// The service.
    id: ServiceId,
    /// status, history, graph, dead, broker_dead, topology, pressure or failed.
    #[arg(value_parser = what)]
    what: What,
    /// Of which task.
    #[arg(long)]
    task: Option<TaskId>,
    /// What the service is asked beside that: NAME=VALUE, any number of times.
    #[arg(long = "with", value_name = "NAME=VALUE", value_parser = pair)]
    with: Vec<(String, String)>,
    #[command(flatten)]
    outgoing: Outgoing,
}

#[derive(Debug, clap::Args)]
pub(crate) struct TaskArgs {
    /// The service.
    id: ServiceId,
    /// The task.
    task: TaskId,
    #[command(flatten)]
    outgoing: Outgoing,
}

#[derive(Debug, clap::Args)]
pub(crate) struct FailedArgs {
    /// Only of this environment.
    #[arg(long, value_name = "NAME")]
    environment: Option<EnvironmentId>,
    /// Only of this service.
    #[arg(long, value_name = "ID")]
    service: Option<ServiceId>,
    #[command(flatten)]
    outgoing: Outgoing,
}

fn what(text: &str) -> Result<What, String> {
    let all = "use status, history, graph, dead, broker_dead, topology, pressure or failed";
    serde_json::from_value(text.into()).map_err(|_| all.to_owned())
}

fn pair(text: &str) -> Result<(String, String), String> {
    let pair = text.split_once('=').ok_or("use NAME=VALUE")?;
    Ok((pair.0.to_owned(), pair.1.to_owned()))
}

pub(crate) async fn check(plane: Plane, args: One) -> Result<Answer, Failure> {
    let plane = calling(plane, args.outgoing.guard()?);
    ask(&plane, &Check { service_id: Said(args.id) }, |health| View::Text(verdict(health))).await
}

pub(crate) async fn refresh(plane: Plane, args: One) -> Result<Answer, Failure> {
    let plane = calling(plane, args.outgoing.guard()?);
    ask(&plane, &Refresh { service_id: Said(args.id) }, |own| {
        View::Text(format!("{} is {}", own.service_id, word(own.status)))
    })
    .await
}

pub(crate) async fn pull(plane: Plane, args: One) -> Result<Answer, Failure> {
    let plane = calling(plane, args.outgoing.guard()?);
    ask(&plane, &Pull { service_id: Said(args.id) }, |pulled| {
        let count = &pulled.events;
        let mut line =
            format!("{} new, {} known, {} not understood", count.inserted, count.duplicate, count.invalid);
        if pulled.more {
            line += "; there is more";
        }
        if pulled.gap {
            line += "; events were gone before they could be read";
        }
        if let Some(why) = &pulled.trouble {
            line += &format!("; it could not be read further: {why}");
        }
        View::Text(line)
    })
    .await
}

pub(crate) async fn ingest(plane: &Plane, args: IngestArgs) -> Result<Answer, Failure> {
    let event: Value = serde_json::from_str(&args.event)
        .map_err(|error| Failure::bad_input(format!("the event is not JSON: {error}")))?;
    let envelope = Envelope { service_id: args.id.to_string(), ingest_method: None, event };
    ask(plane, &Ingest { events: vec![envelope] }, |count| {
        View::Text(format!(
            "{} new, {} known, {} not understood",
            count.inserted, count.duplicate, count.invalid
        ))
    })
    .await
}

pub(crate) async fn ask_it(plane: Plane, args: AskArgs) -> Result<Answer, Failure> {
    let plane = calling(plane, args.outgoing.guard()?);
    let verb = Ask {
        service_id: Said(args.id),
        what: args.what,
        task_id: args.task.map(Said),
        query: args.with.into_iter().collect(),
    };
    ask(&plane, &verb, |said| View::Text(format!("{said:#}"))).await
}

pub(crate) async fn task(plane: Plane, args: TaskArgs) -> Result<Answer, Failure> {
    let plane = calling(plane, args.outgoing.guard()?);
    let verb = Task { service_id: Said(args.id), task_id: Said(args.task) };
    ask(&plane, &verb, |found| {
        let status = found.latest_status.as_ref().map_or(Value::Null, |said| said["event"]["status"].clone());
        let mut lines = vec![format!("{}  {}", found.task_id, status.as_str().unwrap_or("unknown"))];
        lines.extend(found.errors.iter().map(missing));
        View::Text(lines.join("\n"))
    })
    .await
}

fn missing(part: &Missing) -> String {
    format!("missing: {} of {}: {}", part.part, part.service_id, part.detail)
}

pub(crate) async fn failed(plane: Plane, args: FailedArgs) -> Result<Answer, Failure> {
    let plane = calling(plane, args.outgoing.guard()?);
    let verb = Failed {
        environment: args.environment.map(Said),
        service_id: args.service.map(Said),
        query: std::collections::BTreeMap::new(),
    };
    ask(&plane, &verb, |found| {
        let text = |item: &Value, name: &str| item[name].as_str().unwrap_or_default().to_owned();
        let line = |item: &Value| {
            format!("{}  {}  {}", text(item, "service_id"), text(item, "task_id"), text(item, "reason"))
        };
        let lines = found.items.iter().map(line).chain(found.errors.iter().map(missing));
        View::Text(lines.collect::<Vec<_>>().join("\n"))
    })
    .await
}
