//! The scripts of the series.

use std::sync::LazyLock;

use quorate_store::Script;

pub(super) static SAMPLE: LazyLock<Script> = LazyLock::new(|| {
    Script::parse("sample", include_str!("lua/sample.lua")).expect("a test checks every script")
});
pub(super) static NOTE: LazyLock<Script> = LazyLock::new(|| {
    Script::parse("note", include_str!("lua/note.lua")).expect("a test checks every script")
});
