//! How services fare: what they answered, what they reported, how their workers are, and a verdict with its reasons.
//!
//! What was seen is kept; what it means is decided when somebody asks, by the server's time, so that a watcher which has died
//! leaves nothing that looks healthy.

use quorate_catalog::ids::{ServiceId, ServiceTurn};
use quorate_outgoing::{Answer, Call};
use quorate_store::{Micros, Result, args, cmd};
use serde_json::{Value as Json, json};

use super::call::{LOOK, object};
use super::model::Record;
use super::verdict::{Health, Http, Reach, judge};
use super::{Service, Services, Status};
use crate::outcome::Reply;
use crate::{Outcome, Refusal};

/// What a service whose workers can be asked for says it offers.
pub const OFFERS_WORKERS: &str = "health.workers";
/// Most workers that are kept of one answer.
const WORKERS: usize = 500;
const TRIES: usize = 8;

/// What a look at a service found.
struct Seen {
    capabilities: std::result::Result<Json, String>,
    workers: Option<std::result::Result<Json, String>>,
}

impl Services<'_> {
    /// How a service fares, judged now by what was last seen of it.
    pub async fn health(&self, id: &ServiceId) -> Result<Outcome<Health>> {
        let record = match self.record(id).await? {
            Outcome::Done(record) => record,
            Outcome::Refused(why) => return Ok(Outcome::Refused(why)),
        };
        let now = self.plane.store().time().await?;
        let stored = self.stored(id).await?;
        self.judged(&record.service, stored, now).await.map(Outcome::Done)
    }

    /// Looks at a service now, and keeps what is seen.
    pub async fn check(&self, id: &ServiceId) -> Result<Outcome<Health>> {
        Ok(self.look(id, false).await?.map(|(_, health)| health))
    }

    /// Asks a service what it can do; one that answers is healthy, unless somebody has disabled it.
    pub async fn refresh(&self, id: &ServiceId) -> Result<Outcome<Service>> {
        let (service, health) = match self.look(id, true).await? {
            Outcome::Done(both) => both,
            Outcome::Refused(why) => return Ok(Outcome::Refused(why)),
        };
        match health.http_status.error_detail {
            Some(why) if service.status != Status::Disabled => {
                Ok(Outcome::Refused(Refusal::new("service_failed", Some(why))))
            }
            _ => Ok(Outcome::Done(service)),
        }
    }

    async fn look(&self, id: &ServiceId, by_hand: bool) -> Result<Outcome<(Service, Health)>> {
        let mut seen: Option<(String, Seen)> = None;
        for _ in 0..TRIES {
            let record = match self.record(id).await? {
                Outcome::Done(record) => record,
                Outcome::Refused(why) => return Ok(Outcome::Refused(why)),
            };
            let calls = record.service.status != Status::Disabled;
            // Whoever moved meanwhile is asked again, at its new place.
            if calls && seen.as_ref().is_none_or(|(url, _)| *url != record.service.base_url) {
                seen = Some((record.service.base_url.clone(), self.see(&record.service).await));
            }
            let seen = seen.as_ref().filter(|_| calls).map(|(_, seen)| seen);
            match self.note(id, &record, seen, by_hand).await? {
                Outcome::Refused(why) if why.is("conflict") => {}
                other => return Ok(other),
            }
        }
        Ok(Outcome::Refused(Refusal::new("conflict", None)))
    }

    async fn see(&self, service: &Service) -> Seen {
        let call = Call::get().below(["relayna", "capabilities"]);
        let capabilities = self.call(service, call, LOOK).await.and_then(|answer| capabilities(&answer));
        let fresh = Service { capabilities: capabilities.as_ref().ok().cloned(), ..service.clone() };
        let asked = if capabilities.is_ok() { &fresh } else { service };
        let workers = if asked.offers(OFFERS_WORKERS) {
            let call = Call::get().below(["relayna", "health", "workers"]);
            Some(self.call(service, call, LOOK).await.and_then(|answer| object(&answer)))
        } else {
            None
        };
        Seen { capabilities, workers }
    }

    /// Writes down what was seen, over the record that was read.
    async fn note(
        &self,
        id: &ServiceId,
        record: &Record,
        seen: Option<&Seen>,
        by_hand: bool,
    ) -> Result<Outcome<(Service, Health)>> {
        let now = self.plane.store().time().await?;
        let (mut document, mut text) = (self.stored(id).await?, record.text.clone());
        document.last_checked_at = Some(now.iso());
        if let Some(seen) = seen {
            document.see(seen, now);
            if let Ok(said) = &seen.capabilities {
                let mut change = json!({ "capabilities": said, "last_seen_at": now.iso() });
                let wakes = record.service.status == Status::Registered
                    || (by_hand && record.service.status == Status::Unavailable);
                if wakes {
                    change["status"] = json!(Status::Healthy);
                }
                text = record.with(&change).map_err(super::bad)?;
            }
        }
        let service = Record::of(id, &text).map_or_else(|| record.service.clone(), |own| own.service);
        let health = self.judged(&service, document, now).await?;
        let seed = self.plane.keys().relayna();
        let keys = [seed.service(id), seed.service_health(id)];
        let found = super::registry::shown(&service, Some(&health))?;
        let verdict = json!(health).to_string();
        let args = args![id.as_key(), record.text.as_str(), text, verdict, self.index(), found];
        let reply: Reply = self.plane.store().run(&self.plane.service_scripts().note, &keys, &args).await?;
        Ok(reply.expect("noted")?.map(|_| (service, health)))
    }

    async fn stored(&self, id: &ServiceId) -> Result<Health> {
        let key = self.plane.keys().relayna().service_health(id);
        let text: Option<Vec<u8>> = self.plane.store().query(cmd("GET").arg(key.as_str())).await?;
        Ok(Health::read(id.as_key(), text.as_deref()))
    }

    async fn judged(&self, service: &Service, stored: Health, now: Micros) -> Result<Health> {
        let id = ServiceId::parse(&service.service_id).map_err(|why| super::bad(why.to_string()))?;
        let activity = self.activity(&id).await?;
        Ok(judge(service, stored, &activity, now, self.plane.service_settings().await?.stale))
    }

    /// Looks at the services that are due, as one of any number of processes; gives how many.
    pub async fn check_due(&self) -> Result<usize> {
        let Some(every) = self.plane.service_settings().await?.check else { return Ok(0) };
        let due = self.due(ServiceTurn::Check).await?;
        let looks = due.iter().map(|id| async move {
            let looked = self.check(id).await.map(drop);
            self.turn(ServiceTurn::Check, id, every).await.and(looked)
        });
        futures_util::future::join_all(looks).await.into_iter().collect::<Result<Vec<()>>>()?;
        Ok(due.len())
    }
}

