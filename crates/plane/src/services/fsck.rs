//! What must hold of the studio's keys: who is registered is found and has its place alone, what was taken in is found, and of a
//! service that is gone nothing is left.

use std::collections::{BTreeSet, HashMap, HashSet};

use futures_util::future::BoxFuture;
use quorate_catalog::Key;
use quorate_catalog::ids::{BaseUrl, DedupeKey, EnvironmentId, ServiceId, TaskId};
use quorate_store::invariant::{Finding, Invariant, Level, Scope};
use quorate_store::{Micros, Result, args, cmd};

use super::model::Record;
use super::{Services, StudioEvent, script};
use crate::outcome::Reply;
use crate::tasks::moment;
use crate::walk::{between, names};
use crate::{Outcome, Plane};

/// The invariants of this capability.
pub fn invariants() -> Vec<&'static dyn Invariant> {
    vec![&Registered, &Listed, &Gone]
}

fn any() -> ServiceId {
    ServiceId::parse("any").expect("a name")
}

/// A finding; its key is the name that a repair needs.
fn finding(code: &'static str, family: &str, key: &str, message: &str, advice: &str) -> Finding {
    Finding {
        code,
        level: Level::Finding,
        family: Some(family.into()),
        key: key.to_owned(),
        message: message.to_owned(),
        advice: Some(advice.into()),
    }
}

#[derive(Debug)]
struct Registered;

const PUT_RIGHT: &str = "`quorate fsck --repair` puts the list and the index right";
const LOOK: &str = "look at the record with redis-cli; another client wrote it";

impl Invariant for Registered {
    fn code(&self) -> &'static str {
        "FSCK112"
    }

    fn promise(&self) -> &'static str {
        "every service is in the list of services and alone at its environment and URL, and list and index name no other"
    }

    fn check<'a>(&'a self, scope: &'a Scope) -> BoxFuture<'a, Result<Vec<Finding>>> {
        Box::pin(async move {
            let Ok(plane) = Plane::new(scope.clone()) else { return Ok(vec![]) };
            let (services, seed) = (plane.services(), scope.keys.relayna());
            let mut ids: BTreeSet<String> = names(scope, &seed.service(&any())).await?.into_iter().collect();
            let listed: Result<Vec<String>> =
                scope.store.query(cmd("SMEMBERS").arg(seed.service_index().as_str())).await;
            // The census reports a key of another type.
            ids.extend(listed.unwrap_or_default());
            let mut findings = Vec::new();
            for id in ids.iter().filter_map(|id| ServiceId::parse(id).ok()) {
                let (message, advice) = match services.judge(&id, false).await?.as_str() {
                    "dangling" => ("is in the list, and there is no such service", PUT_RIGHT),
                    "hidden" => ("is registered and not in the list", PUT_RIGHT),
                    "unplaced" => ("is not in the index of URLs, so another could take its place", PUT_RIGHT),
                    "unread" => ("has a record that nobody can read", LOOK),
                    "clash" => ("is at a URL that another service has", "change or delete one of the two"),
                    _ => continue,
                };
                findings.push(finding(self.code(), "relayna.service", id.as_key(), message, advice));
            }
            for place in services.vacant().await? {
                let message = "names a service that is not at this URL";
                findings.push(finding(self.code(), "relayna.service_by_url", &place, message, PUT_RIGHT));
            }
            Ok(findings)
        })
    }

    fn repair<'a>(&'a self, scope: &'a Scope, finding: &'a Finding) -> BoxFuture<'a, Result<bool>> {
        Box::pin(async move {
            let Ok(plane) = Plane::new(scope.clone()) else { return Ok(false) };
            let Ok(id) = ServiceId::parse(&finding.key) else {
                return plane.services().vacate(&finding.key).await;
            };
            plane.services().judge(&id, true).await?;
            Ok(plane.services().judge(&id, false).await?.is_empty())
        })
    }
}

