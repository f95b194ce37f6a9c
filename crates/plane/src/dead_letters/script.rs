//! The scripts of the capability, spelled for one deployment.

use std::sync::Arc;

use quorate_catalog::Keys;
use quorate_store::{Fragment, Script};

use crate::kept::Kept;

#[derive(Debug)]
pub(crate) struct Scripts {
    pub(super) replay: Script,
    pub(super) replay_event: Script,
    pub(super) investigate: Script,
    pub(super) drop: Script,
    pub(super) reindex: Script,
}

static SPELLED: Kept<Scripts> = Kept::new();

impl Scripts {
    pub(crate) fn of(keys: &Keys) -> Arc<Self> {
        SPELLED.of(keys, Self::new)
    }

    fn new(keys: &Keys) -> Self {
        let own = [Fragment::new("reborn", include_str!("lua/reborn.lua"))];
        let script = |name: &str, source: &str| {
            Script::parse_with(name, source, &own).expect("a test checks every script").spelled(keys)
        };
        Self {
            replay: script("replay", include_str!("lua/replay.lua")),
            replay_event: script("replay_event", include_str!("lua/replay_event.lua")),
            investigate: script("investigate", include_str!("lua/investigate.lua")),
            drop: script("drop", include_str!("lua/drop.lua")),
            reindex: script("reindex", include_str!("lua/reindex.lua")),
        }
    }
}
