//! Who may be called: everybody on the public network, and nearby only what an operator has named.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use tokio::time::timeout;

use crate::rules::{BadRule, Rules};
use crate::{Address, Lookup, System, kind};

/// Ports of Redis, its TLS twin, its cluster bus and Sentinel: an HTTP request there is a row of commands.
const STORES: [u16; 4] = [6379, 6380, 16379, 26379];
/// How long a name may take to be resolved.
const RESOLVE: Duration = Duration::from_secs(2);

/// Why an address is not called.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Denied {
    #[error("{0}")]
    Never(&'static str),
    #[error("{0} is not on the public network, and no rule allows it at port {1}")]
    Nearby(IpAddr, u16),
    #[error("no rule names it, and only what a rule names may be called")]
    NotNamed,
    #[error("its name cannot be resolved")]
    Unresolved,
}

/// The rules of one process.
#[derive(Debug, Clone)]
pub struct Guard {
    rules: Rules,
    own: Vec<u16>,
    lookup: Arc<dyn Lookup>,
}

/// Nothing nearby is allowed.
impl Default for Guard {
    fn default() -> Self {
        Self { rules: Rules::default(), own: Vec::new(), lookup: Arc::new(System) }
    }
}

impl Guard {
    /// Reads the rules of an operator, as [`BadRule`] says them; with none, nothing nearby is allowed.
    pub fn parse(text: &str) -> Result<Self, BadRule> {
        Ok(Self { rules: text.parse()?, ..Self::default() })
    }

    /// A port of our own on this machine, which no rule opens.
    #[must_use]
    pub fn own_port(mut self, port: u16) -> Self {
        self.own.push(port);
        self
    }

    /// Resolves names in another way.
    #[must_use]
    pub fn lookup(self, lookup: impl Lookup + 'static) -> Self {
        Self { lookup: Arc::new(lookup), ..self }
    }

    /// What can be said of an address without asking anybody: the check when it is registered.
    pub fn check(&self, address: &Address) -> Result<(), Denied> {
        if STORES.contains(&address.port()) {
            return Err(Denied::Never("this is a port of Redis, which is never called"));
        }
        match (address.name(), address.ip()) {
            (Some(name), _) if kind::is_metadata_name(name) => Err(METADATA),
            (_, Some(ip)) => self.admit(None, ip, address.port()),
            _ => Ok(()),
        }
    }

    /// The same, and what its name resolves to now; a name that does not resolve yet may do so later.
    pub async fn register(&self, address: &Address) -> Result<(), Denied> {
        match self.resolve(address).await {
            Ok(_) | Err(Denied::Unresolved) => Ok(()),
            Err(denied) => Err(denied),
        }
    }

    /// Where a call may go. One address that may not be called is enough to refuse them all: whoever answers for the name
    /// chooses which one a client takes.
    pub async fn resolve(&self, address: &Address) -> Result<Vec<SocketAddr>, Denied> {
        self.check(address)?;
        let port = address.port();
        let Some(name) = address.name() else {
            return Ok(address.ip().map(|ip| SocketAddr::new(ip, port)).into_iter().collect());
        };
        let found = timeout(RESOLVE, self.lookup.lookup(name)).await;
        let found = found.ok().and_then(Result::ok).filter(|found| !found.is_empty());
        let found = found.ok_or(Denied::Unresolved)?;
        found.iter().try_for_each(|ip| self.admit(Some(name), *ip, port))?;
        Ok(found.into_iter().map(|ip| SocketAddr::new(ip, port)).collect())
    }

    fn admit(&self, name: Option<&str>, ip: IpAddr, port: u16) -> Result<(), Denied> {
        let ip = kind::bare(ip);
        if kind::is_metadata(ip) {
            return Err(METADATA);
        }
        if self.rules.allow(name, ip, port) {
            let ours = self.own.contains(&port) && !kind::is_public(ip);
            return if ours { Err(Denied::Never("this is a port of our own")) } else { Ok(()) };
        }
        match kind::is_public(ip) {
            true if self.rules.only => Err(Denied::NotNamed),
            true => Ok(()),
            false => Err(Denied::Nearby(ip, port)),
        }
    }
}

const METADATA: Denied = Denied::Never("this is where a cloud keeps its machines' secrets");
