//! `quorate find`: what an id belongs to.

use quorate_plane::Plane;
use quorate_verbs::find::Find;

use crate::args::Global;
use crate::ask::ask;
use crate::failure::Failure;
use crate::out::{Answer, View};
use crate::plane;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The id, whole, as it is shown anywhere.
    #[arg(value_name = "ID", allow_hyphen_values = true)]
    q: String,
}

pub(crate) async fn run(global: &Global, args: Args) -> Result<Answer, Failure> {
    let plane = Plane::new(plane::connect(global).await?)?;
    let header = &["noun", "id", "what"];
    ask(&plane, &Find { q: args.q }, |finds| {
        let rows = finds.found.iter().map(|one| vec![one.noun.clone(), one.id.clone(), one.what.clone()]);
        View::Rows { header, rows: rows.collect() }
    })
    .await
}
