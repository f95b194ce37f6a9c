//! `quorate queues pause QUEUE` and `resume QUEUE`.

use quorate_plane::Plane;
use quorate_plane::queues::Queue;
use quorate_verbs::queues::{Pause, Paused, Resume};
use quorate_verbs::said::Said;

use crate::ask::ask_as;
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

pub(crate) async fn pause(plane: &Plane, args: Args) -> Result<Answer, Failure> {
    args.check()?;
    ask_as(plane, &args.by, &Pause { queue: Said(args.queue) }, view).await
}

pub(crate) async fn resume(plane: &Plane, args: Args) -> Result<Answer, Failure> {
    args.check()?;
    ask_as(plane, &args.by, &Resume { queue: Said(args.queue) }, view).await
}

impl Args {
    fn check(&self) -> Result<(), Failure> {
        let fits = (1..=256).contains(&self.by.len());
        if fits { Ok(()) } else { Err(Failure::bad_input("--by has from 1 to 256 bytes")) }
    }
}

fn view(done: &Paused) -> View {
    View::Text(format!("{} {}", done.outcome, done.queue))
}
