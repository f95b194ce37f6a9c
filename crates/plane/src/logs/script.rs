//! The scripts of the capability; none of them reaches keys.

use crate::kept::{fragments, parsed};

fragments! {}

parsed! {
    EMIT "emit"
    CLAIM_WATCH "claim_watch"
    REMEMBER_WATCH "remember_watch"
}
