//! What the plane is busy with: agents, locks, queues, streams, counters.

use std::collections::BTreeMap;

use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::registry::Registry;
use quorate_plane::Plane;
use quorate_plane::queues::Shown;
use quorate_store::Result;

use super::{Labels, gauges};

/// Claims of a queue that are looked at, those whose lease ends first.
const CLAIMS: usize = 100;

pub(super) async fn register(registry: &mut Registry, plane: &Plane) -> Result<()> {
    let numbers = plane.overview().numbers().await?;
    let states =
        [("online", numbers.agents_online), ("away", numbers.agents_away), ("stale", numbers.agents_stale)];
    let agents = states.map(|(state, count)| (vec![("state", state.to_owned())], count as f64));
    gauges(registry, "agents", "Registered agents by state", agents);
    gauges(registry, "lock_holds", "Locks that agents hold", [(vec![], numbers.lock_holds as f64)]);
    gauges(registry, "lock_waits", "Places in the queues of locks", [(vec![], numbers.lock_waits as f64)]);
    let stale = plane.stale_writes().await?.into_iter();
    let stale = stale.map(|(code, count)| (vec![("code", code.to_owned())], count as f64));
    gauges(registry, "stale_writes_refused", "Writes that came too late, of any caller of the plane", stale);
    let refusals = Family::<Labels, Counter>::default();
    for (code, count) in plane.refusals().await? {
        refusals.get_or_create(&vec![("code", code)]).inc_by(count);
    }
    registry.register("refusals", "What the plane refused over HTTP, MCP or at a command line", refusals);
    queues(registry, plane).await?;
    streams(registry, plane).await?;
    let counters = plane.metrics().ls().await?;
    let counters =
        counters.into_iter().filter_map(|(name, value)| Some((vec![("name", name)], value? as f64)));
    gauges(registry, "counter", "Counters of `quorate metrics`", counters);
    Ok(())
}

async fn queues(registry: &mut Registry, plane: &Plane) -> Result<()> {
    let mut all = Vec::new();
    for queue in plane.queues().known().await? {
        all.push(plane.queues().show(&queue, CLAIMS).await?);
    }
    let mut put = |name: &str, help: &str, value: fn(&Shown) -> f64| {
        let one = |shown: &Shown| (vec![("queue", shown.queue.clone())], value(shown));
        gauges(registry, name, help, all.iter().map(one).collect::<Vec<(Labels, f64)>>());
    };
    put("queue_depth", "Items that may be claimed now", |shown| shown.depth as f64);
    put("queue_in_flight", "Items that somebody works on", |shown| shown.in_flight as f64);
    put("queue_attempts", "Most attempts of an item that somebody works on", |shown| {
        shown.claims.iter().map(|claim| claim.attempt).max().unwrap_or_default().into()
    });
    put("queue_delayed", "Items that are due later", |shown| shown.delayed as f64);
    put("queue_oldest_age_seconds", "Age of the oldest waiting item", |shown| {
        shown.oldest_ms.unwrap_or_default() as f64 / 1_000.0
    });
    put("queue_dead_letters", "Dead letters by queue", |shown| shown.dead as f64);
    put("queue_stale_answers", "Late answers that were refused", |shown| shown.stale as f64);
    put("queue_paused", "Whether the queue is paused", |shown| f64::from(u8::from(shown.paused.is_some())));
    Ok(())
}

async fn streams(registry: &mut Registry, plane: &Plane) -> Result<()> {
    let groups = plane.events().groups(None).await?;
    let names = |stream: &str, group: &str| vec![("stream", stream.to_owned()), ("group", group.to_owned())];
    let lag = groups.iter().filter_map(|own| Some((names(&own.stream, &own.group), own.lag? as f64)));
    gauges(registry, "stream_lag", "Entries that a group has yet to get", lag);
    let pending = groups.iter().map(|own| (names(&own.stream, &own.group), own.pending as f64));
    gauges(registry, "stream_pending", "Entries that a group has yet to acknowledge", pending);
    // A group that lost nothing says so: of a series that begins with its first loss, that loss is never seen as one.
    let none = || groups.iter().map(|own| (names(&own.stream, &own.group), 0.0)).collect::<BTreeMap<_, _>>();
    let (mut unread, mut pending) = (none(), none());
    for own in plane.events().losses().await? {
        let group = names(&own.stream, &own.group);
        unread.insert(group.clone(), own.unread as f64);
        pending.insert(group, own.pending as f64);
    }
    gauges(registry, "stream_lost_unread", "Entries destroyed before a group got them", unread);
    gauges(registry, "stream_lost_pending", "Entries destroyed before a group acknowledged them", pending);
    Ok(())
}
