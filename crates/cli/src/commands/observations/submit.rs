//! `quorate observations submit CONTENT`.

use quorate_plane::Plane;
use quorate_verbs::observations::Submit;

use crate::ask::ask;
use crate::failure::Failure;
use crate::out::{Answer, View};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// What was noticed.
    content: String,
    /// What it is about; the same content under another topic is another observation.
    #[arg(long, default_value = "", hide_default_value = true)]
    topic: String,
    /// Who noticed it.
    #[arg(long, env = "QUORATE_AGENT", default_value = "quorate-cli", value_name = "NAME")]
    source: String,
}

pub(crate) async fn run(plane: &Plane, args: &Args) -> Result<Answer, Failure> {
    let verb = Submit {
        content: args.content.clone(),
        topic: args.topic.clone(),
        source: Some(args.source.clone()),
    };
    ask(plane, &verb, |done| View::Text(format!("accepted {}", done.id))).await
}
