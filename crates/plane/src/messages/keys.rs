//! The keys of one inbox, in the order the scripts' headers have them.

use quorate_catalog::ids::{AgentId, ConfigName, MessageId};
use quorate_catalog::{Key, Keys};

/// For a script that finds all its keys by itself.
pub(super) const NONE: [&str; 0] = [];

/// The keys of `peek.lua`.
pub(super) fn peek(keys: &Keys, peer: &AgentId) -> [Key; 3] {
    [keys.reverie().inbox(peer), keys.quorate().letters(peer), keys.quorate().adopted(peer)]
}

/// The keys of `read.lua`.
pub(super) fn read(keys: &Keys, peer: &AgentId) -> [Key; 5] {
    let [inbox, letters, adopted] = peek(keys, peer);
    [keys.quorate().agent(peer), inbox, letters, adopted, keys.quorate().mailed(peer)]
}

/// The keys of `ack.lua`.
pub(super) fn ack(keys: &Keys, peer: &AgentId) -> [Key; 5] {
    let [inbox, letters, adopted] = peek(keys, peer);
    [keys.quorate().agent(peer), inbox, letters, adopted, keys.quorate().ack_deadlines()]
}

/// The keys of `send.lua`.
pub(super) fn send(keys: &Keys, from: &AgentId) -> [Key; 3] {
    [keys.quorate().agent(from), keys.quorate().ack_deadlines(), setting(keys, "messages:inbox_cap")]
}

/// The keys of `escalate.lua`.
pub(super) fn escalate(keys: &Keys) -> [Key; 2] {
    [keys.quorate().ack_deadlines(), setting(keys, "messages:operator")]
}

/// The keys of `judge.lua`.
pub(super) fn judge(keys: &Keys, peer: &AgentId, message: &MessageId) -> [Key; 5] {
    let [inbox, letters, adopted] = peek(keys, peer);
    [inbox, letters, adopted, keys.quorate().ack_deadlines(), keys.quorate().message(message)]
}

fn setting(keys: &Keys, name: &str) -> Key {
    keys.ade().config(&ConfigName::parse(name).expect("a setting's name"))
}
