//! What must hold of the agents' indexes.

use futures_util::future::BoxFuture;
use quorate_catalog::ids::AgentId;
use quorate_store::invariant::{Finding, Invariant, Level, Scope};
use quorate_store::{Result, cmd};

/// The invariants of this capability.
pub fn invariants() -> Vec<&'static dyn Invariant> {
    vec![&IndexedSessions]
}

/// Every session that registered with us is in the index with its heartbeat as its score.
#[derive(Debug)]
struct IndexedSessions;

const CODE: &str = "FSCK020";
const PAGE: usize = 500;

impl Invariant for IndexedSessions {
    fn code(&self) -> &'static str {
        CODE
    }

    fn promise(&self) -> &'static str {
        "every agent with a lease has its session in the index, scored by its last heartbeat"
    }

    fn check<'a>(&'a self, scope: &'a Scope) -> BoxFuture<'a, Result<Vec<Finding>>> {
        Box::pin(async move {
            let mut findings = Vec::new();
            let mut cursor = "0".to_owned();
            loop {
                let mut scan = cmd("ZSCAN");
                scan.arg(scope.keys.quorate().agent_leases().as_str()).arg(&cursor).arg("COUNT").arg(PAGE);
                let (next, members): (String, Vec<(String, f64)>) = scope.store.query(&scan).await?;
                for (name, _) in members {
                    findings.extend(check_one(scope, &name).await?);
                }
                if next == "0" {
                    return Ok(findings);
                }
                cursor = next;
            }
        })
    }

    fn repair<'a>(&'a self, scope: &'a Scope, finding: &'a Finding) -> BoxFuture<'a, Result<bool>> {
        Box::pin(async move {
            let Some(agent) = finding.key.rsplit(':').next().and_then(|name| AgentId::parse(name).ok())
            else {
                return Ok(false);
            };
            let Some((heartbeat, _)) = compare(scope, &agent).await? else { return Ok(true) };
            let mut add = cmd("ZADD");
            add.arg(scope.keys.reverie().session_index().as_str()).arg(heartbeat).arg(agent.as_key());
            scope.store.repeatable().query::<u64>(&add).await?;
            Ok(true)
        })
    }
}

/// A session's heartbeat and its score in the index, where they differ.
async fn compare(scope: &Scope, agent: &AgentId) -> Result<Option<(String, Option<f64>)>> {
    let mut pipeline = redis::pipe();
    pipeline.cmd("HGET").arg(scope.keys.reverie().session(agent).as_str()).arg("last_heartbeat");
    pipeline.cmd("ZSCORE").arg(scope.keys.reverie().session_index().as_str()).arg(agent.as_key());
    let (heartbeat, score): (Option<String>, Option<f64>) = scope.store.pipeline(&pipeline).await?;
    let Some(heartbeat) = heartbeat else { return Ok(None) };
    let same = heartbeat.parse::<f64>().ok().zip(score).is_some_and(|(a, b)| (a - b).abs() < 0.001);
    Ok((!same).then_some((heartbeat, score)))
}

async fn check_one(scope: &Scope, name: &str) -> Result<Option<Finding>> {
    let Ok(agent) = AgentId::parse(name) else { return Ok(None) };
    let differ = compare(scope, &agent).await?;
    Ok(differ.map(|(heartbeat, score)| Finding {
        code: CODE,
        level: Level::Finding,
        family: Some("reverie.session_index".into()),
        key: scope.keys.reverie().session(&agent).to_string(),
        message: format!(
            "was heard from at {heartbeat}, and the index says {}",
            score.map_or("nothing".into(), |s| s.to_string())
        ),
        advice: Some("`quorate fsck --repair` puts the index right".into()),
    }))
}
