//! Agents are found by the words their sessions have, and by no others.

use std::pin::pin;

use futures_util::future::BoxFuture;
use futures_util::{StreamExt, TryStreamExt, stream};
use quorate_catalog::Key;
use quorate_catalog::ids::{AgentId, WordId};
use quorate_store::invariant::{Finding, Invariant, Level, Scope};
use quorate_store::{Arg, ErrorKind, Result, Script, cmd};

use super::super::keys::AgentKeys;
use super::super::script;
use super::{PAGE, REPAIR, last_name, names, registered};
use crate::outcome::Reply;

#[derive(Debug)]
pub(super) struct FoundByWords;

const CODE: &str = "FSCK021";

/// Questions that are under way at once.
const AT_ONCE: usize = 64;

impl Invariant for FoundByWords {
    fn code(&self) -> &'static str {
        CODE
    }

    fn promise(&self) -> &'static str {
        "agents are found by the role and the capabilities their sessions have, and by no others"
    }

    fn check<'a>(&'a self, scope: &'a Scope) -> BoxFuture<'a, Result<Vec<Finding>>> {
        Box::pin(async move {
            let mut findings = Vec::new();
            let script = script::REWORD.spelled(&scope.keys);
            let script = &script;
            let agents = stream::iter(registered(scope).await?);
            let asked = agents.map(|agent| async move {
                reword(scope, script, &agent, false).await.map(|wrong| (agent, wrong))
            });
            let mut answers = pin!(asked.buffered(AT_ONCE));
            while let Some((agent, wrong)) = answers.try_next().await? {
                let key = scope.keys.reverie().session(&agent);
                findings.extend(wrong.map(|message| finding(&key, message)));
            }
            for (set, word) in sets(scope).await? {
                for agent in strangers(scope, &set, &word, false).await? {
                    findings.push(finding(&set, format!("has {agent:?}, whose session does not say so")));
                }
            }
            Ok(findings)
        })
    }

    fn repair<'a>(&'a self, scope: &'a Scope, found: &'a Finding) -> BoxFuture<'a, Result<bool>> {
        Box::pin(async move {
            let set = sets(scope).await?.into_iter().find(|(set, _)| set.as_str() == found.key);
            if let Some((set, word)) = set {
                strangers(scope, &set, &word, true).await?;
                return Ok(strangers(scope, &set, &word, false).await?.is_empty());
            }
            let Some(agent) = last_name(&found.key) else { return Ok(false) };
            let script = script::REWORD.spelled(&scope.keys);
            reword(scope, &script, &agent, true).await?;
            Ok(reword(scope, &script, &agent, false).await?.is_none())
        })
    }
}

fn finding(key: &Key, message: String) -> Finding {
    Finding {
        code: CODE,
        level: Level::Finding,
        family: Some(key.family().name().into()),
        key: key.to_string(),
        message,
        advice: Some(REPAIR.into()),
    }
}

/// What is wrong with the words of one agent at this moment. One whose session is gone is left to the reaper.
async fn reword(scope: &Scope, script: &Script, agent: &AgentId, repair: bool) -> Result<Option<String>> {
    let keys = AgentKeys::of(&scope.keys, agent);
    let mut read = cmd("HMGET");
    read.arg(keys.session.as_str()).arg("role").arg("capabilities");
    let said: Vec<Option<Vec<u8>>> = match scope.store.query(&read).await {
        Err(error) if error.kind() == ErrorKind::WrongType => return Ok(None),
        read => read?,
    };
    let said: Vec<Vec<u8>> = said.into_iter().map(Option::unwrap_or_default).collect();
    let [role, capabilities] = &said[..] else { return Ok(None) };
    let args = [
        Arg::from(agent.as_key()),
        Arg::from(role),
        Arg::from(capabilities),
        Arg::from(wanted(role, capabilities)),
        Arg::from(usize::from(repair)),
    ];
    let keys = [keys.session.as_str(), keys.record.as_str()];
    let store = scope.store.repeatable();
    let reply: Reply = store.run(script, &keys, &args).await?;
    let checked = reply.first() == "checked";
    Ok(reply.word(1).filter(|wrong| checked && !wrong.is_empty()).map(str::to_owned))
}

/// The words that follow from a session, as records have them; what is no word cannot be searched for.
fn wanted(role: &[u8], capabilities: &[u8]) -> String {
    let role = std::str::from_utf8(role).ok().and_then(|text| WordId::parse(text).ok());
    let capabilities: Vec<String> = serde_json::from_slice(capabilities).unwrap_or_default();
    let capabilities = capabilities.iter().filter_map(|text| WordId::parse(text).ok());
    let words = role.map(|word| format!("r:{word}")).into_iter();
    words.chain(capabilities.map(|word| format!("c:{word}"))).collect::<Vec<_>>().join(" ")
}

/// Every word set, with its word as records have it.
async fn sets(scope: &Scope) -> Result<Vec<(Key, String)>> {
    let keys = scope.keys.quorate();
    let any = WordId::parse("any").expect("a word");
    let mut sets = Vec::new();
    for name in names(scope, &keys.agents_by_role(&any)).await? {
        sets.extend(WordId::parse(&name).ok().map(|word| (keys.agents_by_role(&word), format!("r:{word}"))));
    }
    for name in names(scope, &keys.agents_by_capability(&any)).await? {
        sets.extend(
            WordId::parse(&name).ok().map(|word| (keys.agents_by_capability(&word), format!("c:{word}"))),
        );
    }
    Ok(sets)
}

/// The members of a set whose records do not have its word.
async fn strangers(scope: &Scope, set: &Key, word: &str, repair: bool) -> Result<Vec<String>> {
    let mut found = Vec::new();
    let mut cursor = "0".to_owned();
    loop {
        let mut scan = cmd("ZSCAN");
        scan.arg(set.as_str()).arg(&cursor).arg("COUNT").arg(PAGE);
        let (next, members): (String, Vec<(String, f64)>) = match scope.store.query(&scan).await {
            Err(error) if error.kind() == ErrorKind::WrongType => return Ok(found),
            page => page?,
        };
        for (name, _) in members {
            let Ok(agent) = AgentId::parse(&name) else {
                if repair {
                    let store = scope.store.repeatable();
                    store.query::<u64>(cmd("ZREM").arg(set.as_str()).arg(&name)).await?;
                }
                found.push(name);
                continue;
            };
            let record = scope.keys.quorate().agent(&agent);
            let args = [Arg::from(agent.as_key()), Arg::from(word), Arg::from(usize::from(repair))];
            let keys = [set.as_str(), record.as_str()];
            let reply: Reply = scope.store.repeatable().run(&script::UNWORD, &keys, &args).await?;
            if reply.word(1) == Some("1") {
                found.push(name);
            }
        }
        if next == "0" {
            return Ok(found);
        }
        cursor = next;
    }
}
