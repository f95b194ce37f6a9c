//! The scripts of a capability, spelled for a deployment once: checks and tools make a plane for each look.
//!
//! A script is read when it is first run: a command at the terminal runs one or two of about two hundred.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use quorate_catalog::Keys;
use quorate_store::Script;

/// A script that is read when it is first run.
pub(crate) type Later = LazyLock<Script, Box<dyn FnOnce() -> Script + Send>>;

/// `read` and then spelled with these keys, when it is first run.
pub(crate) fn later(keys: &Keys, read: fn() -> Script) -> Later {
    let keys = keys.clone();
    LazyLock::new(Box::new(move || read().spelled(&keys)))
}

/// What was made for a deployment, by how it spells its keys.
pub(crate) struct Kept<T>(LazyLock<Mutex<HashMap<Keys, Arc<T>>>>);

impl<T> Kept<T> {
    pub(crate) const fn new() -> Self {
        Self(LazyLock::new(Mutex::default))
    }

    pub(crate) fn of(&self, keys: &Keys, make: impl FnOnce(&Keys) -> T) -> Arc<T> {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(kept) = known.get(keys) {
            return Arc::clone(kept);
        }
        let made = Arc::new(make(keys));
        known.insert(keys.clone(), Arc::clone(&made));
        made
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
            $(pub(super) $name: crate::kept::Later,)*
        }

        impl Scripts {
            pub(crate) fn of(keys: &quorate_catalog::Keys) -> std::sync::Arc<Self> {
                static SPELLED: crate::kept::Kept<Scripts> = crate::kept::Kept::new();
                SPELLED.of(keys, |keys| Self {
                    $($name: crate::kept::later(keys, || {
                        parse(stringify!($name), include_str!(concat!("lua/", stringify!($name), ".lua")))
                    }),)*
                })
            }
        }

        #[cfg(test)]
        mod spelled {
            #[test]
            fn every_script_can_be_read_and_spelled() {
                let scripts = super::Scripts::of(&quorate_catalog::Keys::default());
                $(assert_eq!(scripts.$name.name(), stringify!($name));)*
            }
        }
    };
}

/// Scripts that are given all their keys, each a static that is parsed once.
macro_rules! parsed {
    ($($name:ident $file:literal)*) => {
        $(pub(super) static $name: std::sync::LazyLock<quorate_store::Script> =
            std::sync::LazyLock::new(|| parse($file, include_str!(concat!("lua/", $file, ".lua"))));)*

        #[cfg(test)]
        mod parsed {
            #[test]
            fn every_script_can_be_read() {
                $(assert_eq!(super::$name.name(), $file);)*
            }
        }
    };
}

pub(crate) use {fragments, parsed, spelled};
