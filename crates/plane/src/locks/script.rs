//! The scripts of the capability, spelled for one deployment.

use std::sync::Arc;

use quorate_catalog::Keys;
use quorate_store::{Fragment, Script};

use crate::kept::Kept;

const FRAGMENTS: &[(&str, &str)] = &[
    ("load", include_str!("lua/load.lua")),
    ("waiter", include_str!("lua/waiter.lua")),
    ("compatible", include_str!("lua/compatible.lua")),
    ("living", include_str!("lua/living.lua")),
    ("foreign", include_str!("lua/foreign.lua")),
    ("show", include_str!("lua/show.lua")),
    ("tell", include_str!("lua/tell.lua")),
    ("forget", include_str!("lua/forget.lua")),
    ("seize", include_str!("lua/seize.lua")),
    ("settle", include_str!("lua/settle.lua")),
    ("tasks", include_str!("lua/tasks.lua")),
    ("enqueue", include_str!("lua/enqueue.lua")),
    ("blockers", include_str!("lua/blockers.lua")),
    ("give_way", include_str!("lua/give_way.lua")),
    ("cycle", include_str!("lua/cycle.lua")),
    ("granted", include_str!("lua/granted.lua")),
    ("contend", include_str!("lua/contend.lua")),
    ("mark", include_str!("lua/mark.lua")),
    ("unmark", include_str!("lua/unmark.lua")),
    ("line_up", include_str!("lua/line_up.lua")),
    ("hand_over", include_str!("lua/hand_over.lua")),
];

#[derive(Debug)]
pub(crate) struct Scripts {
    pub(super) acquire: Script,
    pub(super) poll: Script,
    pub(super) renew: Script,
    pub(super) release: Script,
    pub(super) cancel: Script,
    pub(super) release_agent: Script,
    pub(super) inspect: Script,
    pub(super) guard: Script,
    pub(super) sweep: Script,
    pub(super) walk: Script,
    pub(super) sever: Script,
    pub(super) steal: Script,
    pub(super) mend: Script,
    pub(super) reckon: Script,
    pub(super) stray: Script,
}

static SPELLED: Kept<Scripts> = Kept::new();

impl Scripts {
    pub(crate) fn of(keys: &Keys) -> Arc<Self> {
        SPELLED.of(keys, Self::new)
    }

    fn new(keys: &Keys) -> Self {
        let own: Vec<Fragment> =
            FRAGMENTS.iter().map(|(name, source)| Fragment::new(*name, *source)).collect();
        let script = |name: &str, source: &str| {
            Script::parse_with(name, source, &own).expect("a test checks every script").spelled(keys)
        };
        Self {
            acquire: script("acquire", include_str!("lua/acquire.lua")),
            poll: script("poll", include_str!("lua/poll.lua")),
            renew: script("renew", include_str!("lua/renew.lua")),
            release: script("release", include_str!("lua/release.lua")),
            cancel: script("cancel", include_str!("lua/cancel.lua")),
            release_agent: script("release_agent", include_str!("lua/release_agent.lua")),
            inspect: script("inspect", include_str!("lua/inspect.lua")),
            guard: script("guard", include_str!("lua/guard.lua")),
            sweep: script("sweep", include_str!("lua/sweep.lua")),
            walk: script("walk", include_str!("lua/walk.lua")),
            sever: script("sever", include_str!("lua/sever.lua")),
            steal: script("steal", include_str!("lua/steal.lua")),
            mend: script("mend", include_str!("lua/mend.lua")),
            reckon: script("reckon", include_str!("lua/reckon.lua")),
            stray: script("stray", include_str!("lua/stray.lua")),
        }
    }
}
