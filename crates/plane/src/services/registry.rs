//! Who is registered.

use std::collections::BTreeSet;

use quorate_catalog::Key;
use quorate_catalog::ids::{BaseUrl, EnvironmentId, ServiceId, ServiceTurn, TaskId};
use quorate_outgoing::Address;
use quorate_store::{Result, args, cmd, pipe};
use serde_json::{Value as Json, json};

use super::model::Record;
use super::{Change, Deleted, Health, MOST, NewService, Service, Services, bad, script};
use crate::outcome::Reply;
use crate::search::ServiceDocument;
use crate::{Outcome, Refusal};

/// How often a change is tried again that met another one.
const TRIES: usize = 16;
/// How many events are cleared away at once.
const SWEEP: usize = 200;

impl Services<'_> {
    /// Registers a service, if its address may be called and nobody has it.
    pub async fn register(&self, wanted: &NewService) -> Result<Outcome<Service>> {
        let text = wanted.record().map_err(bad)?;
        let addresses = wanted.further().map_err(bad)?;
        if let Some(refusal) = self.denied(std::iter::once(&wanted.base_url).chain(&addresses)).await {
            return Ok(Outcome::Refused(refusal));
        }
        let request = self.request();
        for _ in 0..TRIES {
            match self.put(&wanted.id, None, &text, &request).await? {
                Outcome::Refused(why) if why.is("conflict") => {}
                Outcome::Refused(why) => return Ok(Outcome::Refused(why)),
                Outcome::Done(()) => return self.show(&wanted.id).await,
            }
        }
        Ok(Outcome::Refused(Refusal::new("conflict", None)))
    }

    /// Every service, in one environment or in all, by environment and name.
    pub async fn ls(&self, environment: Option<&EnvironmentId>) -> Result<Vec<Service>> {
        let fits = |service: &Service| environment.is_none_or(|own| service.environment == own.as_key());
        let mut all: Vec<Service> = self.records().await?.into_iter().map(|record| record.service).collect();
        all.retain(fits);
        all.sort_by_cached_key(|own| {
            (own.environment.clone(), own.name.to_lowercase(), own.service_id.clone())
        });
        Ok(all)
    }

    pub async fn show(&self, id: &ServiceId) -> Result<Outcome<Service>> {
        Ok(self.record(id).await?.map(|record| record.service))
    }

    /// Changes a service; its id stays, whatever else does not.
    pub async fn update(&self, id: &ServiceId, change: &Change) -> Result<Outcome<Service>> {
        let fields = change.fields().map_err(bad)?;
        let addresses = change.further().map_err(bad)?;
        if let Some(refusal) = self.denied(change.base_url.iter().chain(&addresses)).await {
            return Ok(Outcome::Refused(refusal));
        }
        let request = self.request();
        for _ in 0..TRIES {
            let record = match self.record(id).await? {
                Outcome::Done(record) => record,
                Outcome::Refused(why) => return Ok(Outcome::Refused(why)),
            };
            let text = record.with(&fields).map_err(bad)?;
            match self.put(id, Some(&record), &text, &request).await? {
                Outcome::Refused(why) if why.is("conflict") => {}
                Outcome::Refused(why) => return Ok(Outcome::Refused(why)),
                Outcome::Done(()) => return self.show(id).await,
            }
        }
        Ok(Outcome::Refused(Refusal::new("conflict", None)))
    }

    /// Takes a service out of the registry with everything that is known of it.
    pub async fn delete(&self, id: &ServiceId) -> Result<Outcome<Deleted>> {
        let request = self.request();
        for _ in 0..TRIES {
            let text = self.text(id).await?;
            let record = text.as_deref().and_then(|text| Record::of(id, text));
            let mut keys = self.leaving_keys(id)?;
            keys.extend(
                record
                    .and_then(|record| record.service.place())
                    .map(|place| self.place(&place))
                    .transpose()?,
            );
            let args = args![id.as_key(), text.unwrap_or_default(), request.as_str(), self.index()];
            let script = &self.plane.service_scripts().remove;
            let reply: Reply = self.plane.store().run(script, &keys, &args).await?;
            match reply.expect("removed")? {
                Outcome::Refused(why) if why.is("conflict") => {}
                Outcome::Refused(why) => return Ok(Outcome::Refused(why)),
                Outcome::Done(_) => {
                    let left = self.sweep(id, MOST_STEPS).await?;
                    self.plane.search().leave().await?;
                    return Ok(Outcome::Done(Deleted { service_id: id.to_string(), left }));
                }
            }
        }
        Ok(Outcome::Refused(Refusal::new("conflict", None)))
    }

    /// Clears away what is left of services that were deleted, some of it at a time.
    pub(super) async fn clear_away(&self) -> Result<()> {
        let mut oldest = cmd("ZRANGE");
        oldest.arg(self.plane.keys().quorate().services_leaving(&self.store()?).as_str()).arg(0).arg(3);
        let ids: Vec<String> = self.plane.store().query(&oldest).await?;
        for id in ids.iter().filter_map(|id| ServiceId::parse(id).ok()) {
            self.sweep(&id, 2).await?;
        }
        Ok(())
    }

    /// The steps of clearing away; gives how many events are left.
    async fn sweep(&self, id: &ServiceId, steps: usize) -> Result<u64> {
        let seed = self.plane.keys().relayna();
        let (history, mut left) = (seed.service_history(id), 0);
        for _ in 0..steps {
            let mut tail = cmd("LRANGE");
            tail.arg(history.as_str()).arg(-isize::try_from(SWEEP).expect("few")).arg(-1);
            let names: Vec<String> = self.plane.store().query(&tail).await?;
            let (mut gone, mut tasks) = (Vec::new(), BTreeSet::new());
            for (event, task) in self.events_of(&names).await? {
                gone.push(event);
                tasks.extend(task.and_then(|task| TaskId::parse(&task).ok()));
            }
            for task in &tasks {
                self.sweep_task(id, task).await?;
                gone.extend([seed.service_task_history(id, task), seed.service_task_latest(id, task)]);
            }
            // It was registered again by a client that does not wait: what is there is its own.
            let Some(rest) = self.gone(id, gone, names.len()).await? else { return Ok(0) };
            left = rest;
            if left == 0 {
                break;
            }
        }
        Ok(left)
    }

    /// The events of a task, also those whose names the shorter history of the service has dropped.
    async fn sweep_task(&self, id: &ServiceId, task: &TaskId) -> Result<()> {
        let history = self.plane.keys().relayna().service_task_history(id, task);
        let mut all = cmd("LRANGE");
        let names: Vec<String> = self.plane.store().query(all.arg(history.as_str()).arg(0).arg(-1)).await?;
        for few in names.chunks(SWEEP) {
            let events = few.iter().filter_map(|name| self.event_key(name)).collect();
            if self.gone(id, events, 0).await?.is_none() {
                break;
            }
        }
        Ok(())
    }

    /// Clears these keys away, and so many names of the history; gives how many are left there, or nothing if it is there again.
    async fn gone(&self, id: &ServiceId, gone: Vec<Key>, names: usize) -> Result<Option<u64>> {
        let seed = self.plane.keys().relayna();
        let leaving = self.plane.keys().quorate().services_leaving(&self.store()?);
        let mut keys = vec![seed.service(id), seed.service_history(id), leaving];
        keys.extend(gone);
        let args = args![id.as_key(), names];
        let reply: Reply = self.plane.store().repeatable().run(&script::SWEEP, &keys, &args).await?;
        Ok(match reply.expect("swept")? {
            Outcome::Refused(_) => None,
            Outcome::Done(words) => Some(words.first().and_then(|word| word.parse().ok()).unwrap_or(0)),
        })
    }

    /// Writes a record over the one that was read.
    async fn put(
        &self,
        id: &ServiceId,
        before: Option<&Record>,
        after: &str,
        request: &str,
    ) -> Result<Outcome<()>> {
        let none = || bad("the record of the service makes no sense");
        let found = Record::of(id, after).ok_or_else(none)?.service;
        let place = self.place(&found.place().ok_or_else(none)?)?;
        let left =
            before.and_then(|record| record.service.place()).map(|place| self.place(&place)).transpose()?;
        let (own, seed, store) = (self.plane.keys().quorate(), self.plane.keys().relayna(), self.store()?);
        let claim = self.claim(&place, id).await?;
        let left = left.unwrap_or_else(|| place.clone());
        let mut keys = vec![seed.service(id), seed.service_index(), place, left];
        keys.extend([own.services_leaving(&store), own.service_answers(&store)]);
        keys.extend(claim.id.as_ref().map(|other| seed.service(other)));
        let args = args![
            id.as_key(),
            before.map_or("", |record| record.text.as_str()),
            after,
            claim.id.as_ref().map_or("", ServiceId::as_key),
            claim.text,
            if claim.holds { "1" } else { "" },
            MOST,
            self.index(),
            shown(&found, None)?,
            request,
        ];
        let reply: Reply = self.plane.store().run(&self.plane.service_scripts().put, &keys, &args).await?;
        Ok(reply.expect("put")?.map(drop))
    }

    /// Who is at a place, as the index says, and whether that is true: another client may have left it behind.
    async fn claim(&self, place: &Key, id: &ServiceId) -> Result<Claim> {
        let owner: Option<String> = self.plane.store().query(cmd("GET").arg(place.as_str())).await?;
        let owner = owner.filter(|owner| owner != id.as_key());
        let Some(other) = owner.and_then(|owner| ServiceId::parse(&owner).ok()) else {
            return Ok(Claim::default());
        };
        let text = self.text(&other).await?.unwrap_or_default();
        let there = Record::of(&other, &text).and_then(|record| record.service.place());
        // A record that nobody can read keeps its place: somebody must look at it first.
        let holds = match there {
            Some(there) => self.place(&there)? == *place,
            None => !text.is_empty(),
        };
        Ok(Claim { id: Some(other), text, holds })
    }

    pub(super) fn place(&self, (environment, url): &(EnvironmentId, Address)) -> Result<Key> {
        let url = BaseUrl::parse(url.as_str()).map_err(|why| bad(format!("base_url: {why}")))?;
        Ok(self.plane.keys().relayna().service_by_url(environment, &url))
    }

    fn leaving_keys(&self, id: &ServiceId) -> Result<Vec<Key>> {
        let (own, seed, store) = (self.plane.keys().quorate(), self.plane.keys().relayna(), self.store()?);
        Ok(vec![
            seed.service(id),
            seed.service_index(),
            seed.service_health(id),
            seed.pull_cursor(id),
            seed.service_latest_status(id),
            seed.service_latest_observation(id),
            seed.service_latest_ingested(id),
            own.service_state(&self.own(id)?),
            own.service_turns(ServiceTurn::Pull, &store),
            own.service_turns(ServiceTurn::Check, &store),
            own.services_leaving(&store),
            own.service_answers(&store),
        ])
    }

    /// The rules for addresses, asked before anything is written.
    async fn denied(&self, addresses: impl Iterator<Item = &Address>) -> Option<Refusal> {
        for address in addresses {
            if let Err(denied) = self.plane.outgoing().guard().register(address).await {
                return Some(Refusal::new("url_denied", Some(denied.to_string())));
            }
        }
        None
    }

    pub(super) async fn text(&self, id: &ServiceId) -> Result<Option<String>> {
        let key = self.plane.keys().relayna().service(id);
        self.plane.store().query(cmd("GET").arg(key.as_str())).await
    }

    pub(super) async fn record(&self, id: &ServiceId) -> Result<Outcome<Record>> {
        let Some(text) = self.text(id).await? else {
            return Ok(Outcome::Refused(Refusal::new("no_service", Some(id.to_string()))));
        };
        let unreadable = || Outcome::Refused(Refusal::new("unreadable_record", Some(id.to_string())));
        Ok(Record::of(id, &text).map_or_else(unreadable, Outcome::Done))
    }

    /// Every record that can be read.
    pub(super) async fn records(&self) -> Result<Vec<Record>> {
        let index = self.plane.keys().relayna().service_index();
        let names: Vec<String> = self.plane.store().query(cmd("SMEMBERS").arg(index.as_str())).await?;
        let ids: Vec<ServiceId> = names.iter().filter_map(|name| ServiceId::parse(name).ok()).collect();
        let mut found = Vec::with_capacity(ids.len());
        for few in ids.chunks(500) {
            let mut all = pipe();
            for id in few {
                all.cmd("GET").arg(self.plane.keys().relayna().service(id).as_str());
            }
            let texts: Vec<Option<String>> = self.plane.store().pipeline(&all).await?;
            let read = few.iter().zip(texts).filter_map(|(id, text)| Record::of(id, text.as_deref()?));
            found.extend(read);
        }
        Ok(found)
    }
}

/// What the search shows of a service.
pub(super) fn shown(service: &Service, health: Option<&Health>) -> Result<String> {
    let word = |value: Json| value.as_str().map(str::to_owned);
    let document = ServiceDocument {
        service_id: service.service_id.clone(),
        name: service.name.clone(),
        environment: service.environment.clone(),
        tags: service.tags.clone(),
        status: word(json!(service.status)).unwrap_or_default(),
        health_status: health.and_then(|health| word(json!(health.overall_status))),
        base_url: service.base_url.clone(),
        auth_mode: service.auth_mode.clone(),
        last_seen_at: service.last_seen_at.clone(),
    };
    serde_json::to_string(&document).map_err(|error| bad(error.to_string()))
}

/// Steps that a deletion makes itself; the rest is done in the background.
const MOST_STEPS: usize = 50;

/// Whom the index names at a place.
#[derive(Default)]
struct Claim {
    id: Option<ServiceId>,
    text: String,
    holds: bool,
}
