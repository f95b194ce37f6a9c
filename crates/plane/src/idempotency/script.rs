//! The scripts of the capability; none of them reaches keys.

use crate::kept::{fragments, parsed};

fragments! {}

parsed! {
    BEGIN "begin"
    FINISH "finish"
    FORGET "forget"
    JUDGE "judge"
}
