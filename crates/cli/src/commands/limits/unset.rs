//! `quorate limits unset ENDPOINT`.

use quorate_catalog::ids::Endpoint;
use quorate_plane::Plane;
use quorate_verbs::limits::Unset;
use quorate_verbs::said::Said;

use crate::ask::ask;
use crate::failure::Failure;
use crate::out::{Answer, View};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// What is no longer limited.
    endpoint: Endpoint,
}

pub(crate) async fn run(plane: &Plane, args: &Args) -> Result<Answer, Failure> {
    let verb = Unset { endpoint: Said(args.endpoint.clone()) };
    ask(plane, &verb, |done| View::Text(format!("{} is not limited", done.endpoint))).await
}
