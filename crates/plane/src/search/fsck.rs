//! What must hold of the search: a document is in every list that it belongs to, and no list names another.

use std::collections::BTreeSet;

use futures_util::future::BoxFuture;
use quorate_catalog::Catalog;
use quorate_catalog::ids::{Document, SearchView, ServiceId};
use quorate_store::invariant::{Finding, Invariant, Level, Scope};
use quorate_store::{Arg, Result, cmd};

use super::tasks::word;
use super::{Search, ServiceDocument, TaskDocument};
use crate::walk::names;
use crate::{Outcome, Plane};

/// The invariants of this capability.
pub fn invariants() -> Vec<&'static dyn Invariant> {
    vec![&Tasks, &Services]
}

#[derive(Debug)]
struct Tasks;

impl Invariant for Tasks {
    fn code(&self) -> &'static str {
        "FSCK115"
    }

    fn promise(&self) -> &'static str {
        "every task document of the search is in each set and view that it belongs to, and none of them names another"
    }

    fn check<'a>(&'a self, scope: &'a Scope) -> BoxFuture<'a, Result<Vec<Finding>>> {
        Box::pin(async move {
            let Ok(plane) = Plane::new(scope.clone()) else { return Ok(vec![]) };
            let search = plane.search();
            let example = Document::parse("any").expect("a name");
            let ids = names(scope, &scope.keys.relayna().task_document(&example)).await?;
            let mut findings = Vec::new();
            for (id, word) in search.judged(&ids).await? {
                findings.extend(document_finding(scope, &id, &word));
            }
            for list in search.lists().await? {
                let strays = search.strays(&list).await?.len();
                if strays > 0 {
                    findings.push(list.finding(strays));
                }
            }
            Ok(findings)
        })
    }

    fn repair<'a>(&'a self, scope: &'a Scope, finding: &'a Finding) -> BoxFuture<'a, Result<bool>> {
        Box::pin(async move {
            let Ok(plane) = Plane::new(scope.clone()) else { return Ok(false) };
            let search = plane.search();
            if finding.family.as_deref() == Some("relayna.task_document") {
                let Some(id) = finding.key.rsplit(':').next().map(str::to_owned) else { return Ok(false) };
                search.tend(std::slice::from_ref(&id), None).await?;
                return Ok(search.judged(&[id]).await?.iter().all(|(_, word)| word == "sound"));
            }
            let lists = search.lists().await?;
            let Some(list) = lists.iter().find(|list| list.key == finding.key) else { return Ok(false) };
            search.strike_from(list).await?;
            Ok(search.strays(list).await?.is_empty())
        })
    }
}

fn document_finding(scope: &Scope, id: &str, word: &str) -> Option<Finding> {
    let (level, message, advice) = match word {
        "unlisted" => {
            (Level::Finding, "is missing in a list of the search", "`quorate fsck --repair` lists it")
        }
        "unreadable" => (Level::Finding, "cannot be read, so nobody finds it", "look at it with redis-cli"),
        "foreign" => (
            Level::Information,
            "was written by another client, and is not in our views yet",
            "maintenance takes it in; `quorate fsck --repair` does it now",
        ),
        _ => return None,
    };
    let id = Document::parse(id).ok()?;
    Some(Finding {
        code: "FSCK115",
        level,
        family: Some("relayna.task_document".into()),
        key: scope.keys.relayna().task_document(&id).to_string(),
        message: message.into(),
        advice: Some(advice.into()),
    })
}

/// A set or a view that names task documents.
struct List {
    key: String,
    family: &'static str,
    is_set: bool,
    /// The field and, as it stands in the key, the value that a document has to be here; none where all belong.
    of: Option<(String, String)>,
}

impl List {
    fn finding(&self, strays: usize) -> Finding {
        // Relayna's own sets may be behind ours, and ours behind what it does.
        Finding {
            code: "FSCK115",
            level: Level::Finding,
            family: Some(self.family.into()),
            key: self.key.clone(),
            message: format!("names {strays} task documents that are gone or do not belong there"),
            advice: Some("`quorate fsck --repair` takes them out".into()),
        }
    }

    fn has(&self, document: Option<&TaskDocument>) -> bool {
        let Some(document) = document else { return false };
        match &self.of {
            None => true,
            Some((field, value)) => document.field(field).is_some_and(|own| word(own) == *value),
        }
    }
}

