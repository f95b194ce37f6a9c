//! What must hold of the schedule: an active job is in it, or it would never run again; one that has ended is listed.

use futures_util::future::BoxFuture;
use quorate_catalog::ids::JobId;
use quorate_store::invariant::{Finding, Invariant, Level, Scope};
use quorate_store::{Arg, Result};

use super::script;
use crate::Outcome;
use crate::outcome::Reply;
use crate::walk::names;

/// The invariants of this capability.
pub fn invariants() -> Vec<&'static dyn Invariant> {
    vec![&Planned]
}

const CODE: &str = "FSCK064";

#[derive(Debug)]
struct Planned;

impl Invariant for Planned {
    fn code(&self) -> &'static str {
        CODE
    }

    fn promise(&self) -> &'static str {
        "every active job is in the schedule, every other one among those that have ended"
    }

    fn check<'a>(&'a self, scope: &'a Scope) -> BoxFuture<'a, Result<Vec<Finding>>> {
        Box::pin(async move {
            let any = JobId::parse("any").expect("a name");
            let mut findings = Vec::new();
            for name in names(scope, &scope.keys.quorate().job(&any)).await? {
                let Ok(job) = JobId::parse(&name) else { continue };
                if let Some(message) = wrong(scope, &job, false).await? {
                    findings.push(Finding {
                        code: CODE,
                        level: Level::Finding,
                        family: Some("quorate.job".into()),
                        key: scope.keys.quorate().job(&job).to_string(),
                        message: message.into(),
                        advice: Some("`quorate fsck --repair` puts it there again".into()),
                    });
                }
            }
            Ok(findings)
        })
    }

    fn repair<'a>(&'a self, scope: &'a Scope, finding: &'a Finding) -> BoxFuture<'a, Result<bool>> {
        Box::pin(async move {
            let name = finding.key.rsplit(':').next().and_then(|name| JobId::parse(name).ok());
            let Some(job) = name else { return Ok(false) };
            wrong(scope, &job, true).await?;
            Ok(wrong(scope, &job, false).await?.is_none())
        })
    }
}

async fn wrong(scope: &Scope, job: &JobId, commit: bool) -> Result<Option<&'static str>> {
    let args = [Arg::from(job.as_key()), Arg::from(usize::from(commit))];
    let keys = super::places(&scope.keys, job);
    let reply: Reply = scope.store.repeatable().run(&script::JUDGE, &keys, &args).await?;
    let Outcome::Done(words) = reply.expect("judged")? else { return Ok(None) };
    Ok(match words.first().map_or("", String::as_str) {
        "lost" => Some("is active and not in the schedule, so it would never run"),
        "unlisted" => Some("has ended and is in no list"),
        _ => None,
    })
}
