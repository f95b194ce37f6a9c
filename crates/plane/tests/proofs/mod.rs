//! The proofs of what agents, locks and workflows promise, each with the fault it is promised under.
//!
//! Small in every run of the tests; `cargo xtask soak` runs them in full size. What happened is recorded outside the
//! store. `docs/GUARANTEES.md` names each proof with its figures.

mod clocks;
mod exclusion;
mod failover;
mod fan_in;
mod fences;
mod fencing;
mod full_store;
mod limits;
mod lock_model;
mod lock_order;
mod ownership;
mod rings;
mod sessions;
mod waiters;
mod workers;
