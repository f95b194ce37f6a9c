//! The scripts of the capability, parsed once; none of them reaches keys.

use std::sync::LazyLock;

use quorate_store::{Fragment, Script};

macro_rules! script {
    ($name:ident, $file:literal) => {
        pub(super) static $name: LazyLock<Script> = LazyLock::new(|| {
            let occur = Fragment::new("occur", include_str!("lua/occur.lua"));
            Script::parse_with($file, include_str!(concat!("lua/", $file, ".lua")), &[occur])
                .expect("a test checks every script")
        });
    };
}

script!(SCHEDULE, "schedule");
script!(FIRE, "fire");
script!(ADOPT, "adopt");
script!(TRIGGER, "trigger");
script!(CANCEL, "cancel");
script!(BEGIN, "begin");
script!(FINISH, "finish");
script!(JUDGE, "judge");
