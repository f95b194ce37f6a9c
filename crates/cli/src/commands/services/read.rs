//! `quorate services ls`, `show`, `health`, `events`: what is known.

use quorate_catalog::ids::{EnvironmentId, ServiceId, TaskId};
use quorate_plane::Plane;
use quorate_plane::services::{self, Fare, Source, StudioEvent};
use quorate_verbs::said::{Said, Within};
use quorate_verbs::services::{Events, Health, Ls, Show, Shown};
use serde_json::json;

use crate::ask::ask;
use crate::failure::Failure;
use crate::out::{Answer, View};

#[derive(Debug, clap::Args)]
pub(crate) struct LsArgs {
    /// Only those of this environment.
    #[arg(long, value_name = "NAME")]
    environment: Option<EnvironmentId>,
}

#[derive(Debug, clap::Args)]
pub(crate) struct One {
    /// The service.
    id: ServiceId,
}

#[derive(Debug, clap::Args)]
pub(crate) struct EventsArgs {
    /// The service.
    id: ServiceId,
    /// Only those of this task.
    #[arg(long)]
    task: Option<TaskId>,
    /// status or observation.
    #[arg(long, value_parser = source)]
    source: Option<Source>,
    /// Only those of this type.
    #[arg(long = "type", value_name = "TYPE")]
    kind: Option<String>,
    /// Where the last page ended.
    #[arg(long, value_name = "CURSOR")]
    before: Option<String>,
    /// Most to list.
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u16).range(1..=500))]
    limit: u16,
}

fn source(text: &str) -> Result<Source, String> {
    serde_json::from_value(text.into()).map_err(|_| "use status or observation".to_owned())
}

/// A word as it stands in the document.
pub(super) fn word(value: impl serde::Serialize) -> String {
    json!(value).as_str().unwrap_or_default().to_owned()
}

pub(crate) async fn ls(plane: &Plane, args: LsArgs) -> Result<Answer, Failure> {
    let header = &["id", "name", "environment", "status", "fares", "url", "last seen"];
    let row = |fare: &Fare| {
        let own = &fare.service;
        let seen = own.last_seen_at.clone().unwrap_or_default();
        let (id, name, fares) = (own.service_id.clone(), own.name.clone(), word(fare.overall_status));
        vec![id, name, own.environment.clone(), word(own.status), fares, own.base_url.clone(), seen]
    };
    let verb = Ls { environment: args.environment.map(Said) };
    ask(plane, &verb, |all| View::Rows { header, rows: all.iter().map(row).collect() }).await
}

pub(crate) async fn show(plane: &Plane, args: One) -> Result<Answer, Failure> {
    ask(plane, &Show { service_id: Said(args.id) }, |shown| View::Text(text(shown))).await
}

fn text(shown: &Shown) -> String {
    let (own, feed) = (&shown.service, &shown.feed);
    let mut lines = vec![
        format!("{}  {}", own.service_id, own.name),
        format!("url          {}", own.base_url),
        format!("environment  {}", own.environment),
        format!("tags         {}", own.tags.join(" ")),
        format!("status       {}", word(own.status)),
        format!("health       {}", verdict(&shown.health)),
        format!("feed         {}", feed.cursor.as_deref().unwrap_or("not read yet")),
    ];
    lines.extend(feed.trouble.as_ref().map(|why| format!("trouble      {why}")));
    if feed.gaps > 0 {
        let at = feed.gap_at.as_deref().unwrap_or_default();
        lines.push(format!(
            "lost         events were gone {} times before they could be read, last {at}",
            feed.gaps
        ));
    }
    lines.join("\n")
}

/// The verdict and its reasons in one line.
pub(super) fn verdict(health: &services::Health) -> String {
    match &health.reasons[..] {
        [] => word(health.overall_status),
        why => format!("{}: {}", word(health.overall_status), why.join("; ")),
    }
}

pub(crate) async fn health(plane: &Plane, args: One) -> Result<Answer, Failure> {
    ask(plane, &Health { service_id: Said(args.id) }, |health| View::Text(verdict(health))).await
}

pub(crate) async fn events(plane: &Plane, args: EventsArgs) -> Result<Answer, Failure> {
    let verb = Events {
        service_id: Said(args.id),
        task_id: args.task.map(Said),
        source_kind: args.source,
        event_type: args.kind,
        before: args.before,
        limit: Some(Within(args.limit.into())),
    };
    let header = &["at", "task", "event", "late", "name"];
    let row = |event: &StudioEvent| {
        let late = event.0.get("out_of_order").is_some_and(|late| *late == true);
        let text = |name: &str| event.text(name).to_owned();
        let at = if event.text("timestamp").is_empty() { text("ingested_at") } else { text("timestamp") };
        let late = if late { "late" } else { "" }.to_owned();
        vec![at, text("task_id"), text("event_type"), late, text("dedupe_key")]
    };
    ask(plane, &verb, |page| View::Rows { header, rows: page.items.iter().map(row).collect() }).await
}
