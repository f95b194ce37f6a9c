//! The scripts of the capability, spelled for one deployment.

use std::sync::Arc;

use quorate_catalog::Keys;
use quorate_store::{Fragment, Script};

use crate::kept::Kept;

const FRAGMENTS: &[(&str, &str)] = &[
    ("stages", include_str!("lua/stages.lua")),
    ("joins", include_str!("lua/joins.lua")),
    ("over", include_str!("lua/over.lua")),
    ("attempt", include_str!("lua/attempt.lua")),
];

#[derive(Debug)]
pub(crate) struct Scripts {
    pub(super) define: Script,
    pub(super) start: Script,
    pub(super) enter: Script,
    pub(super) extend: Script,
    pub(super) complete: Script,
    pub(super) fail: Script,
    pub(super) arrive: Script,
    pub(super) expect: Script,
    pub(super) due: Script,
    pub(super) cancel: Script,
    pub(super) mend: Script,
    pub(super) prune: Script,
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
            define: script("define", include_str!("lua/define.lua")),
            start: script("start", include_str!("lua/start.lua")),
            enter: script("enter", include_str!("lua/enter.lua")),
            extend: script("extend", include_str!("lua/extend.lua")),
            complete: script("complete", include_str!("lua/complete.lua")),
            fail: script("fail", include_str!("lua/fail.lua")),
            arrive: script("arrive", include_str!("lua/arrive.lua")),
            expect: script("expect", include_str!("lua/expect.lua")),
            due: script("due", include_str!("lua/due.lua")),
            cancel: script("cancel", include_str!("lua/cancel.lua")),
            mend: script("mend", include_str!("lua/mend.lua")),
            prune: script("prune", include_str!("lua/prune.lua")),
        }
    }
}
