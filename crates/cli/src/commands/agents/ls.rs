//! `quorate agents ls`.

use quorate_catalog::ids::WordId;
use quorate_plane::agents::{Agent, Page};
use quorate_verbs::agents::Ls;
use quorate_verbs::said::{Said, Within};

use super::connect;
use crate::args::Global;
use crate::ask::ask_page;
use crate::failure::Failure;
use crate::out::{Answer, View};

/// Lists agents, the longest silent first.
///
/// A page is bounded, whatever the number of sessions; `cursor` in the JSON, and a line on stderr otherwise, says
/// where the next one begins.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Only those heard from within 300 s.
    #[arg(long)]
    live: bool,
    /// Only those with this role; sorted by name.
    #[arg(long)]
    role: Option<String>,
    /// Only those with this capability; sorted by name.
    #[arg(long)]
    capability: Option<String>,
    /// Most agents on a page, from 1 to 1000.
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u16).range(1..=1000))]
    limit: u16,
    /// Where the page before ended.
    #[arg(long)]
    cursor: Option<String>,
}

pub(crate) async fn run(global: &Global, args: Args) -> Result<Answer, Failure> {
    let word = |text: &String| WordId::parse(text).map(Said).map_err(Failure::bad_input);
    let verb = Ls {
        live: args.live,
        role: args.role.as_ref().map(word).transpose()?,
        capability: args.capability.as_ref().map(word).transpose()?,
        limit: Some(Within(args.limit.into())),
        cursor: args.cursor,
    };
    let (plane, header) = (connect(global).await?, &["agent", "state", "role", "status", "task", "epoch"]);
    let rows = |page: &Page| View::Rows { header, rows: page.agents.iter().map(row).collect() };
    ask_page(&plane, &verb, (global.output, "agents"), rows).await
}

fn row(agent: &Agent) -> Vec<String> {
    let text = |value: &Option<String>| value.clone().unwrap_or_default();
    let epoch = agent.epoch.map(|epoch| epoch.to_string()).unwrap_or_default();
    vec![agent.agent.clone(), state(agent), text(&agent.role), text(&agent.status), text(&agent.task), epoch]
}

/// The label, and what keeps the agent from taking on work.
pub(super) fn state(agent: &Agent) -> String {
    let marks = [
        (agent.unreadable.is_some(), "unreadable"),
        (agent.banned.is_some(), "banned"),
        (agent.revoked && agent.banned.is_none(), "revoked"),
        (agent.drain.is_some(), "draining"),
    ];
    let marks = marks.iter().filter(|(holds, _)| *holds).map(|(_, mark)| *mark);
    std::iter::once(agent.label.as_str()).chain(marks).collect::<Vec<_>>().join(", ")
}
