//! The scripts of the capability.

use std::sync::LazyLock;

use quorate_store::Script;

pub(super) static ADD: LazyLock<Script> = LazyLock::new(|| parse("add", include_str!("lua/add.lua")));
pub(super) static RM: LazyLock<Script> = LazyLock::new(|| parse("rm", include_str!("lua/rm.lua")));
pub(super) static NOTE: LazyLock<Script> = LazyLock::new(|| parse("note", include_str!("lua/note.lua")));
pub(super) static JUDGE: LazyLock<Script> = LazyLock::new(|| parse("judge", include_str!("lua/judge.lua")));

fn parse(name: &str, source: &str) -> Script {
    Script::parse(name, source).expect("a test checks every script")
}
