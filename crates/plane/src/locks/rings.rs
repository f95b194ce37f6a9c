//! Rings of waiting agents: all of them, and those too long for one script.
//!
//! A script looks for a ring from the wait that could have closed one, and gives up after so many steps that the server
//! never stands still for it. What is longer is walked from here, a page of agents a step, and the ring that was found is
//! checked edge by edge in the script that breaks it: it may have come apart meanwhile.

use std::cmp::Reverse;
use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet, VecDeque};
use std::fmt;
use std::sync::Arc;

use quorate_catalog::ids::AgentId;
use quorate_store::{Arg, FromRedisValue, Result, Value, cmd};

use super::oversight::PAGE;
use super::{Locks, Resource, keys};
use crate::outcome::{Reply, undecodable};

/// Agents that a look at all waits asks about at once.
const STEP: usize = 16;
/// Agents that one walk visits at most.
const REACH: usize = 20_000;
/// Edges that one script looks at again. A longer ring is looked at in as many scripts, the last of which breaks it.
const PAGE_OF_RING: usize = 250;
/// How often a ring that changed between its walk and the look at it is walked again.
const TRIES: usize = 3;

/// Seconds for which an agent that was looked at is left alone.
const THROTTLE: u64 = 30;

/// A wait: who, for which lock, by which request, and what is in its way.
#[derive(Debug)]
struct Wait {
    agent: String,
    epoch: String,
    lock: String,
    mode: String,
    request: String,
    deadline: u64,
    priority: i64,
    since: u64,
    holds: Vec<InTheWay>,
}

/// A hold that somebody waits for: whose, its fence, and when it lapses.
#[derive(Debug, Clone)]
struct InTheWay {
    holder: String,
    fence: String,
    lapse: u64,
}

/// A wait, and the one hold by which a walk went on.
#[derive(Debug, Clone)]
struct Edge {
    wait: Arc<Wait>,
    hold: InTheWay,
}

