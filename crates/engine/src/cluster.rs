//! A six-node cluster on loopback: three masters with a replica each, for tests and evaluation.
//!
//! Built with the servers' own commands, so that no `--cluster create` tool is needed. The node timeout is two
//! seconds: a failover takes about three, which is quick for a test and still a real election.

use std::time::Duration;

use crate::resp::{self, Value};
use crate::wait::{field, until};
use crate::{Binary, Error, Node, NodeOptions, Result, Url, ports};

const MASTERS: usize = 3;
const REPLICAS: usize = 3;
const SLOTS: usize = 16_384;
const FORMS_WITHIN: Duration = Duration::from_secs(30);

#[derive(Debug)]
pub struct Cluster {
    nodes: Vec<Node>,
}

impl Cluster {
    /// Starts three masters and three replicas and waits until all agree. Node `i + 3` is the replica of node `i`.
    pub fn start(binary: &Binary) -> Result<Self> {
        let options = NodeOptions::new(binary)?
            .config("cluster-enabled yes\ncluster-node-timeout 2000\ncluster-allow-replica-migration no")
            .config("repl-diskless-sync-delay 0");
        let nodes: Result<Vec<_>> = (0..MASTERS + REPLICAS).map(|_| Node::start(options.clone())).collect();
        let cluster = Self { nodes: nodes? };
        cluster.share_slots()?;
        cluster.meet()?;
        cluster.attach_replicas()?;
        cluster.wait_whole(FORMS_WITHIN)?;
        Ok(cluster)
    }

    fn share_slots(&self) -> Result<()> {
        for (i, node) in self.nodes.iter().take(MASTERS).enumerate() {
            let first = (i * SLOTS / MASTERS).to_string();
            let last = ((i + 1) * SLOTS / MASTERS - 1).to_string();
            node.call(&["CLUSTER", "ADDSLOTSRANGE", &first, &last])?;
            // Distinct epochs from the start spare the masters a round of settling equal ones.
            node.call(&["CLUSTER", "SET-CONFIG-EPOCH", &(i + 1).to_string()])?;
        }
        Ok(())
    }

    fn meet(&self) -> Result<()> {
        for node in &self.nodes[1..] {
            let (port, bus) = (node.port().to_string(), (node.port() + ports::BUS).to_string());
            self.nodes[0].call(&["CLUSTER", "MEET", "127.0.0.1", &port, &bus])?;
        }
        let all = self.nodes.len().to_string();
        until("every node knowing every other", FORMS_WITHIN, || {
            self.every(|node| Ok(field(info(node)?.text(), "cluster_known_nodes") == Some(all.as_str())))
        })
    }

    fn attach_replicas(&self) -> Result<()> {
        for (master, replica) in self.nodes.iter().zip(&self.nodes[MASTERS..]) {
            let id = master.call(&["CLUSTER", "MYID"])?;
            // Refused until the replica has heard from that master that it is one.
            until("a replica finding its master", FORMS_WITHIN, || {
                replica.call(&["CLUSTER", "REPLICATE", id.text()]).map(|_| true)
            })?;
        }
        until("every replica following its master", FORMS_WITHIN, || {
            self.nodes[MASTERS..]
                .iter()
                .map(follows)
                .collect::<Result<Vec<_>, _>>()
                .map(|all| all.iter().all(|b| *b))
        })
    }

    /// Waits until every node that answers says that the cluster is whole.
    pub fn wait_whole(&self, limit: Duration) -> Result<()> {
        until("a whole cluster", limit, || {
            self.every(|node| Ok(field(info(node)?.text(), "cluster_state") == Some("ok")))
        })
    }

    /// Waits until node `index` is a master, as a replica is after its master's death.
    pub fn wait_promoted(&self, index: usize, limit: Duration) -> Result<()> {
        until("the promotion of a replica", limit, || {
            let role = self.nodes[index].call(&["ROLE"])?;
            Ok::<_, resp::Error>(role.list().first().map(Value::text) == Some("master"))
        })
    }

    fn every(&self, holds: impl Fn(&Node) -> Result<bool, resp::Error>) -> Result<bool, resp::Error> {
        for node in self.nodes.iter().filter(|node| node.pid().is_some()) {
            if !holds(node)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Masters first, then their replicas in the same order, as they were at the start.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    pub fn node_mut(&mut self, index: usize) -> Option<&mut Node> {
        self.nodes.get_mut(index)
    }

    pub fn urls(&self) -> Vec<Url> {
        self.nodes.iter().map(Node::url).collect()
    }

    /// Runs a command on the node that serves its key, following one redirection: enough for a test's writes.
    pub fn call(&self, words: &[&str]) -> Result<Value> {
        let live = self.nodes.iter().find(|node| node.pid().is_some());
        let none = || Error::TooSlow { what: "no node is left".to_owned(), limit: Duration::ZERO };
        match live.ok_or_else(none)?.call(words) {
            Err(resp::Error::Refused(text)) if text.starts_with("MOVED") => {
                let port = text.rsplit(':').next().and_then(|port| port.parse().ok()).unwrap_or_default();
                Ok(resp::Client::tcp(port, Duration::from_secs(2))?.call(words)?)
            }
            result => Ok(result?),
        }
    }
}

fn info(node: &Node) -> Result<Value, resp::Error> {
    node.call(&["CLUSTER", "INFO"])
}

fn follows(node: &Node) -> Result<bool, resp::Error> {
    let info = node.call(&["INFO", "replication"])?;
    Ok(field(info.text(), "master_link_status") == Some("up"))
}
