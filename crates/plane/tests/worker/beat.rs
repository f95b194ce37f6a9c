//! Keeps agents alive: registers each and beats for all of them, at an interval, until it is killed.

use std::time::Duration;

use quorate_catalog::ids::AgentId;
use quorate_plane::Plane;
use tokio::time::{MissedTickBehavior, interval};

use crate::{Failed, Log, register};

pub(crate) async fn work(plane: &Plane, args: &[String]) -> Result<(), Failed> {
    let [prefix, count, every_ms, log] = args else { return Err("PREFIX COUNT EVERY_MS LOG".into()) };
    let agents: Vec<AgentId> = (0..count.parse::<usize>()?)
        .map(|n| AgentId::parse(&format!("{prefix}-{n}")))
        .collect::<Result<_, _>>()?;
    for agent in &agents {
        register(plane, agent, Duration::from_secs(60)).await;
    }
    Log::open(log)?.record("registered", prefix)?;
    let mut ticks = interval(Duration::from_millis(every_ms.parse()?));
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        ticks.tick().await;
        for agent in &agents {
            let _ = plane.agents().heartbeat(agent, None).await;
        }
    }
}
