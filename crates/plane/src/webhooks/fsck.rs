//! What must hold of the webhooks: each that is told something can be seen and removed, and signs what it sends.

use std::collections::BTreeSet;

use futures_util::future::BoxFuture;
use quorate_catalog::ids::WebhookId;
use quorate_store::invariant::{Finding, Invariant, Level, Scope};
use quorate_store::{Arg, Result, cmd};

use super::script;
use crate::Outcome;
use crate::outcome::Reply;
use crate::walk::names;

/// The invariants of this capability.
pub fn invariants() -> Vec<&'static dyn Invariant> {
    vec![&Listed]
}

const CODE: &str = "FSCK076";

#[derive(Debug)]
struct Listed;

impl Invariant for Listed {
    fn code(&self) -> &'static str {
        CODE
    }

    fn promise(&self) -> &'static str {
        "every webhook is in the list of webhooks and has its secret, and the list and the secrets name no other"
    }

    fn check<'a>(&'a self, scope: &'a Scope) -> BoxFuture<'a, Result<Vec<Finding>>> {
        Box::pin(async move {
            let own = scope.keys.quorate();
            let example = WebhookId::parse("x").expect("an id");
            let mut all = BTreeSet::new();
            all.extend(names(scope, &own.webhook(&example)).await?);
            all.extend(names(scope, &own.webhook_secret(&example)).await?);
            let list = own.webhook_list();
            let listed: Result<Vec<String>> =
                scope.store.query(cmd("ZRANGE").arg(list.as_str()).arg(0).arg(-1)).await;
            // The census reports a key of another type.
            all.extend(listed.unwrap_or_default());
            let mut findings = Vec::new();
            for id in all {
                findings.extend(finding(&judge(scope, &id, false).await?, &id));
            }
            Ok(findings)
        })
    }

    fn repair<'a>(&'a self, scope: &'a Scope, finding: &'a Finding) -> BoxFuture<'a, Result<bool>> {
        Box::pin(async move {
            judge(scope, &finding.key, true).await?;
            Ok(judge(scope, &finding.key, false).await?.is_empty())
        })
    }
}

async fn judge(scope: &Scope, id: &str, repair: bool) -> Result<String> {
    let Ok(id) = WebhookId::parse(id) else { return Ok(String::new()) };
    let own = scope.keys.quorate();
    let keys = [own.webhook(&id), own.webhook_secret(&id), own.webhook_list()];
    let args = [Arg::from(id.as_key()), Arg::from(usize::from(repair))];
    let reply: Reply = scope.store.repeatable().run(&script::JUDGE, &keys, &args).await?;
    Ok(match reply.expect("judged")? {
        Outcome::Done(words) => words.into_iter().next().unwrap_or_default(),
        Outcome::Refused(_) => String::new(),
    })
}

fn finding(word: &str, id: &str) -> Option<Finding> {
    let (message, advice) = match word {
        "dangling" => {
            ("is in the list, and there is no such webhook", "`quorate fsck --repair` takes it out")
        }
        "hidden" => ("is told of events and is not in the list", "`quorate fsck --repair` lists it again"),
        "leftover" => ("has a secret and nothing else", "`quorate fsck --repair` deletes it"),
        "unsigned" => ("has no secret, so nothing is sent to it", "remove it and add it again"),
        _ => return None,
    };
    Some(Finding {
        code: CODE,
        level: Level::Finding,
        family: Some("quorate.webhook".into()),
        key: id.to_owned(),
        message: message.into(),
        advice: Some(advice.into()),
    })
}
