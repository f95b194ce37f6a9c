//! The scripts of the capability.

use crate::kept::{fragments, parsed, spelled};

fragments! { occur retire }

spelled! { fire trigger }

parsed! {
    SCHEDULE "schedule"
    ADOPT "adopt"
    CANCEL "cancel"
    BEGIN "begin"
    FINISH "finish"
    JUDGE "judge"
}
