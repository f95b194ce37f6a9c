//! The address of an engine for any Redis client.
//!
//! The address holds the password, so it hides it from logs and messages: only `reveal` gives it away.

use std::fmt;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::resp::{self, Client};

#[derive(Clone, PartialEq, Eq)]
pub struct Url {
    place: Place,
    password: Option<String>,
}

#[derive(Clone, PartialEq, Eq)]
enum Place {
    Socket(PathBuf),
    Port(u16),
}

impl Url {
    pub(crate) fn socket(path: PathBuf, password: Option<String>) -> Self {
        Self { place: Place::Socket(path), password }
    }

    pub(crate) fn port(port: u16, password: Option<String>) -> Self {
        Self { place: Place::Port(port), password }
    }

    /// The whole address, password included: for a client, never for a log.
    pub fn reveal(&self) -> String {
        self.text(self.password.as_deref())
    }

    /// A connection to it, authenticated. `limit` holds for each read and write.
    pub fn connect(&self, limit: Duration) -> Result<Client, resp::Error> {
        let mut client = match &self.place {
            Place::Socket(path) => Client::unix(path, limit)?,
            Place::Port(port) => Client::tcp(*port, limit)?,
        };
        if let Some(password) = &self.password {
            client.call(&["AUTH", password])?;
        }
        Ok(client)
    }

    fn text(&self, password: Option<&str>) -> String {
        match (&self.place, password) {
            (Place::Socket(path), Some(password)) => {
                format!("redis+unix://{}?pass={password}", escaped(path))
            }
            (Place::Socket(path), None) => format!("redis+unix://{}", escaped(path)),
            // The user is named because redis-cli takes an empty one for a user of that name.
            (Place::Port(port), Some(password)) => format!("redis://default:{password}@127.0.0.1:{port}/"),
            (Place::Port(port), None) => format!("redis://127.0.0.1:{port}/"),
        }
    }
}

impl fmt::Display for Url {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text(self.password.as_ref().map(|_| "[hidden]")))
    }
}

impl fmt::Debug for Url {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Url({self})")
    }
}

/// A path as part of an address: everything but the plainest bytes is escaped.
fn escaped(path: &Path) -> String {
    let mut text = String::new();
    for &byte in path.as_os_str().as_bytes() {
        match byte {
            b'/' | b'.' | b'-' | b'_' | b'~' => text.push(byte as char),
            _ if byte.is_ascii_alphanumeric() => text.push(byte as char),
            _ => text.push_str(&format!("%{byte:02X}")),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_hides_its_password_unless_asked() {
        let url = Url::socket("/a b/e.sock".into(), Some("sesame".into()));
        assert_eq!(url.reveal(), "redis+unix:///a%20b/e.sock?pass=sesame");
        assert_eq!(url.to_string(), "redis+unix:///a%20b/e.sock?pass=[hidden]");
        assert!(!format!("{url:?}").contains("sesame"));
        let url = Url::port(6379, Some("sesame".into()));
        assert_eq!(url.reveal(), "redis://default:sesame@127.0.0.1:6379/");
        assert!(!format!("{url:?}").contains("sesame"));
    }
}
