//! How long to wait, and which clock scripts see.

use std::time::Duration;

/// Settings of a [`crate::Store`]. The defaults suit a server in the same region.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Options {
    /// How long one call may take in all: finding a connection, sending, retrying, replying.
    pub response_timeout: Duration,
    /// How long one attempt to connect may take.
    pub connect_timeout: Duration,
}

impl Default for Options {
    fn default() -> Self {
        Self { response_timeout: Duration::from_secs(5), connect_timeout: Duration::from_secs(2) }
    }
}

impl Options {
    /// Sets how long one call may take in all.
    #[must_use]
    pub fn response_timeout(mut self, timeout: Duration) -> Self {
        self.response_timeout = timeout;
        self
    }

    /// Sets how long one attempt to connect may take.
    #[must_use]
    pub fn connect_timeout(mut self, timeout: Duration) -> Self {
        self.connect_timeout = timeout;
        self
    }
}
