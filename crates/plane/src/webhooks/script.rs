//! The scripts of the capability; none of them reaches keys.

use crate::kept::{fragments, parsed};

fragments! {}

parsed! {
    ADD "add"
    RM "rm"
    NOTE "note"
    JUDGE "judge"
}
