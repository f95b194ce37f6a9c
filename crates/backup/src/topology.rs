//! Whether a cluster keeps still while its nodes are copied one after the other.
//!
//! A key that moves from a node not yet copied to one already copied would be in no copy at all. So no slot may be on
//! its way, and the nodes must own the same slots after the copy as before it.

use quorate_store::{Store, cmd};

use crate::{Error, Result};

/// Who owns what: of each master the line about itself, without what changes all the time.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Topology(Vec<String>);

impl Topology {
    /// Refuses a cluster whose slots are moving. A single server has nothing to move.
    pub(crate) async fn of(store: &Store) -> Result<Self> {
        if !store.target().is_cluster() {
            return Ok(Self(Vec::new()));
        }
        let views: Vec<String> = store.each_master(cmd("CLUSTER").arg("NODES")).await?;
        let mut lines: Vec<String> = views.iter().filter_map(|view| own(view)).collect();
        if lines.len() != views.len() || lines.iter().any(|line| line.contains('[')) {
            return Err(Error::Moving);
        }
        lines.sort();
        Ok(Self(lines))
    }

    pub(crate) async fn must_be_as_before(&self, store: &Store) -> Result<()> {
        if *self == Self::of(store).await? { Ok(()) } else { Err(Error::Moving) }
    }
}

/// The node's id and its slots: `<id> <address> myself,master - 0 0 1 connected 0-5460 [93->-<id>]`.
fn own(view: &str) -> Option<String> {
    let line = view.lines().find(|line| line.contains("myself"))?;
    let words: Vec<&str> = line.split_whitespace().collect();
    Some([&[*words.first()?], words.get(8..)?].concat().join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_node_is_its_id_and_its_slots() {
        let view = "a1 h:1@2 master - 0 9 2 connected 9\nb2 h:3@4 myself,master - 0 0 1 connected 0-5460 [93->-a1]\n";
        assert_eq!(own(view).as_deref(), Some("b2 0-5460 [93->-a1]"));
    }
}
