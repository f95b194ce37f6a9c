//! The search on a real server: what is known of a task is found by it, once, and nothing else is.

mod care;
mod conformance;
mod documents;
mod logs;
mod own;
mod pages;
mod services;
pub(crate) mod support;
