//! The scripts of the capability.

use crate::kept::{fragments, spelled};

fragments! { offer ours reported standing }

spelled! { report report_each observe page lease keep recover settle }
