//! The scripts of the capability.

use crate::kept::{fragments, spelled};

fragments! {
    load waiter compatible living foreign show tell forget seize settle tasks enqueue blockers give_way
    cycle granted contend mark unmark line_up hand_over
}

spelled! {
    acquire poll renew release cancel release_agent inspect guard sweep walk sever steal mend reckon
    stray
}
