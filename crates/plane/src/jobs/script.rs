//! The scripts of the capability; none of them reaches keys.

use crate::kept::{fragments, parsed};

fragments! { occur retire }

parsed! {
    SCHEDULE "schedule"
    FIRE "fire"
    ADOPT "adopt"
    TRIGGER "trigger"
    CANCEL "cancel"
    BEGIN "begin"
    FINISH "finish"
    JUDGE "judge"
}
