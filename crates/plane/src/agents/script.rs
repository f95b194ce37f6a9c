//! The scripts of the capability, parsed once.

use std::sync::LazyLock;

use quorate_store::Script;

macro_rules! script {
    ($name:ident, $file:literal) => {
        pub(super) static $name: LazyLock<Script> = LazyLock::new(|| {
            Script::parse($file, include_str!(concat!("lua/", $file, ".lua")))
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
script!(DEREGISTER, "deregister");
