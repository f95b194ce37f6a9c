//! The only crate that speaks to a Redis or Valkey server.
//!
//! # Layout
//! - [`Target`] is where: a server, a socket, Sentinel or a cluster. `dial` opens one connection, `link` keeps one
//!   open, `cluster` routes over one link per node, `call` decides what is tried again. [`Store`] is all of it as one
//!   handle, with [`Dedicated`] for calls that block and [`Subscription`] for pub/sub.
//! - [`Script`] is a Lua file with a parsed header; [`check`] holds the two together.
//! - [`deployment`] says which layout a store has; [`invariant`] what a capability promises of its keys.
//! - [`Error`] has a kind, and the kinds are one table.
//! - [`Micros`] is the server's time, the only one that counts.
//!
//! **Invariant:** a call ends within its own time, whatever the server does; a change is never sent twice unless a
//! second delivery is harmless; nothing grows without bound while the server is away.

mod backend;
mod backoff;
mod call;
mod cluster;
mod command;
mod dedicated;
pub mod deployment;
mod dial;
mod error;
mod failure;
mod info;
pub mod invariant;
mod link;
mod options;
mod packet;
mod random;
mod replicas;
mod scan;
mod script;
mod slot;
mod store;
mod subscribe;
mod target;
mod time;

pub use dedicated::Dedicated;
pub use dial::masters::Master;
pub use error::{Error, ErrorKind, Result, Retry};
pub use info::Info;
pub use options::Options;
pub use random::{random_id, unique_id};
pub use redis::{Cmd, FromRedisValue, Pipeline, ToRedisArgs, Value, cmd, pipe};
pub use scan::Page;
pub use script::check::{Families, FamilyFacts, Problem, catalog_facts, check, check_all};
pub use script::once::{Once, STEP, Seen, Watched};
pub use script::{Arg, ArgKind, ArgSpec, Fragment, Header, KeySpec, Layout, Script};
pub use slot::slot;
pub use store::Store;
pub use subscribe::{Notice, Subscription, Topics};
pub use target::{ENV, Node, Secret, Shape, Target};
pub use time::{Clock, Micros};
