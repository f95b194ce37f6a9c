//! Who is here.
//!
//! One registration makes an agent visible in every system that has a word for it: reverie's session is the
//! authority, skynet's presence and context and ade's capacity are mirrors, all written by one script. Each new
//! incarnation gets a higher epoch, and the store refuses the writes of earlier ones. What the agents left behind
//! is looked after by [`Agents::reap`].

mod fsck;
mod keys;
mod list;
mod model;
mod reaper;
mod script;

use std::time::Duration;

use quorate_catalog::ids::AgentId;
use quorate_store::{Arg, Error, ErrorKind, Result, Script, cmd};

use crate::outcome::{Reply, undecodable};
use crate::{Outcome, Plane, Refusal};
pub use fsck::invariants;
pub(crate) use fsck::registered;
use keys::AgentKeys;
pub use list::{Page, Query};
pub use model::{
    Agent, Beat, Blob, Capacity, DEFAULT_LEASE, Label, MAX_CAPABILITIES, MAX_LEASE, MAX_TEXT, Patch,
    Registered, Registration, Status,
};
pub use reaper::Reaped;
pub(crate) use script::Scripts;

/// How often a merge made from an old view is repeated before its caller is told.
const RETRIES: usize = 64;

/// A change of a session: its script, the keys, and the word by which it answers.
struct Change<'a> {
    script: &'a Script,
    list: &'a [&'a str],
    word: &'static str,
    /// Whether it builds on the blob that is there.
    merges: bool,
}

/// The verbs of the capability.
#[derive(Debug, Clone, Copy)]
pub struct Agents<'p> {
    plane: &'p Plane,
    request: Option<&'p str>,
}

impl<'p> Agents<'p> {
    pub(crate) fn new(plane: &'p Plane) -> Self {
        Self { plane, request: None }
    }

    /// The same for a call that has a name: however often it is made, it has one effect.
    #[must_use]
    pub fn asked(self, request: Option<&'p str>) -> Self {
        Self { request, ..self }
    }

    fn request(&self) -> String {
        self.request.map_or_else(crate::random_id, str::to_owned)
    }

    /// Registers a new incarnation, or the same one again when its epoch is given. What is not stated stays: role,
    /// capabilities, capacity, and every blob field that is not named. What an earlier incarnation held does not: its claims
    /// are back on their queues with the same step, and its locks pass on.
    pub async fn register(&self, wanted: &Registration) -> Result<Outcome<Registered>> {
        const OP: &str = "agents register";
        if let Some(fault) = wanted.fault() {
            return Err(invalid(OP, fault));
        }
        let keys = self.keys(&wanted.agent);
        let merge = wanted.blob.clone().map(Blob::Merge);
        let words = wanted.capabilities();
        let args = |request: String, seen: Vec<u8>| {
            let blob = over(OP, merge.as_ref(), &seen)?;
            let mut args = vec![
                Arg::from(request),
                Arg::from(wanted.agent.as_key()),
                Arg::from(epoch_text(wanted.epoch)),
                Arg::from(usize::from(merge.is_some())),
                Arg::from(seen),
                Arg::from(wanted.lease_ms()),
                Arg::from(wanted.kind()),
                Arg::from(wanted.max_tasks.map(|most| most.to_string()).unwrap_or_default()),
                Arg::from(wanted.role.as_ref().map(|role| role.as_key()).unwrap_or_default()),
                Arg::from(words.len()),
            ];
            args.extend(words.iter().map(|word| Arg::from(word.as_key())));
            args.extend(pairs(wanted.fields(blob)));
            Ok(args)
        };
        let script = &self.plane.agent_scripts().register;
        let change = Change { script, list: &keys.register(), word: "registered", merges: merge.is_some() };
        let answer = self.merging(&keys, &change, args).await?;
        let registered = read(answer, "registered", Registered::read)?;
        if matches!(&registered, Outcome::Done(new) if new.replaces) {
            // Whoever asks for them gets them in any case; this is for those who only look.
            let _ = self.plane.locks().release_agent(&wanted.agent).await;
        }
        Ok(registered)
    }

