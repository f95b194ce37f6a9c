//! `services ingest`.

use quorate_catalog::ids::ServiceId;
use quorate_plane::services::{self, IngestMethod, Ingested, Took};
use quorate_plane::{Outcome, Refusal};

use crate::prelude::*;

/// Most events of one call.
const MOST: usize = 1_000;

/// Takes in events that services push; each once, however often it comes.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Ingest {
    /// The events; up to 1,000.
    pub events: Vec<Envelope>,
}

/// An event and whose it is.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Envelope {
    /// The service.
    pub service_id: String,
    /// How it came; it is pushed if it is not said.
    #[serde(default)]
    pub ingest_method: Option<IngestMethod>,
    /// The event: task_id, event_type, source_kind, and an event_id or a cursor; timestamp, payload and more as the service has it.
    pub event: Value,
}

impl Verb for Ingest {
    const ABOUT: About =
        About::new("services", "ingest", Method::Post, "/services/ingest", Level::Work, Effect::Hot);
    type Answer = Ingested;

    fn example() -> Value {
        json!({ "events": [{ "service_id": "payments-api", "event": { "task_id": "task-123", "event_type": "status.queued", "source_kind": "status", "event_id": "evt-0001" } }] })
    }

    async fn run(&self, call: &Call) -> Result<Verdict<Ingested>, Fault> {
        if self.events.len() > MOST {
            return Err(Fault::bad("events", format!("{} are more than {MOST}", self.events.len())));
        }
        if !call.plane.services().takes_pushes().await? {
            return Ok(Verdict::Refused(Refusal::new("push_disabled", None).into()));
        }
        let mut count = Ingested::default();
        for envelope in &self.events {
            let Some(event) = envelope.read() else {
                count.invalid += 1;
                continue;
            };
            match call.plane.services().ingest(&event).await? {
                Outcome::Done(Took::Duplicate) => count.duplicate += 1,
                Outcome::Done(_) => count.inserted += 1,
                Outcome::Refused(why) if why.is("no_service") => count.invalid += 1,
                Outcome::Refused(why) => return Ok(Verdict::Refused(why.into())),
            }
        }
        Ok(Verdict::Done(count))
    }
}

impl Envelope {
    fn read(&self) -> Option<services::Ingest> {
        let id = ServiceId::parse(&self.service_id).ok()?;
        let event = quorate_plane::json::Object::parse(&self.event.to_string()).ok()?;
        services::Ingest::of(&id, self.ingest_method.unwrap_or(IngestMethod::Push), &event).ok()
    }
}
