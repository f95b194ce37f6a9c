//! Who told whom what, and how far it got.
//!
//! The seed's list is the inbox: newest at the head, readable and writable by any client. Beside it stands a record of
//! each message with the rungs it reached: stored, delivered, read, acknowledged, acted on. A message leaves the list when
//! it is acknowledged and not before, so a reader that dies between reading and acting reads it again. What another
//! client pushed is shown like any other and gets an id when it is first read. A full inbox refuses the sender.

mod escalation;
mod fsck;
mod history;
mod keys;
mod model;
mod script;

use quorate_catalog::ids::{AgentId, MessageId, WordId};
use quorate_store::{Arg, Error, ErrorKind, Result, Value};
use sha2::{Digest, Sha256};

use crate::agents::Query;
use crate::outcome::{Reply, undecodable};
use crate::{Outcome, Plane, Refusal};
pub use fsck::invariants;
pub use history::Place;
pub use model::{
    Acked, Count, Delivery, Inbox, Ladder, MAX_ACK, MAX_BODY, MAX_LINE, Message, Outgoing, PLAIN_KIND, Sent,
    State,
};
pub(crate) use script::Scripts;

/// Most messages in one answer.
pub const MOST: usize = 1_000;
/// Recipients of one script.
const AT_ONCE: usize = 100;

/// The verbs of the capability.
#[derive(Debug, Clone, Copy)]
pub struct Messages<'p> {
    plane: &'p Plane,
    request: Option<&'p str>,
}

impl<'p> Messages<'p> {
    pub(crate) fn new(plane: &'p Plane) -> Self {
        Self { plane, request: None }
    }

    /// The same for a call that has a name: however often it is made, each recipient gets one message.
    #[must_use]
    pub fn asked(self, request: Option<&'p str>) -> Self {
        Self { request, ..self }
    }

    fn request(&self) -> String {
        self.request.map_or_else(crate::random_id, str::to_owned)
    }

    /// Sends one message.
    pub async fn send(&self, to: &AgentId, message: &Outgoing) -> Result<Outcome<Sent>> {
        let sent = self.post(message, &[self.request()], std::slice::from_ref(to)).await?;
        match sent {
            Outcome::Done(mut all) => all.pop().map(|one| one.outcome).ok_or_else(|| undecodable("sent")),
            Outcome::Refused(refusal) => Ok(Outcome::Refused(refusal)),
        }
    }

    /// Sends a message to every live agent but the sender, or to those with a role or a capability. Each recipient has a
    /// message of its own, and so a ledger of its own; a full inbox refuses only itself.
    pub async fn broadcast(
        &self,
        message: &Outgoing,
        role: Option<&WordId>,
        capability: Option<&WordId>,
    ) -> Result<Outcome<Vec<Delivery>>> {
        let (mut all, mut cursor) = (Vec::new(), None);
        let base = self.request();
        loop {
            let (role, capability) = (role.cloned(), capability.cloned());
            let query = Query { live: true, role, capability, limit: MOST, cursor };
            let page = self.plane.agents().ls(&query).await?;
            let names = page.agents.iter().filter_map(|agent| AgentId::parse(&agent.agent).ok());
            let names: Vec<AgentId> = names.filter(|name| *name != message.from).collect();
            for some in names.chunks(AT_ONCE) {
                let ids: Vec<String> = some.iter().map(|to| id_for(&base, to)).collect();
                match self.post(message, &ids, some).await? {
                    Outcome::Done(sent) => all.extend(sent),
                    refused if all.is_empty() => return Ok(refused),
                    Outcome::Refused(refusal) => all.extend(refuse(some, &refusal)),
                }
            }
            cursor = page.cursor;
            if cursor.is_none() {
                return Ok(Outcome::Done(all));
            }
        }
    }

    /// The first id is the request's, by which the store knows a repeated call.
    async fn post(
        &self,
        message: &Outgoing,
        ids: &[String],
        to: &[AgentId],
    ) -> Result<Outcome<Vec<Delivery>>> {
        if let Some(fault) = message.fault() {
            return Err(invalid("messages send", fault));
        }
        let thread = message.thread.as_ref().map(|thread| thread.as_key()).unwrap_or_default();
        let mut args = vec![
            Arg::from(ids.first().map(String::as_str).unwrap_or_default()),
            Arg::from(message.from.as_key()),
            Arg::from(message.epoch.map(|epoch| epoch.to_string()).unwrap_or_default()),
            Arg::from(thread),
            Arg::from(message.ack_within.map_or(0, crate::locks::millis)),
        ];
        for (id, one) in ids.iter().zip(to) {
            args.push(Arg::from(id.as_str()));
            args.push(Arg::from(one.as_key()));
            args.push(Arg::from(message.fields(one)));
        }
        let keys = keys::send(self.plane.keys(), &message.from);
        let reply: Reply = self.plane.store().run(&self.plane.message_scripts().send, &keys, &args).await?;
        Ok(reply.expect("sent")?.map(|words| {
            let said = words.chunks_exact(3).map(|said| {
                let id = said[1].clone();
                model::verdict(&said[0], &said[2]).map(|sent_at| Sent { id, sent_at })
            });
            to.iter().cloned().zip(said).map(|(to, outcome)| Delivery { to, outcome }).collect()
        }))
    }

