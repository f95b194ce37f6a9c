//! Counters.

mod incr;
mod ls;

use crate::Entry;

pub use incr::{Incr, Raised};
pub use ls::{Counter, Ls};

pub(crate) fn all() -> Vec<Entry> {
    vec![Entry::of::<Incr>(), Entry::of::<Ls>()]
}
