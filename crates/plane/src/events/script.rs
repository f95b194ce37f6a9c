//! The scripts of the capability; the one that reaches keys of other capabilities is spelled for a deployment.

use crate::kept::{fragments, parsed, spelled};

fragments! { survey mark look ledger vanished trim request }

spelled! { read }

parsed! {
    PUBLISH "publish"
    ACK "ack"
    NACK "nack"
    TAIL "tail"
    UPKEEP "upkeep"
    OBSERVE "observe"
    REJECT "reject"
    REVIVE "revive"
    WAKE "wake"
    NOTE "note"
}
