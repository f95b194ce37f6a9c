//! The scripts of the capability; none of them reaches keys.

use crate::kept::{fragments, parsed};

fragments! {}

parsed! {
    HOLD "hold"
    PUT "put"
    SENT "sent"
}
