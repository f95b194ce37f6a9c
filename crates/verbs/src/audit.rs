//! Who changed what, and whether that record is whole.

mod ls;
mod verify;

use crate::Entry;

pub use ls::Ls;
pub use verify::{Verify, Whole};

pub(crate) fn all() -> Vec<Entry> {
    vec![Entry::of::<Ls>(), Entry::of::<Verify>()]
}