impl Services<'_> {
    async fn judge(&self, id: &ServiceId, repair: bool) -> Result<String> {
        let text = self.text(id).await?.unwrap_or_default();
        let place = Record::of(id, &text).and_then(|record| record.service.place());
        let seed = self.plane.keys().relayna();
        let mut keys = vec![seed.service(id), seed.service_index()];
        keys.extend(place.map(|place| self.place(&place)).transpose()?);
        let args = args![id.as_key(), text, usize::from(repair)];
        let reply: Reply = self.plane.store().repeatable().run(&script::JUDGE, &keys, &args).await?;
        Ok(match reply.expect("judged")? {
            Outcome::Done(words) => words.into_iter().next().unwrap_or_default(),
            Outcome::Refused(_) => String::new(),
        })
    }

    /// The places in the index at which the service that they name is not.
    async fn vacant(&self) -> Result<Vec<String>> {
        let environment = EnvironmentId::parse("any").expect("a name");
        let url = BaseUrl::parse("http://any").expect("a URL");
        let example = self.plane.keys().relayna().service_by_url(&environment, &url);
        let mut vacant = Vec::new();
        let before = example.as_str().trim_end_matches("any:http://any");
        for name in between(self.plane.scope(), before, "").await? {
            if self.tenant(&name).await?.is_some_and(|(.., there)| !there) {
                vacant.push(name);
            }
        }
        Ok(vacant)
    }

    /// Whom a place names, that one's record, and whether it is there.
    async fn tenant(&self, name: &str) -> Result<Option<(Key, ServiceId, String, bool)>> {
        let parts = name.split_once(':').and_then(|(environment, url)| {
            Some((EnvironmentId::parse(environment).ok()?, BaseUrl::parse(url).ok()?))
        });
        let Some((environment, url)) = parts else { return Ok(None) };
        let place = self.plane.keys().relayna().service_by_url(&environment, &url);
        let owner: Result<Option<String>> = self.plane.store().query(cmd("GET").arg(place.as_str())).await;
        let Some(id) = owner.ok().flatten().and_then(|owner| ServiceId::parse(&owner).ok()) else {
            return Ok(None);
        };
        let text = self.text(&id).await?.unwrap_or_default();
        let there = match Record::of(&id, &text) {
            // Another client may have written a URL in a form that is not ours.
            Some(record) => {
                record.service.base_url == url.as_key() && record.service.environment == environment.as_key()
            }
            None => !text.is_empty(),
        };
        Ok(Some((place, id, text, there)))
    }

    async fn vacate(&self, name: &str) -> Result<bool> {
        let Some((place, id, text, false)) = self.tenant(name).await? else { return Ok(false) };
        let keys = [place, self.plane.keys().relayna().service(&id)];
        let args = args![id.as_key(), text];
        let reply: Reply = self.plane.store().repeatable().run(&script::VACATE, &keys, &args).await?;
        Ok(reply.first() == "vacated")
    }

    async fn relist(&self, name: &DedupeKey, id: &ServiceId, task: &TaskId) -> Result<()> {
        let (seed, settings) = (self.plane.keys().relayna(), self.plane.service_settings().await?);
        let keys = [seed.studio_event(name), seed.service_history(id), seed.service_task_history(id, task)];
        let args = args![name.as_key(), settings.maxlen, settings.ttl];
        self.plane.store().repeatable().run::<Reply>(&script::RELIST, &keys, &args).await.map(drop)
    }
}

#[derive(Debug)]
struct Listed;

impl Invariant for Listed {
    fn code(&self) -> &'static str {
        "FSCK113"
    }

    fn promise(&self) -> &'static str {
        "every event that was taken in is in the history of its service and of its task, unless it made room for later ones"
    }

    fn check<'a>(&'a self, scope: &'a Scope) -> BoxFuture<'a, Result<Vec<Finding>>> {
        Box::pin(async move {
            let Ok(plane) = Plane::new(scope.clone()) else { return Ok(vec![]) };
            let example = DedupeKey::parse("any").expect("a name");
            let mut lists: HashMap<Key, Named> = HashMap::new();
            let mut findings = Vec::new();
            for name in names(scope, &scope.keys.relayna().studio_event(&example)).await? {
                let Some((id, task, at)) = whose(&plane, &name).await? else { continue };
                let seed = scope.keys.relayna();
                for key in [seed.service_history(&id), seed.service_task_history(&id, &task)] {
                    if !lists.contains_key(&key) {
                        lists.insert(key.clone(), named(&plane, &key).await?);
                    }
                    let list = &lists[&key];
                    // What came before everything that a history names has made room for it.
                    if !list.names.contains(&name) && list.since.is_none_or(|since| at > Some(since)) {
                        let advice =
                            "`quorate fsck --repair` puts it there; whoever wrote it died before it did";
                        let message = "was taken in, and a history does not name it";
                        findings.push(finding(self.code(), "relayna.studio_event", &name, message, advice));
                        break;
                    }
                }
            }
            Ok(findings)
        })
    }

    fn repair<'a>(&'a self, scope: &'a Scope, finding: &'a Finding) -> BoxFuture<'a, Result<bool>> {
        Box::pin(async move {
            let Ok(plane) = Plane::new(scope.clone()) else { return Ok(false) };
            let Some((id, task, _)) = whose(&plane, &finding.key).await? else { return Ok(false) };
            let Ok(name) = DedupeKey::parse(&finding.key) else { return Ok(false) };
            plane.services().relist(&name, &id, &task).await?;
            Ok(true)
        })
    }
}

