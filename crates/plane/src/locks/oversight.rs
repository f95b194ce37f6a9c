//! For whoever watches: all locks, and breaking what a vanished client left behind.

use quorate_catalog::ids::AgentId;
use quorate_store::{Arg, Result, cmd};

use super::{Hold, Locks, Resource, keys};
use crate::Outcome;
use crate::outcome::Reply;

/// Agents that are looked at together.
pub(super) const PAGE: usize = 200;

impl Locks<'_> {
    /// Every lock that is held, with its holder: agent, lock and mode. Costs a page of agents at a time.
    pub async fn held(&self, limit: usize) -> Result<Vec<(String, String)>> {
        let mut all = Vec::new();
        let mut start = 0;
        loop {
            let agents = self.agents(start).await?;
            all.extend(self.said(&agents).await?);
            if agents.len() < PAGE || all.len() >= limit {
                all.truncate(limit);
                return self.shown(all).await;
            }
            start += PAGE;
        }
    }

    /// What is held, by everybody or by one agent, with when each hold began and ends. A hold that its lock does not know, as
    /// of a string that was released, is not among it.
    pub async fn terms(&self, agent: Option<&AgentId>, limit: usize) -> Result<Vec<Hold>> {
        if let Some(agent) = agent {
            let said = self.said(std::slice::from_ref(agent)).await?;
            return self.with_terms(&said[..said.len().min(limit)]).await;
        }
        let (mut all, mut start) = (Vec::new(), 0);
        loop {
            let agents = self.agents(start).await?;
            all.extend(self.with_terms(&self.said(&agents).await?).await?);
            if agents.len() < PAGE || all.len() >= limit {
                all.truncate(limit);
                return Ok(all);
            }
            start += PAGE;
        }
    }

    async fn with_terms(&self, said: &[(String, String)]) -> Result<Vec<Hold>> {
        let mut all = Vec::with_capacity(said.len());
        for page in said.chunks(PAGE) {
            let words = page.iter().flat_map(|(agent, member)| [agent.as_str(), member.as_str()]);
            let args: Vec<Arg<'_>> = words.map(Arg::from).collect();
            let script = &self.plane.lock_scripts().terms;
            let terms: Vec<String> = self.plane.store().run(script, &keys::NONE, &args).await?;
            all.extend(page.iter().zip(&terms).filter_map(|(pair, term)| Hold::read(pair, term)));
        }
        Ok(all)
    }

    /// Everything one agent holds now.
    pub async fn held_by(&self, agent: &AgentId) -> Result<Vec<String>> {
        let said = self.said(std::slice::from_ref(agent)).await?;
        Ok(self.shown(said).await?.into_iter().map(|(_, member)| member).collect())
    }

    /// What the lists of these agents name. Who is revoked, or past its lease, holds nothing, though its list still has to
    /// be passed on.
    async fn said(&self, agents: &[AgentId]) -> Result<Vec<(String, String)>> {
        if agents.is_empty() {
            return Ok(vec![]);
        }
        let now = self.plane.store().time().await?.millis();
        let mut pipeline = redis::pipe();
        for agent in agents {
            let keys = self.plane.keys().quorate();
            pipeline.cmd("ZRANGEBYSCORE").arg(keys.lock_holds(agent).as_str()).arg(now).arg("+inf");
            pipeline.cmd("HMGET").arg(keys.agent(agent).as_str()).arg(&["epoch", "revoked", "lease_until"]);
        }
        let answers: Vec<Vec<Option<String>>> = self.plane.store().pipeline(&pipeline).await?;
        let mut all = Vec::new();
        for (agent, pair) in agents.iter().zip(answers.chunks_exact(2)) {
            if may_hold(&pair[1], now) {
                all.extend(pair[0].iter().flatten().map(|member| (agent.to_string(), member.clone())));
            }
        }
        Ok(all)
    }

    /// Those of the agents that are within their lease and not revoked: who is not holds nothing, and waits for nothing.
    pub(super) async fn living(&self, agents: &[AgentId]) -> Result<Vec<String>> {
        if agents.is_empty() {
            return Ok(vec![]);
        }
        let now = self.plane.store().time().await?.millis();
        let mut pipeline = redis::pipe();
        for agent in agents {
            let record = self.plane.keys().quorate().agent(agent);
            pipeline.cmd("HMGET").arg(record.as_str()).arg(&["epoch", "revoked", "lease_until"]);
        }
        let records: Vec<Vec<Option<String>>> = self.plane.store().pipeline(&pipeline).await?;
        let living = agents.iter().zip(&records).filter(|(_, record)| may_hold(record, now));
        Ok(living.map(|(agent, _)| agent.as_key().to_owned()).collect())
    }

    /// A string lock that was released stays in its agent's list until its time is over; the seed's key knows.
    async fn shown(&self, said: Vec<(String, String)>) -> Result<Vec<(String, String)>> {
        let mut pipeline = redis::pipe();
        let seeds: Vec<bool> = said.iter().map(|(_, member)| self.ask_owner(&mut pipeline, member)).collect();
        if !seeds.contains(&true) {
            return Ok(said);
        }
        let owners: Vec<Option<String>> = self.plane.store().pipeline(&pipeline).await?;
        let mut owners = owners.into_iter();
        let mut counts = |agent: &str, string: bool| {
            !string || owners.next().flatten().is_some_and(|owner| owner == agent)
        };
        let pairs = said.into_iter().zip(seeds);
        Ok(pairs.filter_map(|(pair, string)| counts(&pair.0, string).then_some(pair)).collect())
    }

    /// Asks for the owner that a string lock shows, if it is one.
    fn ask_owner(&self, pipeline: &mut redis::Pipeline, member: &str) -> bool {
        let on = Resource::of_hold(member);
        let string = on.filter(|on| !matches!(on, Resource::Task(_) | Resource::Resource(..)));
        let Some(on) = string else { return false };
        pipeline.cmd("GET").arg(on.seed_key(self.plane.keys()).as_str());
        true
    }

    /// Breaks a lock that a foreign client left behind, by reverie's rule.
    pub async fn steal(
        &self,
        on: &Resource,
        agent: &AgentId,
        epoch: Option<u64>,
        owner: &str,
    ) -> Result<Outcome<()>> {
        let keys = self.plane.keys();
        let Ok(session) = AgentId::parse(owner) else {
            return Ok(Outcome::Refused(crate::Refusal::new(
                "not_stealable",
                Some("its owner is no agent".into()),
            )));
        };
        let (session, audit) = (keys.reverie().session(&session), keys.reverie().events());
        let list = [on.seed_key(keys), session, audit, keys.quorate().agent(agent)];
        let epoch = epoch.map(|epoch| epoch.to_string()).unwrap_or_default();
        let args = [Arg::from(on.lock_ref()), Arg::from(agent.as_key()), Arg::from(epoch), Arg::from(owner)];
        let reply: Reply = self.plane.store().run(&self.plane.lock_scripts().steal, &list, &args).await?;
        Ok(reply.expect("stolen")?.map(drop))
    }

    /// Agents with a lease, or whose holds have not all passed on yet.
    pub(super) async fn agents(&self, start: usize) -> Result<Vec<AgentId>> {
        let mut range = cmd("ZRANGE");
        range.arg(self.plane.keys().quorate().agent_leases().as_str()).arg(start).arg(start + PAGE - 1);
        let names: Vec<String> = self.plane.store().query(&range).await?;
        Ok(names.iter().filter_map(|name| AgentId::parse(name).ok()).collect())
    }
}

/// Whether an agent with these fields, `epoch`, `revoked` and `lease_until`, may hold anything; as `living.lua` says it.
fn may_hold(fields: &[Option<String>], now: u64) -> bool {
    let number = |at: usize| fields.get(at)?.as_ref()?.parse::<u64>().ok();
    let (Some(epoch), Some(lease_until)) = (number(0), number(2)) else { return false };
    lease_until > now && number(1).is_none_or(|revoked| revoked < epoch)
}
