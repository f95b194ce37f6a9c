//! What the tests of every crate share.
//!
//! - [`bench`]: a server and a namespace of the test's own, and the look at the keyspace when it ends.
//! - [`conformance`]: cases that show both directions against a seed's own commands.
//! - [`chaos`] breaks things on purpose: a proxy that cuts, delays and swallows, processes that are stopped and
//!   killed, and a log of effects outside the store, so that what happened is known when the store does not tell.
//! - [`linear`]: whether a history of concurrent calls could have happened one after the other.
//! - [`soak`]: smoke and full sizes, seeds and figures of long tests.
//!
//! Clusters and Sentinels come from [`quorate_engine`].

pub mod bench;
pub mod chaos;
pub mod conformance;
pub mod linear;
pub mod python;
pub mod soak;

pub use bench::{Bench, binary, check, check_verbatim};
