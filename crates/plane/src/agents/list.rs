//! Reading: one agent, or a page of them. A page costs the same whatever the number of sessions.

use std::collections::HashMap;
use std::time::Duration;

use quorate_catalog::Key;
use quorate_catalog::ids::{AgentId, WordId};
use quorate_store::{Error, ErrorKind, Result, cmd};
use schemars::JsonSchema;
use serde::Serialize;

use super::keys::AgentKeys;
use super::model::Capacity;
use super::{Agent, Agents, Label};

/// Most agents on one page.
const MOST: usize = 1_000;

/// Which agents, and from where on.
#[derive(Debug, Clone, Default)]
pub struct Query {
    /// Only those heard from within 300 s.
    pub live: bool,
    pub role: Option<WordId>,
    pub capability: Option<WordId>,
    /// Most agents on the page; a filter may leave fewer.
    pub limit: usize,
    /// Where an earlier page ended.
    pub cursor: Option<String>,
}

/// A page of agents: the longest silent first, or by name where a role or a capability was asked for.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Page {
    pub agents: Vec<Agent>,
    /// Where the next page begins; absent on the last one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cursor: Option<String>,
}

impl Agents<'_> {
    /// One agent, or nothing if it was never here.
    pub async fn show(&self, agent: &AgentId) -> Result<Option<Agent>> {
        let now = self.now().await?;
        let found = self.read(std::slice::from_ref(agent), now).await?;
        let known = |found: &Agent| {
            found.epoch.is_some()
                || found.label != Label::Dead
                || found.last_heartbeat.is_some()
                || found.unreadable.is_some()
        };
        Ok(found.into_iter().next().filter(known))
    }

    /// A page of agents. Nobody is on two pages, unless he is heard from between them and so moves to the end.
    pub async fn ls(&self, query: &Query) -> Result<Page> {
        let now = self.now().await?;
        let limit = query.limit.clamp(1, MOST);
        let keys = self.plane.keys().quorate();
        let role = query.role.as_ref().map(|word| keys.agents_by_role(word));
        let capability = query.capability.as_ref().map(|word| keys.agents_by_capability(word));
        let (names, cursor) = match (role, capability) {
            (None, None) => self.by_silence(query, limit, now).await?,
            (Some(walked), probed) => self.by_word(query, limit, &walked, probed).await?,
            (None, Some(walked)) => self.by_word(query, limit, &walked, None).await?,
        };
        let names: Vec<AgentId> = names.iter().filter_map(|name| AgentId::parse(name).ok()).collect();
        let mut agents = self.read(&names, now).await?;
        agents.retain(|agent| !query.live || matches!(agent.label, Label::Online | Label::Away));
        Ok(Page { agents, cursor })
    }

    /// The names alone, the longest silent first.
    pub async fn names(&self, limit: usize) -> Result<Vec<AgentId>> {
        let mut range = cmd("ZRANGE");
        range.arg(self.plane.keys().reverie().session_index().as_str()).arg(0).arg(limit.max(1) - 1);
        let names: Vec<Vec<u8>> = self.plane.store().query(&range).await?;
        Ok(names.into_iter().filter_map(|name| AgentId::parse(&lossy(name)).ok()).collect())
    }

    async fn now(&self) -> Result<f64> {
        Ok(self.plane.store().time().await?.get() as f64 / 1e6)
    }

    /// From the index, whose scores are last heartbeats; a cursor is the score and name of the last one seen.
    async fn by_silence(
        &self,
        query: &Query,
        limit: usize,
        now: f64,
    ) -> Result<(Vec<String>, Option<String>)> {
        let index = self.plane.keys().reverie().session_index();
        let from = match &query.cursor {
            Some(cursor) => self.after(&index, cursor).await?,
            None if query.live => self.below(&index, now - Label::STALE_AFTER.as_secs_f64()).await?,
            None => 0,
        };
        let mut range = cmd("ZRANGE");
        range.arg(index.as_str()).arg(from).arg(from + limit as u64).arg("WITHSCORES");
        let mut found: Vec<(Vec<u8>, f64)> = self.plane.store().query(&range).await?;
        let more = found.len() > limit;
        found.truncate(limit);
        let last = found.last().filter(|_| more);
        let cursor = last.map(|(name, score)| format!("{score}/{}", String::from_utf8_lossy(name)));
        Ok((found.into_iter().map(|(name, _)| lossy(name)).collect(), cursor))
    }

    /// How many are below a score.
    async fn below(&self, index: &Key, score: f64) -> Result<u64> {
        let mut count = cmd("ZCOUNT");
        count.arg(index.as_str()).arg("-inf").arg(format!("({score}"));
        self.plane.store().query(&count).await
    }

    /// The place after a cursor, whoever has come and gone since. Members of one score are sorted by name, so it is
    /// found by halving, in as many steps as the number of equal scores has binary digits.
    async fn after(&self, index: &Key, cursor: &str) -> Result<u64> {
        let parsed =
            cursor.split_once('/').and_then(|(score, name)| Some((score.parse::<f64>().ok()?, name)));
        let (score, name) =
            parsed.filter(|(score, _)| score.is_finite()).ok_or_else(|| bad_cursor(cursor))?;
        let mut low = self.below(index, score).await?;
        let mut equal = cmd("ZCOUNT");
        equal.arg(index.as_str()).arg(score).arg(score);
        let mut high = low + self.plane.store().query::<u64>(&equal).await?;
        while low < high {
            let middle = low + (high - low) / 2;
            let mut at = cmd("ZRANGE");
            at.arg(index.as_str()).arg(middle).arg(middle);
            let found: Vec<Vec<u8>> = self.plane.store().query(&at).await?;
            match found.first() {
                Some(found) if found.as_slice() <= name.as_bytes() => low = middle + 1,
                _ => high = middle,
            }
        }
        Ok(low)
    }

    /// From the set of a word, by name; with a second set, only its members too.
    async fn by_word(
        &self,
        query: &Query,
        limit: usize,
        walked: &Key,
        probed: Option<Key>,
    ) -> Result<(Vec<String>, Option<String>)> {
        let from = match &query.cursor {
            Some(cursor) => {
                let name = AgentId::parse(cursor).map_err(|_| bad_cursor(cursor))?;
                format!("({}", name.as_key())
            }
            None => "-".to_owned(),
        };
        let mut range = cmd("ZRANGEBYLEX");
        range.arg(walked.as_str()).arg(from).arg("+").arg("LIMIT").arg(0).arg(limit + 1);
        let mut names: Vec<String> = self.plane.store().query(&range).await?;
        let more = names.len() > limit;
        names.truncate(limit);
        let cursor = names.last().filter(|_| more).cloned();
        if let Some(probed) = probed.filter(|_| !names.is_empty()) {
            let mut ask = cmd("ZMSCORE");
            ask.arg(probed.as_str()).arg(&names);
            let scores: Vec<Option<f64>> = self.plane.store().query(&ask).await?;
            let mut scores = scores.into_iter();
            names.retain(|_| scores.next().flatten().is_some());
        }
        Ok((names, cursor))
    }

    async fn read(&self, agents: &[AgentId], now: f64) -> Result<Vec<Agent>> {
        match self.fetch(agents, now).await {
            Err(error) if error.kind() == ErrorKind::WrongType => self.read_each(agents, now).await,
            read => read,
        }
    }

    /// One by one, so that a key of another type costs its own agent and nobody else.
    async fn read_each(&self, agents: &[AgentId], now: f64) -> Result<Vec<Agent>> {
        let mut found = Vec::with_capacity(agents.len());
        for agent in agents {
            match self.fetch(std::slice::from_ref(agent), now).await {
                Ok(one) => found.extend(one),
                Err(error) if error.kind() == ErrorKind::WrongType => {
                    let none = Parts::default();
                    let unreadable =
                        Some("a key of this agent holds another type; see `quorate fsck`".to_owned());
                    found.push(Agent { unreadable, ..assemble(agent, &none, now) });
                }
                Err(error) => return Err(error),
            }
        }
        Ok(found)
    }

    async fn fetch(&self, agents: &[AgentId], now: f64) -> Result<Vec<Agent>> {
        if agents.is_empty() {
            return Ok(vec![]);
        }
        let mut pipeline = redis::pipe();
        for agent in agents {
            let keys = AgentKeys::of(self.plane.keys(), agent);
            pipeline.cmd("HGETALL").arg(keys.session.as_str());
            pipeline.cmd("HGETALL").arg(keys.record.as_str());
            pipeline.cmd("HGETALL").arg(keys.capacity.as_str());
            pipeline.cmd("GET").arg(keys.presence.as_str());
        }
        type Hash = HashMap<Vec<u8>, Vec<u8>>;
        let found: Vec<redis::Value> = self.plane.store().pipeline(&pipeline).await?;
        let mut found = found.into_iter();
        let mut all = Vec::with_capacity(agents.len());
        for agent in agents {
            let mut hash = || {
                let value = found.next().unwrap_or(redis::Value::Nil);
                redis::from_redis_value::<Hash>(value).map(text_hash).unwrap_or_default()
            };
            let (session, record, capacity) = (hash(), hash(), hash());
            let presence = found.next().and_then(|value| redis::from_redis_value::<Vec<u8>>(value).ok());
            let presence = presence.map(lossy).filter(|text| !text.is_empty());
            all.push(assemble(agent, &Parts { session, record, capacity, presence }, now));
        }
        self.count_claims(&mut all, agents, now).await?;
        Ok(all)
    }

    /// What is claimed counts too, by the leases that run now. The scripts count locks and claims together for an agent that
    /// stated its capacity here; for one whose capacity another client wrote it is at least this.
    async fn count_claims(&self, all: &mut [Agent], agents: &[AgentId], now: f64) -> Result<()> {
        let with = all.iter_mut().zip(agents).filter_map(|(one, id)| Some((one.capacity.as_mut()?, id)));
        let (mut capacities, mut pipeline) = (Vec::new(), redis::pipe());
        // An index that somebody spoiled is in nobody's way.
        pipeline.ignore_errors();
        for (capacity, agent) in with {
            let held = self.plane.keys().quorate().queue_held(agent);
            pipeline.cmd("ZCOUNT").arg(held.as_str()).arg(format!("({:.0}", now * 1e3)).arg("+inf");
            capacities.push(capacity);
        }
        if capacities.is_empty() {
            return Ok(());
        }
        let counts: Vec<redis::Value> = self.plane.store().pipeline(&pipeline).await?;
        for (capacity, count) in capacities.into_iter().zip(counts) {
            let claims = redis::from_redis_value::<u64>(count).unwrap_or_default();
            capacity.active_tasks = capacity.active_tasks.max(claims);
        }
        Ok(())
    }
}

