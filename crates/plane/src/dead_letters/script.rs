//! The scripts of the capability, spelled for one deployment.

use quorate_catalog::Keys;
use quorate_store::Script;

#[derive(Debug)]
pub(crate) struct Scripts {
    pub(super) replay: Script,
    pub(super) investigate: Script,
    pub(super) drop: Script,
    pub(super) reindex: Script,
}

impl Scripts {
    pub(crate) fn new(keys: &Keys) -> Self {
        let script = |name: &str, source: &str| {
            Script::parse(name, source).expect("a test checks every script").spelled(keys)
        };
        Self {
            replay: script("replay", include_str!("lua/replay.lua")),
            investigate: script("investigate", include_str!("lua/investigate.lua")),
            drop: script("drop", include_str!("lua/drop.lua")),
            reindex: script("reindex", include_str!("lua/reindex.lua")),
        }
    }
}
