//! Tasks that the index does not know and the logs of services do: the fallback of a search for one id.
//!
//! An id that was never reported, or whose document has gone, may still stand in what a service logged. Every service that says
//! where its logs are is asked at once, for a bounded time; who did not answer is named. What is found is shown, not kept.

use std::collections::BTreeMap;
use std::time::Duration;

use futures_util::StreamExt;
use futures_util::stream;
use quorate_catalog::ids::{EnvironmentId, ServiceId, TaskId};
use quorate_store::{Micros, Result};
use serde_json::Value as Json;
use tokio::time::{Instant, timeout_at};

use super::model::Place;
use super::{MOST, Search, TaskDocument, TaskPage, TaskQuery, document};
use crate::services::{LogEntry, LogPage, LogQuery, Missing, Nanos, Service};
use crate::{Outcome, Refusal};

/// How many services are asked at once, and how long all of them have.
const AT_ONCE: usize = 8;
const TOTAL: Duration = Duration::from_secs(5);
/// What a cursor of these pages begins with.
const OURS: &str = "log~";

/// The one id that is searched for.
#[derive(Clone, Copy)]
enum Wanted<'q> {
    Task(&'q str),
    Correlation(&'q str),
}

impl<'q> Wanted<'q> {
    /// Nothing where no id is asked for, or two, or what no log can know.
    fn of(query: &'q TaskQuery) -> Option<Self> {
        let said = |text: &'q Option<String>| text.as_deref().map(str::trim).filter(|text| !text.is_empty());
        if said(&query.status).or(said(&query.stage)).is_some() {
            return None;
        }
        match (said(&query.task_id), said(&query.correlation_id)) {
            (Some(task), None) => Some(Self::Task(task)),
            (None, Some(correlation)) => Some(Self::Correlation(correlation)),
            _ => None,
        }
    }

    fn lines(self, query: &TaskQuery) -> LogQuery {
        let nanos = |at: Option<Micros>| at.and_then(|at| at.get().checked_mul(1_000)).map(Nanos);
        let (task, correlation) = match self {
            Self::Task(task) => (Some(task.to_owned()), None),
            Self::Correlation(correlation) => (None, Some(correlation.to_owned())),
        };
        // A span of no length holds nothing there, and one moment here.
        let to = nanos(query.to).map(|Nanos(to)| Nanos(to.saturating_add(1)));
        LogQuery {
            task_id: task,
            correlation_id: correlation,
            from: nanos(query.from),
            to,
            limit: MOST,
            ..LogQuery::default()
        }
    }
}

impl Search<'_> {
    /// A page of tasks for which everything holds that is asked, the last seen first; where the index has none and one id is asked for,
    /// of those that the logs of services know.
    pub async fn tasks(&self, query: &TaskQuery) -> Result<Outcome<TaskPage>> {
        let cursor = query.cursor.as_deref();
        if let Some(place) = cursor.and_then(|cursor| cursor.strip_prefix(OURS)) {
            return match (Place::read(place), Wanted::of(query)) {
                (Some(place), Some(wanted)) => {
                    Ok(Outcome::Done(self.logged(query, wanted, Some(&place)).await?))
                }
                _ => Ok(Outcome::Refused(Refusal::new("unknown_cursor", cursor.map(str::to_owned)))),
            };
        }
        let page = match self.indexed(query).await? {
            Outcome::Done(page) => page,
            Outcome::Refused(why) => return Ok(Outcome::Refused(why)),
        };
        let over = page.items.is_empty() && page.next_cursor.is_none() && cursor.is_none();
        match Wanted::of(query).filter(|_| over) {
            Some(wanted) => {
                let found = self.logged(query, wanted, None).await?;
                Ok(Outcome::Done(TaskPage { catching_up: page.catching_up, ..found }))
            }
            None => Ok(Outcome::Done(page)),
        }
    }

    async fn logged(&self, query: &TaskQuery, wanted: Wanted<'_>, after: Option<&Place>) -> Result<TaskPage> {
        let (mut found, mut errors) = (BTreeMap::new(), Vec::new());
        for (service, answer) in self.ask_logs(query, wanted).await? {
            match answer {
                Ok(page) => page.items.iter().for_each(|line| take(&mut found, &service, line, wanted)),
                Err(why) => errors.push(missing(&service, &why)),
            }
        }
        let mut all: Vec<(u64, String, TaskDocument)> = found
            .into_iter()
            .map(|(id, document): (String, TaskDocument)| {
                (document.seen().map_or(0, Micros::millis), id, document)
            })
            .filter(|(ms, id, _)| after.is_none_or(|place| (*ms, id) < (place.ms, &place.id)))
            .collect();
        all.sort_by(|one, two| (two.0, &two.1).cmp(&(one.0, &one.1)));
        let more = all.len() > query.limit.clamp(1, MOST);
        all.truncate(query.limit.clamp(1, MOST));
        let last = all.last().filter(|_| more);
        let next_cursor = last.map(|(ms, id, _)| OURS.to_owned() + &Place::written(&ms.to_string(), id));
        let items: Vec<TaskDocument> = all.into_iter().map(|(_, _, document)| document).collect();
        Ok(TaskPage { count: items.len(), items, next_cursor, catching_up: false, errors })
    }

    /// What each service's logs say, or why they say nothing.
    async fn ask_logs(
        &self,
        query: &TaskQuery,
        wanted: Wanted<'_>,
    ) -> Result<Vec<(Service, std::result::Result<LogPage, Refusal>)>> {
        let services = self.plane.services();
        let known = |text: &Option<String>| text.as_deref().map(|text| text.trim().to_owned());
        let only = known(&query.service_id).filter(|own| !own.is_empty());
        let environment = known(&query.environment).and_then(|own| EnvironmentId::parse(&own).ok());
        let mut all = services.ls(environment.as_ref()).await?;
        all.retain(|own| {
            let has = own.log_config.as_ref().is_some_and(|said| !said.is_null());
            has && only.as_ref().is_none_or(|only| own.service_id == *only)
        });
        let lines = wanted.lines(query);
        let asked = all.iter().cloned().map(|service| {
            let lines = &lines;
            async move {
                let id = ServiceId::parse(&service.service_id).ok();
                let answer = match id {
                    Some(id) => services.logs(&id, lines).await,
                    None => {
                        Ok(Outcome::Refused(Refusal::new("no_service", Some(service.service_id.clone()))))
                    }
                };
                (service, answer)
            }
        });
        let mut asked = stream::iter(asked).buffered(AT_ONCE).boxed();
        let (deadline, mut found) = (Instant::now() + TOTAL, Vec::with_capacity(all.len()));
        while let Ok(Some((service, answer))) = timeout_at(deadline, asked.next()).await {
            found.push(match answer? {
                Outcome::Done(page) => (service, Ok(page)),
                Outcome::Refused(why) => (service, Err(why)),
            });
        }
        drop(asked);
        let late = || Refusal::new("source_failed", Some("there was no time left to ask".to_owned()));
        let done = found.len();
        found.extend(all.into_iter().skip(done).map(|service| (service, Err(late()))));
        Ok(found)
    }
}

