//! Relayna's streams of a service's events, and of one task of it: what there is, then what comes.

use std::collections::{HashSet, VecDeque};
use std::sync::Arc;

use quorate_catalog::ids::{ServiceId, TaskId};
use quorate_plane::channels::{self, Channels};
use quorate_plane::services::{EventFilter, StudioEvent};
use quorate_plane::{Outcome, Plane};

use super::followed::{Followed, Heard, Kind, Viewer};
use super::sse;
use super::viewer::{Ended, Line};

/// Most events of a history that are shown.
const HISTORY: usize = 500;
/// Events that are remembered as seen.
const REMEMBERED: usize = 4_096;

/// Everything of services that is followed in this process.
pub(crate) type Services = Followed<Service>;

/// The events of a service, or of one task of it.
pub(crate) struct Service;

/// What is followed: a service, or one task of it.
pub(crate) type Place = (ServiceId, Option<TaskId>);

impl Kind for Service {
    type Place = Place;
    type Said = Arc<StudioEvent>;
    type Head = String;
    type Channels = Channels;
    type Viewer = Watching;
    const RING: usize = 1_024;

    async fn channels(plane: &Plane) -> quorate_store::Result<Channels> {
        plane.services().channels().await
    }

    async fn next(channels: &mut Channels) -> Heard<Self> {
        loop {
            let channels::Heard::Event { of: service, payload } = channels.next().await else {
                return Heard::Missed;
            };
            // What is malformed is no event; the history has what is.
            let (Ok(service), Some(event)) = (ServiceId::parse(&service), StudioEvent::read(&payload)) else {
                continue;
            };
            let task = TaskId::parse(event.text("task_id")).ok();
            let both = [Some(None), task.map(Some)].into_iter().flatten();
            return Heard::Said(both.map(|task| (service.clone(), task)).collect(), Arc::new(event));
        }
    }

    async fn heads(plane: &Plane, places: &[Place]) -> quorate_store::Result<Vec<Option<String>>> {
        plane.services().heads(places).await
    }

    fn viewer(plane: Plane, place: Place, line: Line) -> Watching {
        Watching { plane, place, line, seen: HashSet::new(), order: VecDeque::new() }
    }
}

pub(crate) struct Watching {
    plane: Plane,
    place: Place,
    line: Line,
    seen: HashSet<String>,
    order: VecDeque<String>,
}

impl Viewer<Service> for Watching {
    async fn replay(&mut self, last: Option<&str>) -> Result<bool, Ended> {
        let filter = EventFilter { task: self.place.1.clone(), ..EventFilter::default() };
        let page = self.plane.services().events(&self.place.0, &filter, None, HISTORY).await;
        // A service that was deleted has nothing more to say.
        let Ok(Outcome::Done(page)) = page else { return Err(Ended) };
        let known =
            last.and_then(|last| page.items.iter().position(|event| event.text("dedupe_key") == last));
        if let Some(last) = last.filter(|_| known.is_none()) {
            let first = page.items.last().map(|event| event.text("dedupe_key"));
            self.line.send(sse::gap(last, first)).await?;
        }
        for (place, event) in page.items.iter().enumerate().rev() {
            if known.is_some_and(|known| place >= known) {
                self.note(event.text("dedupe_key"));
            } else {
                self.show(event).await?;
            }
        }
        Ok(false)
    }

    async fn said(&mut self, event: Arc<StudioEvent>) -> Result<bool, Ended> {
        self.show(&event).await.map(|()| false)
    }
}

impl Watching {
    async fn show(&mut self, event: &StudioEvent) -> Result<(), Ended> {
        let name = event.text("dedupe_key").to_owned();
        if !self.note(&name) {
            return Ok(());
        }
        let data = serde_json::to_string(event).unwrap_or_default();
        self.line.send(sse::event(Some(&name), "event", &data)).await
    }

    /// Notes an event; whether it is new.
    fn note(&mut self, name: &str) -> bool {
        if !self.seen.insert(name.to_owned()) {
            return false;
        }
        self.order.push_back(name.to_owned());
        if self.order.len() > REMEMBERED
            && let Some(oldest) = self.order.pop_front()
        {
            self.seen.remove(&oldest);
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use quorate_plane::json::Object;
    use quorate_plane::services::{Ingest, IngestMethod};

    use super::super::followed::tests::goes_on_after_a_keep_alive;
    use super::*;

    #[tokio::test]
    async fn a_stream_of_a_service_goes_on_after_a_keep_alive() {
        quorate_testkit::check(&[], async |bench| {
            let plane = Plane::new(bench.scope.clone()).unwrap();
            let id = ServiceId::parse("pay").unwrap();
            let record =
                r#"{"service_id":"pay","name":"Pay","base_url":"http://pay.test","environment":"dev"}"#;
            let key = bench.scope.keys.relayna().service(&id);
            let mut set = quorate_store::cmd("SET");
            bench.scope.store.query::<String>(set.arg(key.as_str()).arg(record)).await.unwrap();
            let report = async |round: usize| {
                let event = format!(
                    r#"{{"task_id":"t","event_type":"x","source_kind":"status","event_id":"e{round}"}}"#
                );
                let event = Ingest::of(&id, IngestMethod::Push, &Object::parse(&event).unwrap()).unwrap();
                plane.services().ingest(&event).await.unwrap().unwrap();
            };
            let told = |round: usize, said: &str| {
                said.starts_with(&format!("id: pay:status:e{round}\nevent: event\n"))
            };
            goes_on_after_a_keep_alive::<Service>(&plane, (id.clone(), None), report, told).await;
        })
        .await;
    }
}
