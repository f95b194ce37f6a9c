//! The scripts of the capability.

use crate::kept::{fragments, spelled};

fragments! { offer reported }

spelled! { report observe page lease keep recover settle }
