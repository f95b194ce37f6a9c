//! The plane in numbers, for those who watch it: cheap to ask however much there is.
//!
//! [`Overview::series`] is how it has been, [`Overview::needs`] what a person should look at now.

mod needs;
mod script;
mod series;

pub use needs::{NEEDS, Need, Urgency};
pub use series::{EVERY, MOST as SAMPLES, Series};

use quorate_catalog::ids::AgentId;
use quorate_store::{Result, cmd, pipe};
use schemars::JsonSchema;
use serde::Serialize;

use crate::Plane;
use crate::agents::Label;

/// Seconds after the last beat at which an agent is away, and stale.
const AWAY: u64 = Label::AWAY_AFTER.as_secs();
const STALE: u64 = Label::STALE_AFTER.as_secs();
/// Of how many agents holds and waits are counted; the longest silent ones are left out.
const MOST: usize = 10_000;

/// How many there are.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Numbers {
    pub agents_online: u64,
    pub agents_away: u64,
    pub agents_stale: u64,
    /// Locks that agents hold.
    pub lock_holds: u64,
    /// Places that agents have in the queues of locks.
    pub lock_waits: u64,
}

/// The plane, seen from above.
#[derive(Debug, Clone, Copy)]
pub struct Overview<'p> {
    plane: &'p Plane,
}

impl<'p> Overview<'p> {
    pub(crate) fn new(plane: &'p Plane) -> Self {
        Self { plane }
    }

    /// The plane in numbers.
    pub async fn numbers(&self) -> Result<Numbers> {
        let now = self.plane.store().time().await?;
        let (index, second) = (self.plane.keys().reverie().session_index(), now.millis() / 1_000);
        let from = |ago: u64| second.saturating_sub(ago).to_string();
        let mut counts = pipe();
        counts.cmd("ZCOUNT").arg(index.as_str()).arg(from(AWAY)).arg("+inf");
        counts.cmd("ZCOUNT").arg(index.as_str()).arg(from(STALE)).arg(format!("({}", from(AWAY)));
        counts.cmd("ZCOUNT").arg(index.as_str()).arg("-inf").arg(format!("({}", from(STALE)));
        let [online, away, stale]: [u64; 3] = self.plane.store().pipeline(&counts).await?;
        let (lock_holds, lock_waits) = self.holds_and_waits(now.millis()).await?;
        Ok(Numbers { agents_online: online, agents_away: away, agents_stale: stale, lock_holds, lock_waits })
    }

    async fn holds_and_waits(&self, now_ms: u64) -> Result<(u64, u64)> {
        let mut newest = cmd("ZREVRANGE");
        newest.arg(self.plane.keys().reverie().session_index().as_str()).arg(0).arg(MOST - 1);
        let names: Vec<String> = self.plane.store().query(&newest).await?;
        let agents: Vec<AgentId> = names.iter().filter_map(|name| AgentId::parse(name).ok()).collect();
        let (mut holds, mut waits) = (0, 0);
        for page in agents.chunks(500) {
            let mut counts = pipe();
            for agent in page {
                let own = self.plane.keys().quorate();
                counts.cmd("ZCOUNT").arg(own.lock_holds(agent).as_str()).arg(now_ms).arg("+inf");
                counts.cmd("HLEN").arg(own.lock_waits(agent).as_str());
            }
            let found: Vec<u64> = self.plane.store().pipeline(&counts).await?;
            holds += found.iter().step_by(2).sum::<u64>();
            waits += found.iter().skip(1).step_by(2).sum::<u64>();
        }
        Ok((holds, waits))
    }
}
