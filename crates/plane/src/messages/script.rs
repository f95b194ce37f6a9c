//! The scripts of the capability; the one that reaches no keys needs no plane for a check.

use crate::kept::{fragments, parsed, spelled};

fragments! { find post vouch }

spelled! { send peek read ack escalate counts }

parsed! {
    JUDGE "judge"
}
