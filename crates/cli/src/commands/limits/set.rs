//! `quorate limits set ENDPOINT RULE`.

use quorate_catalog::ids::Endpoint;
use quorate_plane::Plane;
use quorate_plane::limits::Rule;

use super::{rule, ruled};
use crate::failure::Failure;
use crate::out::{Answer, View};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// What is limited, such as tasks:create.
    endpoint: Endpoint,
    /// How much in which time, such as 100/1m.
    #[arg(value_parser = rule)]
    rule: Rule,
}

pub(crate) async fn run(plane: &Plane, Args { endpoint, rule }: &Args) -> Result<Answer, Failure> {
    plane.limits().set(endpoint, *rule).await?;
    let mut json = ruled(&endpoint.to_string(), rule);
    json["outcome"] = "set".into();
    let text = format!("{endpoint} allows each user {} in {:?}", rule.limit, rule.window);
    Ok(Answer::new(json, View::Text(text)))
}
