//! The keys that a lock request names itself; the scripts find the others.

use quorate_catalog::ids::AgentId;
use quorate_catalog::{Key, Keys};

use super::Resource;

/// For a script that finds all its keys by itself.
pub(super) const NONE: [&str; 0] = [];

/// The keys of `acquire.lua`, in its order.
pub(super) fn acquire(keys: &Keys, on: &Resource, agent: &AgentId) -> [Key; 5] {
    [
        keys.quorate().agent(agent),
        keys.ade().lock_rate_limit(agent),
        on.seed_key(keys),
        on.state_key(keys),
        keys.quorate().lock_holds(agent),
    ]
}

/// The keys of `release.lua`, in its order.
pub(super) fn release(keys: &Keys, on: &Resource) -> [Key; 2] {
    [on.seed_key(keys), on.state_key(keys)]
}
