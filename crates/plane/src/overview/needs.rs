//! What needs a person now, each with where to look and what to do.
//!
//! A look that fails is a need of its own: what could not be looked at is not all right. Every look has a bounded cost.

use std::time::Duration;

use quorate_store::{Result, cmd};
use schemars::JsonSchema;
use serde::Serialize;

use super::{Overview, Series};
use crate::agents::{Label, Query};
use crate::services::{Fare, Overall};

/// An item that waits longer than this is looked at by somebody.
const OLD: Duration = Duration::from_secs(300);
/// Losses that are older are history.
const RECENT: Duration = Duration::from_secs(86_400);
/// Over how long dead letters are compared.
const GROWTH: Duration = Duration::from_secs(900);
/// Most needs of one kind that are named one by one.
const NAMED: usize = 5;
/// Most silent agents that are counted.
const STALE: usize = 100;

/// Every code, and what to do about it.
pub const NEEDS: [(&str, &str); 10] = [
    ("deadlock", "break the ring: one wait in it is failed, and nothing that is held is taken away"),
    ("dead_letters_growing", "look at what they have in common, mend it, then replay one as a canary"),
    ("dead_letters", "look at what they have in common, mend it, then replay one as a canary"),
    ("queue_waits", "see whether anybody works on the queue, and start more workers"),
    ("queue_paused", "resume the queue when what it was paused for is over"),
    ("agents_stale", "look at its process; revoke it, and what it holds passes on"),
    ("service_ails", "read its reasons; mend the service, or disable it if it is to be away"),
    ("messages_overdue", "see whether the receiver is alive, and tell somebody else"),
    ("losses", "see which group was behind, and why"),
    ("unknown", "look at the keys it reads with `quorate fsck`"),
];

/// How soon somebody is needed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Urgency {
    /// Work stands still, or is being lost.
    Now,
    /// It will not get better by itself.
    Soon,
}

/// Something that needs a person.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Need {
    /// Stable, for programs.
    pub code: &'static str,
    pub urgency: Urgency,
    /// For people, with its numbers.
    pub what: String,
    pub noun: &'static str,
    /// Which one, where it is about one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// What to do.
    pub next: &'static str,
    /// A command that shows more.
    pub command: String,
}

fn need(
    code: &'static str,
    urgency: Urgency,
    noun: &'static str,
    what: String,
    command: impl Into<String>,
) -> Need {
    let next = NEEDS.iter().find(|(own, _)| *own == code).map_or("", |(_, next)| next);
    Need { code, urgency, what, noun, id: None, next, command: command.into() }
}

/// `1 cluster`, `2 clusters`.
fn counted(many: u64, thing: &str) -> String {
    format!("{many} {thing}{}", if many == 1 { "" } else { "s" })
}

