//! The scripts of the capability; those that find tokens by names are spelled for a deployment.

use crate::kept::{fragments, parsed, spelled};

fragments! {}

spelled! { create revoke judge }

parsed! {
    CHECK "check"
}
