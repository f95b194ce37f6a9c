//! Telling people of failed tasks.

mod set;
mod show;
mod turn;

use crate::Entry;

pub use set::Set;
pub use show::Show;
pub use turn::{Run, Test, Tested};

pub(crate) fn all() -> Vec<Entry> {
    vec![Entry::of::<Show>(), Entry::of::<Set>(), Entry::of::<Run>(), Entry::of::<Test>()]
}
