//! The proofs of what agents and locks promise, each with the fault it is promised under.
//!
//! Small in every run of the tests; `cargo xtask soak` runs them in full size. What happened is recorded outside the
//! store. `docs/GUARANTEES.md` names each proof with its figures.

mod exclusion;
mod fencing;
mod lock_model;
mod rings;
#[path = "../support/mod.rs"]
mod support;
mod waiters;
mod workers;
