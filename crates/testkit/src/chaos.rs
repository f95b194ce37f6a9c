//! Faults for tests: of the network ([`Proxy`]), of processes ([`Worker`]), and the record of what was done ([`EffectLog`]).

mod effects;
mod process;
mod proxy;
pub mod resp;

pub use effects::{EffectLog, Effects};
pub use process::Worker;
pub use proxy::{Fault, Proxy};
