//! The scripts of the capability, parsed once; those that find word sets themselves are spelled for a deployment.

use std::sync::{Arc, LazyLock};

use quorate_catalog::Keys;
use quorate_store::{Fragment, Script};

use crate::kept::Kept;

/// The scripts that reach keys.
#[derive(Debug)]
pub(crate) struct Scripts {
    pub(super) register: Script,
    pub(super) heartbeat: Script,
    pub(super) deregister: Script,
    pub(super) prune: Script,
}

static SPELLED: Kept<Scripts> = Kept::new();

impl Scripts {
    pub(crate) fn of(keys: &Keys) -> Arc<Self> {
        SPELLED.of(keys, Self::new)
    }

    fn new(keys: &Keys) -> Self {
        Self {
            register: REGISTER.spelled(keys),
            heartbeat: HEARTBEAT.spelled(keys),
            deregister: DEREGISTER.spelled(keys),
            prune: PRUNE.spelled(keys),
        }
    }
}

macro_rules! script {
    ($name:ident, $file:literal) => {
        pub(super) static $name: LazyLock<Script> = LazyLock::new(|| {
            let words = Fragment::new("words", include_str!("lua/words.lua"));
            Script::parse_with($file, include_str!(concat!("lua/", $file, ".lua")), &[words])
                .expect("a test checks every script")
        });
    };
}

script!(REGISTER, "register");
script!(HEARTBEAT, "heartbeat");
script!(POKE, "poke");
script!(UPDATE, "update");
script!(DRAIN, "drain");
script!(REVOKE, "revoke");
script!(LIFT, "lift");
script!(DEREGISTER, "deregister");
script!(RETIRE, "retire");
script!(PRUNE, "prune");
script!(REINDEX, "reindex");
script!(REWORD, "reword");
script!(UNWORD, "unword");
