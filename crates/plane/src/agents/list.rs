//! Reading: one agent, or a page of them. A page costs the same whatever the number of sessions.

use std::collections::HashMap;
use std::time::Duration;

use quorate_catalog::ids::{AgentId, WordId};
use quorate_store::{Result, cmd};
use serde::Serialize;

use super::keys::AgentKeys;
use super::{Agent, Agents, Label};

/// Which agents, and from where on.
#[derive(Debug, Clone, Default)]
pub struct Query {
    /// Only those heard from within 300 s.
    pub live: bool,
    pub role: Option<WordId>,
    pub capability: Option<WordId>,
    pub limit: usize,
    /// Where an earlier page ended.
    pub cursor: Option<String>,
}

/// A page of agents, the longest silent first.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Page {
    pub agents: Vec<Agent>,
    /// Where the next page begins; absent on the last one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cursor: Option<String>,
}

impl Agents<'_> {
    /// One agent, or nothing if it was never here.
    pub async fn show(&self, agent: &AgentId) -> Result<Option<Agent>> {
        let now = self.plane.store().time().await?.get() as f64 / 1e6;
        let found = self.read(&[agent.as_key().to_owned()], now).await?;
        Ok(found.into_iter().next().filter(|found| found.epoch.is_some() || found.label != Label::Dead))
    }

    /// A page of agents.
    pub async fn ls(&self, query: &Query) -> Result<Page> {
        let now = self.plane.store().time().await?.get() as f64 / 1e6;
        let limit = query.limit.clamp(1, 1_000);
        let (names, cursor) = match (&query.role, &query.capability) {
            (None, None) => self.by_silence(query.cursor.as_deref(), limit).await?,
            _ => self.by_word(query, limit).await?,
        };
        let mut agents = self.read(&names, now).await?;
        agents.retain(|agent| !query.live || matches!(agent.label, Label::Online | Label::Away));
        Ok(Page { agents, cursor })
    }

    /// From the index, whose scores are last heartbeats; a cursor is the score and name of the last one seen.
    async fn by_silence(&self, cursor: Option<&str>, limit: usize) -> Result<(Vec<String>, Option<String>)> {
        let index = self.plane.keys().reverie().session_index();
        let (from, after) = cursor.and_then(|cursor| cursor.split_once('/')).unwrap_or(("-inf", ""));
        let mut skip = 0;
        let mut found: Vec<(String, String)> = Vec::new();
        // Members of one score are sorted by name, so those up to the cursor's are skipped, page by page.
        while found.len() <= limit {
            let mut range = cmd("ZRANGEBYSCORE");
            range
                .arg(index.as_str())
                .arg(from)
                .arg("+inf")
                .arg("WITHSCORES")
                .arg("LIMIT")
                .arg(skip)
                .arg(limit + 1);
            let page: Vec<(String, String)> = self.plane.store().query(&range).await?;
            let full = page.len() > limit;
            skip += page.len();
            found.extend(page.into_iter().filter(|(name, score)| score != from || name.as_str() > after));
            if !full {
                break;
            }
        }
        let more = found.len() > limit;
        found.truncate(limit);
        let cursor = found.last().filter(|_| more).map(|(name, score)| format!("{score}/{name}"));
        Ok((found.into_iter().map(|(name, _)| name).collect(), cursor))
    }

    async fn by_word(&self, query: &Query, limit: usize) -> Result<(Vec<String>, Option<String>)> {
        let keys = self.plane.keys().quorate();
        let role = query.role.as_ref().map(|word| keys.agents_by_role(word));
        let capability = query.capability.as_ref().map(|word| keys.agents_by_capability(word));
        let (walked, probed) = if role.is_some() { (role, capability) } else { (capability, None) };
        let Some(walked) = walked else { return Ok((vec![], None)) };
        let mut scan = cmd("SSCAN");
        scan.arg(walked.as_str()).arg(query.cursor.as_deref().unwrap_or("0")).arg("COUNT").arg(limit);
        let (next, mut names): (String, Vec<String>) = self.plane.store().query(&scan).await?;
        if let Some(probed) = probed.filter(|_| !names.is_empty()) {
            let mut ask = cmd("SMISMEMBER");
            ask.arg(probed.as_str()).arg(&names);
            let member: Vec<bool> = self.plane.store().query(&ask).await?;
            let mut member = member.into_iter();
            names.retain(|_| member.next().unwrap_or(false));
        }
        Ok((names, Some(next).filter(|next| next != "0")))
    }

    async fn read(&self, names: &[String], now: f64) -> Result<Vec<Agent>> {
        let agents: Vec<AgentId> = names.iter().filter_map(|name| AgentId::parse(name).ok()).collect();
        if agents.is_empty() {
            return Ok(vec![]);
        }
        let mut pipeline = redis::pipe();
        for agent in &agents {
            let keys = AgentKeys::of(self.plane.keys(), agent);
            pipeline.cmd("HGETALL").arg(keys.session.as_str());
            pipeline.cmd("HGETALL").arg(keys.record.as_str());
        }
        let found: Vec<HashMap<String, String>> = self.plane.store().pipeline(&pipeline).await?;
        let pairs = found.chunks_exact(2);
        Ok(agents.iter().zip(pairs).map(|(agent, pair)| assemble(agent, &pair[0], &pair[1], now)).collect())
    }
}

fn assemble(
    agent: &AgentId,
    session: &HashMap<String, String>,
    record: &HashMap<String, String>,
    now: f64,
) -> Agent {
    let text = |name: &str| session.get(name).cloned();
    let seconds = |name: &str| session.get(name).and_then(|text| text.parse::<f64>().ok());
    let whole = |name: &str| record.get(name).and_then(|text| text.parse::<u64>().ok());
    // A foreign client writes only last_heartbeat; for one of ours only its own acknowledgement counts.
    let heard = seconds("last_acked_at").or_else(|| seconds("last_heartbeat"));
    let age = heard.map_or(Duration::MAX, |heard| Duration::from_secs_f64((now - heard).clamp(0.0, 1e9)));
    Agent {
        agent: agent.to_string(),
        label: if session.is_empty() { Label::Dead } else { Label::of(age) },
        epoch: whole("epoch"),
        kind: text("type"),
        role: text("role"),
        task: text("task"),
        status: text("status"),
        parent: text("parent"),
        capabilities: text("capabilities")
            .and_then(|text| serde_json::from_str(&text).ok())
            .unwrap_or_default(),
        blob: text("blob").and_then(|text| serde_json::from_str(&text).ok()),
        last_heartbeat: seconds("last_heartbeat"),
        last_acked_at: seconds("last_acked_at"),
        last_poked_at: seconds("last_poked_at"),
        registered_at: seconds("registered_at"),
        lease_until: whole("lease_until").map(|ms| ms as f64 / 1e3),
        draining: record.contains_key("drain"),
        revoked: whole("revoked").is_some_and(|revoked| Some(revoked) >= whole("epoch")),
        max_tasks: record.get("max_tasks").and_then(|text| text.parse().ok()),
    }
}
