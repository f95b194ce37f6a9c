//! The scripts of the capability, parsed once.

use std::sync::LazyLock;

use quorate_store::{Fragment, Script};

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
        pub(super) static $name: LazyLock<Script> = LazyLock::new(|| {
            let own: Vec<Fragment> =
                FRAGMENTS.iter().map(|(name, source)| Fragment::new(*name, *source)).collect();
            Script::parse_with($file, include_str!(concat!("lua/", $file, ".lua")), &own)
                .expect("a test checks every script")
        });
    };
}

script!(PUBLISH, "publish");
script!(READ, "read");
script!(ACK, "ack");
script!(TAIL, "tail");
script!(UPKEEP, "upkeep");
script!(OBSERVE, "observe");
script!(REJECT, "reject");
script!(REVIVE, "revive");
script!(WAKE, "wake");
script!(NOTE, "note");
