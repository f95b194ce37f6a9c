//! Runs the invariants and gathers what they found.

use std::collections::{BTreeMap, BTreeSet};

use quorate_store::invariant::{Finding, Invariant, Level, Scope};
use quorate_store::{ErrorKind, Result};
use serde::Serialize;

use crate::census;

/// How many findings of one code are listed; the rest are counted.
const LISTED: usize = 100;

/// The outcome of a run.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Report {
    /// Keys that were looked at.
    pub keys: u64,
    /// Keys per family.
    pub families: BTreeMap<String, u64>,
    /// Invariants that ran.
    pub checked: Vec<String>,
    /// Invariants that could not run, because a key they read is of another kind; that key is among the findings.
    pub unchecked: Vec<String>,
    /// What must not be; the store is sound when this is empty.
    pub findings: Vec<Finding>,
    /// What is worth knowing: keys of foreign clients, mostly.
    pub information: Vec<Finding>,
    /// How many findings were repaired; they are not listed any more.
    pub repaired: u64,
    /// How many more there were of a code than are listed.
    pub not_listed: BTreeMap<String, u64>,
}

impl Report {
    pub fn is_clean(&self) -> bool {
        self.findings.is_empty() && self.unchecked.is_empty()
    }

    /// How many there are of a level, listed or not.
    pub fn total(&self, level: Level) -> u64 {
        let list = if level == Level::Finding { &self.findings } else { &self.information };
        let codes: BTreeSet<&str> = list.iter().map(|finding| finding.code).collect();
        let unlisted: u64 =
            self.not_listed.iter().filter(|(code, _)| codes.contains(code.as_str())).map(|(_, n)| n).sum();
        list.len() as u64 + unlisted
    }

    pub(crate) fn add(&mut self, finding: Finding) {
        let list = if finding.level == Level::Finding { &mut self.findings } else { &mut self.information };
        if list.iter().filter(|listed| listed.code == finding.code).count() < LISTED {
            list.push(finding);
        } else {
            *self.not_listed.entry(finding.code.to_owned()).or_default() += 1;
        }
    }
}

/// Told how many keys have been looked at, and how many there are about.
pub type Progress<'p> = &'p (dyn Fn(u64, u64) + Send + Sync);

/// Walks the keyspace and runs every invariant; with `repair`, puts right what can be put right.
pub async fn run(
    scope: &Scope,
    invariants: &[&dyn Invariant],
    repair: bool,
    progress: Progress<'_>,
) -> Result<Report> {
    let mut report = census::take(scope, progress).await?;
    for invariant in invariants {
        // One spoiled key must not hide everything else that could be said.
        let found = match invariant.check(scope).await {
            Err(fault) if fault.kind() == ErrorKind::WrongType => {
                report.unchecked.push(invariant.code().to_owned());
                continue;
            }
            found => found?,
        };
        report.checked.push(invariant.code().to_owned());
        for finding in found {
            if repair && finding.level == Level::Finding && invariant.repair(scope, &finding).await? {
                report.repaired += 1;
            } else {
                report.add(finding);
            }
        }
    }
    Ok(report)
}
