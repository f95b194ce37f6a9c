//! Who may do what: bearer tokens.

mod create;
mod ls;
mod revoke;

use crate::Entry;

pub use create::{Create, Created};
pub use ls::Ls;
pub use revoke::{Revoke, Revoked};

pub(crate) fn all() -> Vec<Entry> {
    vec![Entry::of::<Create>(), Entry::of::<Ls>(), Entry::of::<Revoke>()]
}
