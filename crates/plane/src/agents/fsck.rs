//! What must hold of the agents' indexes.
//!
//! Every check first looks at a page of agents at once and then asks a script about each that seems wrong: the script
//! sees one moment, so an agent that beats while it is looked at is no finding.

mod words;

use futures_util::future::BoxFuture;
use quorate_catalog::ids::AgentId;
use quorate_store::invariant::{Finding, Invariant, Level, Scope};
use quorate_store::{Arg, ErrorKind, Result, Value};

use super::keys::AgentKeys;
use super::script;
use crate::outcome::Reply;
use crate::walk::names;

/// The invariants of this capability.
pub fn invariants() -> Vec<&'static dyn Invariant> {
    vec![&Indexed::Heartbeats, &words::FoundByWords, &Indexed::Leases]
}

const PAGE: usize = 1_000;
const REPAIR: &str = "`quorate fsck --repair` puts it right";

/// What an index must say of every agent that registered here.
#[derive(Debug, Clone, Copy)]
enum Indexed {
    /// Its session is in the index with its last heartbeat as the score.
    Heartbeats,
    /// While its lease runs it is among the leases, without which nothing it holds would ever pass on.
    Leases,
}

impl Indexed {
    const fn family(self) -> &'static str {
        match self {
            Self::Heartbeats => "reverie.session_index",
            Self::Leases => "quorate.agent_leases",
        }
    }
}

impl Invariant for Indexed {
    fn code(&self) -> &'static str {
        match self {
            Self::Heartbeats => "FSCK020",
            Self::Leases => "FSCK022",
        }
    }

    fn promise(&self) -> &'static str {
        match self {
            Self::Heartbeats => "every registered session is in the index, scored by its last heartbeat",
            Self::Leases => "every agent whose lease runs is among the leases, scored by its end",
        }
    }

    fn check<'a>(&'a self, scope: &'a Scope) -> BoxFuture<'a, Result<Vec<Finding>>> {
        Box::pin(async move {
            let mut findings = Vec::new();
            for agents in registered(scope).await?.chunks(PAGE) {
                for agent in self.suspects(scope, agents).await? {
                    let wrong = self.judge(scope, &agent, false).await?;
                    findings.extend(wrong.map(|message| Finding {
                        code: self.code(),
                        level: Level::Finding,
                        family: Some(self.family().into()),
                        key: scope.keys.quorate().agent(&agent).to_string(),
                        message,
                        advice: Some(REPAIR.into()),
                    }));
                }
            }
            Ok(findings)
        })
    }

    fn repair<'a>(&'a self, scope: &'a Scope, finding: &'a Finding) -> BoxFuture<'a, Result<bool>> {
        Box::pin(async move {
            let Some(agent) = last_name(&finding.key) else { return Ok(false) };
            self.judge(scope, &agent, true).await?;
            Ok(self.judge(scope, &agent, false).await?.is_none())
        })
    }
}

impl Indexed {
    /// Those that look wrong from reads that may be of different moments.
    async fn suspects(self, scope: &Scope, agents: &[AgentId]) -> Result<Vec<AgentId>> {
        let mut pipeline = redis::pipe();
        for agent in agents {
            let keys = AgentKeys::of(&scope.keys, agent);
            let (hash, field, index) = match self {
                Self::Heartbeats => (&keys.session, "last_heartbeat", &keys.index),
                Self::Leases => (&keys.record, "lease_until", &keys.leases),
            };
            pipeline.cmd("HGET").arg(hash.as_str()).arg(field);
            pipeline.cmd("ZSCORE").arg(index.as_str()).arg(agent.as_key());
        }
        let found: Vec<Value> = match scope.store.pipeline(&pipeline).await {
            Ok(found) => found,
            // The census reports a key of another type; here everybody is then asked about alone.
            Err(error) if error.kind() == ErrorKind::WrongType => return Ok(agents.to_vec()),
            Err(error) => return Err(error),
        };
        let number = |value: &Value| redis::from_redis_value::<Option<f64>>(value.clone()).ok().flatten();
        let differ = |pair: &[Value]| match (number(&pair[0]), number(&pair[1])) {
            (Some(said), Some(score)) => (said - score).abs() >= 0.001,
            (said, _) => said.is_some(),
        };
        let pairs = found.chunks_exact(2);
        let differing = agents.iter().zip(pairs).filter(|(_, pair)| differ(pair));
        Ok(differing.map(|(agent, _)| agent.clone()).collect())
    }

    /// What is wrong at this moment.
    async fn judge(self, scope: &Scope, agent: &AgentId, repair: bool) -> Result<Option<String>> {
        let keys = AgentKeys::of(&scope.keys, agent);
        let args = [Arg::from(agent.as_key()), Arg::from(usize::from(repair))];
        let store = scope.store.repeatable();
        let reply: Reply = store.run(&script::REINDEX, &keys.reindex(), &args).await?;
        let place = if matches!(self, Self::Heartbeats) { 1 } else { 2 };
        let checked = reply.first() == "checked";
        Ok(reply.word(place).filter(|wrong| checked && !wrong.is_empty()).map(str::to_owned))
    }
}

/// Every agent that has a record, found by one walk over the keys.
pub(crate) async fn registered(scope: &Scope) -> Result<Vec<AgentId>> {
    let any = AgentId::parse("any").expect("a name");
    let names = names(scope, &scope.keys.quorate().agent(&any)).await?;
    Ok(names.iter().filter_map(|name| AgentId::parse(name).ok()).collect())
}

/// The agent a finding is about.
fn last_name(key: &str) -> Option<AgentId> {
    key.rsplit(':').next().and_then(|name| AgentId::parse(name).ok())
}
