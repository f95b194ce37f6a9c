//! The scripts of a capability, spelled for a deployment once: checks and tools make a plane for each look.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use quorate_catalog::Keys;

/// By namespace; the plane's own keys have no other setting.
pub(crate) struct Kept<T>(Mutex<BTreeMap<String, Arc<T>>>);

impl<T> Kept<T> {
    pub(crate) const fn new() -> Self {
        Self(Mutex::new(BTreeMap::new()))
    }

    pub(crate) fn of(&self, keys: &Keys, spell: impl FnOnce(&Keys) -> T) -> Arc<T> {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(known.entry(keys.namespace_text().to_owned()).or_insert_with(|| Arc::new(spell(keys))))
    }
}

/// Gives a `script.rs` its `parse`: a script of its own with these fragments of the folder `lua` beside it.
macro_rules! fragments {
    ($($fragment:ident)*) => {
        fn parse(name: &str, source: &str) -> quorate_store::Script {
            let own = [$(quorate_store::Fragment::new(
                stringify!($fragment),
                include_str!(concat!("lua/", stringify!($fragment), ".lua")),
            )),*];
            quorate_store::Script::parse_with(name, source, &own).expect("a test checks every script")
        }
    };
}

/// Scripts that find keys by what they read: `Scripts` has a field for each, spelled for a deployment.
macro_rules! spelled {
    ($($name:ident)*) => {
        #[derive(Debug)]
        pub(crate) struct Scripts {
            $(pub(super) $name: quorate_store::Script,)*
        }

        impl Scripts {
            pub(crate) fn of(keys: &quorate_catalog::Keys) -> std::sync::Arc<Self> {
                static SPELLED: crate::kept::Kept<Scripts> = crate::kept::Kept::new();
                SPELLED.of(keys, |keys| Self {
                    $($name: parse(stringify!($name), include_str!(concat!("lua/", stringify!($name), ".lua")))
                        .spelled(keys),)*
                })
            }
        }
    };
}

/// Scripts that are given all their keys, each a static that is parsed once.
macro_rules! parsed {
    ($($name:ident $file:literal)*) => {
        $(pub(super) static $name: std::sync::LazyLock<quorate_store::Script> =
            std::sync::LazyLock::new(|| parse($file, include_str!(concat!("lua/", $file, ".lua"))));)*
    };
}

pub(crate) use {fragments, parsed, spelled};
