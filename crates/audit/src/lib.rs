//! The keyspace as a contract.
//!
//! # Layout
//! - [`fsck`]: runs every invariant, repairs what can be repaired, and reports.
//! - [`census`]: the one full walk: each key to its family, its kind and its expiry.
//! - [`doctor`]: the server under the plane, check by check.
//! - [`deployment`]: the invariant of the deployment's own record.
//! - [`restore`]: the invariant that no restore was cut off.
//!
//! **Invariant:** nothing here changes a key unless a repair was asked for, and a repair checks again before it
//! writes. Capabilities bring their own invariants ([`quorate_store::invariant`]); this crate knows none of them.

pub mod census;
pub mod deployment;
pub mod doctor;
pub mod fsck;
pub mod restore;

pub use fsck::{Report, run};
