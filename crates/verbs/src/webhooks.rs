//! Telling others outside what happened.

mod add;
mod ls;
mod rm;
mod show;
mod test;

use crate::Entry;

pub use add::{Add, Added};
pub use ls::Ls;
pub use rm::{Removed, Rm};
pub use show::Show;
pub use test::{Test, Tested};

pub(crate) fn all() -> Vec<Entry> {
    vec![Entry::of::<Add>(), Entry::of::<Ls>(), Entry::of::<Show>(), Entry::of::<Rm>(), Entry::of::<Test>()]
}
