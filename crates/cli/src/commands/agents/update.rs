//! `quorate agents update ID`.

use clap::builder::PossibleValue;
use quorate_plane::agents::{Blob, Patch, Status};
use serde_json::json;

use super::epoch::Epoch;
use super::{agent, connect, object};
use crate::args::Global;
use crate::failure::Failure;
use crate::out::{Answer, View};
use crate::refusal;

#[derive(Debug, clap::Args)]
#[group(id = "change", required = true, multiple = true, args = ["task", "status", "blob"])]
pub(crate) struct Args {
    /// The agent.
    id: String,
    /// What it works on now.
    #[arg(long, value_name = "TEXT")]
    task: Option<String>,
    /// How far it is.
    #[arg(long, value_name = "STATUS")]
    status: Option<Progress>,
    /// A JSON object of its own; it replaces the one that is there.
    #[arg(long, value_name = "JSON")]
    blob: Option<String>,
    /// Merge the blob field by field into the one that is there.
    #[arg(long, requires = "blob")]
    merge_blob: bool,
    #[command(flatten)]
    epoch: Epoch,
}

#[derive(Debug, Clone, Copy)]
struct Progress(Status);

impl clap::ValueEnum for Progress {
    fn value_variants<'a>() -> &'a [Self] {
        const ALL: [Progress; 4] = [
            Progress(Status::ALL[0]),
            Progress(Status::ALL[1]),
            Progress(Status::ALL[2]),
            Progress(Status::ALL[3]),
        ];
        &ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(self.0.as_str()))
    }
}

pub(crate) async fn run(global: &Global, args: Args) -> Result<Answer, Failure> {
    let id = agent(&args.id)?;
    let epoch = args.epoch.get()?;
    let blob = args.blob.map(|text| object("--blob", &text)).transpose()?;
    let blob = blob.map(if args.merge_blob { Blob::Merge } else { Blob::Replace });
    let patch = Patch { task: args.task, status: args.status.map(|progress| progress.0), blob };
    let outcome = connect(global).await?.agents().update(&id, epoch, &patch).await?;
    Ok(refusal::or(outcome, |version| {
        let json = json!({ "outcome": "updated", "agent": id, "version": version });
        Answer::new(json, View::Text(format!("{id} is updated")))
    }))
}
