//! People who sign in, and their sessions.

mod invite;
mod ls;
mod revoke;
mod role;

use crate::Entry;

pub use invite::{Invite, Invited};
pub use ls::Ls;
pub use revoke::{Revoke, Revoked};
pub use role::{Appoint, Appointed, Wanted};

pub(crate) fn all() -> Vec<Entry> {
    vec![Entry::of::<Invite>(), Entry::of::<Ls>(), Entry::of::<Appoint>(), Entry::of::<Revoke>()]
}
