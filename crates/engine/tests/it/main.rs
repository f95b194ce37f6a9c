//! The engine on a real server with real signals. Each file is one promise; all tests run in parallel.

mod binary;
mod cluster;
mod engine_death;
mod load;
mod owner_death;
mod ownership;
mod privacy;
mod refusals;
mod sentinel;
mod stop;
mod store_damage;
mod support;
