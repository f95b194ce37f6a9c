//! The scripts of the capability; those that find keys by what they read are spelled for a deployment.

use std::sync::{Arc, LazyLock};

use quorate_catalog::Keys;
use quorate_store::{Fragment, Script};

use crate::kept::Kept;

#[derive(Debug)]
pub(crate) struct Scripts {
    pub(super) redeem: Script,
    pub(super) open: Script,
    pub(super) check: Script,
    pub(super) close: Script,
    pub(super) cut: Script,
    pub(super) judge: Script,
    pub(super) sweep: Script,
}

static SPELLED: Kept<Scripts> = Kept::new();

pub(super) static INVITE: LazyLock<Script> =
    LazyLock::new(|| parse("invite", include_str!("lua/invite.lua")));
pub(super) static APPOINT: LazyLock<Script> =
    LazyLock::new(|| parse("appoint", include_str!("lua/appoint.lua")));

impl Scripts {
    pub(crate) fn of(keys: &Keys) -> Arc<Self> {
        SPELLED.of(keys, |keys| Self {
            redeem: parse("redeem", include_str!("lua/redeem.lua")).spelled(keys),
            open: parse("open", include_str!("lua/open.lua")).spelled(keys),
            check: parse("check", include_str!("lua/check.lua")).spelled(keys),
            close: parse("close", include_str!("lua/close.lua")).spelled(keys),
            cut: parse("cut", include_str!("lua/cut.lua")).spelled(keys),
            judge: parse("judge", include_str!("lua/judge.lua")).spelled(keys),
            sweep: parse("sweep", include_str!("lua/sweep.lua")).spelled(keys),
        })
    }
}

fn parse(name: &str, source: &str) -> Script {
    let own = [
        Fragment::new("admission", include_str!("lua/admission.lua")),
        Fragment::new("lapse", include_str!("lua/lapse.lua")),
        Fragment::new("shown", include_str!("lua/shown.lua")),
    ];
    Script::parse_with(name, source, &own).expect("a test checks every script")
}
