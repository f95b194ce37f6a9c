//! How a name becomes addresses; a test says it itself.

use std::fmt;
use std::io;
use std::net::IpAddr;

use futures_util::future::BoxFuture;

/// Gives the addresses of a name.
pub trait Lookup: fmt::Debug + Send + Sync {
    fn lookup<'a>(&'a self, name: &'a str) -> BoxFuture<'a, io::Result<Vec<IpAddr>>>;
}

/// What the system says.
#[derive(Debug, Clone, Copy, Default)]
pub struct System;

impl Lookup for System {
    fn lookup<'a>(&'a self, name: &'a str) -> BoxFuture<'a, io::Result<Vec<IpAddr>>> {
        Box::pin(
            async move { Ok(tokio::net::lookup_host((name, 0)).await?.map(|found| found.ip()).collect()) },
        )
    }
}
