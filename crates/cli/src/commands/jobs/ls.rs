//! `quorate jobs ls`.

use quorate_plane::jobs::{Job, Page};
use quorate_verbs::jobs::Ls;
use quorate_verbs::said::Within;

use crate::args::Global;
use crate::ask::ask_page;
use crate::failure::Failure;
use crate::out::{Answer, View};

/// Lists the jobs to come, the next one first.
///
/// A page is bounded; `cursor` in the JSON, and a line on stderr otherwise, says where the next one begins.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Those that have ended, the last one first, instead of those to come.
    #[arg(long)]
    ended: bool,
    /// Most jobs on a page, from 1 to 1000.
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u16).range(1..=1000))]
    limit: u16,
    /// Where the page before ended.
    #[arg(long)]
    cursor: Option<String>,
}

pub(crate) async fn run(global: &Global, args: Args) -> Result<Answer, Failure> {
    let header = &["job", "queue", "state", "next", "cron", "zone"];
    let verb = Ls { ended: args.ended, limit: Some(Within(args.limit.into())), cursor: args.cursor };
    let rows = |page: &Page| View::Rows { header, rows: page.jobs.iter().map(row).collect() };
    ask_page(&super::plane(global).await?, &verb, (global.output, "jobs"), rows).await
}

fn row(job: &Job) -> Vec<String> {
    let text = |value: &Option<String>| value.clone().unwrap_or_else(|| "-".to_owned());
    vec![
        job.id.clone(),
        format!("job:{}", job.queue),
        job.state.clone(),
        text(&job.next_at),
        text(&job.cron),
        text(&job.zone),
    ]
}
