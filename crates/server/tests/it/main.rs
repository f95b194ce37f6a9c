//! The server as its clients see it, on a real store.

mod addresses;
mod api;
mod bad_input;
mod before;
mod changes;
mod clients;
mod conditions;
mod dashboard;
mod error_pages;
mod failed;
mod lane;
mod live;
mod outside;
mod ready;
mod relayna;
mod repeats;
mod schema;
mod services;
mod sign_in;
mod slow;
mod sources;
mod studio;
mod support;
mod tasks;
mod tls;
mod viewers;