impl Health {
    fn see(&mut self, seen: &Seen, now: Micros) {
        let at = Some(now.iso());
        let failed = seen.capabilities.as_ref().err().cloned();
        let state = if failed.is_none() { Reach::Reachable } else { Reach::Unreachable };
        self.http_status = Http { state, checked_at: at.clone(), error_detail: failed.clone() };
        self.capability_status.checked_at.clone_from(&at);
        self.capability_status.error_detail = failed.clone();
        if failed.is_none() {
            self.capability_status.last_successful_at = at;
        }
        match &seen.workers {
            None => self.worker_health = super::verdict::Workers::default(),
            Some(Err(why)) => self.worker_health.detail = Some(why.clone()),
            Some(Ok(said)) => {
                let mut workers = said["workers"].as_array().cloned().unwrap_or_default();
                workers.truncate(WORKERS);
                self.worker_health.reported_at = said["reported_at"].as_str().map(str::to_owned);
                self.worker_health.workers = workers;
                self.worker_health.detail = None;
            }
        }
    }
}

/// What a service says it can do. One that was written before services said so is known to be there, and no more.
fn capabilities(answer: &Answer) -> std::result::Result<Json, String> {
    if matches!(answer.status, 404 | 405 | 501) {
        return Ok(json!({
            "relayna_version": "unknown", "topology_kind": "unknown", "supported_routes": [], "feature_flags": [],
            "alias_config_summary": { "aliasing_enabled": false, "payload_aliases": {}, "http_aliases": {} },
            "service_metadata": {
                "service_title": null, "capability_path": "/relayna/capabilities", "discovery_source": "fallback",
                "compatibility": "legacy_no_capabilities_endpoint",
            },
        }));
    }
    let said = object(answer)?;
    if said["supported_routes"].is_array() && said["service_metadata"].is_object() {
        return Ok(said);
    }
    Err("its answer does not say what it can do".to_owned())
}
