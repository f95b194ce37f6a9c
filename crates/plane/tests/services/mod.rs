//! Services on a real server: one at each place, every event once and none skipped, and a verdict that ages.

mod conformance;
mod events;
mod failures;
mod found;
mod fsck;
mod health;
mod pull;
mod python;
mod registry;
mod sources;
pub(crate) mod support;
mod wrong_types;
