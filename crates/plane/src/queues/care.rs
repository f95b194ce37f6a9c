//! Looking at queues, pausing them, and what they need that nobody asks for.

use quorate_catalog::ids::AgentId;
use quorate_store::{Arg, Micros, Result, cmd};

use super::model::{Queue, Shown, ShownClaim};
use super::{Queues, item};
use crate::outcome::{Reply, undecodable};

impl Queues<'_> {
    /// Every queue that is known: the three priorities, the job queues that the seed names, and those that were used.
    pub async fn known(&self) -> Result<Vec<Queue>> {
        let mut names: Vec<String> =
            ["lock_cleanup", "approval_timeout", "task_timeout", "deadlock_detect", "archive"]
                .map(|name| format!("job:{name}"))
                .to_vec();
        let used: Vec<Vec<u8>> = self
            .plane
            .store()
            .query(cmd("SMEMBERS").arg(self.plane.keys().quorate().queue_names().as_str()))
            .await?;
        names.extend(used.into_iter().filter_map(|name| String::from_utf8(name).ok()));
        names.sort();
        names.dedup();
        let all = ["high", "normal", "low"].into_iter().map(str::to_owned).chain(names);
        Ok(all.filter_map(|name| name.parse().ok()).collect())
    }

    /// A queue with at most so many of its claims.
    pub async fn show(&self, queue: &Queue, claims: usize) -> Result<Shown> {
        let args = [Arg::from(queue.name()), Arg::from(claims)];
        let list = queue.list(self.plane.keys());
        let reply: Vec<Vec<u8>> =
            self.plane.store().run(&self.plane.queue_scripts().inspect, &[list], &args).await?;
        shown(queue, &reply).ok_or_else(|| undecodable("inspect"))
    }

    /// Stops a queue from giving out items; says who had paused it before.
    pub async fn pause(&self, queue: &Queue, who: &str) -> Result<String> {
        self.set_paused(queue, if who.is_empty() { "somebody" } else { who }).await
    }

    /// Lets a paused queue go on; says who had paused it.
    pub async fn resume(&self, queue: &Queue) -> Result<String> {
        self.set_paused(queue, "").await
    }

    async fn set_paused(&self, queue: &Queue, who: &str) -> Result<String> {
        let own = self.plane.keys().quorate();
        let name = queue.as_ref();
        let list = [own.queue_state(&name), own.queue_agenda(&name)];
        let args = [Arg::from(who.replace(['\n', '\r'], " ")), Arg::from(own.queue_wake(&name).to_string())];
        let store = self.plane.store().repeatable();
        let reply: Reply = store.run(&self.plane.queue_scripts().pause, &list, &args).await?;
        if !who.is_empty() && matches!(queue, Queue::Job(_)) {
            self.note(queue).await;
        }
        Ok(reply.word(1).unwrap_or_default().to_owned())
    }

    /// Ends the leases of what an agent claimed, if it may no longer hold anything; how many, and how many are left.
    pub async fn release_agent(&self, agent: &AgentId) -> Result<(u64, u64)> {
        let args = [Arg::from(agent.as_key()), Arg::from(200_i64)];
        let none: [&str; 0] = [];
        let store = self.plane.store().repeatable();
        let reply: Reply = store.run(&self.plane.queue_scripts().forsake, &none, &args).await?;
        let number = |at: usize| reply.word(at).and_then(|text| text.parse().ok()).unwrap_or_default();
        Ok((number(1), number(2)))
    }

    /// One round of care for every queue. Safe in any number of processes: each step looks again in its script.
    pub async fn upkeep(&self) -> Result<()> {
        let most = self.settings().await?.max_attempts;
        let none: [&str; 0] = [];
        for queue in self.known().await? {
            let args = [Arg::from(queue.name()), Arg::from(most)];
            let store = self.plane.store().repeatable();
            store.run::<Reply>(&self.plane.queue_scripts().sweep, &none, &args).await?;
        }
        Ok(())
    }

    /// Puts one finding of `fsck` right.
    pub(super) async fn mend(&self, queue: &Queue, what: &str, name: &str) -> Result<()> {
        let args = [Arg::from(queue.name()), Arg::from(what), Arg::from(name)];
        let none: [&str; 0] = [];
        let store = self.plane.store().repeatable();
        store.run::<Reply>(&self.plane.queue_scripts().mend, &none, &args).await.map(drop)
    }
}

fn shown(queue: &Queue, reply: &[Vec<u8>]) -> Option<Shown> {
    let text = |at: usize| reply.get(at).map(|bytes| String::from_utf8_lossy(bytes).into_owned());
    let number = |at: usize| text(at)?.parse::<u64>().ok();
    Some(Shown {
        queue: queue.name(),
        depth: number(0)?,
        in_flight: number(1)?,
        delayed: number(2)?,
        oldest_ms: number(3),
        paused: text(4).filter(|who| !who.is_empty()),
        stale: number(5)?,
        dead: number(6)?,
        claims: reply.iter().skip(7).filter_map(|line| claim(line)).collect(),
    })
}

/// `ENDS LEASE AGENT RECORD`.
fn claim(line: &[u8]) -> Option<ShownClaim> {
    let mut words = line.splitn(4, |byte| *byte == b' ');
    let ends: f64 = std::str::from_utf8(words.next()?).ok()?.parse().ok()?;
    let (_lease, agent, record) = (words.next()?, words.next()?, words.next()?);
    let read = [b"normal 0 x.1 ", record].concat();
    let item = item::read(&read)?;
    Some(ShownClaim {
        id: item.id,
        agent: String::from_utf8_lossy(agent).into_owned(),
        attempt: item.attempt,
        lease_until: Micros::from_millis(ends as u64).iso(),
    })
}
