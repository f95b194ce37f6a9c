//! The scripts of the capability.

use crate::kept::{fragments, spelled};

fragments! { reborn }

spelled! { replay replay_event investigate drop reindex }