impl Search<'_> {
    async fn judged(&self, ids: &[String]) -> Result<Vec<(String, String)>> {
        let mut all = Vec::new();
        for few in ids.chunks(200) {
            let mut args = vec![Arg::from(self.index())];
            args.extend(few.iter().map(|id| Arg::from(id.as_str())));
            let reply = self.run(&self.plane.search_scripts().judge, &args).await?;
            let Outcome::Done(words) = reply.expect("judged")? else { continue };
            all.extend(words.chunks_exact(2).map(|pair| (pair[0].clone(), pair[1].clone())));
        }
        Ok(all)
    }

    async fn lists(&self) -> Result<Vec<List>> {
        let (scope, seed) = (self.plane.scope(), self.plane.keys().relayna());
        let mut lists = vec![List {
            key: seed.task_documents().to_string(),
            family: "relayna.task_documents",
            is_set: true,
            of: None,
        }];
        let split =
            |name: &str| name.split_once(':').map(|(field, value)| (field.to_owned(), value.to_owned()));
        let before = |family: &str| {
            let catalog = Catalog::built_in();
            let family = catalog.find(family).into_iter().next();
            family
                .and_then(|family| scope.keys.around(catalog, family))
                .map_or_else(String::new, |(before, _)| before)
        };
        for name in names(scope, &self.set("status", "any")?).await? {
            let key = format!("{}{name}", before("relayna.task_filter"));
            lists.push(List { key, family: "relayna.task_filter", is_set: true, of: split(&name) });
        }
        let any = ServiceId::parse("any").expect("a name");
        for name in names(scope, &seed.service_task_documents(&any)).await? {
            let key = format!("{}{name}", before("relayna.service_task_documents"));
            let of = Some(("service_id".to_owned(), name));
            lists.push(List { key, family: "relayna.service_task_documents", is_set: true, of });
        }
        let view = SearchView::parse("any").expect("a name");
        for name in names(scope, &self.plane.keys().quorate().search_view(&view)).await? {
            let Some(own) = name.strip_prefix(self.index()).and_then(|rest| rest.strip_prefix(':')) else {
                continue;
            };
            if matches!(own, "names" | "leaving") {
                continue;
            }
            let key = format!("{}{name}", before("quorate.search_view"));
            lists.push(List { key, family: "quorate.search_view", is_set: false, of: split(own) });
        }
        Ok(lists)
    }

    /// The names in a list that do not belong there.
    async fn strays(&self, list: &List) -> Result<Vec<String>> {
        let (mut strays, mut cursor) = (BTreeSet::new(), 0_u64);
        loop {
            let mut scan = cmd(if list.is_set { "SSCAN" } else { "ZSCAN" });
            scan.arg(&list.key).arg(cursor).arg("COUNT").arg(1_000);
            // The census reports a key of another type.
            let Ok((next, found)) = self.plane.store().query::<(u64, Vec<String>)>(&scan).await else {
                break;
            };
            let ids: Vec<String> = found.into_iter().step_by(if list.is_set { 1 } else { 2 }).collect();
            let (sound, odd): (Vec<String>, Vec<String>) =
                ids.into_iter().partition(|id| Document::parse(id).is_ok());
            strays.extend(odd);
            for (id, text) in sound.iter().zip(self.texts(&sound).await?) {
                let document = text.and_then(|text| serde_json::from_str::<TaskDocument>(&text).ok());
                if !list.has(document.as_ref()) {
                    strays.insert(id.clone());
                }
            }
            cursor = next;
            if cursor == 0 {
                break;
            }
        }
        Ok(strays.into_iter().collect())
    }

    async fn strike_from(&self, list: &List) -> Result<()> {
        let strays = self.strays(list).await?;
        // A document that is there gets its own lists first, and what is gone leaves all of them.
        self.tend(&strays, None).await?;
        for few in self.strays(list).await?.chunks(500) {
            let mut take = cmd(if list.is_set { "SREM" } else { "ZREM" });
            take.arg(&list.key).arg(few);
            self.plane.store().repeatable().query::<u64>(&take).await?;
        }
        Ok(())
    }
}

#[derive(Debug)]
struct Services;

const UNNAMED: &str = "is missing in a list of the search";
const GONE: &str = "is in a list of the search, and has no document";

