//! What is written down before or while it happens: wakes of agents, what the plane reports of itself, scrapes.

use quorate_store::{Arg, Result};
use serde::Serialize;
use sha2::{Digest, Sha256};

use super::{Events, Stream, bad, script};
use crate::Outcome;
use crate::outcome::{Reply, undecodable};

/// How an agent is woken, as the seed names it.
pub const METHODS: [&str; 4] = ["tmux_send_keys", "redis_xadd", "http_post", "process_signal"];

/// A wake that is about to happen. A kill is one too.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wake {
    pub waker: String,
    pub target: String,
    /// One of [`METHODS`].
    pub method: String,
    /// The fence of what the waker holds; without one, the wake gets its own.
    pub fence: Option<u64>,
    /// What is delivered; only its SHA-256 is kept.
    pub payload: Vec<u8>,
    pub reason: String,
    /// Whether something outside clocks the target.
    pub pseudoagent: bool,
}

/// A wake that is on record.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Recorded {
    pub id: String,
    pub fence: u64,
}

/// Something the plane reports of itself.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Note {
    /// `info`, `warn` or `error`.
    pub level: &'static str,
    pub event: String,
    pub msg: String,
    /// A JSON object, or empty.
    pub fields: String,
}

/// A scrape of the metrics.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Scrape {
    /// Who asked.
    pub scraper: String,
    /// The status that was answered.
    pub status: u16,
    pub duration_ms: u64,
    /// How many series were given.
    pub series: u64,
}

impl Events<'_> {
    /// Wakes an agent: the wake is on record before `effect` begins, and without a record there is no wake.
    pub async fn wake<T>(
        &self,
        wake: &Wake,
        effect: impl AsyncFnOnce(&Recorded) -> T,
    ) -> Result<Outcome<(Recorded, T)>> {
        match self.record_wake(wake).await? {
            Outcome::Done(recorded) => {
                let done = effect(&recorded).await;
                Ok(Outcome::Done((recorded, done)))
            }
            Outcome::Refused(refusal) => Ok(Outcome::Refused(refusal)),
        }
    }

    /// Writes a wake down. A second record of one wake is harmless, so a lost answer is asked for again.
    async fn record_wake(&self, wake: &Wake) -> Result<Outcome<Recorded>> {
        let short = |text: &str| !text.is_empty() && text.len() <= 256;
        if !short(&wake.waker) || !short(&wake.target) || wake.reason.len() > 1_024 {
            return Err(bad(
                "a wake names its waker and its target, and has a reason of at most 1,024 bytes",
            ));
        }
        if !METHODS.contains(&wake.method.as_str()) {
            return Err(bad(&format!("the method is one of {}", METHODS.join(", "))));
        }
        let stream = if wake.pseudoagent { Stream::PseudoagentWake } else { Stream::Wake };
        let sum: String = Sha256::digest(&wake.payload).iter().map(|byte| format!("{byte:02x}")).collect();
        let args = [
            Arg::from(wake.waker.as_str()),
            Arg::from(wake.target.as_str()),
            Arg::from(wake.method.as_str()),
            Arg::from(wake.fence.map(|fence| fence.to_string()).unwrap_or_default()),
            Arg::from(sum),
            Arg::from(wake.reason.as_str()),
        ];
        let keys = [stream.key(self.plane.keys()), stream.state(self.plane.keys())];
        let reply: Reply = self.plane.store().repeatable().run(&script::WAKE, &keys, &args).await?;
        match reply.expect("recorded")? {
            Outcome::Done(words) => match &words[..] {
                [id, fence] => {
                    let fence = fence.parse().map_err(|_| undecodable(fence))?;
                    Ok(Outcome::Done(Recorded { id: id.clone(), fence }))
                }
                _ => Err(undecodable("recorded")),
            },
            Outcome::Refused(refusal) => Ok(Outcome::Refused(refusal)),
        }
    }

    /// Writes down what the plane reports of itself.
    pub async fn note(&self, note: &Note) -> Result<Outcome<String>> {
        let fields = if note.fields.is_empty() { "{}" } else { &note.fields };
        let words = [("level", note.level), ("event", &note.event), ("msg", &note.msg), ("fields", fields)];
        self.write(Stream::Environment, "quorate", &words).await
    }

    /// Writes down a scrape of the metrics.
    pub async fn scraped(&self, scrape: &Scrape) -> Result<Outcome<String>> {
        let [status, duration, series] =
            [u64::from(scrape.status), scrape.duration_ms, scrape.series].map(|number| number.to_string());
        let words = [("status", status.as_str()), ("duration_ms", &duration), ("series", &series)];
        self.write(Stream::Scrapes, &scrape.scraper, &words).await
    }

    async fn write(&self, stream: Stream, source: &str, words: &[(&str, &str)]) -> Result<Outcome<String>> {
        let mut args = vec![Arg::from(source)];
        args.extend(words.iter().flat_map(|(name, value)| [Arg::from(*name), Arg::from(*value)]));
        let keys = [stream.key(self.plane.keys())];
        // History: a second entry after a lost answer does less harm than none.
        let reply: Reply = self.plane.store().repeatable().run(&script::NOTE, &keys, &args).await?;
        Ok(reply.expect("noted")?.map(|mut words| words.pop().unwrap_or_default()))
    }
}
