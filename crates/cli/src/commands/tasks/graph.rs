//! `quorate tasks graph TASK`.

use quorate_catalog::ids::TaskId;
use quorate_plane::Plane;
use quorate_verbs::said::Said;
use quorate_verbs::tasks::{Drawn, Graph};

use crate::ask::ask;
use crate::failure::Failure;
use crate::out::{Answer, View};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The task.
    task: TaskId,
    /// Draw it as Mermaid.
    #[arg(long)]
    mermaid: bool,
}

pub(crate) async fn run(plane: &Plane, args: Args) -> Result<Answer, Failure> {
    let verb = Graph { task_id: Said(args.task), mermaid: args.mermaid };
    ask(plane, &verb, view).await
}

fn view(drawn: &Drawn) -> View {
    if let Some(text) = &drawn.mermaid {
        return View::Text(text.trim_end().to_owned());
    }
    let row = |edge: &quorate_plane::tasks::Edge| {
        let time = edge.timestamp.clone().unwrap_or_else(|| "-".to_owned());
        vec![time, edge.source.clone(), edge.kind.to_owned(), edge.target.clone()]
    };
    View::Rows { header: &["at", "from", "what", "to"], rows: drawn.graph.edges.iter().map(row).collect() }
}
