//! The two ways to reach a key: one link, or the link of the node that owns its slot.

use std::sync::Arc;

use redis::Value;
use tokio::time::Instant;

use crate::call::Call;
use crate::cluster::Cluster;
use crate::dial::Dialer;
use crate::error::Result;
use crate::failure::Failure;
use crate::link::Link;
use crate::options::Options;
use crate::target::Target;

pub(crate) enum Backend {
    Single(Arc<Link>),
    Cluster(Arc<Cluster>),
}

impl Backend {
    pub(crate) fn new(target: &Target, options: &Options) -> Self {
        match Dialer::new(target, options.connect_timeout) {
            Some(dialer) => Self::Single(Link::new(dialer)),
            None => Self::Cluster(Cluster::new(target, options.connect_timeout)),
        }
    }

    /// Connects now, or says why not.
    pub(crate) async fn first(&self, deadline: Instant) -> Result<()> {
        match self {
            Self::Single(link) => link.first().await,
            Self::Cluster(cluster) => cluster.first(deadline).await,
        }
    }

    pub(crate) async fn attempt(&self, call: &Call<'_>) -> Result<Value, Failure> {
        match self {
            Self::Single(link) => link.send(call.packet, call.patience()).await,
            Self::Cluster(cluster) => cluster.attempt(call).await,
        }
    }

    /// Every server that takes writes.
    pub(crate) async fn masters(&self, deadline: Instant) -> Result<Vec<Arc<Link>>> {
        match self {
            Self::Single(link) => Ok(vec![link.clone()]),
            Self::Cluster(cluster) => cluster.masters(deadline).await,
        }
    }

    /// Whether a call that one server refused as a replica may find a master elsewhere.
    pub(crate) fn can_move(&self) -> bool {
        match self {
            Self::Single(link) => link.dialer().can_move(),
            Self::Cluster(_) => true,
        }
    }

    /// Drops every open connection.
    pub(crate) fn reset(&self) {
        match self {
            Self::Single(link) => link.reset(),
            Self::Cluster(cluster) => cluster.reset(),
        }
    }
}
