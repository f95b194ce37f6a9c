//! The scripts of the capability.

use crate::kept::{fragments, spelled};

fragments! { stages joins over attempt }

spelled! { define start enter extend complete fail arrive expect due cancel mend prune }