/// Takes a line into the document of its task, if it is a line of what is searched for.
fn take(found: &mut BTreeMap<String, TaskDocument>, service: &Service, line: &LogEntry, wanted: Wanted<'_>) {
    let said: Json = serde_json::from_str(&line.message).unwrap_or_default();
    let word =
        |name: &str| said[name].as_str().map(|text| text.trim().to_owned()).filter(|text| !text.is_empty());
    let correlation = line.correlation_id.clone().or_else(|| word("correlation_id"));
    let task = match wanted {
        Wanted::Task(task) => Some(task.to_owned()),
        Wanted::Correlation(id) if correlation.as_deref() == Some(id) => {
            line.task_id.clone().or_else(|| word("task_id"))
        }
        Wanted::Correlation(_) => None,
    };
    // What stands in a log may be any text; a task that nobody could ask for is none.
    let Some(task) = task.and_then(|task| TaskId::parse(&task).ok()) else { return };
    let Ok(id) = ServiceId::parse(&service.service_id) else { return };
    let at = || Some(line.timestamp.clone());
    let own = found.entry(document(&id, &task).to_string()).or_insert_with(|| TaskDocument {
        service_id: service.service_id.clone(),
        service_name: Some(service.name.clone()),
        environment: Some(service.environment.clone()),
        task_id: task.to_string(),
        correlation_id: None,
        status: None,
        stage: None,
        first_seen_at: at(),
        last_seen_at: at(),
        latest_event_type: Some("loki.log".to_owned()),
        latest_event_at: at(),
        latest_ingested_at: None,
        detail_path: Some(format!("/studio/tasks/{id}/{task}")),
        expires_at: None,
        source: Some("loki_fallback".to_owned()),
    });
    own.correlation_id = own.correlation_id.take().or(correlation);
    // Moments of lines are all written in one form, so their texts have their order.
    own.first_seen_at = own.first_seen_at.take().min(at());
    own.last_seen_at = own.last_seen_at.take().max(at());
    own.latest_event_at.clone_from(&own.last_seen_at);
}

fn missing(service: &Service, why: &Refusal) -> Missing {
    Missing {
        service_id: service.service_id.clone(),
        part: "logs".to_owned(),
        code: why.code.clone(),
        detail: why.reason.clone(),
    }
}
