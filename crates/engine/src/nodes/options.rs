//! What a test chooses about one of its servers.

use std::path::PathBuf;

use crate::{Binary, Result};

#[derive(Debug, Clone, Default)]
pub struct NodeOptions {
    pub(super) program: PathBuf,
    pub(super) port: Option<u16>,
    pub(super) appendonly: bool,
    pub(super) password: Option<String>,
    pub(super) lines: Vec<String>,
    pub(super) socket: bool,
    pub(crate) sentinel: bool,
}

impl NodeOptions {
    /// A server without persistence, run from `binary`.
    pub fn new(binary: &Binary) -> Result<Self> {
        Ok(Self { program: binary.unpack_shared()?, ..Self::default() })
    }

    /// A fixed port; otherwise a free one is found.
    pub fn port(mut self, port: u16) -> Self {
        self.port = Some(port);
        self
    }

    /// Append-only file with `everysec`, as the engine has it.
    pub fn appendonly(mut self) -> Self {
        self.appendonly = true;
        self
    }

    /// A Unix socket too, as the engine has it.
    pub fn socket(mut self) -> Self {
        self.socket = true;
        self
    }

    pub fn password(mut self, password: impl Into<String>) -> Self {
        self.password = Some(password.into());
        self
    }

    /// One more line of the server's configuration.
    pub fn config(mut self, line: impl Into<String>) -> Self {
        self.lines.push(line.into());
        self
    }
}
