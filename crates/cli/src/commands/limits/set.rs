//! `quorate limits set ENDPOINT RULE`.

use quorate_catalog::ids::Endpoint;
use quorate_plane::Plane;
use quorate_verbs::limits::{Allowed, Set};
use quorate_verbs::said::Said;

use super::window;
use crate::ask::ask;
use crate::failure::Failure;
use crate::out::{Answer, View};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// What is limited, such as tasks:create.
    endpoint: Endpoint,
    /// How much in which time, such as 100/1m.
    rule: Allowed,
}

pub(crate) async fn run(plane: &Plane, args: &Args) -> Result<Answer, Failure> {
    let verb = Set { endpoint: Said(args.endpoint.clone()), rule: Said(args.rule) };
    ask(plane, &verb, |set| {
        let ruled = &set.ruled;
        View::Text(format!("{} allows each user {} in {}", ruled.endpoint, ruled.limit, window(ruled)))
    })
    .await
}
