//! What is left behind: leases that have ended, and sessions that have been gone for long.
//!
//! One tick may run in any number of processes at once: it finds candidates in bounded pages, and a script decides
//! on each from what is true at that moment.

use quorate_catalog::ids::AgentId;
use quorate_store::{Arg, Result, cmd};
use serde::Serialize;

use super::{Agents, script};
use crate::outcome::Reply;

/// Candidates in one page, and pages in one tick.
const PAGE: usize = 100;
const PAGES: usize = 10;

/// How long a session has been silent that has been gone for an hour: an hour, and the 600 s its key outlasts it.
const GONE_AFTER: u64 = 3_600 + 600;

/// What a tick did.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Reaped {
    /// Agents whose lease had ended and whose holds have passed on.
    pub retired: usize,
    /// Sessions taken out of the indexes.
    pub pruned: usize,
}

/// What became of an agent whose lease had ended when it was found.
enum Fate {
    Retired,
    /// It was heard from in the meantime.
    Alive,
    Kept,
}

impl Agents<'_> {
    /// One tick. `pass_on` is called for each agent whose lease has ended and passes on what it holds; it answers
    /// whether that is all done, and an agent for which it is not is called for again in the next tick.
    ///
    /// The first fault is reported after everybody has had his turn, so that one bad record holds up nobody.
    pub async fn reap(&self, pass_on: impl AsyncFn(&AgentId) -> Result<bool>) -> Result<Reaped> {
        let mut reaped = Reaped::default();
        let leases = self.ended_leases(&mut reaped, pass_on).await;
        self.gone_sessions(&mut reaped).await?;
        leases.map(|()| reaped)
    }

    async fn ended_leases(
        &self,
        reaped: &mut Reaped,
        pass_on: impl AsyncFn(&AgentId) -> Result<bool>,
    ) -> Result<()> {
        let leases = self.plane.keys().quorate().agent_leases();
        let now = self.plane.store().time().await?.millis();
        let (mut kept, mut fault) = (0, Ok(()));
        for _ in 0..PAGES {
            let names = self.up_to(leases.as_str(), &now.to_string(), kept).await?;
            let last = names.len() < PAGE;
            for name in names {
                match self.retire(&name, &pass_on).await {
                    Ok(Fate::Retired) => reaped.retired += 1,
                    Ok(Fate::Alive) => {}
                    Ok(Fate::Kept) => kept += 1,
                    Err(error) => {
                        kept += 1;
                        fault = fault.and(Err(error));
                    }
                }
            }
            if last {
                break;
            }
        }
        fault
    }

    async fn retire(&self, name: &str, pass_on: &impl AsyncFn(&AgentId) -> Result<bool>) -> Result<Fate> {
        let store = self.plane.store().repeatable();
        let Ok(agent) = AgentId::parse(name) else {
            // Nobody of ours can have this name, and it would stand in the way for ever.
            let leases = self.plane.keys().quorate().agent_leases();
            return store
                .query::<u64>(cmd("ZREM").arg(leases.as_str()).arg(name))
                .await
                .map(|_| Fate::Retired);
        };
        if !pass_on(&agent).await? {
            return Ok(Fate::Kept);
        }
        let args = [Arg::from(agent.as_key())];
        let reply: Reply = store.run(&script::RETIRE, &self.keys(&agent).retire(), &args).await?;
        Ok(match reply.first() {
            "retired" => Fate::Retired,
            "alive" => Fate::Alive,
            _ => Fate::Kept,
        })
    }

    async fn gone_sessions(&self, reaped: &mut Reaped) -> Result<()> {
        let index = self.plane.keys().reverie().session_index();
        let before = self.plane.store().time().await?.seconds().saturating_sub(GONE_AFTER);
        let mut kept = 0;
        for _ in 0..PAGES {
            let names = self.up_to(index.as_str(), &format!("({before}"), kept).await?;
            let last = names.len() < PAGE;
            for name in names {
                // A name that cannot be ours was written by another client, whose affair it is.
                let pruned = match AgentId::parse(&name) {
                    Ok(agent) => self.prune(&agent, before).await?,
                    Err(_) => false,
                };
                if pruned { reaped.pruned += 1 } else { kept += 1 }
            }
            if last {
                break;
            }
        }
        Ok(())
    }

    async fn prune(&self, agent: &AgentId, before: u64) -> Result<bool> {
        let args = [Arg::from(agent.as_key()), Arg::from(before)];
        let script = &self.plane.agent_scripts().prune;
        let reply: Reply =
            self.plane.store().repeatable().run(script, &self.keys(agent).prune(), &args).await?;
        Ok(reply.first() == "pruned")
    }

    /// The first page of the members of a set up to a score, after those that were kept.
    async fn up_to(&self, set: &str, score: &str, kept: usize) -> Result<Vec<String>> {
        let mut range = cmd("ZRANGEBYSCORE");
        range.arg(set).arg("-inf").arg(score).arg("LIMIT").arg(kept).arg(PAGE);
        let names: Vec<Vec<u8>> = self.plane.store().query(&range).await?;
        Ok(names.into_iter().map(|name| String::from_utf8_lossy(&name).into_owned()).collect())
    }
}
