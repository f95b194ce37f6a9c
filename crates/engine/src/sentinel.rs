//! A master, two replicas and three sentinels on loopback, for tests and evaluation.
//!
//! The sentinels run from the same binary as the servers. A master is taken for dead after one second, so a failover
//! takes about three.

use std::time::Duration;

use crate::resp::{self, Value};
use crate::wait::{field, until};
use crate::{Binary, Node, NodeOptions, Result};

const REPLICAS: usize = 2;
const SENTINELS: usize = 3;
const FORMS_WITHIN: Duration = Duration::from_secs(30);

#[derive(Debug)]
pub struct Sentinels {
    servers: Vec<Node>,
    sentinels: Vec<Node>,
}

impl Sentinels {
    /// The name by which the sentinels know the master.
    pub const NAME: &'static str = "quorate";

    /// Starts all six and waits until every sentinel knows the master, both replicas and the other two.
    pub fn start(binary: &Binary) -> Result<Self> {
        let options = NodeOptions::new(binary)?.config("repl-diskless-sync-delay 0");
        let master = Node::start(options.clone())?;
        let follow = options.config(format!("replicaof 127.0.0.1 {}", master.port()));
        let mut servers = vec![master];
        for _ in 0..REPLICAS {
            servers.push(Node::start(follow.clone())?);
        }
        // A sentinel asks a master for its replicas at once and then only every ten seconds: they must be there.
        until("every replica following its master", FORMS_WITHIN, || attached(&servers[0]))?;
        let watch = watcher(binary, servers[0].port())?;
        let sentinels = (0..SENTINELS).map(|_| Node::start(watch.clone())).collect::<Result<_>>()?;
        let trio = Self { servers, sentinels };
        trio.wait_formed()?;
        Ok(trio)
    }

    fn wait_formed(&self) -> Result<()> {
        until("the sentinels knowing each other and the servers", FORMS_WITHIN, || {
            for sentinel in &self.sentinels {
                if !knows_all(sentinel)? {
                    return Ok(false);
                }
            }
            Ok::<_, resp::Error>(true)
        })
    }

    /// Waits until every sentinel that runs names another master than `old` and it answers as one; returns its port.
    pub fn wait_failover(&self, old: u16, limit: Duration) -> Result<u16> {
        let mut new = old;
        until("a failover", limit, || {
            let mut ports = Vec::new();
            for sentinel in self.sentinels.iter().filter(|sentinel| sentinel.pid().is_some()) {
                ports.push(master_port(sentinel)?);
            }
            new = ports.first().copied().unwrap_or(old);
            Ok::<_, resp::Error>(new != old && ports.iter().all(|port| *port == new) && is_master(new)?)
        })?;
        Ok(new)
    }

    /// The port of the master, as the sentinels know it.
    pub fn master_port(&self) -> Result<u16> {
        Ok(master_port(&self.sentinels[0])?)
    }

    /// The first master, then the first replicas.
    pub fn servers(&self) -> &[Node] {
        &self.servers
    }

    pub fn server_mut(&mut self, index: usize) -> Option<&mut Node> {
        self.servers.get_mut(index)
    }

    pub fn sentinels(&self) -> &[Node] {
        &self.sentinels
    }

    pub fn sentinel_mut(&mut self, index: usize) -> Option<&mut Node> {
        self.sentinels.get_mut(index)
    }
}

fn watcher(binary: &Binary, master: u16) -> Result<NodeOptions> {
    let name = Sentinels::NAME;
    let mut options = NodeOptions::new(binary)?
        .config(format!("sentinel monitor {name} 127.0.0.1 {master} 2"))
        .config(format!("sentinel down-after-milliseconds {name} 1000"))
        .config(format!("sentinel failover-timeout {name} 3000"));
    options.sentinel = true;
    Ok(options)
}

fn attached(master: &Node) -> Result<bool, resp::Error> {
    let info = master.call(&["INFO", "replication"])?;
    let online =
        info.text().lines().filter(|line| line.starts_with("slave") && line.contains("state=online"));
    Ok(field(info.text(), "role") == Some("master") && online.count() == REPLICAS)
}

fn knows_all(sentinel: &Node) -> Result<bool, resp::Error> {
    sentinel.call(&["SENTINEL", "CKQUORUM", Sentinels::NAME])?;
    let facts = sentinel.call(&["SENTINEL", "MASTER", Sentinels::NAME])?;
    let fact =
        |name: &str| facts.list().chunks(2).find(|pair| pair[0].text() == name).map(|pair| pair[1].text());
    Ok(fact("flags") == Some("master")
        && fact("num-slaves") == Some(REPLICAS.to_string().as_str())
        && fact("num-other-sentinels") == Some((SENTINELS - 1).to_string().as_str()))
}

fn master_port(sentinel: &Node) -> Result<u16, resp::Error> {
    let address = sentinel.call(&["SENTINEL", "GET-MASTER-ADDR-BY-NAME", Sentinels::NAME])?;
    Ok(address.list().last().and_then(|port| port.text().parse().ok()).unwrap_or_default())
}

fn is_master(port: u16) -> Result<bool, resp::Error> {
    let role = resp::Client::tcp(port, Duration::from_secs(2))?.call(&["ROLE"])?;
    Ok(role.list().first().map(Value::text) == Some("master"))
}
