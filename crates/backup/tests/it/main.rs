//! Backup and restore between real servers.

mod cluster;
mod damage;
mod load;
mod refusals;
mod round_trip;
mod streams;
mod support;
