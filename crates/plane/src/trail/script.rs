//! The scripts of the capability; none of them reaches keys.

use crate::kept::{fragments, parsed};

fragments! { enter }

parsed! {
    RECORD "record"
    INTEND "intend"
    SETTLE "settle"
    CLAIM "claim"
    COMMIT "commit"
}
