//! Agents on a real server: registration, epochs, labels, stopping, faults and what is left behind.

mod epochs;
mod faults;
mod labels;
mod left_behind;
mod many;
mod registering;
mod stopping;
mod support;
mod wrong_types;
