//! The plane, seen from above: whether everything is all right, and how it has been.

mod series;
mod show;

use crate::prelude::*;

pub use series::{Listed, Series};
pub use show::{Health, Show};

pub(crate) fn all() -> Vec<Entry> {
    vec![Entry::of::<Show>(), Entry::of::<Series>()]
}
