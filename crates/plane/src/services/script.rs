//! The scripts of the capability; none of them reaches keys.

use crate::kept::{fragments, parsed};

fragments! { instant }

parsed! {
    PUT "put"
    REMOVE "remove"
    SWEEP "sweep"
    INGEST "ingest"
    PRUNE "prune"
    DUE "due"
    TURN "turn"
    ADVANCE "advance"
    NOTE "note"
    JUDGE "judge"
    VACATE "vacate"
    RELIST "relist"
    FORGET "forget"
    SETTLE "settle"
}
