//! What must hold of the locks' indexes: what decides, what an agent is said to hold and to wait for, and what the seeds'
//! readers see.
//!
//! `holds` starts at what agents are said to hold, `queues` at the locks themselves, `strays` at ade's indexes,
//! `capacity` at the agents: each finds what the others cannot see from where they start.

mod capacity;
mod holds;
mod queues;
mod strays;

use quorate_store::invariant::{Finding, Invariant, Level};

/// The invariants of this capability.
pub fn invariants() -> Vec<&'static dyn Invariant> {
    vec![&holds::ShownHolds, &queues::ShownQueues, &strays::NoStrays, &capacity::CountedTasks]
}

fn finding(code: &'static str, family: &str, key: String, message: String) -> Finding {
    let advice = "`quorate fsck --repair` writes the seeds' keys and indexes again";
    Finding {
        code,
        level: Level::Finding,
        family: Some(family.to_owned()),
        key,
        message,
        advice: Some(advice.into()),
    }
}
