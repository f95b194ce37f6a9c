//! `quorate services register ID URL`.

use quorate_catalog::ids::{EnvironmentId, ServiceId};
use quorate_plane::Plane;
use quorate_plane::services::Address;
use quorate_verbs::said::Said;
use quorate_verbs::services::Register;

use super::sources::Places;
use crate::ask::ask_as;
use crate::failure::Failure;
use crate::out::{Answer, View};
use crate::outgoing::{Outgoing, calling};
use crate::who;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// What it is called from now on.
    id: ServiceId,
    /// Where it answers: an http or https URL without credentials and without a query.
    url: Address,
    /// Where it runs.
    #[arg(long, value_name = "NAME")]
    environment: EnvironmentId,
    /// Its name for people [default: its id].
    #[arg(long)]
    name: Option<String>,
    /// Its labels, with commas between.
    #[arg(long, value_name = "TAG", value_delimiter = ',')]
    tags: Vec<String>,
    /// How it is signed in to [default: internal_network].
    #[arg(long, value_name = "MODE")]
    auth_mode: Option<String>,
    /// Who does it, for the audit [default: the user at the command line].
    #[arg(long, value_name = "WHO")]
    by: Option<String>,
    #[command(flatten)]
    places: Places,
    #[command(flatten)]
    outgoing: Outgoing,
}

pub(crate) async fn run(plane: Plane, args: Args) -> Result<Answer, Failure> {
    let plane = calling(plane, args.outgoing.guard()?);
    let verb = Register {
        service_id: Said(args.id),
        name: args.name,
        base_url: Said(args.url),
        environment: Said(args.environment),
        tags: args.tags,
        auth_mode: args.auth_mode,
        log_config: args.places.log_config,
        metrics_config: args.places.metrics_config,
        trace_config: args.places.trace_config,
    };
    let by = args.by.unwrap_or_else(who::os_user);
    ask_as(&plane, &by, &verb, |made| {
        let own = &made.service;
        View::Text(format!("registered {} at {} in {}", own.service_id, own.base_url, own.environment))
    })
    .await
}
