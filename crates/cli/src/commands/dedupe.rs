//! `quorate dedupe`: whether something was seen before.

use std::time::Duration;

use clap::Subcommand;
use quorate_catalog::ids::ContentHash;
use quorate_plane::Plane;
use quorate_plane::dedupe::content_hash;
use serde_json::json;

use crate::args::Global;
use crate::failure::Failure;
use crate::out::{Answer, View};
use crate::{duration, plane, refusal};

#[derive(Debug, Subcommand)]
pub(crate) enum Verb {
    /// Notes a content as seen, and says whether it is the first.
    Check(Check),
    /// Forgets a content, so that it is new again.
    Forget(What),
}

#[derive(Debug, clap::Args)]
pub(crate) struct Check {
    #[command(flatten)]
    what: What,
    /// For how long it counts as seen; a scope has one window.
    #[arg(long, value_parser = duration::parse, default_value = "24h")]
    window: Duration,
}

#[derive(Debug, clap::Args)]
pub(crate) struct What {
    /// Among what it is to be the first.
    scope: ContentHash,
    /// The content; its SHA-256 is kept.
    #[arg(required_unless_present = "hash")]
    content: Option<String>,
    /// The hash of the content instead.
    #[arg(long, conflicts_with = "content")]
    hash: Option<ContentHash>,
}

impl What {
    fn hash(&self) -> ContentHash {
        let text = self.content.as_deref().unwrap_or_default();
        self.hash.clone().unwrap_or_else(|| content_hash(text.as_bytes()))
    }
}

pub(crate) async fn run(global: &Global, verb: Verb) -> Result<Answer, Failure> {
    let plane = Plane::new(plane::connect(global).await?)?;
    match verb {
        Verb::Check(Check { what, window }) => {
            let hash = what.hash();
            let found = plane.dedupe().check(&what.scope, &hash, window).await?;
            Ok(refusal::or(found, |seen| {
                let outcome = if seen.first { "first" } else { "duplicate" };
                let json =
                    json!({ "outcome": outcome, "scope": what.scope, "hash": hash, "seen_at": seen.seen_at });
                Answer::new(json, View::Text(outcome.to_owned()))
            }))
        }
        Verb::Forget(what) => {
            let hash = what.hash();
            match plane.dedupe().forget(&what.scope, &hash).await? {
                true => Ok(Answer::new(
                    json!({ "outcome": "forgotten", "scope": what.scope, "hash": hash }),
                    View::Text("forgotten".into()),
                )),
                false => Err(Failure::not_found("it was not seen")),
            }
        }
    }
}
