//! What the tests of every crate share.
//!
//! [`chaos`] breaks things on purpose: a proxy that cuts, delays and swallows, processes that are stopped and killed,
//! and a log of effects that lies outside the store, so that what happened is known when the store does not tell.

pub mod chaos;
