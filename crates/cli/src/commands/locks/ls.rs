//! `quorate locks ls`.

use quorate_catalog::ids::AgentId;
use quorate_plane::Plane;
use serde_json::{Value, json};

use crate::failure::Failure;
use crate::out::{Answer, View};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Only what this agent holds.
    #[arg(long, value_name = "ID")]
    agent: Option<AgentId>,
    /// Most locks to list.
    #[arg(long, default_value_t = 1_000, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    limit: u32,
}

pub(crate) async fn run(plane: &Plane, args: &Args) -> Result<Answer, Failure> {
    let held: Vec<(String, String)> = match &args.agent {
        Some(agent) => plane
            .locks()
            .held_by(agent)
            .await?
            .into_iter()
            .map(|member| (agent.to_string(), member))
            .collect(),
        None => plane.locks().held(args.limit as usize).await?,
    };
    let facts: Vec<[String; 3]> = held.iter().map(|(agent, member)| fact(agent, member)).collect();
    let json = facts
        .iter()
        .map(|[lock, agent, mode]| json!({ "lock": lock, "agent": agent, "mode": mode }))
        .collect();
    let rows = facts.into_iter().map(|fact| fact.to_vec()).collect();
    Ok(Answer::new(Value::Array(json), View::Rows { header: &["lock", "agent", "mode"], rows }))
}

/// A hold is kept as `LOCK MODE`.
fn fact(agent: &str, member: &str) -> [String; 3] {
    let (lock, mode) = member.split_once(' ').unwrap_or((member, ""));
    // A path is kept encoded; what is shown can be typed back.
    let path = lock.strip_prefix("file:").and_then(quorate_catalog::rule::decode);
    let lock = &path.map_or_else(|| lock.to_owned(), |path| format!("file:{path}"));
    match (mode, mode.strip_prefix("a:")) {
        (_, Some(area)) => [format!("{lock}:{area}"), agent.to_owned(), "exclusive".to_owned()],
        ("s", _) => [lock.to_owned(), agent.to_owned(), "shared".to_owned()],
        _ => [lock.to_owned(), agent.to_owned(), "exclusive".to_owned()],
    }
}
