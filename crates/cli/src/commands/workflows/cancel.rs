//! `quorate workflows cancel TASK`.

use quorate_catalog::ids::TaskId;
use quorate_plane::Plane;
use quorate_verbs::said::Said;
use quorate_verbs::workflows::Cancel;

use crate::ask::ask_as;
use crate::failure::Failure;
use crate::out::{Answer, View};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The task whose run it is.
    task: TaskId,
    /// Who decides.
    #[arg(long, value_name = "NAME", default_value = crate::ask::OPERATOR, hide_default_value = true)]
    by: String,
    /// Why.
    #[arg(long, value_name = "TEXT", default_value = "", hide_default_value = true)]
    reason: String,
}

pub(crate) async fn run(plane: &Plane, args: Args) -> Result<Answer, Failure> {
    let verb = Cancel { task: Said(args.task), reason: args.reason };
    ask_as(plane, &args.by, &verb, |done| View::Text(format!("the run of {} is cancelled", done.task))).await
}
