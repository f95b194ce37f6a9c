//! Which server to speak to: the parsed form of a URL.
//!
//! One type covers a standalone server, a unix socket, Sentinel and Cluster, so that nothing above this crate knows
//! the difference. The password is held in [`Secret`], which has no way to be printed; an unreadable URL is refused
//! with the reason and without repeating the URL, since the unreadable part may be the password.

mod parse;

use std::fmt;
use std::path::PathBuf;

use crate::error::Result;

/// The environment variables that name a server, in the order in which they are asked.
pub const ENV: [&str; 2] = ["REDIS_URL", "VALKEY_URL"];

/// A server, a Sentinel group or a cluster, with the credentials for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    pub(crate) shape: Shape,
    pub(crate) user: Option<String>,
    pub(crate) password: Option<Secret>,
    pub(crate) tls: bool,
    pub(crate) db: i64,
}

/// How the server is found.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Shape {
    /// One server at a network address.
    Server(Node),
    /// One server behind a unix socket.
    Socket(PathBuf),
    /// The master of this name, asked from these Sentinels.
    Sentinel {
        /// The Sentinels, asked in this order.
        sentinels: Vec<Node>,
        /// The name under which they know the master.
        master: String,
    },
    /// A cluster, found through any of these nodes.
    Cluster(Vec<Node>),
}

/// A host and a port.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Node {
    /// A name or an address, without brackets.
    pub host: String,
    /// The port.
    pub port: u16,
}

/// A text that never appears in any output.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    pub(crate) fn new(text: String) -> Self {
        Self(text)
    }

    pub(crate) fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("***")
    }
}

impl Target {
    /// Whether the URL had a password in it.
    pub fn has_password(&self) -> bool {
        self.password.is_some()
    }

    /// Reads a URL: `redis://`, `rediss://`, `unix://`, `redis+unix://`, `redis+sentinel://`, `redis+cluster://`, and
    /// the same with `valkey`.
    pub fn parse(url: &str) -> Result<Self> {
        parse::target(url)
    }

    /// The target the environment names, if it names one.
    pub fn from_env() -> Result<Option<Self>> {
        Self::from_vars(|name| std::env::var(name).ok())
    }

    /// As [`Target::from_env`], with the environment given. An empty variable counts as absent.
    pub fn from_vars(var: impl Fn(&str) -> Option<String>) -> Result<Option<Self>> {
        let named = ENV.iter().find_map(|name| var(name).filter(|url| !url.is_empty()));
        named.map(|url| Self::parse(&url)).transpose()
    }

    /// How the server is found.
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// Whether keys are spread over nodes, so that the tagged layout is needed.
    pub fn is_cluster(&self) -> bool {
        matches!(self.shape, Shape::Cluster(_))
    }

    fn scheme(&self) -> &'static str {
        match (&self.shape, self.tls) {
            (Shape::Server(_), false) => "redis",
            (Shape::Server(_), true) => "rediss",
            (Shape::Socket(_), _) => "unix",
            (Shape::Sentinel { .. }, false) => "redis+sentinel",
            (Shape::Sentinel { .. }, true) => "rediss+sentinel",
            (Shape::Cluster(_), false) => "redis+cluster",
            (Shape::Cluster(_), true) => "rediss+cluster",
        }
    }

    fn write_place(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.shape {
            Shape::Server(node) => write!(f, "{node}"),
            Shape::Socket(path) => write!(f, "{}", crate::error::escape(&path.display().to_string())),
            Shape::Sentinel { sentinels, master } => write!(f, "{}/{master}", Nodes(sentinels)),
            Shape::Cluster(nodes) => write!(f, "{}", Nodes(nodes)),
        }
    }
}

/// The URL with the password replaced by `***`.
impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}://", self.scheme())?;
        match (&self.user, &self.password) {
            (None, None) => {}
            (user, Some(_)) => write!(f, "{}:***@", user.as_deref().unwrap_or_default())?,
            (Some(user), None) => write!(f, "{user}@")?,
        }
        self.write_place(f)?;
        match (self.db, &self.shape) {
            (0, _) => Ok(()),
            (db, Shape::Socket(_)) => write!(f, "?db={db}"),
            (db, _) => write!(f, "/{db}"),
        }
    }
}

impl fmt::Display for Node {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.host.contains(':') {
            write!(f, "[{}]:{}", self.host, self.port)
        } else {
            write!(f, "{}:{}", self.host, self.port)
        }
    }
}

struct Nodes<'a>(&'a [Node]);

impl fmt::Display for Nodes<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, node) in self.0.iter().enumerate() {
            if index > 0 {
                f.write_str(",")?;
            }
            write!(f, "{node}")?;
        }
        Ok(())
    }
}
