//! The keys that each script names, in its order.

use quorate_catalog::{Key, Keys};

use super::Stream;

/// The keys of `read.lua`.
pub(super) fn read(keys: &Keys, stream: Stream) -> [Key; 6] {
    let [own, state, losses, alerts, env] = upkeep(keys, stream);
    [own, state, losses, alerts, env, keys.reverie().dead_observations()]
}

/// The keys of `upkeep.lua`.
pub(super) fn upkeep(keys: &Keys, stream: Stream) -> [Key; 5] {
    [
        stream.key(keys),
        stream.state(keys),
        keys.quorate().stream_losses(),
        keys.reverie().events(),
        keys.reverie().environment_log(),
    ]
}
