//! The table of slots: who owns which, as `CLUSTER SLOTS` tells it, and asking for it.

use std::collections::BTreeMap;
use std::sync::Arc;

use redis::Value;
use tokio::time::Instant;

use super::{Cluster, NODE_PATIENCE, TABLE_REST};
use crate::error::{Error, ErrorKind, Result};
use crate::link::{Link, Patience};
use crate::packet::Packet;
use crate::target::Node;

/// Ranges by their first slot, with their last slot and their master.
#[derive(Default, Debug)]
pub(super) struct Slots(BTreeMap<u16, (u16, Node)>);

impl Slots {
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn owner(&self, slot: u16) -> Option<Node> {
        let (_, (last, node)) = self.0.range(..=slot).next_back()?;
        (slot <= *last).then(|| node.clone())
    }

    pub(super) fn any(&self) -> Option<Node> {
        self.0.values().next().map(|(_, node)| node.clone())
    }

    pub(super) fn masters(&self) -> Vec<Node> {
        let mut nodes: Vec<_> = self.0.values().map(|(_, node)| node.clone()).collect();
        nodes.sort();
        nodes.dedup();
        nodes
    }

    /// One slot has moved: its range is cut around it.
    pub(super) fn assign(&mut self, slot: u16, node: Node) {
        let covering =
            self.0.range(..=slot).next_back().map(|(first, (last, old))| (*first, *last, old.clone()));
        if let Some((first, last, old)) = covering.filter(|(_, last, _)| slot <= *last) {
            self.0.remove(&first);
            if first < slot {
                self.0.insert(first, (slot - 1, old.clone()));
            }
            if slot < last {
                self.0.insert(slot + 1, (last, old));
            }
        }
        self.0.insert(slot, (slot, node));
    }

    /// Reads `CLUSTER SLOTS`; a missing host means the node that was asked.
    fn read(reply: Value, asked: &Node) -> Option<Self> {
        let ranges: Vec<Vec<Value>> = redis::from_redis_value(reply).ok()?;
        let mut slots = BTreeMap::new();
        for range in ranges {
            let mut parts = range.into_iter();
            let first: u16 = redis::from_redis_value(parts.next()?).ok()?;
            let last: u16 = redis::from_redis_value(parts.next()?).ok()?;
            slots.insert(first, (last, master(parts.next()?, asked)?));
        }
        Some(Self(slots))
    }
}

fn master(value: Value, asked: &Node) -> Option<Node> {
    let mut parts = redis::from_redis_value::<Vec<Value>>(value).ok()?.into_iter();
    let host: Option<String> = redis::from_redis_value(parts.next()?).ok()?;
    let port: u16 = redis::from_redis_value(parts.next()?).ok()?;
    let host = host.filter(|host| !host.is_empty()).unwrap_or_else(|| asked.host.clone());
    Some(Node { host, port })
}

/// `host:port` of a redirection; an empty host means the node that redirected.
pub(super) fn parse_node(text: &str, from: &Node) -> Option<Node> {
    let (host, port) = text.rsplit_once(':')?;
    let host = if host.is_empty() { &from.host } else { host };
    Some(Node { host: host.trim_matches(['[', ']']).to_owned(), port: port.parse().ok()? })
}

impl Cluster {
    /// Asks for the table unless somebody just did. One task asks; the others wait for it.
    pub(super) async fn learn(self: &Arc<Self>, deadline: Instant) -> Result<()> {
        let mut asked = self.asking.lock().await;
        if asked.is_some_and(|at| at.elapsed() < TABLE_REST) {
            return Ok(());
        }
        let mut last = Error::new(ErrorKind::Unreachable, "CLUSTER SLOTS", "no node of the cluster answered");
        for node in self.known() {
            if Instant::now() >= deadline {
                break;
            }
            match self.ask_table(&node, deadline).await {
                Ok(slots) => {
                    self.adopt(slots);
                    *asked = Some(Instant::now());
                    return Ok(());
                }
                Err(error) => last = error,
            }
        }
        Err(last)
    }

    /// As [`Cluster::learn`], where an old table is better than none.
    pub(super) async fn relearn(self: &Arc<Self>, deadline: Instant) {
        if self.learn(deadline).await.is_err() {
            tokio::time::sleep_until((Instant::now() + TABLE_REST).min(deadline)).await;
        }
    }

    /// Nodes that are up come first, then the rest, then those the URL names.
    fn known(&self) -> Vec<Node> {
        let state = self.state();
        let mut nodes: Vec<_> =
            state.links.iter().map(|(node, link)| (!link.is_up(), node.clone())).collect();
        nodes.sort();
        let known = nodes.into_iter().map(|(_, node)| node);
        let mut all: Vec<Node> = Vec::new();
        for node in known.chain(self.seeds.iter().cloned()) {
            if !all.contains(&node) {
                all.push(node);
            }
        }
        all
    }

    async fn ask_table(self: &Arc<Self>, node: &Node, deadline: Instant) -> Result<Slots> {
        let mut cmd = redis::cmd("CLUSTER");
        cmd.arg("SLOTS");
        let by = (Instant::now() + NODE_PATIENCE * 2).min(deadline);
        let patience = Patience { connect_by: by, reply_by: by };
        let reply = self.link(node).send(Packet::One(&cmd), patience).await;
        let reply = reply.map_err(|failure| failure.error().clone().with_op("CLUSTER SLOTS"))?;
        let unreadable =
            || Error::new(ErrorKind::Protocol, "CLUSTER SLOTS", "the table of slots cannot be read");
        Slots::read(reply, node).filter(|slots| !slots.is_empty()).ok_or_else(unreadable)
    }

    /// Takes a table and forgets the links of nodes that are in it no more.
    fn adopt(&self, slots: Slots) {
        let masters = slots.masters();
        let mut state = self.state();
        state.slots = slots;
        let keep = |node: &Node, link: &mut Arc<Link>| {
            masters.contains(node) || (self.seeds.contains(node) && link.is_up())
        };
        state.links.retain(keep);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn node(port: u16) -> Node {
        Node { host: "h".to_owned(), port }
    }

    #[test]
    fn a_moved_slot_cuts_its_range_and_nothing_else() {
        let mut slots = Slots(BTreeMap::from([(0, (100, node(1))), (200, (300, node(2)))]));
        slots.assign(50, node(3));
        slots.assign(0, node(3));
        slots.assign(300, node(1));
        let owners =
            [0, 1, 49, 50, 51, 100, 101, 200, 300].map(|slot| slots.owner(slot).map(|node| node.port));
        assert_eq!(owners, [Some(3), Some(1), Some(1), Some(3), Some(1), Some(1), None, Some(2), Some(1)]);
        assert_eq!(slots.masters().len(), 3);
    }

    #[test]
    fn redirections_may_leave_out_the_host() {
        assert_eq!(parse_node(":7001", &node(1)), Some(node(7001)));
        assert_eq!(parse_node("::1:7001", &node(1)), Some(Node { host: "::1".to_owned(), port: 7001 }));
        assert_eq!(parse_node("nonsense", &node(1)), None);
    }
}
