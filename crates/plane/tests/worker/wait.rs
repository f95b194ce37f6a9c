//! Waits for a lock for a minute; says when it has it, and keeps it.

use std::time::Duration;

use quorate_catalog::ids::AgentId;
use quorate_plane::locks::{Acquire, Request, Resource};
use quorate_plane::{Outcome, Plane};

use crate::{Failed, Log, register};

pub(crate) async fn work(plane: &Plane, args: &[String]) -> Result<(), Failed> {
    let [agent, lock, lease_ms, log] = args else { return Err("AGENT LOCK LEASE_MS LOG".into()) };
    let (agent, on, log) = (AgentId::parse(agent)?, lock.parse::<Resource>()?, Log::open(log)?);
    let lease = Duration::from_millis(lease_ms.parse()?);
    register(plane, &agent, lease).await;
    let request = Request { wait: Duration::from_secs(60), ..Request::new(on, agent.clone()) };
    let (locks, agents) = (plane.locks(), plane.agents());
    let alive = async {
        loop {
            tokio::time::sleep(lease / 3).await;
            let _ = agents.heartbeat(&agent, None).await;
        }
    };
    let outcome = tokio::select! {
        outcome = locks.acquire(&request) => outcome?,
        () = alive => return Ok(()),
    };
    if let Outcome::Done(Acquire::Granted(grant)) = outcome {
        log.record(&grant.fence.to_string(), agent.as_key())?;
    }
    Ok(())
}
