//! The scripts of the capability.

use crate::kept::{fragments, spelled};

fragments! { walk judge_list }

spelled! { note place page names judge tend prune step }
