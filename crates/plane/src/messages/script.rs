//! The scripts of the capability, spelled for one deployment.

use std::sync::{Arc, LazyLock};

use quorate_catalog::Keys;
use quorate_store::{Fragment, Script};

use crate::kept::Kept;

const FRAGMENTS: &[(&str, &str)] = &[
    ("find", include_str!("lua/find.lua")),
    ("post", include_str!("lua/post.lua")),
    ("vouch", include_str!("lua/vouch.lua")),
];

/// It reaches no keys, so that a check needs no plane.
pub(super) static JUDGE: LazyLock<Script> = LazyLock::new(|| {
    Script::parse("judge", include_str!("lua/judge.lua")).expect("a test checks every script")
});

#[derive(Debug)]
pub(crate) struct Scripts {
    pub(super) send: Script,
    pub(super) peek: Script,
    pub(super) read: Script,
    pub(super) ack: Script,
    pub(super) escalate: Script,
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
            send: script("send", include_str!("lua/send.lua")),
            peek: script("peek", include_str!("lua/peek.lua")),
            read: script("read", include_str!("lua/read.lua")),
            ack: script("ack", include_str!("lua/ack.lua")),
            escalate: script("escalate", include_str!("lua/escalate.lua")),
        }
    }
}
