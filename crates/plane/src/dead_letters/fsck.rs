//! What must hold of the dead letters: every one is in the lists it belongs to, so that nobody overlooks it.

use futures_util::future::BoxFuture;
use quorate_catalog::Catalog;
use quorate_catalog::ids::{DeadLetterId, DeadView};
use quorate_store::invariant::{Finding, Invariant, Level, Scope};
use quorate_store::{Arg, Result, cmd};

use crate::Plane;
use crate::outcome::Reply;

/// The invariants of this capability.
pub(super) fn invariants() -> Vec<&'static dyn Invariant> {
    vec![&Listed]
}

const CODE: &str = "FSCK044";

#[derive(Debug)]
struct Listed;

impl Invariant for Listed {
    fn code(&self) -> &'static str {
        CODE
    }

    fn promise(&self) -> &'static str {
        "every dead letter is in the list of all, of its source and of its failure, and in those of open ones while it is open; every name there has a letter"
    }

    fn check<'a>(&'a self, scope: &'a Scope) -> BoxFuture<'a, Result<Vec<Finding>>> {
        Box::pin(async move {
            let Ok(plane) = Plane::new(scope.clone()) else { return Ok(vec![]) };
            let mut findings = Vec::new();
            for name in names(&plane).await? {
                if let Some(message) = fault(&plane, &name).await? {
                    findings.push(finding(&name, message));
                }
            }
            Ok(findings)
        })
    }

    fn repair<'a>(&'a self, scope: &'a Scope, finding: &'a Finding) -> BoxFuture<'a, Result<bool>> {
        Box::pin(async move {
            let Ok(plane) = Plane::new(scope.clone()) else { return Ok(false) };
            let none: [&str; 0] = [];
            let args = [Arg::from(finding.key.as_str())];
            let store = plane.store().repeatable();
            store.run::<Reply>(&plane.dead_scripts().reindex, &none, &args).await?;
            Ok(true)
        })
    }
}

/// The letters there are, and the names that the lists of all have.
async fn names(plane: &Plane) -> Result<Vec<String>> {
    let catalog = Catalog::built_in();
    let mut names: Vec<String> = Vec::new();
    for list in ["all", "open:all"] {
        let view = plane.keys().quorate().dead_view(&DeadView::parse(list).expect("a list"));
        let listed: Vec<String> =
            plane.store().query(cmd("ZRANGE").arg(view.as_str()).arg(0).arg(-1)).await?;
        names.extend(listed);
    }
    let family = catalog.find("quorate.dead_letter").into_iter().next();
    let Some((before, _)) = family.and_then(|family| plane.keys().around(catalog, family)) else {
        return Ok(names);
    };
    let mut cursor = 0_u64;
    loop {
        let mut scan = cmd("SCAN");
        scan.arg(cursor).arg("MATCH").arg(format!("{before}*")).arg("COUNT").arg(500);
        let (next, found): (u64, Vec<String>) = plane.store().query(&scan).await?;
        names.extend(found.iter().filter_map(|key| key.strip_prefix(&before)).map(str::to_owned));
        cursor = next;
        if cursor == 0 {
            names.sort();
            names.dedup();
            return Ok(names);
        }
    }
}

async fn fault(plane: &Plane, name: &str) -> Result<Option<String>> {
    let own = plane.keys().quorate();
    let Ok(id) = DeadLetterId::parse(name) else { return Ok(None) };
    let mut get = cmd("HMGET");
    get.arg(own.dead_letter(&id).as_str()).arg("source").arg("fingerprint").arg("state");
    let (source, print, state): (Option<String>, Option<String>, Option<String>) =
        plane.store().query(&get).await?;
    let (Some(source), Some(print)) = (source, print) else {
        return Ok(Some("the list of all names it, and there is no such letter".to_owned()));
    };
    let open = state.as_deref() == Some("open");
    for list in ["all".to_owned(), format!("source:{source}"), format!("cluster:{print}")] {
        if !listed(plane, &list, name).await? {
            return Ok(Some(format!("it is not in the list {list}")));
        }
        if listed(plane, &format!("open:{list}"), name).await? != open {
            let not = if open { "is open and not" } else { "is not open and still" };
            return Ok(Some(format!("it {not} in the list open:{list}")));
        }
    }
    let failing = !open || listed(plane, "open:clusters", &print).await?;
    Ok((!failing).then(|| format!("it is open, and open:clusters does not name its failure {print}")))
}

async fn listed(plane: &Plane, list: &str, member: &str) -> Result<bool> {
    let Ok(view) = DeadView::parse(list) else { return Ok(true) };
    let key = plane.keys().quorate().dead_view(&view);
    let score: Option<f64> = plane.store().query(cmd("ZSCORE").arg(key.as_str()).arg(member)).await?;
    Ok(score.is_some())
}

fn finding(name: &str, message: String) -> Finding {
    Finding {
        code: CODE,
        level: Level::Finding,
        family: Some("quorate.dead_letter".into()),
        key: name.to_owned(),
        message,
        advice: Some("`quorate fsck --repair` lists it again".into()),
    }
}
