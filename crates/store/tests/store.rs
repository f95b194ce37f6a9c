//! The store on real servers, and on servers that fail: one binary, so that all of it is linked once.

mod check;
mod cluster;
mod deployment;
mod error_pages;
mod errors;
mod faults;
mod pubsub;
mod reads;
mod scripts;
mod sentinel;
mod support;
