//! Tasks on a real server: what is reported is taken once, whole, and in its place.

mod both;
mod conformance;
mod feed;
mod fsck;
mod graph;
mod graph_letters;
mod kin;
mod leases;
mod order;
mod python;
mod reporting;
pub(crate) mod support;
mod together;
mod wrong_types;