    /// What is in an inbox; nothing is changed by looking.
    pub async fn inbox(&self, peer: &AgentId, limit: usize, newest: bool) -> Result<Outcome<Inbox>> {
        let args = [Arg::from(limit.clamp(1, MOST)), Arg::from(usize::from(newest))];
        let keys = keys::peek(self.plane.keys(), peer);
        let value: Value = self.plane.store().run(&self.plane.message_scripts().peek, &keys, &args).await?;
        inbox(value)
    }

    /// How much is in the inboxes of these agents, in their order.
    pub async fn counts(&self, peers: &[AgentId]) -> Result<Vec<Count>> {
        let mut all = Vec::with_capacity(peers.len());
        for some in peers.chunks(AT_ONCE) {
            let args: Vec<Arg<'_>> = some.iter().map(|peer| Arg::from(peer.as_key())).collect();
            let script = &self.plane.message_scripts().counts;
            let found: Vec<u64> = self.plane.store().run(script, &keys::NONE, &args).await?;
            let pairs = some.iter().zip(found.chunks_exact(2));
            all.extend(pairs.map(|(peer, n)| Count { agent: peer.to_string(), waiting: n[0], unread: n[1] }));
        }
        Ok(all)
    }

    /// The oldest messages that are not acknowledged, noted as read. Reading again gives them again.
    pub async fn read(
        &self,
        peer: &AgentId,
        epoch: Option<u64>,
        limit: usize,
        unread_only: bool,
    ) -> Result<Outcome<Inbox>> {
        let args = [
            Arg::from(peer.as_key()),
            Arg::from(epoch.map(|epoch| epoch.to_string()).unwrap_or_default()),
            Arg::from(limit.clamp(1, MOST)),
            Arg::from(usize::from(unread_only)),
            Arg::from(self.plane.new_name()),
        ];
        let keys = keys::read(self.plane.keys(), peer);
        let store = self.plane.store().repeatable();
        let value: Value = store.run(&self.plane.message_scripts().read, &keys, &args).await?;
        inbox(value)
    }

    /// Acknowledges messages; they leave the inbox. `acted` says what was done about them, now or in a later call.
    pub async fn ack(
        &self,
        peer: &AgentId,
        epoch: Option<u64>,
        ids: &[MessageId],
        acted: Option<&str>,
    ) -> Result<Outcome<Vec<Acked>>> {
        if acted.is_some_and(|acted| acted.is_empty() || acted.len() > MAX_LINE) {
            return Err(invalid("messages ack", format!("what was done has 1 to {MAX_LINE} bytes")));
        }
        let mut all = Vec::new();
        for some in ids.chunks(AT_ONCE) {
            let mut args = vec![
                Arg::from(peer.as_key()),
                Arg::from(epoch.map(|epoch| epoch.to_string()).unwrap_or_default()),
                Arg::from(acted.unwrap_or_default()),
            ];
            args.extend(some.iter().map(|id| Arg::from(id.as_key())));
            let keys = keys::ack(self.plane.keys(), peer);
            // The first acknowledgement stays, so asking again is harmless.
            let store = self.plane.store().repeatable();
            let reply: Reply = store.run(&self.plane.message_scripts().ack, &keys, &args).await?;
            match reply.expect("acked")? {
                Outcome::Done(words) => {
                    all.extend(words.chunks_exact(3).map(|said| Acked {
                        id: said[1].clone(),
                        outcome: model::verdict(&said[0], &said[2]),
                    }));
                }
                Outcome::Refused(refusal) => return Ok(Outcome::Refused(refusal)),
            }
        }
        Ok(Outcome::Done(all))
    }
}

/// The id of one recipient's message: the same when the call is repeated, whoever has come or gone in between.
fn id_for(base: &str, to: &AgentId) -> String {
    format!("{base}.{}", &hex::encode(Sha256::digest(to.as_key()))[..16])
}

fn refuse<'a>(to: &'a [AgentId], refusal: &'a Refusal) -> impl Iterator<Item = Delivery> + 'a {
    to.iter().map(|to| Delivery { to: to.clone(), outcome: Outcome::Refused(refusal.clone()) })
}

/// Reads `{ word, waiting, unread, { told… }, … }`, or a refusal.
fn inbox(value: Value) -> Result<Outcome<Inbox>> {
    let bad = || undecodable("an inbox");
    let Value::Array(words) = value else { return Err(bad()) };
    if matches!(words.first(), Some(Value::BulkString(word)) if word == b"refused") {
        let reply: Reply = redis::from_redis_value(Value::Array(words)).map_err(|_| bad())?;
        return Ok(reply.expect("inbox")?.map(|_| Inbox { waiting: 0, unread: 0, messages: vec![] }));
    }
    let number = |at: usize| match words.get(at) {
        Some(Value::Int(number)) => u64::try_from(*number).map_err(|_| bad()),
        _ => Err(bad()),
    };
    let (waiting, unread) = (number(1)?, number(2)?);
    let told = words.into_iter().skip(3).map(|told| {
        let told: Vec<Vec<u8>> = redis::from_redis_value(told).map_err(|_| bad())?;
        Message::read(&told).ok_or_else(bad)
    });
    Ok(Outcome::Done(Inbox { waiting, unread, messages: told.collect::<Result<_>>()? }))
}

fn invalid(op: &'static str, why: String) -> Error {
    Error::new(ErrorKind::InvalidArgument, op, why)
}
