//! The services whose tasks the plane knows of.

mod search;

use crate::prelude::*;

pub use search::Search;

pub(crate) fn all() -> Vec<Entry> {
    vec![Entry::of::<Search>()]
}
