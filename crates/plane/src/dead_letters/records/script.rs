//! The scripts of relayna's store, parsed once; none of them reaches keys.

use std::sync::LazyLock;

use quorate_store::Script;

macro_rules! script {
    ($name:ident, $file:literal) => {
        pub(super) static $name: LazyLock<Script> = LazyLock::new(|| {
            Script::parse($file, include_str!(concat!("../lua/", $file, ".lua")))
                .expect("a test checks every script")
        });
    };
}

script!(KEEP, "keep_record");
script!(CHANGE, "change_record");
script!(DROP, "drop_record");
