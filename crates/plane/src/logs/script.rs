//! The scripts of the capability, parsed once.

use std::sync::LazyLock;

use quorate_store::Script;

pub(super) static CLAIM_WATCH: LazyLock<Script> = LazyLock::new(|| {
    Script::parse("claim_watch", include_str!("lua/claim_watch.lua")).expect("a test checks every script")
});

pub(super) static REMEMBER_WATCH: LazyLock<Script> = LazyLock::new(|| {
    Script::parse("remember_watch", include_str!("lua/remember_watch.lua"))
        .expect("a test checks every script")
});
