//! No index of ade's names a lock that is not there.

use futures_util::future::BoxFuture;
use quorate_catalog::ids::{AgentId, ResourceTypeId};
use quorate_catalog::{Catalog, Key, Matcher};
use quorate_store::invariant::{Finding, Invariant, Scope};
use quorate_store::{Arg, Result, cmd};

use super::super::upkeep::resource;
use super::finding;
use crate::Plane;
use crate::outcome::Reply;

const CODE: &str = "FSCK032";

#[derive(Debug)]
pub(super) struct NoStrays;

/// One index: its key, and the agent whose waits or holds it shows, if it is of one.
struct Index {
    key: Key,
    waits_of: Option<AgentId>,
    holds_of: Option<AgentId>,
}

impl Invariant for NoStrays {
    fn code(&self) -> &'static str {
        CODE
    }

    fn promise(&self) -> &'static str {
        "ade's registry, index sets and wait-for sets name no lock that nobody holds or waits for"
    }

    fn check<'a>(&'a self, scope: &'a Scope) -> BoxFuture<'a, Result<Vec<Finding>>> {
        Box::pin(async move {
            let Ok(plane) = Plane::new(scope.clone()) else { return Ok(vec![]) };
            let mut findings = Vec::new();
            for index in indexes(scope).await? {
                for member in strays(&plane, &index, false).await? {
                    let message = format!("names {member}, which nobody holds or waits for");
                    findings.push(finding(CODE, "ade.lock_registry", index.key.to_string(), message));
                }
            }
            Ok(findings)
        })
    }

    fn repair<'a>(&'a self, scope: &'a Scope, finding: &'a Finding) -> BoxFuture<'a, Result<bool>> {
        Box::pin(async move {
            let Ok(plane) = Plane::new(scope.clone()) else { return Ok(false) };
            let found = indexes(scope).await?.into_iter().find(|index| index.key.as_str() == finding.key);
            let Some(index) = found else { return Ok(true) };
            strays(&plane, &index, true).await?;
            Ok(true)
        })
    }
}

/// Every index of locks that there is.
async fn indexes(scope: &Scope) -> Result<Vec<Index>> {
    let ade = scope.keys.ade();
    let (agent, kind) = (AgentId::parse("a").expect("an id"), ResourceTypeId::parse("a").expect("a kind"));
    let mut all = vec![Index { key: ade.lock_registry(), waits_of: None, holds_of: None }];
    for name in crate::walk::names(scope, &ade.locks_by_agent(&agent)).await? {
        let holder = AgentId::parse(&name).ok();
        all.extend(holder.map(|id| Index {
            key: ade.locks_by_agent(&id),
            waits_of: None,
            holds_of: Some(id),
        }));
    }
    for name in crate::walk::names(scope, &ade.locks_by_resource_type(&kind)).await? {
        let kind = ResourceTypeId::parse(&name).ok();
        all.extend(kind.map(|kind| Index {
            key: ade.locks_by_resource_type(&kind),
            waits_of: None,
            holds_of: None,
        }));
    }
    for name in crate::walk::names(scope, &ade.wait_for(&agent)).await? {
        let waiter = AgentId::parse(&name).ok();
        all.extend(waiter.map(|id| Index { key: ade.wait_for(&id), waits_of: Some(id), holds_of: None }));
    }
    Ok(all)
}

/// What an index names and should not; with `commit` it is taken out.
async fn strays(plane: &Plane, index: &Index, commit: bool) -> Result<Vec<String>> {
    let store = plane.store().repeatable();
    if !known_here(plane, index).await? {
        return Ok(vec![]);
    }
    let matcher = Matcher::new(Catalog::built_in(), plane.keys());
    let mut strays = Vec::new();
    for member in members(plane, index).await? {
        let lock = resource(&matcher, &member).map(|on| on.lock_ref()).unwrap_or_default();
        let agent = index.waits_of.as_ref().map_or("", |agent| agent.as_key());
        let owner = index.holds_of.as_ref().map_or("", |agent| agent.as_key());
        let args = [Arg::from(lock), Arg::from(agent), Arg::from(owner), Arg::from(i64::from(commit))];
        let reply: Reply =
            store.run(&plane.lock_scripts().stray, &[index.key.as_str(), member.as_str()], &args).await?;
        if reply.first() == "stray" {
            strays.push(member);
        }
    }
    Ok(strays)
}

/// The waits of an agent that never registered here are a foreign client's business.
async fn known_here(plane: &Plane, index: &Index) -> Result<bool> {
    let Some(agent) = &index.waits_of else { return Ok(true) };
    plane.store().query(cmd("EXISTS").arg(plane.keys().quorate().agent(agent).as_str())).await
}

/// What an index names, a page at a time; one that holds another type is the census's to report.
async fn members(plane: &Plane, index: &Index) -> Result<Vec<String>> {
    let kind: String = plane.store().query(cmd("TYPE").arg(index.key.as_str())).await?;
    let (command, step) = match kind.as_str() {
        "zset" => ("ZSCAN", 2),
        "set" => ("SSCAN", 1),
        _ => return Ok(vec![]),
    };
    let (mut all, mut cursor) = (Vec::new(), "0".to_owned());
    loop {
        let mut scan = cmd(command);
        scan.arg(index.key.as_str()).arg(&cursor).arg("COUNT").arg(500);
        let (next, page): (String, Vec<String>) = plane.store().query(&scan).await?;
        all.extend(page.into_iter().step_by(step));
        if next == "0" {
            return Ok(all);
        }
        cursor = next;
    }
}
