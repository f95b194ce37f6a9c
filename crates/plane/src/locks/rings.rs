//! Rings of waiting agents: all of them, and those too long for one script.
//!
//! A script looks for a ring from the wait that could have closed one, and gives up after so many steps that the server
//! never stands still for it. What is longer is walked from here, a page of agents a step, and the ring that was found is
//! checked edge by edge in the script that breaks it: it may have come apart meanwhile.

use std::collections::{HashMap, VecDeque};

use quorate_catalog::ids::AgentId;
use quorate_store::{Arg, FromRedisValue, Result, Value, cmd};

use super::oversight::PAGE;
use super::{Locks, keys};
use crate::outcome::Reply;

/// Agents that one step looks at.
const STEP: usize = 16;
/// Agents that one walk visits at most.
const REACH: usize = 20_000;
/// The longest ring that is broken; checking its edges is one script.
const LONGEST: usize = 200;

/// Seconds for which an agent that was looked at is left alone.
const THROTTLE: u64 = 30;

/// A wait: who, for which lock, by which request.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Edge {
    agent: String,
    lock: String,
    request: String,
}

impl Locks<'_> {
    /// Every ring of agents that wait for each other now; with `commit`, each is broken.
    pub async fn deadlocks(&self, commit: bool) -> Result<Vec<Vec<String>>> {
        let mut rings: Vec<Vec<String>> = Vec::new();
        let mut start = 0;
        loop {
            let agents = self.agents(start).await?;
            for agent in &agents {
                let Some(edges) = self.ring_of(agent, commit).await? else { continue };
                let same = |ring: &Vec<String>| {
                    ring.len() == edges.len() && edges.iter().all(|edge| ring.contains(edge))
                };
                if !rings.iter().any(same) {
                    rings.push(edges);
                }
            }
            if agents.len() < PAGE {
                return Ok(rings);
            }
            start += PAGE;
        }
    }

    /// Who waits for which lock, and who is in the way: agent, lock, those in its way. Costs a page of agents at a time, and
    /// is not of one moment.
    pub async fn waits(&self, limit: usize) -> Result<Vec<(String, String, Vec<String>)>> {
        let (mut all, mut start) = (Vec::new(), 0);
        loop {
            let agents = self.agents(start).await?;
            let waiting = self.living(&self.waiting(&agents).await?).await?;
            for page in waiting.chunks(STEP) {
                let edges = self.edges(page).await?.into_iter();
                all.extend(edges.map(|(edge, blockers)| (edge.agent, edge.lock, blockers)));
            }
            if agents.len() < PAGE || all.len() >= limit {
                all.truncate(limit);
                return Ok(all);
            }
            start += PAGE;
        }
    }

    /// Looks for rings that nobody is awake to see, from a page of agents; the next tick looks at the next page. Who was
    /// looked at is left alone for half a minute, by every process: ade's marker says so.
    pub(super) async fn sweep(&self) -> Result<()> {
        if !self.plane.lock_settings().await?.detect {
            return Ok(());
        }
        let now = self.plane.store().time().await?;
        let leases = self.plane.keys().quorate().agent_leases();
        let all: usize = self.plane.store().query(cmd("ZCARD").arg(leases.as_str())).await?;
        let pages = all.div_ceil(PAGE).max(1) as u64;
        let page = usize::try_from(now.get() / 1_000_000 % pages).unwrap_or_default();
        for agent in self.waiting(&self.agents(page * PAGE).await?).await? {
            let mut mark = cmd("SET");
            mark.arg(self.plane.keys().ade().deadlock_check(&agent).as_str()).arg(now.iso());
            let first: Option<String> =
                self.plane.store().repeatable().query(mark.arg("NX").arg("EX").arg(THROTTLE)).await?;
            if first.is_some() {
                self.ring_of(&agent, true).await?;
            }
        }
        Ok(())
    }

    /// Those of the agents that wait for something.
    async fn waiting(&self, agents: &[AgentId]) -> Result<Vec<AgentId>> {
        if agents.is_empty() {
            return Ok(vec![]);
        }
        let mut pipeline = redis::pipe();
        for agent in agents {
            pipeline.cmd("EXISTS").arg(self.plane.keys().quorate().lock_waits(agent).as_str());
        }
        let waits: Vec<bool> = self.plane.store().pipeline(&pipeline).await?;
        Ok(agents.iter().zip(waits).filter(|(_, waits)| *waits).map(|(agent, _)| agent.clone()).collect())
    }

    /// The ring that an agent is in, if it is in one; with `commit` it is broken.
    pub(super) async fn ring_of(&self, agent: &AgentId, commit: bool) -> Result<Option<Vec<String>>> {
        let args = [Arg::from(agent.as_key()), Arg::from(i64::from(commit))];
        let script = &self.plane.lock_scripts().sweep;
        let reply: Reply = self.plane.store().repeatable().run(script, &keys::NONE, &args).await?;
        match reply.split() {
            Ok((first, edges)) if first == "ring" => Ok(Some(edges)),
            Ok((first, _)) if first == "long" => self.unwind(agent.as_key(), commit).await,
            _ => Ok(None),
        }
    }

    /// Walks from an agent as far as it takes, and breaks the ring that leads back to it.
    pub(super) async fn unwind(&self, start: &str, commit: bool) -> Result<Option<Vec<String>>> {
        let Some(ring) = self.walk(start).await? else { return Ok(None) };
        if commit && ring.len() <= LONGEST {
            let words = ring.iter().flat_map(|edge| [&edge.agent, &edge.lock, &edge.request]);
            let args: Vec<Arg<'_>> = words.map(|word| Arg::from(word.as_str())).collect();
            let script = &self.plane.lock_scripts().sever;
            let reply: Reply = self.plane.store().repeatable().run(script, &keys::NONE, &args).await?;
            if reply.first() != "broken" {
                return Ok(None);
            }
        }
        Ok(Some(ring.iter().map(|edge| format!("{} waits for {}", edge.agent, edge.lock)).collect()))
    }

    /// The shortest ring through an agent.
    async fn walk(&self, start: &str) -> Result<Option<Vec<Edge>>> {
        let mut came_by: HashMap<String, Edge> = HashMap::new();
        let mut next = VecDeque::from([start.to_owned()]);
        while !next.is_empty() && came_by.len() < REACH {
            let page: Vec<String> = next.drain(..next.len().min(STEP)).collect();
            for (edge, blockers) in self.edges(&page).await? {
                for blocker in blockers {
                    if blocker == start {
                        return Ok(Some(back(start, &came_by, edge)));
                    }
                    if !came_by.contains_key(&blocker) {
                        came_by.insert(blocker.clone(), edge.clone());
                        next.push_back(blocker);
                    }
                }
            }
        }
        Ok(None)
    }

    async fn edges(&self, agents: &[String]) -> Result<Vec<(Edge, Vec<String>)>> {
        let args: Vec<Arg<'_>> = agents.iter().map(|agent| Arg::from(agent.as_str())).collect();
        let found: Vec<Value> =
            self.plane.store().repeatable().run(&self.plane.lock_scripts().walk, &keys::NONE, &args).await?;
        let read = |value: Value| {
            let mut words = Vec::<String>::from_redis_value(value).ok()?.into_iter();
            let edge = Edge { agent: words.next()?, lock: words.next()?, request: words.next()? };
            Some((edge, words.collect()))
        };
        Ok(found.into_iter().filter_map(read).collect())
    }
}

/// The edges from `start` to `last`, by the way each agent was come by.
fn back(start: &str, came_by: &HashMap<String, Edge>, last: Edge) -> Vec<Edge> {
    let mut ring = vec![last];
    while let Some(edge) =
        ring.last().filter(|edge| edge.agent != start).and_then(|edge| came_by.get(&edge.agent))
    {
        ring.push(edge.clone());
    }
    ring.reverse();
    ring
}
