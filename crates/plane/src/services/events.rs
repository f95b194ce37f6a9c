//! The events of services as they were taken in: each once, in both histories, and told to whoever listens.

use quorate_catalog::Key;
use quorate_catalog::ids::{DedupeKey, ServiceId, TaskId};
use quorate_store::{Result, args, cmd, pipe};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value as Json};

use super::{Ingest, Services, Source, script};
use crate::outcome::{Reply, undecodable};
use crate::tasks::moment;
use crate::{Outcome, Refusal};

/// How many names are read at once.
const PAGE: usize = 500;
/// How many names one look takes out of a history.
const PRUNE: usize = 200;

/// What became of an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Took {
    Inserted,
    /// Inserted, and a later one of its task was there before.
    Late,
    Duplicate,
}

/// How many events a call brought.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Ingested {
    pub inserted: u64,
    /// They were there.
    pub duplicate: u64,
    /// Nobody can understand them, or nobody knows their service.
    pub invalid: u64,
}

/// An event of a service as the store has it.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(transparent)]
pub struct StudioEvent(pub Map<String, Json>);

impl StudioEvent {
    /// An event, unless the bytes are none.
    pub fn read(bytes: &[u8]) -> Option<Self> {
        match serde_json::from_slice(bytes).ok()? {
            Json::Object(fields) => Some(Self(fields)),
            _ => None,
        }
    }

    pub fn text(&self, name: &str) -> &str {
        self.0.get(name).and_then(Json::as_str).unwrap_or_default()
    }
}

/// Which events are wanted.
#[derive(Debug, Clone, Default)]
pub struct EventFilter {
    pub task: Option<TaskId>,
    pub source: Option<Source>,
    pub event_type: Option<String>,
}

/// A page of events, the last that came first.
#[derive(Debug, Clone, Default, Serialize, JsonSchema)]
pub struct EventPage {
    pub count: usize,
    pub items: Vec<StudioEvent>,
    /// Where the next page begins, if there is one.
    pub next_cursor: Option<String>,
}

/// When something was last heard of a service.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Activity {
    pub latest_status_event_at: Option<String>,
    pub latest_observation_event_at: Option<String>,
    pub latest_ingested_at: Option<String>,
}

impl Activity {
    /// The newest event of either kind.
    pub(super) fn latest(&self) -> Option<String> {
        let both = [&self.latest_status_event_at, &self.latest_observation_event_at];
        let known = both.into_iter().flatten().filter_map(|text| Some((moment(text)?, text)));
        known.max_by_key(|(at, _)| *at).map(|(_, text)| text.clone())
    }
}

