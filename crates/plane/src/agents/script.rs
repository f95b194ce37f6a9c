//! The scripts of the capability; those that find word sets themselves are spelled for a deployment.

use crate::kept::{fragments, parsed, spelled};

fragments! { words }

spelled! { register heartbeat deregister prune }

parsed! {
    POKE "poke"
    UPDATE "update"
    DRAIN "drain"
    REVOKE "revoke"
    LIFT "lift"
    RETIRE "retire"
    REINDEX "reindex"
    REWORD "reword"
    UNWORD "unword"
}
