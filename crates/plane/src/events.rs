//! What happened, and who has yet to hear of it.
//!
//! Streams of the seeds with consumer groups. A group exists from its first consumer on and starts at the beginning unless
//! it is told otherwise. What a consumer does not acknowledge is given to another one; what nobody acknowledges is put
//! aside. Nobody who emits ever waits or is refused: trimming waits for the groups instead, a group that is silent for too
//! long or falls too far behind is *parked* and told of its *gap*, and what a foreign client destroyed is found within
//! seconds and written into the *loss ledger*.
//!
//! Observations live here too, because pending observations are a stream with a group, read, acknowledged and trimmed by
//! the same scripts; only the gate before them and the refusal at their cap are their own.

mod audit;
mod fsck;
mod keys;
mod losses;
mod model;
mod observations;
mod script;
mod settings;
mod stream;
mod tail;
mod upkeep;
mod wait;

use std::time::Duration;

use quorate_store::{Arg, Error, ErrorKind, Result};
use tokio::time::Instant;

use crate::locks::millis;
use crate::outcome::Reply;
use crate::trace::Trace;
use crate::{Outcome, Plane};
pub use audit::{METHODS, Note, Recorded, Scrape, Wake};
pub use fsck::invariants;
pub use losses::{Group, Loss};
pub(crate) use model::entries_of;
pub use model::{Batch, Entry, Event, Gap, Start, check_name, is_id};
pub use observations::{Gate, Observation, Observations};
pub use settings::Settings;
pub use stream::Stream;
pub use tail::{Tail, Tailed};
pub use upkeep::Looked;
pub(crate) use wait::Streams;

/// How long, in milliseconds, an answer that was lost is asked for again.
const RETRY_FOR: i64 = 20_000;

/// How a consumer reads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Read {
    pub stream: Stream,
    pub group: String,
    pub consumer: String,
    /// Where the group starts if this is its first consumer.
    pub start: Start,
    /// Most entries at once.
    pub count: u32,
    /// How long an entry may be with a consumer that does not acknowledge it.
    pub idle: Duration,
    /// How long to wait if there is nothing.
    pub wait: Duration,
}

impl Read {
    pub fn new(stream: Stream, group: &str, consumer: &str) -> Self {
        Self {
            stream,
            group: group.to_owned(),
            consumer: consumer.to_owned(),
            start: Start::default(),
            count: 100,
            idle: Duration::from_secs(30),
            wait: Duration::ZERO,
        }
    }
}

/// How many entries were acknowledged, and which had passed on to another consumer.
#[derive(Debug, Clone, PartialEq, Eq, Default, serde::Serialize)]
pub struct Acked {
    pub acked: u64,
    pub stale: Vec<String>,
}

/// The verbs of the capability.
#[derive(Debug, Clone, Copy)]
pub struct Events<'p> {
    plane: &'p Plane,
    trace: Option<&'p Trace>,
}

impl<'p> Events<'p> {
    pub(crate) fn new(plane: &'p Plane) -> Self {
        Self { plane, trace: None }
    }

    /// The same for what belongs to a trace: each event says so.
    #[must_use]
    pub fn traced(self, trace: Option<&'p Trace>) -> Self {
        Self { trace, ..self }
    }

    /// What operators have set for all streams, and what is usual where they have not.
    pub async fn settings(&self) -> Result<Settings> {
        self.plane.event_settings().await
    }

    /// Puts events on a stream, all or none; gives their ids. A lost answer is asked for again and adds nothing.
    pub async fn publish(&self, stream: Stream, events: &[Event]) -> Result<Outcome<Vec<String>>> {
        if !stream.takes_events() || events.is_empty() || events.len() > 1_000 {
            return Err(bad("1 to 1,000 events go on the global stream or one of ade's streams at once"));
        }
        events.iter().try_for_each(Event::check)?;
        let (request, first) = (self.plane.new_name(), Instant::now());
        let mut age = 0;
        loop {
            match self.publish_once(stream, events, &request, age).await {
                Err(error) if error.kind() == ErrorKind::UnknownOutcome && age < RETRY_FOR => {
                    age = millis(first.elapsed()).max(1);
                }
                answer => return answer,
            }
        }
    }

