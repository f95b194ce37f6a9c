//! The scripts of the capability.

use crate::kept::{fragments, spelled};

fragments! {
    again allow choose draw facts failed fence finish full grant lanes mark_call occurrence pack put_back put_off
    seize settle sound sweep_due unclaim waiting
}

spelled! { ack ack_each advance claim claim_each extend forsake give_back inspect may_wait mend nack pause place push sweep }
