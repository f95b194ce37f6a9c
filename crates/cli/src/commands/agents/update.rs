//! `quorate agents update ID`.

use clap::builder::PossibleValue;
use quorate_verbs::agents::{Progress, Update};

use super::epoch::Epoch;
use super::{agent, connect, object};
use crate::args::Global;
use crate::ask::ask;
use crate::failure::Failure;
use crate::out::{Answer, View};

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
    status: Option<Status>,
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
struct Status(Progress);

impl clap::ValueEnum for Status {
    fn value_variants<'a>() -> &'a [Self] {
        &[
            Status(Progress::Pending),
            Status(Progress::InProgress),
            Status(Progress::Blocked),
            Status(Progress::Done),
        ]
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(quorate_plane::agents::Status::from(self.0).as_str()))
    }
}

pub(crate) async fn run(global: &Global, args: Args) -> Result<Answer, Failure> {
    let verb = Update {
        agent: agent(&args.id)?,
        epoch: args.epoch.get()?,
        task: args.task,
        status: args.status.map(|status| status.0),
        blob: args.blob.map(|text| object("--blob", &text)).transpose()?,
        merge_blob: args.merge_blob,
    };
    let plane = connect(global).await?;
    ask(&plane, &verb, |done| View::Text(format!("{} is updated", done.agent))).await
}
