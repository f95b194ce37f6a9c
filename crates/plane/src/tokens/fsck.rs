//! What must hold of the tokens: whoever is let in can be seen and revoked by name.

use std::collections::BTreeMap;

use futures_util::future::BoxFuture;
use quorate_catalog::ids::SecretHash;
use quorate_store::invariant::{Finding, Invariant, Level, Scope};
use quorate_store::{Arg, Result, cmd};

use super::Scripts;
use crate::Outcome;
use crate::outcome::Reply;
use crate::walk::names;

/// The invariants of this capability.
pub fn invariants() -> Vec<&'static dyn Invariant> {
    vec![&Listed]
}

const CODE: &str = "FSCK070";

#[derive(Debug)]
struct Listed;

impl Invariant for Listed {
    fn code(&self) -> &'static str {
        CODE
    }

    fn promise(&self) -> &'static str {
        "every token is in the list of tokens under its name, and every name there has a token"
    }

    fn check<'a>(&'a self, scope: &'a Scope) -> BoxFuture<'a, Result<Vec<Finding>>> {
        Box::pin(async move {
            let mut findings = Vec::new();
            let list = scope.keys.quorate().token_names();
            let listed: BTreeMap<String, String> =
                match scope.store.query(cmd("HGETALL").arg(list.as_str())).await {
                    Ok(listed) => listed,
                    // The census reports a key of another type.
                    Err(error) if error.kind() == quorate_store::ErrorKind::WrongType => return Ok(findings),
                    Err(error) => return Err(error),
                };
            for name in listed.keys() {
                let word = judge(scope, name, "", false).await?;
                findings.extend(finding(&word, format!("{list} {name}")));
            }
            for hash in names(scope, &scope.keys.quorate().token(&crate::secret::hash(""))).await? {
                let Ok(hash) = SecretHash::parse(&hash) else { continue };
                let word = judge(scope, "", hash.as_key(), false).await?;
                findings.extend(finding(&word, scope.keys.quorate().token(&hash).to_string()));
            }
            Ok(findings)
        })
    }

    fn repair<'a>(&'a self, scope: &'a Scope, finding: &'a Finding) -> BoxFuture<'a, Result<bool>> {
        Box::pin(async move {
            let (name, hash) = match finding.key.split_once(' ') {
                Some((_, name)) => (name, ""),
                None => ("", finding.key.rsplit(':').next().unwrap_or_default()),
            };
            judge(scope, name, hash, true).await?;
            Ok(judge(scope, name, hash, false).await?.is_empty())
        })
    }
}

async fn judge(scope: &Scope, name: &str, hash: &str, repair: bool) -> Result<String> {
    let keys = [scope.keys.quorate().token_names()];
    let args = [Arg::from(name), Arg::from(hash), Arg::from(usize::from(repair))];
    let scripts = Scripts::of(&scope.keys);
    let reply: Reply = scope.store.repeatable().run(&scripts.judge, &keys, &args).await?;
    Ok(match reply.expect("judged")? {
        Outcome::Done(words) => words.into_iter().next().unwrap_or_default(),
        Outcome::Refused(_) => String::new(),
    })
}

fn finding(word: &str, key: String) -> Option<Finding> {
    let (message, advice) = match word {
        "dangling" => ("names a token that is not there", "`quorate fsck --repair` takes the name away"),
        "hidden" => ("lets somebody in and is not in the list", "`quorate fsck --repair` lists it again"),
        "contested" => (
            "lets somebody in under a name that another token has",
            "delete the key if you do not know whose it is; nobody can revoke it by name",
        ),
        _ => return None,
    };
    Some(Finding {
        code: CODE,
        level: Level::Finding,
        family: Some("quorate.token_names".into()),
        key,
        message: message.into(),
        advice: Some(advice.into()),
    })
}
