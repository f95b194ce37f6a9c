//! Another life for what died: one letter, many in few calls, or one first and the rest when that one is done.

use std::time::Duration;

use quorate_catalog::ids::DeadLetterId;
use quorate_store::{Arg, Result};
use serde_json::json;
use tokio::time::{Instant, sleep};

use super::{DeadLetters, Replay, bad, check, fields, model};
use crate::events::Stream;
use crate::outcome::undecodable;
use crate::{Outcome, Refusal};

/// Letters of one call.
const BATCH: usize = 100;
/// How often the state of a canary is looked at.
const LOOK: Duration = Duration::from_millis(50);

/// What became of the letter that was replayed first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Canary {
    /// Its item was acknowledged.
    Resolved,
    /// It died again.
    Relapsed,
    /// Neither, as long as was waited.
    Unknown,
}

impl DeadLetters<'_> {
    /// Gives a letter another life where it came from; the id of the new item.
    pub async fn replay(&self, id: &DeadLetterId, how: &Replay) -> Result<Outcome<String>> {
        let mut all = self.replay_many(std::slice::from_ref(id), how).await?;
        all.pop().ok_or_else(|| undecodable("replay"))
    }

    /// The same for many, a round trip for each hundred. Each has one new item for one request, however often it is sent.
    pub async fn replay_many(&self, ids: &[DeadLetterId], how: &Replay) -> Result<Vec<Outcome<String>>> {
        check(&[("who", &how.who)])?;
        if how.payload.is_some() && ids.len() != 1 {
            return Err(bad("another payload goes with one letter"));
        }
        if how.payload.as_ref().is_some_and(|payload| payload.len() > crate::queues::MAX_PAYLOAD) {
            return Err(bad("the payload is too long"));
        }
        let mut entry = json!({ "by": how.who });
        if let (Some(after), Some(id)) = (&how.payload, ids.first()) {
            let before = self.show(id).await?.map(|letter| letter.payload).unwrap_or_default();
            entry["diff"] = model::diff(&before, after);
        }
        let entry = fields(&entry);
        let mut all = Vec::with_capacity(ids.len());
        for page in ids.chunks(BATCH) {
            for (id, outcome) in page.iter().zip(self.replay_page(page, how, &entry).await?) {
                all.push(match outcome {
                    Outcome::Refused(why) if why.is("no_replay") && how.payload.is_none() => {
                        self.replay_event(id, why, how, &entry).await?
                    }
                    outcome => outcome,
                });
            }
        }
        Ok(all)
    }

    async fn replay_page(
        &self,
        page: &[DeadLetterId],
        how: &Replay,
        entry: &str,
    ) -> Result<Vec<Outcome<String>>> {
        let payload = how.payload.as_ref().map(|text| serde_json::Value::from(text.as_str()).to_string());
        let mut args = vec![
            Arg::from(how.request.as_str()),
            Arg::from(how.cap),
            Arg::from(how.who.as_str()),
            Arg::from(payload.unwrap_or_default()),
            Arg::from(entry),
        ];
        args.extend(page.iter().map(|id| Arg::from(id.as_key())));
        let script = &self.plane.dead_scripts().replay;
        let lines: Vec<String> = self.plane.store().run(script, &self.audit(), &args).await?;
        lines.iter().map(|line| read(line)).collect()
    }

    /// An event goes back to the group that could not take it; any other source has no way back.
    async fn replay_event(
        &self,
        id: &DeadLetterId,
        why: Refusal,
        how: &Replay,
        entry: &str,
    ) -> Result<Outcome<String>> {
        let source = why.detail.as_deref().and_then(|source| source.strip_prefix("stream:"));
        let Some(stream) = source.and_then(|name| name.parse::<Stream>().ok()) else {
            return Ok(Outcome::Refused(why));
        };
        let [audit] = self.audit();
        let keys = [audit, stream.key(self.plane.keys())];
        let args = [
            Arg::from(how.request.as_str()),
            Arg::from(how.cap),
            Arg::from(how.who.as_str()),
            Arg::from(entry),
            Arg::from(id.as_key()),
        ];
        let lines: Vec<String> =
            self.plane.store().run(&self.plane.dead_scripts().replay_event, &keys, &args).await?;
        read(&lines.join(" "))
    }

    /// Waits until it is known what became of a letter that was replayed.
    pub async fn canary(&self, id: &DeadLetterId, wait: Duration) -> Result<Canary> {
        let deadline = Instant::now() + wait;
        loop {
            match self.show(id).await?.map(|letter| letter.state).as_deref() {
                Some("resolved") => return Ok(Canary::Resolved),
                Some("open") | None => return Ok(Canary::Relapsed),
                _ if Instant::now() >= deadline || self.plane.waits.are_over() => return Ok(Canary::Unknown),
                _ => drop(self.plane.waits.for_what(sleep(LOOK)).await),
            }
        }
    }
}

/// `replayed ITEM` or `refused REASON DETAIL`.
fn read(line: &str) -> Result<Outcome<String>> {
    let mut words = line.splitn(3, ' ');
    match (words.next(), words.next(), words.next()) {
        (Some("replayed"), Some(item), _) => Ok(Outcome::Done(item.to_owned())),
        (Some("refused"), Some(code), detail) => {
            let detail = detail.filter(|detail| !detail.is_empty()).map(str::to_owned);
            Ok(Outcome::Refused(Refusal::new(code, detail)))
        }
        _ => Err(undecodable(line)),
    }
}
