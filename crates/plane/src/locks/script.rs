//! The scripts of the capability.

use crate::kept::{fragments, spelled};

fragments! {
    load waiter compatible living foreign show tell forget seize settle enqueue blockers give_way
    cycle granted contend crowd readers hold quick mark alone plain unmark line_up hand_over asking hears current
    put_all counted stopped
}

spelled! {
    acquire take poll renew release give cancel release_agent inspect guard guard_script sweep walk sever steal mend reckon
    stray terms recount
}
