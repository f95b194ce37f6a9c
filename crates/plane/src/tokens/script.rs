//! The scripts of the capability; those that find tokens by names are spelled for a deployment.

use std::sync::{Arc, LazyLock};

use quorate_catalog::Keys;
use quorate_store::Script;

use crate::kept::Kept;

#[derive(Debug)]
pub(crate) struct Scripts {
    pub(super) create: Script,
    pub(super) revoke: Script,
    pub(super) judge: Script,
}

static SPELLED: Kept<Scripts> = Kept::new();

pub(super) static CHECK: LazyLock<Script> = LazyLock::new(|| parse("check", include_str!("lua/check.lua")));

impl Scripts {
    pub(crate) fn of(keys: &Keys) -> Arc<Self> {
        SPELLED.of(keys, |keys| Self {
            create: parse("create", include_str!("lua/create.lua")).spelled(keys),
            revoke: parse("revoke", include_str!("lua/revoke.lua")).spelled(keys),
            judge: parse("judge", include_str!("lua/judge.lua")).spelled(keys),
        })
    }
}

fn parse(name: &str, source: &str) -> Script {
    Script::parse(name, source).expect("a test checks every script")
}
