//! From the streams to the queue: every event becomes one item for each webhook that is to hear of it.

use std::time::Duration;

use quorate_store::Result;

use super::{GROUP, STREAMS, Webhook, envelope};
use crate::events::{Entry, Read, Start, Stream};
use crate::queues::{Push, Queue};
use crate::{Outcome, Plane};

/// Events taken at once.
const BATCH: u32 = 100;
/// How long an event may be with a process that does not acknowledge it.
const IDLE: Duration = Duration::from_secs(15);

/// Takes what is there from every stream that a webhook is told of; how many events, and what a person should know.
pub(super) async fn all(plane: &Plane, hooks: &[Webhook], consumer: &str) -> Result<(usize, Vec<String>)> {
    let (mut count, mut news) = (0, Vec::new());
    for stream in STREAMS {
        let name = stream.name();
        let wanted = hooks.iter().filter(|hook| hook.streams.contains(&name));
        // A group that is new begins where the first webhook did, whenever that is found out.
        let Some(first) = wanted.map(|hook| hook.since).min() else { continue };
        let start = Start::After(format!("{}-18446744073709551615", first.saturating_sub(1)));
        let read = Read { start, count: BATCH, idle: IDLE, ..Read::new(stream, GROUP, consumer) };
        match plane.events().read_once(&read).await? {
            Outcome::Refused(refusal) => {
                news.push(format!("webhooks cannot read {name}: {}", refusal.reason));
            }
            Outcome::Done(batch) => {
                if let Some(gap) = batch.gap {
                    let lost = gap.unread + gap.pending;
                    news.push(format!("webhooks missed {lost} events of {name} ({})", gap.cause));
                    plane.events().ack(stream, GROUP, None, &[gap.id]).await?;
                }
                count += batch.entries.len();
                news.extend(pass_on(plane, hooks, stream, &batch.entries).await?);
            }
        }
    }
    Ok((count, news))
}

/// Puts the deliveries of some events on the queue and then acknowledges the events. What could not be put there stays
/// with the group.
async fn pass_on(
    plane: &Plane,
    hooks: &[Webhook],
    stream: Stream,
    entries: &[Entry],
) -> Result<Option<String>> {
    let queue: Queue = super::QUEUE.parse().expect("a queue's name");
    let (name, attempts) = (stream.name(), plane.webhook_settings().await?.attempts);
    let mut done = Vec::with_capacity(entries.len());
    let mut refused = None;
    for entry in entries {
        let at = entry.at().millis();
        let heard = hooks.iter().filter(|hook| hook.wants(&name, envelope::name(entry), at));
        let pushes: Vec<Push> = heard.map(|hook| push(&hook.id, stream, entry, attempts)).collect();
        if let Outcome::Refused(refusal) = plane.queues().push_many(&queue, &pushes).await? {
            refused = Some(format!("a delivery could not be queued: {}; it is tried again", refusal.reason));
            break;
        }
        done.push(entry.id.clone());
    }
    if !done.is_empty() {
        plane.events().ack(stream, GROUP, None, &done).await?;
    }
    Ok(refused)
}

/// The key makes it one item, however often the event is taken up.
fn push(hook: &str, stream: Stream, entry: &Entry, attempts: u32) -> Push {
    let delivery = envelope::of(hook, stream, entry);
    let payload = serde_json::to_string(&delivery).expect("texts");
    Push { key: Some(delivery.id), max_attempts: Some(attempts), ..Push::new(payload) }
}
