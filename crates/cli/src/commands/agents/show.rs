//! `quorate agents show ID`.

use quorate_catalog::text::harmless;
use quorate_plane::agents::Agent;
use quorate_store::Micros;
use quorate_verbs::agents::Show;
use serde_json::Value;

use super::ls::state;
use super::{agent, connect};
use crate::args::Global;
use crate::ask::ask;
use crate::failure::Failure;
use crate::out::{Answer, View};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The agent.
    id: String,
}

pub(crate) async fn run(global: &Global, args: &Args) -> Result<Answer, Failure> {
    let verb = Show { agent: agent(&args.id)? };
    ask(&connect(global).await?, &verb, |found| View::Text(text(found))).await
}

/// One fact a line; a fact that is not there has none.
fn text(agent: &Agent) -> String {
    let at = |seconds: Option<f64>| seconds.map(|at| Micros::new((at * 1e6) as u64).iso());
    let capacity = agent.capacity.as_ref().map(|own| {
        let most = own.max_tasks.map_or("?".to_owned(), |most| most.to_string());
        format!("{} of {most} tasks, {} waiting", own.active_tasks, own.queued_tasks)
    });
    let facts = [
        ("agent", Some(agent.agent.clone())),
        ("state", Some(state(agent))),
        ("epoch", agent.epoch.map(|epoch| epoch.to_string())),
        ("type", agent.kind.clone()),
        ("role", agent.role.clone()),
        ("parent", agent.parent.clone()),
        ("capabilities", Some(agent.capabilities.join(", ")).filter(|text| !text.is_empty())),
        ("status", agent.status.clone()),
        ("task", agent.task.clone()),
        ("capacity", capacity),
        ("registered", at(agent.registered_at)),
        ("heard from", at(agent.last_acked_at.or(agent.last_heartbeat))),
        ("poked", at(agent.last_poked_at)),
        ("lease until", at(agent.lease_until)),
        ("drain", agent.drain.clone()),
        ("banned", agent.banned.clone()),
        ("blob", agent.blob.as_ref().map(Value::to_string)),
        ("unreadable", agent.unreadable.clone()),
    ];
    let line = |(name, value): (&str, Option<String>)| Some(format!("{name:<13} {}", harmless(&value?)));
    facts.into_iter().filter_map(line).collect::<Vec<_>>().join("\n")
}
