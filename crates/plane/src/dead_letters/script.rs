//! The scripts of the capability.

use crate::kept::{fragments, parsed, spelled};

fragments! { reborn of_task }

spelled! { replay replay_event investigate drop reindex }

// Those of relayna's store.
parsed! {
    KEEP "keep_record"
    CHANGE "change_record"
    DROP "drop_record"
}
