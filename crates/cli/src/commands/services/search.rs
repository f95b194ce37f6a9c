//! `quorate services search`.

use quorate_plane::Plane;
use quorate_plane::search::ServiceHit;
use quorate_verbs::said::Within;
use quorate_verbs::services::Search;

use crate::ask::ask;
use crate::failure::Failure;
use crate::out::{Answer, View};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Words, or their beginnings, that one of id, name, environment and labels has all of.
    query: Vec<String>,
    /// Of this environment.
    #[arg(long)]
    environment: Option<String>,
    /// With this status in the registry.
    #[arg(long)]
    status: Option<String>,
    /// With this verdict on their health.
    #[arg(long)]
    health: Option<String>,
    /// With this label.
    #[arg(long)]
    tag: Option<String>,
    /// Where to go on: next_cursor of the page before.
    #[arg(long)]
    cursor: Option<String>,
    /// Most of a page.
    #[arg(long, default_value_t = 50, value_parser = clap::value_parser!(u64).range(1..=200))]
    limit: u64,
}

pub(crate) async fn run(plane: &Plane, args: Args) -> Result<Answer, Failure> {
    let header = &["service", "name", "environment", "status", "health", "matched"];
    let verb = Search {
        query: (!args.query.is_empty()).then(|| args.query.join(" ")),
        environment: args.environment,
        status: args.status,
        health: args.health,
        tag: args.tag,
        cursor: args.cursor,
        limit: Some(Within(args.limit)),
    };
    ask(plane, &verb, |page| View::Rows { header, rows: page.items.iter().map(row).collect() }).await
}

fn row(hit: &ServiceHit) -> Vec<String> {
    let known = &hit.document;
    vec![
        known.service_id.clone(),
        known.name.clone(),
        known.environment.clone(),
        known.status.clone(),
        known.health_status.clone().unwrap_or_else(|| "-".to_owned()),
        hit.matched_fields.join(" "),
    ]
}
