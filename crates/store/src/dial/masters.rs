//! Where the masters are, for a caller that must speak to each of them on a connection of its own making.
//!
//! Only a backup does: the stream a server sends to a replica is nothing that a client library can carry. The
//! password stays inside; what leaves is the AUTH command as it goes over the wire.

use redis::ConnectionAddr;
use tokio::time::{Instant, timeout_at};

use super::{Dialer, Place};
use crate::error::{Error, ErrorKind, Result};
use crate::store::Store;
use crate::target::{Node, Shape, Target};

/// One server that takes writes, and how to log in to it.
pub struct Master {
    /// A network address or a unix socket.
    pub shape: Shape,
    /// Whether it is spoken to over TLS.
    pub tls: bool,
    login: Vec<u8>,
}

impl Master {
    /// The command that logs in, ready to be sent; empty where no password is needed.
    pub fn login(&self) -> &[u8] {
        &self.login
    }
}

impl Target {
    /// The number of the database that the URL names.
    pub fn db(&self) -> i64 {
        self.db
    }
}

impl Store {
    /// Every server that takes writes, in a fixed order: one, or those of the cluster.
    pub async fn masters(&self) -> Result<Vec<Master>> {
        let mut masters = Vec::new();
        for link in self.backend.masters(self.deadline()).await? {
            masters.push(link.dialer().master().await?);
        }
        Ok(masters)
    }
}

impl Dialer {
    async fn master(&self) -> Result<Master> {
        let deadline = Instant::now() + self.timeout;
        let address = match &self.place {
            Place::Fixed(address) => address.clone(),
            Place::Sentinel(sentinels) => timeout_at(deadline, sentinels.master(&self.login, deadline))
                .await
                .unwrap_or_else(|_| Err(unreachable("no Sentinel answered")))?,
        };
        Ok(Master { shape: shape(address)?, tls: self.login.tls, login: self.auth() })
    }

    fn auth(&self) -> Vec<u8> {
        let mut cmd = redis::cmd("AUTH");
        if let Some(user) = &self.login.user {
            cmd.arg(user);
        }
        self.login.secret().map(|password| cmd.arg(password).get_packed_command()).unwrap_or_default()
    }
}

fn shape(address: ConnectionAddr) -> Result<Shape> {
    match address {
        ConnectionAddr::Tcp(host, port) | ConnectionAddr::TcpTls { host, port, .. } => {
            Ok(Shape::Server(Node { host, port }))
        }
        ConnectionAddr::Unix(path) => Ok(Shape::Socket(path)),
        _ => Err(unreachable("the address is of an unknown kind")),
    }
}

fn unreachable(detail: &str) -> Error {
    Error::new(ErrorKind::Unreachable, "CONNECT", detail)
}