impl Overview<'_> {
    /// Everything that needs a person, the most urgent first.
    pub async fn needs(&self) -> Result<Vec<Need>> {
        let (deadlocks, dead, queues, agents, services, messages, losses) = tokio::join!(
            self.deadlocks(),
            self.dead(),
            self.queues(),
            self.agents(),
            self.services(),
            self.overdue(),
            self.losses(),
        );
        let looks = [
            ("locks", deadlocks),
            ("dead", dead),
            ("queues", queues),
            ("agents", agents),
            ("services", services),
            ("messages", messages),
            ("events", losses),
        ];
        let mut all = Vec::new();
        for (noun, found) in looks {
            match found {
                Ok(found) => all.extend(found),
                // A store that does not answer is no need, but a fault.
                Err(error) if error.kind() == quorate_store::ErrorKind::Unreachable => return Err(error),
                Err(error) => {
                    let what = format!("{noun} could not be looked at: {}", error.detail());
                    all.push(need("unknown", Urgency::Soon, noun, what, "quorate fsck"));
                }
            }
        }
        all.sort_by_key(|need| need.urgency);
        Ok(all)
    }

    async fn deadlocks(&self) -> Result<Vec<Need>> {
        let rings = self.plane.locks().deadlocks(false).await?;
        let one = |ring: &Vec<String>| {
            let what = format!("{} agents wait for each other: {}", ring.len(), ring.join(", "));
            need("deadlock", Urgency::Now, "locks", what, "quorate locks deadlocks --break")
        };
        Ok(rings.iter().take(NAMED).map(one).collect())
    }

    /// Letters that are open: what was replayed and done needs nobody.
    async fn dead(&self) -> Result<Vec<Need>> {
        let (letters, failures) = self.plane.dead_letters().open().await?;
        let Some(newest) = self.plane.dead_letters().clusters(true, 1).await?.pop() else {
            return Ok(vec![]);
        };
        let (now, before) = self.dead_letters_lately().await?;
        let (code, urgency, more) = match now.zip(before) {
            Some((now, before)) if now > before => {
                ("dead_letters_growing", Urgency::Now, format!(", {} more within 15 minutes", now - before))
            }
            _ => ("dead_letters", Urgency::Soon, String::new()),
        };
        let (letters, failures) = (counted(letters, "dead letter"), counted(failures, "cluster"));
        let what = format!("{letters} in {failures}{more}; the latest: {}", newest.reason);
        Ok(vec![Need {
            id: Some(newest.fingerprint),
            ..need(code, urgency, "dead", what, "quorate dead ls --clusters")
        }])
    }

    /// How many dead letters the queues have, and had, if there are samples of both.
    async fn dead_letters_lately(&self) -> Result<(Option<u64>, Option<u64>)> {
        let names = self.series_names().await?;
        let all = self.series(&names, GROWTH, super::SAMPLES).await?;
        let at = |pick: fn(&[Option<f64>]) -> Option<f64>| -> Option<u64> {
            let columns = all.iter().filter_map(|series: &Series| series.values.get("dead"));
            columns.map(|column| pick(column)).reduce(|a, b| Some(a? + b?)).flatten().map(|sum| sum as u64)
        };
        Ok((
            at(|column| column.iter().rev().flatten().next().copied()),
            at(|column| column.iter().flatten().next().copied()),
        ))
    }

    async fn queues(&self) -> Result<Vec<Need>> {
        let mut all = Vec::new();
        for queue in self.plane.queues().known().await? {
            let shown = self.plane.queues().show(&queue, 0).await?;
            let command = format!("quorate queues show {}", shown.queue);
            let about = |code, urgency, what| Need {
                id: Some(shown.queue.clone()),
                ..need(code, urgency, "queues", what, command.clone())
            };
            let old = shown.oldest_ms.filter(|ms| u128::from(*ms) > OLD.as_millis());
            match (&shown.paused, old) {
                (Some(who), _) if shown.depth > 0 => {
                    let waits = if shown.depth == 1 {
                        "1 item waits".to_owned()
                    } else {
                        format!("{} items wait", shown.depth)
                    };
                    let what = format!("{} is paused ({who}) and {waits}", shown.queue);
                    all.push(about("queue_paused", Urgency::Soon, what));
                }
                (None, Some(ms)) if shown.depth > 0 => {
                    let (queue, depth, minutes) = (&shown.queue, shown.depth, ms / 60_000);
                    let oldest = if depth == 1 {
                        "the one item".to_owned()
                    } else {
                        format!("the oldest of {depth} items")
                    };
                    let what = format!("{oldest} in {queue} has waited for {minutes} minutes");
                    all.push(about("queue_waits", Urgency::Now, what));
                }
                _ => {}
            }
        }
        Ok(all)
    }

    /// The longest silent come first in a list of agents.
    async fn agents(&self) -> Result<Vec<Need>> {
        let page = self.plane.agents().ls(&Query { limit: STALE, ..Query::default() }).await?;
        let stale: Vec<_> = page.agents.iter().filter(|agent| agent.label == Label::Stale).collect();
        let one = |agent: &&crate::agents::Agent| {
            let what = format!("{} was not heard from for more than five minutes", agent.agent);
            let command = format!("quorate agents show {}", agent.agent);
            Need {
                id: Some(agent.agent.clone()),
                ..need("agents_stale", Urgency::Soon, "agents", what, command)
            }
        };
        if stale.len() <= NAMED {
            return Ok(stale.iter().map(one).collect());
        }
        let names: Vec<&str> = stale.iter().take(NAMED).map(|agent| agent.agent.as_str()).collect();
        let many = if stale.len() < STALE { stale.len().to_string() } else { format!("{STALE} or more") };
        let what = format!(
            "{many} agents were not heard from for more than five minutes, such as {}",
            names.join(", ")
        );
        Ok(vec![need("agents_stale", Urgency::Soon, "agents", what, "quorate agents ls")])
    }

    /// Services that were asked and do not fare well; what nobody has looked at yet is no need.
    async fn services(&self) -> Result<Vec<Need>> {
        let fares = self.plane.services().fares(None).await?;
        let asked = fares.iter().filter(|fare| fare.last_checked_at.is_some());
        let one = |fare: &Fare| {
            let (urgency, word) = match fare.overall_status {
                Overall::Unreachable => (Urgency::Now, "unreachable"),
                Overall::Degraded => (Urgency::Soon, "degraded"),
                Overall::Stale => (Urgency::Soon, "stale"),
                _ => return None,
            };
            let id = &fare.service.service_id;
            let what = format!("{id} is {word}: {}", fare.reasons.first().map_or("", String::as_str));
            let command = format!("quorate services health {id}");
            Some(Need { id: Some(id.clone()), ..need("service_ails", urgency, "services", what, command) })
        };
        Ok(asked.filter_map(one).take(NAMED).collect())
    }

    async fn overdue(&self) -> Result<Vec<Need>> {
        let now = self.plane.store().time().await?.millis();
        let mut count = cmd("ZCOUNT");
        count.arg(self.plane.keys().quorate().ack_deadlines().as_str()).arg("-inf").arg(now);
        let late: u64 = self.plane.store().query(&count).await?;
        let were = if late == 1 { "was" } else { "were" };
        let what = || format!("{} {were} to be acknowledged by now", counted(late, "message"));
        Ok((late > 0)
            .then(|| need("messages_overdue", Urgency::Soon, "messages", what(), "quorate messages inboxes"))
            .into_iter()
            .collect())
    }

    async fn losses(&self) -> Result<Vec<Need>> {
        let now = self.plane.store().time().await?.millis();
        let since = now.saturating_sub(RECENT.as_millis() as u64);
        let losses = self.plane.events().losses().await?;
        let recent = losses.iter().filter(|loss| loss.last_at.millis() >= since);
        let one = |loss: &crate::events::Loss| {
            let lost = loss.unread + loss.pending;
            let entries = if lost == 1 { "entry" } else { "entries" };
            let what = format!("{} lost {lost} {entries} of {}", loss.group, loss.stream);
            Need {
                id: Some(loss.stream.clone()),
                ..need("losses", Urgency::Soon, "events", what, "quorate events losses")
            }
        };
        Ok(recent.take(NAMED).map(one).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::NEEDS;

    #[test]
    fn every_need_is_on_its_page() {
        let page = include_str!("../../../../docs/needs.md");
        for (code, next) in NEEDS {
            assert!(page.contains(&format!("| `{code}` |")) && page.contains(next), "{code}");
        }
    }
}
