//! Free ports for owned servers.
//!
//! Ports are taken from below the range that systems use for outgoing connections: a server that is killed and comes
//! back on its port must not find some client's connection there. A cluster node also needs its bus port, 10000 above.

use std::collections::BTreeSet;
use std::net::{Ipv4Addr, TcpListener};
use std::sync::Mutex;

const FIRST: u16 = 12_000;
const COUNT: u16 = 10_000;
pub(crate) const BUS: u16 = 10_000;

/// Ports given out before, to keep parallel tests of one program apart from the first moment on.
static TAKEN: Mutex<BTreeSet<u16>> = Mutex::new(BTreeSet::new());

/// A port that is free now, as is its bus port. Another program may still be quicker: callers try again.
pub(crate) fn free() -> Option<u16> {
    let mut taken = TAKEN.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    let mut random = [0; 2];
    getrandom::fill(&mut random).ok()?;
    let start = u16::from_ne_bytes(random) % COUNT;
    let ports = (0..COUNT).map(|step| FIRST + (start + step) % COUNT);
    let port =
        ports.into_iter().find(|port| !taken.contains(port) && is_free(*port) && is_free(port + BUS))?;
    taken.insert(port);
    Some(port)
}

fn is_free(port: u16) -> bool {
    TcpListener::bind((Ipv4Addr::LOCALHOST, port)).is_ok()
}
