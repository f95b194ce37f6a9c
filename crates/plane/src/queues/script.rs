//! The scripts of the capability, spelled for one deployment.

use std::sync::Arc;

use quorate_catalog::Keys;
use quorate_store::{Fragment, Script};

use crate::kept::Kept;

macro_rules! fragments {
    ($($name:literal)*) => {
        &[$(($name, include_str!(concat!("lua/", $name, ".lua")))),*]
    };
}

const FRAGMENTS: &[(&str, &str)] = fragments! {
    "again" "allow" "choose" "draw" "facts" "failed" "fence" "finish" "full" "grant" "lanes" "mark_call" "occurrence" "pack" "put_off" "seize" "settle"
    "sweep_due" "unclaim" "waiting"
};

macro_rules! scripts {
    ($($name:ident)*) => {
        #[derive(Debug)]
        pub(crate) struct Scripts { $(pub(super) $name: Script,)* }

        impl Scripts {
            fn new(keys: &Keys) -> Self {
                let own: Vec<Fragment> =
                    FRAGMENTS.iter().map(|(name, source)| Fragment::new(*name, *source)).collect();
                let script = |name: &str, source: &str| {
                    Script::parse_with(name, source, &own).expect("a test checks every script").spelled(keys)
                };
                Self {
                    $($name: script(stringify!($name), include_str!(concat!("lua/", stringify!($name), ".lua"))),)*
                }
            }
        }
    };
}

static SPELLED: Kept<Scripts> = Kept::new();

impl Scripts {
    pub(crate) fn of(keys: &Keys) -> Arc<Self> {
        SPELLED.of(keys, Self::new)
    }
}

scripts! { ack advance claim extend forsake give_back inspect mend nack pause place push sweep }