    async fn publish_once(
        &self,
        stream: Stream,
        events: &[Event],
        request: &str,
        age: i64,
    ) -> Result<Outcome<Vec<String>>> {
        let (parent, state) = self.trace.map_or(("", ""), |trace| (trace.parent(), trace.state()));
        let mut args = vec![Arg::from(request), Arg::from(age), Arg::from(parent), Arg::from(state)];
        for event in events {
            args.extend([&event.event, &event.payload, &event.source].map(Arg::from));
        }
        let keys = [stream.key(self.plane.keys())];
        let reply: Reply = self.plane.store().run(&script::PUBLISH, &keys, &args).await?;
        reply.expect("published")
    }

    /// One look, without waiting.
    pub async fn read_once(&self, wanted: &Read) -> Result<Outcome<Batch>> {
        check_name("group", &wanted.group)?;
        check_name("consumer", &wanted.consumer)?;
        if !(1..=1_000).contains(&wanted.count) {
            return Err(bad("1 to 1,000 entries can be read at once"));
        }
        let settings = self.plane.event_settings().await?;
        let args = [
            Arg::from(wanted.stream.name()),
            Arg::from(wanted.group.as_str()),
            Arg::from(wanted.consumer.as_str()),
            Arg::from(wanted.start.text()),
            Arg::from(wanted.count),
            Arg::from(millis(wanted.idle)),
            Arg::from(settings.max_deliveries),
            Arg::from(usize::from(wanted.stream == Stream::Pending)),
        ];
        // A lost answer's entries stay with this consumer and come again after the idle time, so asking again is harmless.
        let store = self.plane.store().repeatable();
        let keys = keys::read(self.plane.keys(), wanted.stream);
        Batch::read(store.run(&script::Scripts::of(self.plane.keys()).read, &keys, &args).await?)
    }

    /// Acknowledges entries, and gaps by their id. With a consumer named, only what is still its own.
    pub async fn ack(
        &self,
        stream: Stream,
        group: &str,
        consumer: Option<&str>,
        ids: &[String],
    ) -> Result<Outcome<Acked>> {
        let keys = [stream.key(self.plane.keys()), stream.state(self.plane.keys())];
        self.conclude(&script::ACK, &keys, group, consumer.unwrap_or_default(), ids, "acked").await
    }

    /// Gives entries back that a consumer will not take: they are the next to be delivered, to anybody of the group. How
    /// many, and which were not its own.
    pub async fn nack(
        &self,
        stream: Stream,
        group: &str,
        consumer: &str,
        ids: &[String],
    ) -> Result<Outcome<Acked>> {
        check_name("consumer", consumer)?;
        self.conclude(&script::NACK, &[stream.key(self.plane.keys())], group, consumer, ids, "nacked").await
    }

    async fn conclude(
        &self,
        script: &quorate_store::Script,
        keys: &[quorate_catalog::Key],
        group: &str,
        consumer: &str,
        ids: &[String],
        word: &str,
    ) -> Result<Outcome<Acked>> {
        check_name("group", group)?;
        if let Some(id) = ids.iter().find(|id| !is_id(id.strip_prefix("gap-").unwrap_or(id))) {
            return Err(bad(&format!("{} is no id of an entry", quorate_catalog::text::shortened(id, 40))));
        }
        let mut all = Acked::default();
        for page in ids.chunks(1_000) {
            let mut args = vec![Arg::from(group), Arg::from(consumer)];
            args.extend(page.iter().map(Arg::from));
            let reply: Reply = self.plane.store().repeatable().run(script, keys, &args).await?;
            match reply.expect(word)? {
                Outcome::Done(words) => {
                    all.acked +=
                        words.first().and_then(|count| count.parse::<u64>().ok()).unwrap_or_default();
                    all.stale.extend(words.into_iter().skip(1));
                }
                Outcome::Refused(refusal) => return Ok(Outcome::Refused(refusal)),
            }
        }
        Ok(Outcome::Done(all))
    }
}

fn bad(what: &str) -> Error {
    Error::new(ErrorKind::InvalidArgument, "events", what)
}
