//! The scripts of the capability. Those that reach keys keep the search in step with what they change.

use crate::kept::{fragments, parsed, spelled};

fragments! {}

spelled! { put remove ingest note }

parsed! {
    SWEEP "sweep"
    PRUNE "prune"
    DUE "due"
    TURN "turn"
    ADVANCE "advance"
    JUDGE "judge"
    VACATE "vacate"
    RELIST "relist"
    FORGET "forget"
    SETTLE "settle"
}
