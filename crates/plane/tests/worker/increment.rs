//! Increments a counter under a lock, as a holder does that may be paused past its lease at any moment: it reads, takes
//! its time and writes back, through the guard or, to show what the guard is for, without it. Each write that the store
//! accepted is one line: value, token, agent.

use std::time::Duration;

use quorate_catalog::ids::AgentId;
use quorate_plane::locks::{Acquire, Request, Resource};
use quorate_plane::{Outcome, Plane};
use quorate_store::cmd;

use crate::{Failed, Log, register};

pub(crate) async fn work(plane: &Plane, args: &[String]) -> Result<(), Failed> {
    let [agent, lock, counter, log, guarded] = args else {
        return Err("AGENT LOCK COUNTER LOG GUARDED".into());
    };
    let (agent, on, log) = (AgentId::parse(agent)?, lock.parse::<Resource>()?, Log::open(log)?);
    loop {
        let epoch = register(plane, &agent, Duration::from_secs(2)).await;
        let request = Request {
            epoch: Some(epoch),
            ttl: Some(Duration::from_millis(250)),
            wait: Duration::from_secs(5),
            ..Request::new(on.clone(), agent.clone())
        };
        let Outcome::Done(Acquire::Granted(grant)) = plane.locks().acquire(&request).await? else { continue };
        let before: u64 = plane.store().query::<Option<u64>>(cmd("GET").arg(counter)).await?.unwrap_or(0);
        tokio::time::sleep(Duration::from_millis(20)).await;
        let write = ["SET".to_owned(), counter.to_owned(), (before + 1).to_string()];
        let accepted = match guarded.as_str() {
            "guarded" => plane.locks().guard(&on, grant.fence, &write).await?.refusal().is_none(),
            _ => plane.store().query::<()>(cmd(&write[0]).arg(&write[1]).arg(&write[2])).await.is_ok(),
        };
        if accepted {
            log.record(&(before + 1).to_string(), &format!("{} {agent}", grant.fence))?;
        }
        plane.locks().release(&on, &agent, grant.fence).await?;
    }
}
