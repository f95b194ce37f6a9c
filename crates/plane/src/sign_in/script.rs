//! The scripts of the capability; those that find keys by what they read are spelled for a deployment.

use crate::kept::{fragments, parsed, spelled};

fragments! { admission lapse shown }

spelled! { redeem open check close cut judge sweep }

parsed! {
    INVITE "invite"
    APPOINT "appoint"
}
