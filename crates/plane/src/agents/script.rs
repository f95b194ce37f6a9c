//! The scripts of the capability, parsed once.

use std::sync::LazyLock;

use quorate_store::{Fragment, Script};

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
