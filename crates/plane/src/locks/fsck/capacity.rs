//! The capacity of an agent says how much it has locked, claimed and waits for.

use futures_util::future::BoxFuture;
use quorate_catalog::ids::AgentId;
use quorate_store::invariant::{Finding, Invariant, Scope};
use quorate_store::{Arg, ErrorKind, Result};

use super::finding;
use crate::agents::registered;
use crate::outcome::Reply;
use crate::{Outcome, Plane};

const CODE: &str = "FSCK033";
/// Agents that are asked at once whether they stated a capacity.
const PAGE: usize = 1_000;

#[derive(Debug)]
pub(super) struct CountedTasks;

impl Invariant for CountedTasks {
    fn code(&self) -> &'static str {
        CODE
    }

    fn promise(&self) -> &'static str {
        "the capacity of an agent says what it may have, and what it has locked, claimed and waits for"
    }

    fn check<'a>(&'a self, scope: &'a Scope) -> BoxFuture<'a, Result<Vec<Finding>>> {
        Box::pin(async move {
            let Ok(plane) = Plane::new(scope.clone()) else { return Ok(vec![]) };
            let mut findings = Vec::new();
            for agents in registered(scope).await?.chunks(PAGE) {
                for agent in with_capacity(scope, agents).await? {
                    let key = scope.keys.ade().agent_capacity(&agent).to_string();
                    for message in recount(&plane, &agent, false).await? {
                        findings.push(finding(CODE, "ade.agent_capacity", key.clone(), message));
                    }
                }
            }
            Ok(findings)
        })
    }

    fn repair<'a>(&'a self, scope: &'a Scope, finding: &'a Finding) -> BoxFuture<'a, Result<bool>> {
        Box::pin(async move {
            let Ok(plane) = Plane::new(scope.clone()) else { return Ok(false) };
            let agents = registered(scope).await?;
            let own = |agent: &&AgentId| scope.keys.ade().agent_capacity(agent).as_str() == finding.key;
            let Some(agent) = agents.iter().find(own) else { return Ok(false) };
            recount(&plane, agent, true).await?;
            Ok(recount(&plane, agent, false).await?.is_empty())
        })
    }
}

/// Those that stated one; few do.
async fn with_capacity(scope: &Scope, agents: &[AgentId]) -> Result<Vec<AgentId>> {
    let mut pipeline = redis::pipe();
    for agent in agents {
        pipeline.cmd("HGET").arg(scope.keys.quorate().agent(agent).as_str()).arg("max_tasks");
    }
    let stated: Vec<Option<String>> = match scope.store.pipeline(&pipeline).await {
        Ok(stated) => stated,
        // The census reports a key of another type, and the script refuses it.
        Err(error) if error.kind() == ErrorKind::WrongType => return Ok(agents.to_vec()),
        Err(error) => return Err(error),
    };
    let with = agents.iter().zip(stated).filter(|(_, most)| most.is_some());
    Ok(with.map(|(agent, _)| agent.clone()).collect())
}

/// What is wrong with it at this moment; with `commit` it is written again.
async fn recount(plane: &Plane, agent: &AgentId, commit: bool) -> Result<Vec<String>> {
    let args = [Arg::from(agent.as_key()), Arg::from(i64::from(commit))];
    let record = plane.keys().quorate().agent(agent);
    let store = plane.store().repeatable();
    let reply: Reply = store.run(&plane.lock_scripts().recount, &[record.as_str()], &args).await?;
    Ok(match reply.expect("counted")? {
        Outcome::Done(faults) => faults,
        Outcome::Refused(_) => vec![],
    })
}