    /// An agent's own sign of life; the answer says what waits for it.
    pub async fn heartbeat(&self, agent: &AgentId, epoch: Option<u64>) -> Result<Outcome<Beat>> {
        let keys = self.keys(agent);
        let args = [Arg::from(agent.as_key()), Arg::from(epoch_text(epoch))];
        // A second beat is as good as one, so a lost reply is simply asked for again.
        let store = self.plane.store().repeatable();
        let reply: Reply = store.run(&self.plane.agent_scripts().heartbeat, &keys.heartbeat(), &args).await?;
        read(reply.expect("acked")?, "acked", Beat::read)
    }

    /// Knocks for an agent on somebody else's behalf. It does not make the agent alive.
    pub async fn poke(&self, agent: &AgentId) -> Result<Outcome<()>> {
        let keys = self.keys(agent);
        let reply: Reply =
            self.plane.store().repeatable().run(&script::POKE, &[keys.session.as_str()], &[]).await?;
        Ok(reply.expect("poked")?.map(drop))
    }

    /// Patches task, status or blob of a session; gives the record's new version.
    pub async fn update(&self, agent: &AgentId, epoch: Option<u64>, patch: &Patch) -> Result<Outcome<u64>> {
        const OP: &str = "agents update";
        if let Some(fault) = patch.fault() {
            return Err(invalid(OP, fault));
        }
        let keys = self.keys(agent);
        let merges = matches!(patch.blob, Some(Blob::Merge(_)));
        let args = |request: String, seen: Vec<u8>| {
            let blob = over(OP, patch.blob.as_ref(), &seen)?;
            let epoch = epoch_text(epoch);
            let mut args =
                vec![Arg::from(request), Arg::from(epoch), Arg::from(usize::from(merges)), Arg::from(seen)];
            args.extend(pairs(patch.fields(blob)));
            Ok(args)
        };
        let change = Change { script: &script::UPDATE, list: &keys.update(), word: "updated", merges };
        Ok(self.merging(&keys, &change, args).await?.map(|words| number(words.first())))
    }

    /// Lets an agent finish and take nothing new; gives the epoch it is about.
    pub async fn drain(&self, agent: &AgentId, epoch: Option<u64>, reason: &str) -> Result<Outcome<u64>> {
        check_text("agents drain", "reason", reason)?;
        let request = self.request();
        let reason = if reason.is_empty() { "asked to finish" } else { reason };
        let args = [Arg::from(request), Arg::from(epoch_text(epoch)), Arg::from(reason)];
        let reply: Reply = self.plane.store().run(&script::DRAIN, &self.keys(agent).drain(), &args).await?;
        Ok(reply.expect("draining")?.map(|words| number(words.first())))
    }

    /// Refuses every later write of this incarnation; with a ban, of every later one too.
    pub async fn revoke(
        &self,
        agent: &AgentId,
        epoch: Option<u64>,
        ban: Option<&str>,
    ) -> Result<Outcome<u64>> {
        check_text("agents revoke", "reason", ban.unwrap_or_default())?;
        let args = [
            Arg::from(self.request()),
            Arg::from(agent.as_key()),
            Arg::from(epoch_text(epoch)),
            Arg::from(ban.unwrap_or_default()),
        ];
        let reply: Reply = self.plane.store().run(&script::REVOKE, &self.keys(agent).revoke(), &args).await?;
        let answer = reply.expect("revoked")?;
        if answer.refusal().is_none() {
            self.return_claims(agent).await;
        }
        Ok(answer.map(|words| number(words.first())))
    }

    /// Lifts a ban, so that the agent may register again; says whether there was one.
    pub async fn lift_ban(&self, agent: &AgentId) -> Result<Outcome<bool>> {
        let keys = self.keys(agent);
        let reply: Reply =
            self.plane.store().repeatable().run(&script::LIFT, &[keys.record.as_str()], &[]).await?;
        Ok(reply.expect("lifted")?.map(|words| number(words.first()) == 1))
    }

