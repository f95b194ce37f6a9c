//! The scripts of the capability, spelled for one deployment and kept: checks make a plane for each look.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use quorate_catalog::Keys;
use quorate_store::{Fragment, Script};

macro_rules! fragments {
    ($($name:literal)*) => {
        &[$(($name, include_str!(concat!("lua/", $name, ".lua")))),*]
    };
}

const FRAGMENTS: &[(&str, &str)] = fragments! {
    "again" "choose" "draw" "facts" "failed" "fence" "finish" "full" "grant" "lanes" "mark_call" "pack" "put_off" "seize" "settle"
    "sweep_due" "unclaim"
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

/// By namespace; the plane's own keys have no other setting.
static SPELLED: LazyLock<Mutex<HashMap<String, Arc<Scripts>>>> = LazyLock::new(Mutex::default);

impl Scripts {
    pub(crate) fn of(keys: &Keys) -> Arc<Self> {
        let mut known = SPELLED.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(known.entry(keys.namespace_text().to_owned()).or_insert_with(|| Arc::new(Self::new(keys))))
    }
}

scripts! { ack advance claim extend forsake give_back inspect mend nack pause place push sweep }
