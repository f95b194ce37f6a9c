//! Asking Sentinels for the master.
//!
//! Each Sentinel is asked in turn with a share of the time left, and what they name must say of itself that it is a
//! master: right after a failover a Sentinel may still name the old one.

use redis::aio::MultiplexedConnection;
use redis::{ConnectionAddr, Value};
use tokio::time::{Instant, timeout};

use super::{Login, config};
use crate::error::{Error, ErrorKind, Result};
use crate::target::Node;

#[derive(Clone)]
pub(super) struct Sentinels {
    nodes: Vec<Node>,
    name: String,
}

impl Sentinels {
    pub(super) fn new(nodes: Vec<Node>, name: String) -> Self {
        Self { nodes, name }
    }

    /// The address of the master, from the first Sentinel that knows it.
    pub(super) async fn master(&self, login: &Login, deadline: Instant) -> Result<ConnectionAddr> {
        let mut last = unreachable("no Sentinel is named");
        for (index, node) in self.nodes.iter().enumerate() {
            // Later Sentinels and the master itself need time too, so nobody gets all that is left.
            let left = deadline.saturating_duration_since(Instant::now());
            let share = left / u32::try_from(self.nodes.len() - index + 1).unwrap_or(u32::MAX);
            match timeout(share, self.ask(node, login)).await {
                Ok(Ok(master)) => return Ok(login.address(&master)),
                Ok(Err(error)) => last = error,
                Err(_) => last = unreachable(&format!("the Sentinel {node} did not answer")),
            }
        }
        Err(last)
    }

    /// Sentinels often have no password where the servers have one, so they are asked without it first.
    async fn ask(&self, node: &Node, login: &Login) -> Result<Node> {
        let bare = Login { user: None, password: None, db: 0, tls: login.tls };
        match self.ask_as(node, &bare).await {
            Err(error) if error.kind() == ErrorKind::NoAuth => {
                self.ask_as(node, &Login { db: 0, ..login.clone() }).await
            }
            answer => answer,
        }
    }

    async fn ask_as(&self, node: &Node, login: &Login) -> Result<Node> {
        let mut connection = login.connect(login.address(node), &config()).await?;
        let mut cmd = redis::cmd("SENTINEL");
        cmd.arg("get-master-addr-by-name").arg(&self.name);
        let found: Option<(String, u16)> =
            cmd.query_async(&mut connection).await.map_err(|e| Error::from_redis(&e))?;
        let unknown = || unreachable(&format!("the Sentinel {node} knows no master named {}", self.name));
        found.map(|(host, port)| Node { host, port }).ok_or_else(unknown)
    }
}

/// Refuses a connection to a server that does not call itself master.
pub(super) async fn must_be_master(connection: &mut MultiplexedConnection) -> Result<()> {
    let role: Vec<Value> =
        redis::cmd("ROLE").query_async(connection).await.map_err(|error| Error::from_redis(&error))?;
    match role.first() {
        Some(Value::BulkString(word)) if word == b"master" => Ok(()),
        _ => Err(unreachable("Sentinel named a server that is not a master yet")),
    }
}

fn unreachable(detail: &str) -> Error {
    Error::new(ErrorKind::Unreachable, "SENTINEL", detail)
}