    /// Ends a session and passes on what it held; gives the epoch that ended.
    pub async fn deregister(&self, agent: &AgentId, epoch: Option<u64>) -> Result<Outcome<u64>> {
        let args = [Arg::from(self.request()), Arg::from(agent.as_key()), Arg::from(epoch_text(epoch))];
        let keys = self.keys(agent);
        let script = &self.plane.agent_scripts().deregister;
        let reply: Reply = self.plane.store().run(script, &keys.deregister(), &args).await?;
        let answer = reply.expect("deregistered")?;
        if answer.refusal().is_none() {
            self.pass_on(agent).await;
        }
        Ok(answer.map(|words| number(words.first())))
    }

    /// Passes on what an agent held. Its lease has ended, so what fails here is done by the next tick of maintenance.
    async fn pass_on(&self, agent: &AgentId) {
        self.return_claims(agent).await;
        // A page may hold nothing but what had been released before, so what counts is that fewer are left.
        let mut before = u64::MAX;
        while let Ok((_, left)) = self.plane.locks().release_agent(agent).await
            && left > 0
            && left < before
        {
            before = left;
        }
    }

    /// Puts what an agent had claimed back on its queues.
    async fn return_claims(&self, agent: &AgentId) {
        while let Ok((done, left)) = self.plane.queues().release_agent(agent).await
            && done > 0
            && left > 0
        {}
    }

    fn keys(&self, agent: &AgentId) -> AgentKeys {
        AgentKeys::of(self.plane.keys(), agent)
    }

    /// Makes a change that may build on the blob that is there, again if the blob changed in the meantime.
    async fn merging<'a>(
        &self,
        keys: &AgentKeys,
        change: &Change<'_>,
        args: impl Fn(String, Vec<u8>) -> Result<Vec<Arg<'a>>>,
    ) -> Result<Outcome<Vec<String>>> {
        let request = self.request();
        for round in 0..RETRIES {
            let seen = if change.merges { self.blob(keys).await? } else { Vec::new() };
            let args = args(request.clone(), seen)?;
            let reply: Reply = self.plane.store().run(change.script, change.list, &args).await?;
            let outcome = reply.expect(change.word)?;
            if !change.merges || !outcome.refusal().is_some_and(|refusal| refusal.is("conflict")) {
                return Ok(outcome);
            }
            tokio::time::sleep(Duration::from_millis(round.min(10) as u64)).await;
        }
        Ok(Outcome::Refused(Refusal::new("conflict", None)))
    }

    /// The blob of a session, empty if it has none; a key of another type is left for the script to refuse.
    async fn blob(&self, keys: &AgentKeys) -> Result<Vec<u8>> {
        let get = self.plane.store().query(cmd("HGET").arg(keys.session.as_str()).arg("blob")).await;
        match get {
            Ok(blob) => Ok(Option::<Vec<u8>>::unwrap_or_default(blob)),
            Err(error) if error.kind() == ErrorKind::WrongType => Ok(Vec::new()),
            Err(error) => Err(error),
        }
    }
}

fn over(op: &'static str, blob: Option<&Blob>, seen: &[u8]) -> Result<Option<String>> {
    blob.map(|blob| blob.over(seen)).transpose().map_err(|why| invalid(op, why))
}

fn pairs<'a>(fields: Vec<(&'static str, String)>) -> impl Iterator<Item = Arg<'a>> {
    fields.into_iter().flat_map(|(name, value)| [Arg::from(name.to_owned()), Arg::from(value)])
}

fn read<T>(
    answer: Outcome<Vec<String>>,
    what: &str,
    read: impl FnOnce(&[String]) -> Option<T>,
) -> Result<Outcome<T>> {
    match answer {
        Outcome::Done(words) => read(&words).ok_or_else(|| undecodable(what)).map(Outcome::Done),
        Outcome::Refused(refusal) => Ok(Outcome::Refused(refusal)),
    }
}

fn check_text(op: &'static str, name: &str, text: &str) -> Result<()> {
    model::too_long(name, text).map_or(Ok(()), |why| Err(invalid(op, why)))
}

fn invalid(op: &'static str, why: String) -> Error {
    Error::new(ErrorKind::InvalidArgument, op, why)
}

fn epoch_text(epoch: Option<u64>) -> String {
    epoch.map(|epoch| epoch.to_string()).unwrap_or_default()
}

fn number(text: Option<&String>) -> u64 {
    text.and_then(|text| text.parse().ok()).unwrap_or_default()
}
