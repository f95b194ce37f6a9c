//! The engine: a real Valkey server, carried inside the binary and run as a private, supervised child.
//!
//! One data directory has one owner (`lease`), one engine (`supervisor`) and one store. The engine never outlives
//! its owner (`leash`, `guard`), is brought back when it dies, and a second owner waits until the first one's engine
//! has really gone (`alive`): so no two servers ever write to one store.
//!
//! # Layout
//!
//! - [`Binary`]: which server runs, and how the carried one reaches the disk.
//! - [`Engine`], [`Options`], [`Event`]: start, watch, stop. [`running`] finds the engine of another process.
//! - [`Url`]: the address for clients, which hides its password.
//! - [`Node`], [`Cluster`], [`Sentinels`]: owned loopback servers for tests and evaluation.
//! - [`resp`]: the smallest client that is enough for readiness and for building a cluster.

mod alive;
mod before_exec;
mod binary;
mod child;
mod cluster;
mod config;
mod error;
mod event;
mod files;
mod guard;
mod layout;
mod lease;
mod leash;
mod log;
mod nodes;
mod nursery;
mod ports;
mod ready;
pub mod resp;
mod sentinel;
mod supervisor;
mod url;
mod version;
mod wait;

pub use binary::{Binary, Unpacked};
pub use cluster::Cluster;
pub use config::Fsync;
pub use error::{Error, Result};
pub use event::Event;
pub use guard::{GUARD_ARGUMENT, guard_main};
pub use lease::{Record, Running, running};
pub use leash::{Leash, tie};
pub use nodes::{Node, NodeOptions};
pub use sentinel::Sentinels;
pub use supervisor::{Engine, Options, Stopped};
pub use url::Url;
pub use version::{Family, Version};
