//! `quorate services update`, `disable`, `enable`, `delete`.

use quorate_catalog::ids::{EnvironmentId, ServiceId};
use quorate_plane::Plane;
use quorate_plane::services::{Address, ByHand};
use quorate_verbs::said::Said;
use quorate_verbs::services::{Changed, Delete, Disable, Enable, Update};

use super::sources::Places;
use crate::ask::ask_as;
use crate::failure::Failure;
use crate::out::{Answer, View};
use crate::outgoing::{Outgoing, calling};
use crate::who;

#[derive(Debug, clap::Args)]
pub(crate) struct One {
    /// The service.
    id: ServiceId,
    /// Who does it, for the audit [default: the user at the command line].
    #[arg(long, value_name = "WHO")]
    by: Option<String>,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The service.
    id: ServiceId,
    /// Where it answers.
    #[arg(long)]
    url: Option<Address>,
    /// Where it runs.
    #[arg(long, value_name = "NAME")]
    environment: Option<EnvironmentId>,
    /// Its name for people.
    #[arg(long)]
    name: Option<String>,
    /// Its labels, all of them, with commas between.
    #[arg(long, value_name = "TAG", value_delimiter = ',')]
    tags: Option<Vec<String>>,
    /// How it is signed in to.
    #[arg(long, value_name = "MODE")]
    auth_mode: Option<String>,
    /// registered, unavailable or disabled; that it is healthy it shows itself.
    #[arg(long, value_parser = by_hand)]
    status: Option<ByHand>,
    /// Who does it, for the audit [default: the user at the command line].
    #[arg(long, value_name = "WHO")]
    by: Option<String>,
    #[command(flatten)]
    places: Places,
    #[command(flatten)]
    outgoing: Outgoing,
}

fn by_hand(text: &str) -> Result<ByHand, String> {
    serde_json::from_value(text.into()).map_err(|_| "use registered, unavailable or disabled".to_owned())
}

fn view(changed: &Changed) -> View {
    let own = &changed.service;
    let status = serde_json::json!(own.status);
    View::Text(format!("{} is {} at {}", own.service_id, status.as_str().unwrap_or_default(), own.base_url))
}

fn who(by: Option<String>) -> String {
    by.unwrap_or_else(who::os_user)
}

pub(crate) async fn update(plane: Plane, args: Args) -> Result<Answer, Failure> {
    let plane = calling(plane, args.outgoing.guard()?);
    let verb = Update {
        service_id: Said(args.id),
        name: args.name,
        base_url: args.url.map(Said),
        environment: args.environment.map(Said),
        tags: args.tags,
        auth_mode: args.auth_mode,
        status: args.status,
        log_config: args.places.log_config,
        metrics_config: args.places.metrics_config,
        trace_config: args.places.trace_config,
    };
    ask_as(&plane, &who(args.by), &verb, view).await
}

pub(crate) async fn disable(plane: &Plane, args: One) -> Result<Answer, Failure> {
    ask_as(plane, &who(args.by), &Disable { service_id: Said(args.id) }, view).await
}

pub(crate) async fn enable(plane: &Plane, args: One) -> Result<Answer, Failure> {
    ask_as(plane, &who(args.by), &Enable { service_id: Said(args.id) }, view).await
}

pub(crate) async fn delete(plane: &Plane, args: One) -> Result<Answer, Failure> {
    ask_as(plane, &who(args.by), &Delete { service_id: Said(args.id) }, |gone| {
        View::Text(format!(
            "deleted {}; {} of its events are still to be cleared away",
            gone.service_id, gone.left
        ))
    })
    .await
}
