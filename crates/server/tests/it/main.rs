//! The server as its clients see it, on a real store.

mod api;
mod bad_input;
mod clients;
mod error_pages;
mod repeats;
mod live;
mod schema;
mod sign_in;
mod support;
