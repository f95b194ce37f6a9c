//! Every key to its family: what is of the wrong kind, what nobody declared, what ought to expire and does not.
//!
//! Keys that no family knows belong to other programs on the same server; they are information. A key under our
//! own root that no family knows is a finding, because only we write there.

use std::collections::HashMap;

use futures_util::{StreamExt, TryStreamExt, pin_mut, stream};
use quorate_catalog::space::INTERNAL_ROOT;
use quorate_catalog::{Catalog, Family, Matcher};
use quorate_store::Result;
use quorate_store::invariant::{Finding, Level, Scope};

use crate::fsck::{Progress, Report};

/// Keys the server looks at for one page, and questions that are under way at once.
const PAGE: usize = 1_000;
const AT_ONCE: usize = 128;

pub(crate) async fn take(scope: &Scope, progress: Progress<'_>) -> Result<Report> {
    let matcher = Matcher::new(Catalog::built_in(), &scope.keys);
    let namespace = scope.keys.namespace_text();
    let total: u64 = scope.store.each_master::<u64>(&redis::cmd("DBSIZE")).await?.iter().sum();
    let pages = scope.store.scan(&format!("{namespace}*"), PAGE).await?;
    pin_mut!(pages);
    let mut census = Census { scope, matcher, families: HashMap::new(), report: Report::default() };
    while let Some(page) = pages.try_next().await? {
        census.page(page).await?;
        progress(census.report.keys, total);
    }
    Ok(census.close())
}

struct Census<'s> {
    scope: &'s Scope,
    matcher: Matcher,
    families: HashMap<usize, u64>,
    report: Report,
}

/// What the server says of a key.
struct Fact {
    key: Vec<u8>,
    kind: String,
    expires: bool,
}

impl Census<'_> {
    async fn page(&mut self, keys: Vec<Vec<u8>>) -> Result<()> {
        let facts = stream::iter(keys.into_iter().map(|key| ask(self.scope, key))).buffer_unordered(AT_ONCE);
        pin_mut!(facts);
        while let Some(fact) = facts.try_next().await? {
            // Gone between the page and the question.
            if fact.kind == "none" {
                continue;
            }
            self.report.keys += 1;
            let found = self.matcher.find(&fact.key).map(|found| found.family);
            match found {
                Some(family) => self.known(&fact, family),
                None => self.unknown(&fact),
            }
        }
        Ok(())
    }

    fn known(&mut self, fact: &Fact, at: usize) {
        *self.families.entry(at).or_default() += 1;
        let family = &Catalog::built_in().families[at];
        if !family.kinds.iter().any(|kind| kind.as_str() == fact.kind) {
            let message = format!("is a {}, and its family is of kind {}", fact.kind, family.kind_text());
            self.report.add(Finding {
                code: "FSCK001",
                level: Level::Finding,
                family: Some(family.full_name()),
                key: shown(&fact.key),
                message,
                advice: Some(
                    "move the value elsewhere and delete the key; every writer of this family fails on it"
                        .into(),
                ),
            });
        } else if !fact.expires && must_expire(family) {
            self.report.add(Finding {
                code: "FSCK003",
                level: Level::Information,
                family: Some(family.full_name()),
                key: shown(&fact.key),
                message: format!("never expires, and keys of its family do ({})", family.retention),
                advice: Some(
                    "a foreign client may have written it; set an expiry, or leave it to its owner".into(),
                ),
            });
        }
    }

    fn unknown(&mut self, fact: &Fact) {
        let bare = &fact.key[self.scope.keys.namespace_text().len().min(fact.key.len())..];
        let ours = bare.starts_with(INTERNAL_ROOT.as_bytes());
        self.report.add(Finding {
            code: if ours { "FSCK002" } else { "FSCK004" },
            level: if ours { Level::Finding } else { Level::Information },
            family: None,
            key: shown(&fact.key),
            message: format!("is a {} of no family", fact.kind),
            advice: ours.then(|| {
                "only the plane writes under ~q:; a newer version may have, or a key was mistyped".into()
            }),
        });
    }

    fn close(self) -> Report {
        let families = &Catalog::built_in().families;
        let mut report = self.report;
        report.families =
            self.families.into_iter().map(|(at, count)| (families[at].full_name(), count)).collect();
        report.checked.push("census".into());
        report
    }
}

async fn ask(scope: &Scope, key: Vec<u8>) -> Result<Fact> {
    let kind: String = scope.store.query(redis::cmd("TYPE").arg(&key)).await?;
    let left: i64 = scope.store.query(redis::cmd("PTTL").arg(&key)).await?;
    Ok(Fact { key, kind, expires: left >= 0 })
}

/// A family with a TTL and nothing else that would end its keys.
fn must_expire(family: &Family) -> bool {
    family.retention.ttl.is_some() && !family.retention.none
}

/// Keys are bytes of anybody's making: shown shortened and escaped.
fn shown(key: &[u8]) -> String {
    quorate_catalog::text::shortened(&String::from_utf8_lossy(key), 200)
}
