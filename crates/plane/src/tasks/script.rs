//! The scripts of the capability, spelled for one deployment.

use std::sync::Arc;

use quorate_catalog::Keys;
use quorate_store::{Fragment, Script};

use crate::kept::Kept;

#[derive(Debug)]
pub(crate) struct Scripts {
    pub(super) report: Script,
    pub(super) observe: Script,
    pub(super) page: Script,
    pub(super) lease: Script,
    pub(super) keep: Script,
    pub(super) recover: Script,
    pub(super) settle: Script,
}

static SPELLED: Kept<Scripts> = Kept::new();

impl Scripts {
    pub(crate) fn of(keys: &Keys) -> Arc<Self> {
        SPELLED.of(keys, Self::new)
    }

    fn new(keys: &Keys) -> Self {
        let own = [Fragment::new("offer", include_str!("lua/offer.lua"))];
        let script = |name: &str, source: &str| {
            Script::parse_with(name, source, &own).expect("a test checks every script").spelled(keys)
        };
        Self {
            report: script("report", include_str!("lua/report.lua")),
            observe: script("observe", include_str!("lua/observe.lua")),
            page: script("page", include_str!("lua/page.lua")),
            lease: script("lease", include_str!("lua/lease.lua")),
            keep: script("keep", include_str!("lua/keep.lua")),
            recover: script("recover", include_str!("lua/recover.lua")),
            settle: script("settle", include_str!("lua/settle.lua")),
        }
    }
}
