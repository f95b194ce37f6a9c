//! Waiting until replicas have what was written.
//!
//! `WAIT` counts from the last write of its own connection and blocks everything behind it, so it can neither run on
//! the shared connection nor answer for it from another one. Instead the master's offset is taken now, which is past
//! every write already answered, and the replicas' offsets are read until enough have reached it. A `WAIT` that
//! cannot be satisfied, on a connection of its own, makes the replicas tell their offsets at once.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use tokio::time::{Instant, sleep};

use crate::dial::Dialer;
use crate::error::{Error, ErrorKind, Result};
use crate::info::Info;
use crate::link::{Link, Patience};
use crate::packet::Packet;
use crate::store::Store;

/// How often the replicas are asked, and how often what they said is read.
const ROUND: Duration = Duration::from_millis(100);
const POLL: Duration = Duration::from_millis(5);
/// More replicas than any server has, so that the `WAIT` asks all of them.
const ALL: u32 = 1_000_000;

impl Store {
    /// Waits until `count` replicas of every master have all that was written before this call, and says how many
    /// have it in the end: fewer than `count` if the time is over.
    pub async fn wait_replicas(&self, count: usize, timeout: Duration) -> Result<usize> {
        let deadline = Instant::now() + timeout;
        let mut fewest = usize::MAX;
        for link in self.backend.masters(self.deadline()).await? {
            fewest = fewest.min(self.wait_one(&link, count, deadline).await?);
        }
        Ok(fewest)
    }

    async fn wait_one(&self, link: &Arc<Link>, count: usize, deadline: Instant) -> Result<usize> {
        let info = self.replication(link).await?;
        let unreadable = || Error::new(ErrorKind::Protocol, "INFO", "there is no master_repl_offset");
        let written = info.number("master_repl_offset").ok_or_else(unreadable)?;
        let own = Link::new(Dialer::clone(link.dialer()));
        tokio::select! {
            reached = self.poll(link, info, written, count, deadline) => reached,
            never = urge(&own) => match never {},
        }
    }

    /// Reads the offsets until enough replicas have reached `written` or the time is over.
    async fn poll(
        &self,
        link: &Arc<Link>,
        mut info: Info,
        written: u64,
        count: usize,
        deadline: Instant,
    ) -> Result<usize> {
        loop {
            let reached = info.replica_offsets().filter(|offset| *offset >= written).count();
            if reached >= count || Instant::now() >= deadline {
                return Ok(reached);
            }
            sleep(POLL).await;
            info = self.replication(link).await?;
        }
    }

    async fn replication(&self, link: &Arc<Link>) -> Result<Info> {
        let text: String = self.send_to(link, redis::cmd("INFO").arg("replication")).await?;
        Ok(Info::read(&text))
    }
}

/// Makes the replicas acknowledge, again and again. What they say is then in `INFO`.
async fn urge(own: &Arc<Link>) -> Infallible {
    let mut cmd = redis::cmd("WAIT");
    cmd.arg(ALL).arg(ROUND.as_millis().to_string());
    loop {
        let by = Instant::now() + ROUND * 10;
        // An error means no master or no permission; then they acknowledge once a second by themselves.
        if own.send(Packet::One(&cmd), Patience { connect_by: by, reply_by: by }).await.is_err() {
            sleep(ROUND).await;
        }
    }
}
