//! `quorate queues pause QUEUE` and `resume QUEUE`.

use quorate_plane::Plane;
use quorate_plane::queues::Queue;
use serde_json::json;

use crate::failure::Failure;
use crate::out::{Answer, View};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// high, normal, low or job:NAME.
    #[arg(value_name = "QUEUE")]
    queue: Queue,
    /// Who does it, for those who wonder.
    #[arg(long, env = "QUORATE_AGENT", value_name = "WHO", default_value = "operator")]
    by: String,
}

pub(crate) async fn run(plane: &Plane, args: &Args, pause: bool) -> Result<Answer, Failure> {
    if args.by.is_empty() || args.by.len() > 256 {
        return Err(Failure::bad_input("--by has from 1 to 256 bytes"));
    }
    let word = if pause { "paused" } else { "resumed" };
    let before = match pause {
        true => plane.queues().pause(&args.queue, &args.by).await?,
        false => plane.queues().resume(&args.queue).await?,
    };
    let json = json!({ "outcome": word, "queue": args.queue.name(), "before": before });
    Ok(Answer::new(json, View::Text(format!("{word} {}", args.queue))))
}