/// What the systems say of one agent.
#[derive(Default)]
struct Parts {
    session: HashMap<String, String>,
    record: HashMap<String, String>,
    capacity: HashMap<String, String>,
    presence: Option<String>,
}

/// Other clients may have written what is no text.
fn lossy(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
}

fn text_hash(hash: HashMap<Vec<u8>, Vec<u8>>) -> HashMap<String, String> {
    hash.into_iter().map(|(name, value)| (lossy(name), lossy(value))).collect()
}

fn bad_cursor(cursor: &str) -> Error {
    Error::new(
        ErrorKind::InvalidArgument,
        "agents ls",
        format!("{cursor:?} is no cursor of this list; use the one that the page before gave"),
    )
}

fn whole(hash: &HashMap<String, String>, name: &str) -> Option<u64> {
    hash.get(name).and_then(|text| text.parse().ok())
}

fn assemble(agent: &AgentId, parts: &Parts, now: f64) -> Agent {
    let Parts { session, record, capacity, presence } = parts;
    let text = |name: &str| session.get(name).cloned();
    let seconds =
        |name: &str| session.get(name).and_then(|text| text.parse::<f64>().ok()).filter(|at| at.is_finite());
    let age =
        |at: Option<f64>| at.map_or(Duration::MAX, |at| Duration::from_secs_f64((now - at).clamp(0.0, 1e9)));
    // A foreign client writes only last_heartbeat; for one of ours only its own acknowledgement counts.
    let heard = age(seconds("last_acked_at").or_else(|| seconds("last_heartbeat")));
    let renewed = age(seconds("last_heartbeat")).min(heard);
    Agent {
        agent: agent.to_string(),
        label: if session.is_empty() { Label::Dead } else { Label::of(heard, renewed) },
        epoch: whole(record, "epoch"),
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
        lease_until: whole(record, "lease_until").map(|ms| ms as f64 / 1e3),
        drain: record.get("drain").cloned(),
        revoked: whole(record, "revoked").is_some_and(|revoked| Some(revoked) >= whole(record, "epoch")),
        banned: record.get("banned").cloned(),
        presence: presence.clone(),
        capacity: (!capacity.is_empty()).then(|| Capacity {
            max_tasks: whole(capacity, "max_tasks"),
            active_tasks: whole(capacity, "active_tasks").unwrap_or_default(),
            queued_tasks: whole(capacity, "queued_tasks").unwrap_or_default(),
            status: capacity.get("status").cloned(),
            last_heartbeat: capacity.get("last_heartbeat").cloned(),
        }),
        unreadable: None,
    }
}
