//! The server as its clients see it, on a real store.

mod api;
mod bad_input;
mod changes;
mod clients;
mod conditions;
mod dashboard;
mod error_pages;
mod live;
mod ready;
mod relayna;
mod repeats;
mod schema;
mod services;
mod sign_in;
mod studio;
mod support;
mod tasks;
mod viewers;