impl Locks<'_> {
    /// Every ring of agents that wait for each other now; with `commit`, each is broken.
    pub async fn deadlocks(&self, commit: bool) -> Result<Vec<Vec<String>>> {
        let (mut rings, mut known, mut start) = (Vec::new(), HashSet::new(), 0);
        loop {
            let agents = self.agents(start).await?;
            for agent in self.waiting(&agents).await? {
                // Everybody in a ring would find it again.
                if known.contains(agent.as_key()) && !commit {
                    continue;
                }
                if let Some(ring) = self.ring_of(&agent, commit).await? {
                    let names = ring.iter().filter_map(|edge| edge.split(' ').next());
                    known.extend(names.map(str::to_owned));
                    rings.push(ring);
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
            let mut next = VecDeque::from(waiting);
            while !next.is_empty() {
                let page: Vec<String> = next.drain(..next.len().min(STEP)).collect();
                let (looked, waits) = self.stretch(&page, false).await?;
                next.extend(page.into_iter().filter(|name| !looked.contains(name)));
                let behind = |wait: &Wait| wait.holds.iter().map(|hold| hold.holder.clone()).collect();
                all.extend(waits.iter().map(|wait| (wait.agent.clone(), wait.wanted(), behind(wait))));
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
            Ok((first, edges)) if first == "ring" => Ok(Some(edges.iter().map(|edge| typed(edge)).collect())),
            Ok((first, _)) if first == "long" => self.unwind(agent.as_key(), commit).await,
            _ => Ok(None),
        }
    }

    /// Walks from an agent as far as it takes, and breaks the ring that leads back to it.
    pub(super) async fn unwind(&self, start: &str, commit: bool) -> Result<Option<Vec<String>>> {
        for _ in 0..TRIES {
            let Some(ring) = self.walk(start).await? else { return Ok(None) };
            if !commit || self.sever(&ring).await? {
                return Ok(Some(ring.iter().map(|edge| typed(&edge.to_string())).collect()));
            }
        }
        Ok(None)
    }

    /// Looks at every wait of a ring again and fails one of them; `false` if the ring has come apart.
    ///
    /// What fits into one script is looked at in one moment. Of a longer ring every wait was there when it was walked and is
    /// there when it is looked at, all of the walk being before all of the looking; so it was a ring in between.
    async fn sever(&self, ring: &[Edge]) -> Result<bool> {
        let Some(victim) = victim(ring) else { return Ok(false) };
        let own = victim / PAGE_OF_RING;
        let mut pages: Vec<&[Edge]> = ring.chunks(PAGE_OF_RING).collect();
        let last = pages.remove(own);
        for page in pages {
            if self.again(page, "", "").await? != "stands" {
                return Ok(false);
            }
        }
        let told: Vec<String> = ring.iter().map(Edge::to_string).collect();
        Ok(self.again(last, &ring[victim].wait.request, &told.join("\n")).await? == "broken")
    }

    async fn again(&self, page: &[Edge], victim: &str, told: &str) -> Result<String> {
        let ends = page.iter().map(|edge| edge.wait.deadline.min(edge.hold.lapse)).min().unwrap_or_default();
        let mut args = vec![Arg::from(ends), Arg::from(victim), Arg::from(told)];
        args.extend(page.iter().flat_map(Edge::words).map(Arg::from));
        let script = &self.plane.lock_scripts().sever;
        let reply: Reply = self.plane.store().repeatable().run(script, &keys::NONE, &args).await?;
        Ok(reply.first().to_owned())
    }

    /// The shortest ring through an agent, more or less: a stretch is walked at a time, and each goes on by itself.
    async fn walk(&self, start: &str) -> Result<Option<Vec<Edge>>> {
        let mut came_by: HashMap<String, Edge> = HashMap::new();
        let mut looked = HashSet::new();
        let mut next = VecDeque::from([start.to_owned()]);
        while !next.is_empty() && looked.len() < REACH {
            let page: Vec<String> = next.drain(..next.len().min(PAGE)).collect();
            let (names, waits) = self.stretch(&page, true).await?;
            // Those that the stretch did not come to.
            next.extend(page.into_iter().filter(|name| !names.contains(name)));
            looked.extend(names);
            for edge in waits.iter().flat_map(Wait::edges) {
                let holder = edge.hold.holder.clone();
                if holder == start {
                    return Ok(Some(back(start, &came_by, edge)));
                }
                if let Entry::Vacant(place) = came_by.entry(holder) {
                    next.extend((!looked.contains(place.key())).then(|| place.key().clone()));
                    place.insert(edge);
                }
            }
        }
        Ok(None)
    }

    /// Who was looked at, and the waits that were found.
    async fn stretch(&self, agents: &[String], reach: bool) -> Result<(HashSet<String>, Vec<Arc<Wait>>)> {
        let mut args = vec![Arg::from(i64::from(reach))];
        args.extend(agents.iter().map(|agent| Arg::from(agent.as_str())));
        let script = &self.plane.lock_scripts().walk;
        let found: Vec<Value> = self.plane.store().repeatable().run(script, &keys::NONE, &args).await?;
        let mut found = found.into_iter();
        let names = found.next().and_then(|names| Vec::<String>::from_redis_value(names).ok());
        let waits = found.map(|wait| Wait::read(wait).map(Arc::new).ok_or_else(|| undecodable("walk")));
        Ok((names.into_iter().flatten().collect(), waits.collect::<Result<_>>()?))
    }
}

impl Wait {
    /// As `walk.lua` tells it.
    fn read(value: Value) -> Option<Self> {
        let mut words = Vec::<Value>::from_redis_value(value).ok()?;
        let holds = words.split_off(words.len().min(8));
        let words: Option<Vec<String>> =
            words.into_iter().map(|word| String::from_redis_value(word).ok()).collect();
        let [agent, epoch, lock, mode, request, deadline, priority, since] =
            <[String; 8]>::try_from(words?).ok()?;
        let (deadline, priority, since) =
            (deadline.parse().ok()?, priority.parse().ok()?, since.parse().ok()?);
        let holds = holds.into_iter().map(InTheWay::read).collect::<Option<_>>()?;
        Some(Self { agent, epoch, lock, mode, request, deadline, priority, since, holds })
    }

    /// What it waits for, as it can be typed back.
    fn wanted(&self) -> String {
        let named = Resource::of_hold(&format!("{} {}", self.lock, self.mode));
        named.map_or_else(|| self.lock.clone(), |on| on.to_string())
    }

    fn edges(self: &Arc<Self>) -> impl Iterator<Item = Edge> {
        let wait = Arc::clone(self);
        self.holds.clone().into_iter().map(move |hold| Edge { wait: Arc::clone(&wait), hold })
    }
}

impl InTheWay {
    fn read(value: Value) -> Option<Self> {
        let [holder, fence, lapse] = <[String; 3]>::try_from(Vec::from_redis_value(value).ok()?).ok()?;
        Some(Self { holder, fence, lapse: lapse.parse().ok()? })
    }
}

impl Edge {
    /// What `sever.lua` is told of it.
    fn words(&self) -> [&str; 6] {
        let Wait { agent, epoch, lock, request, .. } = &*self.wait;
        [agent, epoch, lock, request, &self.hold.holder, &self.hold.fence]
    }
}

impl fmt::Display for Edge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let area = self.wait.mode.strip_prefix("a:").map(|area| format!(":{area}")).unwrap_or_default();
        write!(f, "{} waits for {}{area}", self.wait.agent, self.wait.lock)
    }
}

/// An edge as the scripts tell it, with the lock as it can be typed back: a path is kept encoded.
pub(super) fn typed(edge: &str) -> String {
    let told = edge.split_once(" waits for ").and_then(|(agent, lock)| {
        Some(format!("{agent} waits for {}", Resource::of_hold(&format!("{lock} x"))?))
    });
    told.unwrap_or_else(|| edge.to_owned())
}

/// Whose wait is failed: the lowest priority, then the youngest; the same for everybody who finds the ring.
fn victim(ring: &[Edge]) -> Option<usize> {
    let weight = |wait: &Wait| (wait.priority, Reverse(wait.since), wait.request.clone());
    (0..ring.len()).min_by_key(|place| weight(&ring[*place].wait))
}

/// The edges from `start` to `last`, by the way each agent was come by.
fn back(start: &str, came_by: &HashMap<String, Edge>, last: Edge) -> Vec<Edge> {
    let mut ring = vec![last];
    let before = |edge: &Edge| (edge.wait.agent != start).then(|| came_by.get(&edge.wait.agent)).flatten();
    while let Some(edge) = ring.last().and_then(before) {
        ring.push(edge.clone());
    }
    ring.reverse();
    ring
}
