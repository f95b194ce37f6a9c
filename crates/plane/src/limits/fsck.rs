//! What must hold of the counters that old clients read: each expires.
//!
//! A counter without an expiry, as a client leaves it that counts just after the window ended, limits its user for ever.

use futures_util::future::BoxFuture;
use futures_util::{TryStreamExt, pin_mut};
use quorate_catalog::Key;
use quorate_catalog::ids::{Endpoint, UserId};
use quorate_store::invariant::{Finding, Invariant, Level, Scope};
use quorate_store::{Result, cmd};

/// The invariants of this capability.
pub fn invariants() -> Vec<&'static dyn Invariant> {
    vec![&Expires]
}

const CODE: &str = "FSCK063";
const PAGE: usize = 1_000;
/// The seed's window.
const WINDOW_MS: u64 = 60_000;

#[derive(Debug)]
struct Expires;

impl Invariant for Expires {
    fn code(&self) -> &'static str {
        CODE
    }

    fn promise(&self) -> &'static str {
        "every counter of a limit expires"
    }

    fn check<'a>(&'a self, scope: &'a Scope) -> BoxFuture<'a, Result<Vec<Finding>>> {
        Box::pin(async move {
            let mut findings = Vec::new();
            for (family, prefix) in prefixes(scope) {
                let pages = scope.store.scan(&format!("{prefix}*"), PAGE).await?;
                pin_mut!(pages);
                while let Some(page) = pages.try_next().await? {
                    for key in lasting(scope, page).await? {
                        findings.push(Finding {
                            code: CODE,
                            level: Level::Finding,
                            family: Some(family.into()),
                            key,
                            message: "never expires, so it would limit its user for ever".into(),
                            advice: Some("`quorate fsck --repair` lets it expire within a minute".into()),
                        });
                    }
                }
            }
            Ok(findings)
        })
    }

    fn repair<'a>(&'a self, scope: &'a Scope, finding: &'a Finding) -> BoxFuture<'a, Result<bool>> {
        Box::pin(async move {
            let mut expire = cmd("PEXPIRE");
            // Only where there is still none.
            expire.arg(&finding.key).arg(WINDOW_MS).arg("NX");
            scope.store.repeatable().query::<i64>(&expire).await.map(|_| true)
        })
    }
}

/// What the keys begin with: the seed's counters, those of locks among them, and the windows.
fn prefixes(scope: &Scope) -> [(&'static str, String); 2] {
    let endpoint = Endpoint::parse("x").expect("an endpoint");
    let user = UserId::parse("y").expect("a user");
    let before = |key: &Key| key.as_str().strip_suffix("x:y").unwrap_or(key.as_str()).to_owned();
    [
        ("ade.rate_limit", before(&scope.keys.ade().rate_limit(&endpoint, &user))),
        ("quorate.limit_window", before(&scope.keys.quorate().limit_window(&endpoint, &user))),
    ]
}

async fn lasting(scope: &Scope, page: Vec<Vec<u8>>) -> Result<Vec<String>> {
    if page.is_empty() {
        return Ok(vec![]);
    }
    let mut pipeline = redis::pipe();
    page.iter().for_each(|key| drop(pipeline.cmd("PTTL").arg(key.as_slice()).to_owned()));
    let left: Vec<i64> = scope.store.pipeline(&pipeline).await?;
    let lasting = page.into_iter().zip(left).filter(|(_, left)| *left == -1);
    Ok(lasting.filter_map(|(key, _)| String::from_utf8(key).ok()).collect())
}
