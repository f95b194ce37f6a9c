//! What an agent is said to hold it holds, and the seeds' keys show it.

use futures_util::future::BoxFuture;
use quorate_catalog::ids::AgentId;
use quorate_store::invariant::{Finding, Invariant, Scope};
use quorate_store::{Result, cmd};

use super::super::Resource;
use super::finding;
use crate::Plane;

const CODE: &str = "FSCK030";

/// Every hold of an agent is a hold of its lock, and the seeds' keys, registry and index show it.
#[derive(Debug)]
pub(super) struct ShownHolds;

impl Invariant for ShownHolds {
    fn code(&self) -> &'static str {
        CODE
    }

    fn promise(&self) -> &'static str {
        "every hold is known to its lock and its agent, and shown by the seed's key, the registry and the index"
    }

    fn check<'a>(&'a self, scope: &'a Scope) -> BoxFuture<'a, Result<Vec<Finding>>> {
        Box::pin(async move {
            let Ok(plane) = Plane::new(scope.clone()) else { return Ok(vec![]) };
            let mut findings = Vec::new();
            for (agent, member) in plane.locks().held(usize::MAX).await? {
                let Some(on) = Resource::of_hold(&member) else { continue };
                if let Some(message) = fault(&plane, &agent, &on).await? {
                    findings.push(finding(CODE, "quorate.lock_state", on.to_string(), message));
                }
            }
            Ok(findings)
        })
    }

    fn repair<'a>(&'a self, scope: &'a Scope, finding: &'a Finding) -> BoxFuture<'a, Result<bool>> {
        Box::pin(async move {
            let (Ok(plane), Ok(on)) = (Plane::new(scope.clone()), finding.key.parse::<Resource>()) else {
                return Ok(false);
            };
            for (agent, member) in plane.locks().held(usize::MAX).await? {
                if let (Ok(agent), true) =
                    (AgentId::parse(&agent), Resource::of_hold(&member).as_ref() == Some(&on))
                {
                    plane.locks().mend(&on, Some((&agent, &member))).await?;
                }
            }
            Ok(true)
        })
    }
}

async fn fault(plane: &Plane, agent: &str, on: &Resource) -> Result<Option<String>> {
    let now = plane.store().time().await?;
    let shown = plane.locks().show(on, 1).await?;
    let Some(hold) = shown.holders.iter().find(|hold| hold.agent == agent && hold.expires_at > now) else {
        return Ok(Some(format!("{agent} is said to hold it, and it is not held by {agent}")));
    };
    let seed = on.seed_key(plane.keys());
    let exists: u64 = plane.store().query(cmd("EXISTS").arg(seed.as_str())).await?;
    if exists == 0 {
        return Ok(Some(format!("{agent} holds it, and {seed} is not there")));
    }
    if !matches!(on, Resource::Task(_) | Resource::Resource(..)) {
        return Ok(None);
    }
    let Ok(id) = AgentId::parse(&hold.agent) else { return Ok(None) };
    let mut pipeline = redis::pipe();
    pipeline.cmd("ZSCORE").arg(plane.keys().ade().lock_registry().as_str()).arg(seed.as_str());
    pipeline.cmd("SISMEMBER").arg(plane.keys().ade().locks_by_agent(&id).as_str()).arg(seed.as_str());
    let (score, indexed): (Option<f64>, bool) = plane.store().pipeline(&pipeline).await?;
    Ok(match (score, indexed) {
        (None, _) => Some(format!("{agent} holds it, and the registry does not know it")),
        (_, false) => Some(format!("{agent} holds it, and the agent's index does not know it")),
        _ => None,
    })
}
