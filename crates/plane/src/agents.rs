//! Who is here.
//!
//! One registration makes an agent visible in every system that has a word for it: reverie's session is the
//! authority, skynet's presence and context and ade's capacity are mirrors, all written by one script. Each new
//! incarnation gets a higher epoch, and the store refuses the writes of earlier ones.

mod fsck;
mod keys;
mod list;
mod model;
mod script;

use quorate_catalog::ids::AgentId;
use quorate_store::{Arg, Error, ErrorKind, Result, cmd};
use serde_json::Value as Json;

use crate::outcome::{Reply, undecodable};
use crate::{Outcome, Plane, Refusal};
pub use fsck::invariants;
use keys::AgentKeys;
pub use list::{Page, Query};
pub use model::{Agent, Beat, Blob, DEFAULT_LEASE, Label, Patch, Registered, Registration, STATUSES};

/// How often a change made from an old view is repeated before its caller is told.
const RETRIES: usize = 8;

/// The verbs of the capability.
#[derive(Debug, Clone, Copy)]
pub struct Agents<'p> {
    plane: &'p Plane,
}

impl<'p> Agents<'p> {
    pub(crate) fn new(plane: &'p Plane) -> Self {
        Self { plane }
    }

    /// Registers a new incarnation, or the same one again when its epoch is given. Role and unknown blob fields stay.
    pub async fn register(&self, wanted: &Registration) -> Result<Outcome<Registered>> {
        let request = crate::random_id();
        for _ in 0..RETRIES {
            let known = self.known(&wanted.agent).await?;
            let outcome = self.try_register(wanted, &known, &request).await?;
            if !outcome.refusal().is_some_and(|refusal| refusal.is("conflict")) {
                return Ok(outcome);
            }
        }
        Ok(Outcome::Refused(Refusal::new("conflict", None)))
    }

    async fn try_register(
        &self,
        wanted: &Registration,
        known: &Known,
        request: &str,
    ) -> Result<Outcome<Registered>> {
        let keys = self.keys(&wanted.agent);
        let fields = wanted.fields(known.blob.as_ref());
        let (joins, leaves) = keys.words(self.plane.keys(), wanted, known);
        let all: Vec<&str> =
            keys.register().chain(joins.iter().chain(&leaves).map(|key| key.as_str())).collect();
        let mut args = vec![
            Arg::from(request),
            Arg::from(wanted.agent.as_key()),
            Arg::from(epoch_text(wanted.epoch)),
            Arg::from(known.version.as_str()),
            Arg::from(wanted.lease_ms()),
            Arg::from(wanted.kind.as_str()),
            Arg::from(wanted.max_tasks.map(|most| most.to_string()).unwrap_or_default()),
            Arg::from(joins.len()),
        ];
        args.extend(
            fields.into_iter().flat_map(|(name, value)| [Arg::from(name.to_owned()), Arg::from(value)]),
        );
        let reply: Reply = self.plane.store().run(&script::REGISTER, &all, &args).await?;
        match reply.expect("registered")? {
            Outcome::Done(words) => {
                Registered::read(&words).ok_or_else(|| undecodable("registered")).map(Outcome::Done)
            }
            Outcome::Refused(refusal) => Ok(Outcome::Refused(refusal)),
        }
    }

    /// An agent's own sign of life; the answer says what waits for it.
    pub async fn heartbeat(&self, agent: &AgentId, epoch: Option<u64>) -> Result<Outcome<Beat>> {
        let keys = self.keys(agent);
        let args = [Arg::from(agent.as_key()), Arg::from(epoch_text(epoch))];
        // A second beat is as good as one, so a lost reply is simply asked for again.
        let store = self.plane.store().repeatable();
        let reply: Reply = store.run(&script::HEARTBEAT, &keys.heartbeat(), &args).await?;
        match reply.expect("acked")? {
            Outcome::Done(words) => Beat::read(&words).ok_or_else(|| undecodable("acked")).map(Outcome::Done),
            Outcome::Refused(refusal) => Ok(Outcome::Refused(refusal)),
        }
    }

    /// Knocks for an agent on somebody else's behalf. It does not make the agent alive.
    pub async fn poke(&self, agent: &AgentId) -> Result<Outcome<()>> {
        let keys = self.keys(agent);
        let reply: Reply =
            self.plane.store().repeatable().run(&script::POKE, &[keys.session.as_str()], &[]).await?;
        Ok(reply.expect("poked")?.map(drop))
    }

