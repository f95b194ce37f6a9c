//! `quorate dedupe`: whether something was seen before.

mod check;
mod forget;

use clap::Subcommand;
use quorate_catalog::ids::ContentHash;
use quorate_plane::Plane;
use quorate_verbs::dedupe;
use quorate_verbs::said::Said;

use crate::args::Global;
use crate::failure::Failure;
use crate::out::Answer;
use crate::plane;

#[derive(Debug, Subcommand)]
pub(crate) enum Verb {
    /// Notes a content as seen, and says whether it is the first.
    Check(check::Args),
    /// Forgets a content, so that it is new again.
    Forget(What),
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
    fn verb(&self) -> dedupe::What {
        dedupe::What {
            scope: Said(self.scope.clone()),
            content: self.content.clone(),
            hash: self.hash.clone().map(Said),
        }
    }
}

pub(crate) async fn run(global: &Global, verb: Verb) -> Result<Answer, Failure> {
    let plane = Plane::new(plane::connect(global).await?)?;
    match verb {
        Verb::Check(args) => check::run(&plane, &args).await,
        Verb::Forget(what) => forget::run(&plane, &what).await,
    }
}