impl Services<'_> {
    /// Takes in an event. However often the same one comes, it is taken once.
    pub async fn ingest(&self, event: &Ingest) -> Result<Outcome<Took>> {
        let settings = self.plane.service_settings().await?;
        let (seed, id) = (self.plane.keys().relayna(), &event.service);
        let keys = [
            seed.service(id),
            seed.studio_event(&event.name),
            seed.service_history(id),
            seed.service_task_history(id, &event.task),
            seed.service_task_latest(id, &event.task),
            match event.source {
                Source::Status => seed.service_latest_status(id),
                Source::Observation => seed.service_latest_observation(id),
            },
            seed.service_latest_ingested(id),
            seed.service_channel(id),
            seed.service_task_channel(id, &event.task),
        ];
        let at = event.at.map(|at| at.get().to_string()).unwrap_or_default();
        let args = args![
            id.as_key(),
            event.name.as_key(),
            event.open(),
            at,
            event.time.as_str(),
            settings.maxlen,
            settings.ttl,
        ];
        let mut args = args.to_vec();
        args.extend(self.plane.search().sighting(&event.sighting()).await?);
        // An event that comes twice is a duplicate, so a lost answer may be asked for again.
        let reply: Reply =
            self.plane.store().natural().run(&self.plane.service_scripts().ingest, &keys, &args).await?;
        match reply.split() {
            Err(refusal) => Ok(Outcome::Refused(refusal)),
            Ok((word, _)) => match word.as_str() {
                "inserted" => Ok(Outcome::Done(Took::Inserted)),
                "late" => Ok(Outcome::Done(Took::Late)),
                "duplicate" => Ok(Outcome::Done(Took::Duplicate)),
                _ => Err(undecodable(&word)),
            },
        }
    }

    /// Whether services may push their events.
    pub async fn takes_pushes(&self) -> Result<bool> {
        Ok(self.plane.service_settings().await?.push)
    }

    /// A page of the events of a service, or of one of its tasks.
    pub async fn events(
        &self,
        id: &ServiceId,
        filter: &EventFilter,
        before: Option<&str>,
        limit: usize,
    ) -> Result<Outcome<EventPage>> {
        if self.text(id).await?.is_none() {
            return Ok(Outcome::Refused(Refusal::new("no_service", Some(id.to_string()))));
        }
        let seed = self.plane.keys().relayna();
        let list = match &filter.task {
            Some(task) => seed.service_task_history(id, task),
            None => seed.service_history(id),
        };
        let Some(start) = self.after(&list, before).await? else {
            let cursor = before.unwrap_or_default().chars().take(256).collect();
            return Ok(Outcome::Refused(Refusal::new("unknown_cursor", Some(cursor))));
        };
        self.page(&list, start, filter, limit).await.map(Outcome::Done)
    }

    async fn page(
        &self,
        list: &Key,
        mut start: usize,
        filter: &EventFilter,
        limit: usize,
    ) -> Result<EventPage> {
        let mut page = EventPage::default();
        loop {
            let mut range = cmd("LRANGE");
            range.arg(list.as_str()).arg(start).arg(start + PAGE - 1);
            let names: Vec<String> = self.plane.store().query(&range).await?;
            for event in self.read(&names).await?.into_iter().flatten() {
                if !filter.fits(&event) {
                    continue;
                }
                if page.items.len() == limit {
                    page.next_cursor = page.items.last().map(|last| last.text("dedupe_key").to_owned());
                    page.count = limit;
                    return Ok(page);
                }
                page.items.push(event);
            }
            start += PAGE;
            if names.len() < PAGE {
                page.count = page.items.len();
                return Ok(page);
            }
        }
    }

    /// Where a page begins; none for a cursor that nobody knows.
    async fn after(&self, list: &Key, before: Option<&str>) -> Result<Option<usize>> {
        let Some(before) = before else { return Ok(Some(0)) };
        let mut find = cmd("LPOS");
        find.arg(list.as_str()).arg(before);
        let place: Option<usize> = self.plane.store().query(&find).await?;
        Ok(place.map(|place| place + 1))
    }

    /// The events of these names, in their order; one that has expired is none.
    async fn read(&self, names: &[String]) -> Result<Vec<Option<StudioEvent>>> {
        let keys: Vec<Option<Key>> = names.iter().map(|name| self.event_key(name)).collect();
        if keys.iter().all(Option::is_none) {
            return Ok(vec![None; names.len()]);
        }
        let mut all = pipe();
        for key in keys.iter().flatten() {
            all.cmd("GET").arg(key.as_str());
        }
        let texts: Vec<Option<Vec<u8>>> = self.plane.store().pipeline(&all).await?;
        let mut texts = texts.into_iter();
        let mut take = |key: Option<Key>| key.and_then(|_| StudioEvent::read(&texts.next()??));
        Ok(keys.into_iter().map(&mut take).collect())
    }

    pub(super) fn event_key(&self, name: &str) -> Option<Key> {
        Some(self.plane.keys().relayna().studio_event(&DedupeKey::parse(name).ok()?))
    }

    /// The keys of these events, each with its task as far as it can be read.
    pub(super) async fn events_of(&self, names: &[String]) -> Result<Vec<(Key, Option<String>)>> {
        let events = self.read(names).await?;
        let both = names.iter().zip(events);
        Ok(both
            .filter_map(|(name, event)| {
                Some((self.event_key(name)?, event.map(|event| event.text("task_id").to_owned())))
            })
            .collect())
    }

    /// When something was last heard of a service.
    pub async fn activity(&self, id: &ServiceId) -> Result<Activity> {
        let seed = self.plane.keys().relayna();
        let mut all = cmd("MGET");
        all.arg(seed.service_latest_status(id).as_str());
        all.arg(seed.service_latest_observation(id).as_str());
        all.arg(seed.service_latest_ingested(id).as_str());
        let (status, observation, ingested) = self.plane.store().query(&all).await?;
        Ok(Activity {
            latest_status_event_at: status,
            latest_observation_event_at: observation,
            latest_ingested_at: ingested,
        })
    }

    /// Takes names of events that have expired out of the histories; gives how many.
    pub async fn prune(&self) -> Result<u64> {
        let mut gone = 0;
        for record in self.records().await? {
            let Ok(id) = ServiceId::parse(&record.service.service_id) else { continue };
            gone += self.prune_one(&id).await?;
        }
        Ok(gone)
    }

    async fn prune_one(&self, id: &ServiceId) -> Result<u64> {
        let history = self.plane.keys().relayna().service_history(id);
        let mut tail = cmd("LRANGE");
        tail.arg(history.as_str()).arg(-isize::try_from(PRUNE).expect("few")).arg(-1);
        let mut names: Vec<String> = self.plane.store().query(&tail).await?;
        names.reverse();
        let events: Vec<(String, Key)> =
            names.into_iter().map_while(|name| self.event_key(&name).map(|key| (name, key))).collect();
        if events.is_empty() {
            return Ok(0);
        }
        let keys: Vec<Key> =
            std::iter::once(history).chain(events.iter().map(|(_, key)| key.clone())).collect();
        let mut args = args![PRUNE].to_vec();
        args.extend(events.iter().map(|(name, _)| quorate_store::Arg::from(name.as_str())));
        let reply: Reply = self.plane.store().run(&script::PRUNE, &keys, &args).await?;
        Ok(match reply.expect("pruned")? {
            Outcome::Done(words) => words.first().and_then(|word| word.parse().ok()).unwrap_or(0),
            Outcome::Refused(_) => 0,
        })
    }
}

impl EventFilter {
    pub fn fits(&self, event: &StudioEvent) -> bool {
        self.task.as_ref().is_none_or(|task| event.text("task_id") == task.as_key())
            && self.source.is_none_or(|source| event.text("source_kind") == source.as_str())
            && self.event_type.as_ref().is_none_or(|kind| event.text("event_type") == kind)
    }
}