impl Invariant for Services {
    fn code(&self) -> &'static str {
        "FSCK116"
    }

    fn promise(&self) -> &'static str {
        "every service document of the search is in the list of all and in that of names, and they name no other"
    }

    fn check<'a>(&'a self, scope: &'a Scope) -> BoxFuture<'a, Result<Vec<Finding>>> {
        Box::pin(async move {
            let Ok(plane) = Plane::new(scope.clone()) else { return Ok(vec![]) };
            let search = plane.search();
            let any = ServiceId::parse("any").expect("a name");
            let seed = scope.keys.relayna();
            let documents: BTreeSet<String> =
                names(scope, &seed.service_document(&any)).await?.into_iter().collect();
            let listed = search.named_services().await?;
            let all: Result<Vec<String>> =
                scope.store.query(cmd("SMEMBERS").arg(seed.service_documents().as_str())).await;
            let all: BTreeSet<String> = all.unwrap_or_default().into_iter().collect();
            let mut findings = Vec::new();
            for id in documents.iter().chain(&listed).chain(&all).collect::<BTreeSet<_>>() {
                let (there, sorted, known) = (documents.contains(id), listed.contains(id), all.contains(id));
                let found = match (there, sorted, known) {
                    (true, true, true) => continue,
                    // Relayna keeps no names; the first search takes the service in.
                    (true, false, true) => (Level::Information, UNNAMED),
                    (true, ..) => (Level::Finding, UNNAMED),
                    (false, ..) => (Level::Finding, GONE),
                };
                findings.extend(service_finding(scope, id, found));
            }
            Ok(findings)
        })
    }

    fn repair<'a>(&'a self, scope: &'a Scope, finding: &'a Finding) -> BoxFuture<'a, Result<bool>> {
        Box::pin(async move {
            let Ok(plane) = Plane::new(scope.clone()) else { return Ok(false) };
            let name = finding.key.rsplit(':').next().and_then(|name| ServiceId::parse(name).ok());
            let Some(id) = name else { return Ok(false) };
            let key = scope.keys.relayna().service_document(&id);
            let text: Option<Vec<u8>> = scope.store.query(cmd("GET").arg(key.as_str())).await?;
            let Some(text) = text else { return plane.search().forget_service(&id).await.map(|()| true) };
            let Ok(document) = serde_json::from_slice::<ServiceDocument>(&text) else { return Ok(false) };
            Ok(plane.search().place(&id, &document).await?.refusal().is_none())
        })
    }
}

impl Search<'_> {
    async fn named_services(&self) -> Result<BTreeSet<String>> {
        let mut range = cmd("ZRANGE");
        range.arg(self.view("names")?.as_str()).arg(0).arg(-1);
        let names: Result<Vec<String>> = self.plane.store().query(&range).await;
        let ids = names.unwrap_or_default().into_iter();
        Ok(ids.filter_map(|name| name.rsplit_once('\0').map(|(_, id)| id.to_owned())).collect())
    }

    /// Takes a service that has no document out of the lists that everybody walks.
    async fn forget_service(&self, id: &ServiceId) -> Result<()> {
        let mut range = cmd("ZRANGE");
        range.arg(self.view("names")?.as_str()).arg(0).arg(-1);
        let names: Vec<String> = self.plane.store().query(&range).await?;
        let end = format!("\0{id}");
        for name in names.iter().filter(|name| name.ends_with(&end)) {
            let mut take = cmd("ZREM");
            take.arg(self.view("names")?.as_str()).arg(name);
            self.plane.store().repeatable().query::<u64>(&take).await?;
        }
        let mut take = cmd("SREM");
        take.arg(self.plane.keys().relayna().service_documents().as_str()).arg(id.as_key());
        self.plane.store().repeatable().query::<u64>(&take).await.map(drop)
    }
}

fn service_finding(scope: &Scope, id: &str, (level, message): (Level, &str)) -> Option<Finding> {
    let id = ServiceId::parse(id).ok()?;
    Some(Finding {
        code: "FSCK116",
        level,
        family: Some("relayna.service_document".into()),
        key: scope.keys.relayna().service_document(&id).to_string(),
        message: message.into(),
        advice: Some("`quorate fsck --repair` puts it right".into()),
    })
}