/// What a history names.
struct Named {
    names: HashSet<String>,
    /// When the oldest of them came that can still be read.
    since: Option<Micros>,
}

async fn named(plane: &Plane, list: &Key) -> Result<Named> {
    let mut all = cmd("LRANGE");
    all.arg(list.as_str()).arg(0).arg(-1);
    // The census reports a key of another type.
    let names: Vec<String> = plane.store().query(&all).await.unwrap_or_default();
    let mut since = None;
    for name in names.iter().rev() {
        since = event(plane, name).await?.and_then(|event| moment(event.text("ingested_at")));
        if since.is_some() {
            break;
        }
    }
    Ok(Named { names: names.into_iter().collect(), since })
}

async fn event(plane: &Plane, name: &str) -> Result<Option<StudioEvent>> {
    let Ok(name) = DedupeKey::parse(name) else { return Ok(None) };
    let key = plane.keys().relayna().studio_event(&name);
    let text: Result<Option<Vec<u8>>> = plane.store().query(cmd("GET").arg(key.as_str())).await;
    Ok(text.ok().flatten().and_then(|text| StudioEvent::read(&text)))
}

/// The service and the task of an event, and when it came, if it can be read and its service is registered: all else expires.
async fn whose(plane: &Plane, name: &str) -> Result<Option<(ServiceId, TaskId, Option<Micros>)>> {
    let Some(event) = event(plane, name).await? else { return Ok(None) };
    let both = (ServiceId::parse(event.text("service_id")), TaskId::parse(event.text("task_id")));
    let (Ok(id), Ok(task)) = both else { return Ok(None) };
    let there = plane.services().text(&id).await?.is_some();
    Ok(there.then_some((id, task, moment(event.text("ingested_at")))))
}

#[derive(Debug)]
struct Gone;

impl Invariant for Gone {
    fn code(&self) -> &'static str {
        "FSCK114"
    }

    fn promise(&self) -> &'static str {
        "health, cursor and latest times are of registered services, and none that is registered is being cleared away"
    }

    fn check<'a>(&'a self, scope: &'a Scope) -> BoxFuture<'a, Result<Vec<Finding>>> {
        Box::pin(async move {
            let Ok(plane) = Plane::new(scope.clone()) else { return Ok(vec![]) };
            let seed = scope.keys.relayna();
            let mut left: BTreeSet<String> = BTreeSet::new();
            for example in [
                seed.service_health(&any()),
                seed.pull_cursor(&any()),
                seed.service_latest_status(&any()),
                seed.service_latest_observation(&any()),
                seed.service_latest_ingested(&any()),
            ] {
                left.extend(names(scope, &example).await?);
            }
            let leaving = scope.keys.quorate().services_leaving(&plane.services().store()?);
            let leaving: Result<Vec<String>> =
                scope.store.query(cmd("ZRANGE").arg(leaving.as_str()).arg(0).arg(-1)).await;
            let leaving: BTreeSet<String> = leaving.unwrap_or_default().into_iter().collect();
            let mut findings = Vec::new();
            for id in left.union(&leaving).filter_map(|id| ServiceId::parse(id).ok()) {
                let there = plane.services().text(&id).await?.is_some();
                let message = match (there, leaving.contains(id.as_key())) {
                    (false, false) => "is not registered, and something is left of it",
                    (true, true) => "is registered, and its events are to be cleared away",
                    _ => continue,
                };
                let advice = "`quorate fsck --repair` lets go of what is not true any more";
                findings.push(finding(self.code(), "relayna.service", id.as_key(), message, advice));
            }
            Ok(findings)
        })
    }

    fn repair<'a>(&'a self, scope: &'a Scope, finding: &'a Finding) -> BoxFuture<'a, Result<bool>> {
        Box::pin(async move {
            let Ok(plane) = Plane::new(scope.clone()) else { return Ok(false) };
            let Ok(id) = ServiceId::parse(&finding.key) else { return Ok(false) };
            let (services, seed, own) = (plane.services(), scope.keys.relayna(), scope.keys.quorate());
            let keys = [
                seed.service(&id),
                own.services_leaving(&services.store()?),
                seed.service_health(&id),
                seed.pull_cursor(&id),
                seed.service_latest_status(&id),
                seed.service_latest_observation(&id),
                seed.service_latest_ingested(&id),
                own.service_state(&services.own(&id)?),
            ];
            let reply: Reply =
                scope.store.repeatable().run(&script::FORGET, &keys, &args![id.as_key()]).await?;
            Ok(matches!(reply.first(), "forgotten" | "kept"))
        })
    }
}
