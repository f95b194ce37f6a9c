//! The scripts of the capability, parsed once.

use std::sync::{Arc, LazyLock};

use quorate_catalog::Keys;
use quorate_store::{Fragment, Script};

use crate::kept::Kept;

const FRAGMENTS: &[(&str, &str)] = &[
    ("survey", include_str!("lua/survey.lua")),
    ("mark", include_str!("lua/mark.lua")),
    ("look", include_str!("lua/look.lua")),
    ("ledger", include_str!("lua/ledger.lua")),
    ("trim", include_str!("lua/trim.lua")),
    ("request", include_str!("lua/request.lua")),
];

macro_rules! script {
    ($name:ident, $file:literal) => {
        pub(super) static $name: LazyLock<Script> =
            LazyLock::new(|| parsed($file, include_str!(concat!("lua/", $file, ".lua"))));
    };
}

script!(PUBLISH, "publish");
script!(ACK, "ack");
script!(NACK, "nack");
script!(TAIL, "tail");
script!(UPKEEP, "upkeep");
script!(OBSERVE, "observe");
script!(REJECT, "reject");
script!(REVIVE, "revive");
script!(WAKE, "wake");
script!(NOTE, "note");

fn parsed(name: &str, source: &str) -> Script {
    let own: Vec<Fragment> = FRAGMENTS.iter().map(|(name, source)| Fragment::new(*name, *source)).collect();
    Script::parse_with(name, source, &own).expect("a test checks every script")
}

/// Those that reach keys of other capabilities, spelled for one deployment.
#[derive(Debug)]
pub(super) struct Spelled {
    pub(super) read: Script,
}

static SPELLED: Kept<Spelled> = Kept::new();

impl Spelled {
    pub(super) fn of(keys: &Keys) -> Arc<Self> {
        SPELLED.of(keys, |keys| Self { read: parsed("read", include_str!("lua/read.lua")).spelled(keys) })
    }
}
