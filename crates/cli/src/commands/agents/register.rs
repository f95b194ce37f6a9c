//! `quorate agents register ID`.

use std::time::Duration;

use quorate_catalog::ids::WordId;
use quorate_verbs::agents::{Register, Registered};
use quorate_verbs::said::{Lease, Said};

use super::epoch::Epoch;
use super::{agent, connect, object};
use crate::args::Global;
use crate::ask::ask;
use crate::duration;
use crate::failure::Failure;
use crate::out::{Answer, View};

/// Registers an agent, or says more about one that is registered.
///
/// Without an epoch this is a new incarnation: it gets a higher epoch, writes of the earlier ones are refused from then
/// on, and what they held passes on: claims are back on their queues, locks go to whoever is next. With the epoch of the living incarnation it is the same one again. Either way what is not stated
/// stays as it is: role, capabilities, capacity, and every field of the blob that is not named.
///
/// A sub-agent has an id of its own, so that it never overwrites its parent. `--as-subagent NAME` makes it
/// ID-sub-NAME with the parent ID; `--parent` is then refused, and so is `--epoch`, while QUORATE_EPOCH, which is
/// the parent's there, is not looked at. Without `--as-subagent` the id is ID as it stands.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The agent: letters, digits and . _ @ + -.
    id: String,
    /// What kind of agent it is, such as planner.
    #[arg(long = "type", value_name = "TYPE")]
    kind: Option<String>,
    /// A role it is found by.
    #[arg(long)]
    role: Option<String>,
    /// What it works on.
    #[arg(long, value_name = "TEXT")]
    task: Option<String>,
    /// Something it can do and is found by; may be given up to 64 times and replaces what was stated before.
    #[arg(long = "capability", value_name = "WORD")]
    capabilities: Vec<String>,
    /// Most tasks it has at once: task locks and claims together.
    #[arg(long, value_name = "N")]
    max_tasks: Option<u32>,
    /// How long what it holds outlasts its last sign of life, from 1s to 24h.
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = duration::lease)]
    lease: Duration,
    /// A JSON object of its own, merged field by field into the one that is there.
    #[arg(long, value_name = "JSON")]
    blob: Option<String>,
    /// The agent it works for.
    #[arg(long, value_name = "ID", conflicts_with = "as_subagent")]
    parent: Option<String>,
    /// Register a sub-agent of ID under the name ID-sub-NAME.
    #[arg(long, value_name = "NAME", conflicts_with = "epoch")]
    as_subagent: Option<String>,
    #[command(flatten)]
    epoch: Epoch,
}

pub(crate) async fn run(global: &Global, args: Args) -> Result<Answer, Failure> {
    let verb = wanted(args)?;
    let plane = connect(global).await?;
    ask(&plane, &verb, |done| {
        let Registered { agent, epoch, lease_until, .. } = done;
        View::Text(format!("{agent} is registered with epoch {epoch}, lease until {lease_until}"))
    })
    .await
}

fn wanted(args: Args) -> Result<Register, Failure> {
    let word = |text: &String| WordId::parse(text).map(Said).map_err(Failure::bad_input);
    // In a sub-agent's environment the epoch is its parent's.
    let epoch = if args.as_subagent.is_some() { None } else { args.epoch.get()? };
    Ok(Register {
        agent: agent(&args.id)?,
        epoch,
        kind: args.kind,
        role: args.role.as_ref().map(word).transpose()?,
        task: args.task,
        capabilities: args.capabilities.iter().map(word).collect::<Result<_, _>>()?,
        max_tasks: args.max_tasks,
        lease: Some(Lease(args.lease)),
        blob: args.blob.map(|text| object("--blob", &text)).transpose()?,
        parent: args.parent.as_deref().map(agent).transpose()?,
        as_subagent: args.as_subagent.as_deref().map(agent).transpose()?,
    })
}