    /// Patches task, status or blob of a session.
    pub async fn update(&self, agent: &AgentId, epoch: Option<u64>, patch: &Patch) -> Result<Outcome<u64>> {
        let keys = self.keys(agent);
        for _ in 0..RETRIES {
            let known = self.known(agent).await?;
            let fields = patch.fields(known.blob.as_ref());
            if fields.is_empty() {
                return Err(Error::new(
                    ErrorKind::InvalidArgument,
                    "agents update",
                    "there is nothing to change",
                ));
            }
            let mut args = vec![Arg::from(epoch_text(epoch)), Arg::from(known.version.clone())];
            args.extend(
                fields.into_iter().flat_map(|(name, value)| [Arg::from(name.to_owned()), Arg::from(value)]),
            );
            let keys = [keys.session.as_str(), keys.record.as_str()];
            let reply: Reply = self.plane.store().run(&script::UPDATE, &keys, &args).await?;
            let outcome = reply.expect("updated")?;
            if !outcome.refusal().is_some_and(|refusal| refusal.is("conflict")) {
                return Ok(outcome.map(|words| number(words.first())));
            }
        }
        Ok(Outcome::Refused(Refusal::new("conflict", None)))
    }

    /// Lets an agent finish and take nothing new.
    pub async fn drain(&self, agent: &AgentId, reason: &str) -> Result<Outcome<u64>> {
        let keys = self.keys(agent);
        let keys = [keys.record.as_str(), keys.capacity.as_str()];
        let reply: Reply =
            self.plane.store().repeatable().run(&script::DRAIN, &keys, &[Arg::from(reason)]).await?;
        Ok(reply.expect("draining")?.map(|words| number(words.first())))
    }

    /// Refuses every later write of this incarnation; with a ban, of every later one too.
    pub async fn revoke(&self, agent: &AgentId, ban: Option<&str>) -> Result<Outcome<u64>> {
        let keys = self.keys(agent);
        let list = [keys.record.as_str(), keys.leases.as_str(), keys.presence.as_str()];
        let args = [Arg::from(agent.as_key()), Arg::from(ban.unwrap_or_default())];
        let reply: Reply = self.plane.store().repeatable().run(&script::REVOKE, &list, &args).await?;
        Ok(reply.expect("revoked")?.map(|words| number(words.first())))
    }

    /// Lifts a ban, so that the agent may register again.
    pub async fn lift_ban(&self, agent: &AgentId) -> Result<bool> {
        let key = self.keys(agent).record;
        let gone: u64 =
            self.plane.store().repeatable().query(cmd("HDEL").arg(key.as_str()).arg("banned")).await?;
        Ok(gone == 1)
    }

    /// Ends a session.
    pub async fn deregister(&self, agent: &AgentId, epoch: Option<u64>) -> Result<Outcome<u64>> {
        let keys = self.keys(agent);
        let words = keys.all_words(self.plane.keys(), &self.known(agent).await?);
        let all: Vec<&str> = keys.deregister().chain(words.iter().map(|key| key.as_str())).collect();
        let args = [Arg::from(agent.as_key()), Arg::from(epoch_text(epoch))];
        let reply: Reply = self.plane.store().run(&script::DEREGISTER, &all, &args).await?;
        Ok(reply.expect("deregistered")?.map(|words| number(words.first())))
    }

    fn keys(&self, agent: &AgentId) -> AgentKeys {
        AgentKeys::of(self.plane.keys(), agent)
    }

    /// What a change is made from.
    async fn known(&self, agent: &AgentId) -> Result<Known> {
        let keys = self.keys(agent);
        let mut pipeline = redis::pipe();
        pipeline.cmd("HGET").arg(keys.record.as_str()).arg("version");
        pipeline.cmd("HMGET").arg(keys.session.as_str()).arg(&["blob", "role", "capabilities"]);
        let (version, fields): (Option<String>, Vec<Option<String>>) =
            self.plane.store().pipeline(&pipeline).await?;
        let mut fields = fields.into_iter();
        let mut text = || fields.next().flatten();
        let (blob, role, capabilities) = (text(), text(), text());
        Ok(Known {
            version: version.unwrap_or_default(),
            blob: blob.and_then(|text| serde_json::from_str(&text).ok()),
            role,
            capabilities: capabilities.and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default(),
        })
    }
}

/// A session as a change finds it.
#[derive(Debug, Default)]
struct Known {
    version: String,
    blob: Option<Json>,
    role: Option<String>,
    capabilities: Vec<String>,
}

fn epoch_text(epoch: Option<u64>) -> String {
    epoch.map(|epoch| epoch.to_string()).unwrap_or_default()
}

fn number(text: Option<&String>) -> u64 {
    text.and_then(|text| text.parse().ok()).unwrap_or_default()
}
