//! What must hold of the inboxes: what was stored and not acknowledged is there, and is known to be.
//!
//! Every check first compares an inbox with its index from reads that may be of different moments, and then asks a script
//! about each message that seems wrong.

use std::collections::{BTreeSet, HashSet};

use futures_util::future::BoxFuture;
use quorate_catalog::ids::{AgentId, MessageId};
use quorate_store::invariant::{Finding, Invariant, Level, Scope};
use quorate_store::{Arg, ErrorKind, Result, cmd};

use super::{keys, script};
use crate::Outcome;
use crate::outcome::Reply;
use crate::walk::names;

/// The invariants of this capability.
pub fn invariants() -> Vec<&'static dyn Invariant> {
    vec![&Kept::Stored, &Kept::Listed, &Kept::Dated]
}

/// Elements read at once.
const PAGE: usize = 1_000;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kept {
    /// A message that is not acknowledged is in its inbox.
    Stored,
    /// A message in an inbox is among those that are not acknowledged.
    Listed,
    /// A message with a deadline is among the deadlines, without which nobody would hear that it passed.
    Dated,
}

impl Kept {
    const fn wrong(self) -> &'static [&'static str] {
        match self {
            Self::Stored => &["taken", "unknown"],
            Self::Listed => &["unlisted"],
            Self::Dated => &["undated"],
        }
    }

    const fn says(self) -> &'static str {
        match self {
            Self::Stored => "was not acknowledged, and another client took it out of the inbox",
            Self::Listed => "is in the inbox and not among those that are not acknowledged",
            Self::Dated => "has a deadline that nobody watches",
        }
    }
}

impl Invariant for Kept {
    fn code(&self) -> &'static str {
        match self {
            Self::Stored => "FSCK060",
            Self::Listed => "FSCK061",
            Self::Dated => "FSCK062",
        }
    }

    fn promise(&self) -> &'static str {
        match self {
            Self::Stored => "every message that is not acknowledged is in its inbox",
            Self::Listed => "every message in an inbox is among those that are not acknowledged",
            Self::Dated => "every message with a deadline is watched until it is acknowledged or escalated",
        }
    }

    fn check<'a>(&'a self, scope: &'a Scope) -> BoxFuture<'a, Result<Vec<Finding>>> {
        Box::pin(async move {
            let mut findings = Vec::new();
            for peer in peers(scope).await? {
                for id in self.suspects(scope, &peer).await? {
                    if self.judge(scope, &peer, &id, false).await? {
                        findings.push(Finding {
                            code: self.code(),
                            level: Level::Finding,
                            family: Some("quorate.message".into()),
                            key: scope.keys.quorate().message(&id).to_string(),
                            message: format!("a message to {peer} {}", self.says()),
                            advice: Some("`quorate fsck --repair` puts the record right".into()),
                        });
                    }
                }
            }
            Ok(findings)
        })
    }

    fn repair<'a>(&'a self, scope: &'a Scope, finding: &'a Finding) -> BoxFuture<'a, Result<bool>> {
        Box::pin(async move {
            let name = finding.key.rsplit(':').next().and_then(|name| MessageId::parse(name).ok());
            let Some(id) = name else { return Ok(false) };
            let to = cmd("HGET").arg(scope.keys.quorate().message(&id).as_str()).arg("to").to_owned();
            let to: Option<String> = scope.store.query(&to).await?;
            let Some(peer) = to.and_then(|to| AgentId::parse(&to).ok()) else { return Ok(false) };
            self.judge(scope, &peer, &id, true).await?;
            Ok(!self.judge(scope, &peer, &id, false).await?)
        })
    }
}

impl Kept {
    async fn suspects(self, scope: &Scope, peer: &AgentId) -> Result<Vec<MessageId>> {
        let [_, letters, _] = keys::peek(&scope.keys, peer);
        let mut range = cmd("ZRANGE");
        range.arg(letters.as_str()).arg(0).arg(-1);
        // The census reports a key of another type.
        let listed: Vec<String> = or_nothing(scope.store.query(&range).await)?;
        let found = match self {
            Self::Dated => listed,
            Self::Stored => {
                let there = there(scope, peer).await?;
                listed.into_iter().filter(|id| !there.contains(id)).collect()
            }
            Self::Listed => {
                let listed: HashSet<String> = listed.into_iter().collect();
                there(scope, peer).await?.into_iter().filter(|id| !listed.contains(id)).collect()
            }
        };
        let ids: Vec<MessageId> = found.iter().filter_map(|id| MessageId::parse(id).ok()).collect();
        if self == Self::Dated { dated(scope, ids).await } else { Ok(ids) }
    }

    /// Whether it is wrong at this moment.
    async fn judge(self, scope: &Scope, peer: &AgentId, id: &MessageId, commit: bool) -> Result<bool> {
        let args = [Arg::from(id.as_key()), Arg::from(usize::from(commit))];
        let keys = keys::judge(&scope.keys, peer, id);
        let reply: Reply = scope.store.repeatable().run(&script::JUDGE, &keys, &args).await?;
        Ok(match reply.expect("judged")? {
            Outcome::Done(words) => words.first().is_some_and(|word| self.wrong().contains(&word.as_str())),
            Outcome::Refused(_) => false,
        })
    }
}

/// Everybody who has an inbox, or messages that should be in one.
async fn peers(scope: &Scope) -> Result<Vec<AgentId>> {
    let any = AgentId::parse("any").expect("a name");
    let mut all: BTreeSet<String> =
        names(scope, &scope.keys.quorate().letters(&any)).await?.into_iter().collect();
    all.extend(names(scope, &scope.keys.reverie().inbox(&any)).await?);
    Ok(all.iter().filter_map(|name| AgentId::parse(name).ok()).collect())
}

/// The ids that elements of an inbox carry.
async fn there(scope: &Scope, peer: &AgentId) -> Result<HashSet<String>> {
    let inbox = scope.keys.reverie().inbox(peer);
    let mut ids = HashSet::new();
    for page in 0.. {
        let mut range = cmd("LRANGE");
        range.arg(inbox.as_str()).arg(page * PAGE).arg((page + 1) * PAGE - 1);
        let elements: Vec<Vec<u8>> = or_nothing(scope.store.query(&range).await)?;
        ids.extend(elements.iter().filter_map(|element| carried(element)));
        if elements.len() < PAGE {
            break;
        }
    }
    Ok(ids)
}

fn carried(element: &[u8]) -> Option<String> {
    let rest = element.strip_prefix(b"{\"id\":\"")?;
    let end = rest.iter().position(|byte| *byte == b'"')?;
    String::from_utf8(rest[..end].to_vec()).ok()
}

/// Those of the messages that have a deadline.
async fn dated(scope: &Scope, ids: Vec<MessageId>) -> Result<Vec<MessageId>> {
    let mut dated = Vec::new();
    for some in ids.chunks(PAGE) {
        let mut pipeline = redis::pipe();
        for id in some {
            pipeline.cmd("HEXISTS").arg(scope.keys.quorate().message(id).as_str()).arg("ack_by");
        }
        let has: Vec<bool> = scope.store.pipeline(&pipeline).await?;
        dated.extend(some.iter().zip(has).filter(|(_, has)| *has).map(|(id, _)| id.clone()));
    }
    Ok(dated)
}

fn or_nothing<T: Default>(found: Result<T>) -> Result<T> {
    match found {
        Err(error) if error.kind() == ErrorKind::WrongType => Ok(T::default()),
        other => other,
    }
}
