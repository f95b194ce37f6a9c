//! The scripts of the capability; none of them reaches keys.

use crate::kept::{fragments, parsed};

fragments! {}

parsed! {
    BEGIN "begin"
    FINISH "finish"
    LEAVE "leave"
    JUDGE "judge"
}
