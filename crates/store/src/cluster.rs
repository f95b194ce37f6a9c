//! A cluster: a table of slots and one link per node.
//!
//! The client crate has a cluster connection, but it repeats writes whose reply was lost and keeps a connection that
//! never answers. Here a node is an ordinary [`Link`], so a cluster has the same guarantees as one server, and this
//! file only routes: it follows MOVED and ASK, and asks for the table again when a node is away.

mod slots;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use redis::Value;
use tokio::time::Instant;

use crate::call::Call;
use crate::dial::{Dialer, Login};
use crate::error::{Error, ErrorKind, Result};
use crate::failure::Failure;
use crate::link::{Link, Patience};
use crate::packet::Packet;
use crate::target::{Node, Shape, Target};
use slots::{Slots, parse_node};

/// How long a call waits for one node before it asks whether another node has taken over.
const NODE_PATIENCE: Duration = Duration::from_millis(300);
/// A table is not asked for again before this, however many calls are in need of it.
const TABLE_REST: Duration = Duration::from_millis(100);
/// A slot on the move redirects once or twice; more is a cluster that disagrees with itself.
const REDIRECTS: usize = 8;

pub(crate) struct Cluster {
    seeds: Vec<Node>,
    login: Login,
    timeout: Duration,
    state: Mutex<State>,
    /// Held by the one task that asks for the table; when it last succeeded.
    asking: tokio::sync::Mutex<Option<Instant>>,
}

#[derive(Default)]
struct State {
    slots: Slots,
    links: HashMap<Node, Arc<Link>>,
}

impl Cluster {
    pub(crate) fn new(target: &Target, timeout: Duration) -> Arc<Self> {
        let seeds = if let Shape::Cluster(seeds) = &target.shape { seeds.clone() } else { Vec::new() };
        let login = Login::of(target);
        Arc::new(Self {
            seeds,
            login,
            timeout,
            state: Mutex::default(),
            asking: tokio::sync::Mutex::default(),
        })
    }

    pub(crate) async fn first(self: &Arc<Self>, deadline: Instant) -> Result<()> {
        self.learn(deadline).await
    }

    pub(crate) async fn masters(self: &Arc<Self>, deadline: Instant) -> Result<Vec<Arc<Link>>> {
        if self.state().slots.is_empty() {
            self.learn(deadline).await?;
        }
        let nodes = self.state().slots.masters();
        Ok(nodes.iter().map(|node| self.link(node)).collect())
    }

    pub(crate) fn reset(&self) {
        self.state().links.values().for_each(|link| link.reset());
    }

    /// Sends the call to the node that owns its slot, wherever that is by now.
    pub(crate) async fn attempt(self: &Arc<Self>, call: &Call<'_>) -> Result<Value, Failure> {
        let slot = call.packet.slot()?;
        let mut redirects = 0;
        loop {
            let node = self.owner(slot, call.deadline).await?;
            let failure = match self.link(&node).send(call.packet, near(call)).await {
                Ok(value) => return Ok(value),
                Err(failure) => failure,
            };
            redirects += 1;
            match self.follow(call, failure, &node).await {
                Step::Answer(answer) => return answer,
                Step::Refused(failure) if redirects > REDIRECTS => return Err(failure),
                Step::Refused(_) => {}
                Step::Away(failure) if Instant::now() >= call.deadline => return Err(failure),
                Step::Away(_) => self.relearn(call.deadline).await,
            }
        }
    }

    async fn follow(self: &Arc<Self>, call: &Call<'_>, failure: Failure, from: &Node) -> Step {
        match &failure {
            Failure::NotSent(error) if error.kind() == ErrorKind::Unreachable => Step::Away(failure),
            Failure::Refused(error, Some((place, slot))) => {
                let Some(node) = parse_node(place, from) else { return Step::Answer(Err(failure)) };
                if error.kind() == ErrorKind::Ask {
                    return Step::Answer(self.ask(call, &node).await);
                }
                self.state().slots.assign(*slot, node);
                let cluster = self.clone();
                let deadline = call.deadline;
                tokio::spawn(async move { cluster.relearn(deadline).await });
                Step::Refused(failure)
            }
            Failure::Refused(error, None)
                if matches!(error.kind(), ErrorKind::ReadOnly | ErrorKind::ClusterDown) =>
            {
                self.relearn(call.deadline).await;
                Step::Answer(Err(failure))
            }
            _ => Step::Answer(Err(failure)),
        }
    }

    /// A slot on its way: this one request may be asked from the importing node.
    async fn ask(self: &Arc<Self>, call: &Call<'_>, node: &Node) -> Result<Value, Failure> {
        let Packet::One(cmd) = call.packet else {
            let why = "a slot is on its way to another node while a pipeline wants it";
            return Err(Failure::Refused(Error::new(ErrorKind::TryAgain, "", why), None));
        };
        let mut pair = redis::pipe();
        pair.cmd("ASKING").ignore().add_command(cmd.clone());
        let answer = self.link(node).send(Packet::Many(&pair), near(call)).await?;
        match answer {
            Value::Array(mut values) if values.len() == 1 => Ok(values.remove(0)),
            other => Ok(other),
        }
    }

    async fn owner(self: &Arc<Self>, slot: Option<u16>, deadline: Instant) -> Result<Node> {
        for _ in 0..2 {
            let found = {
                let state = self.state();
                slot.map_or_else(|| state.slots.any(), |slot| state.slots.owner(slot))
            };
            match found {
                Some(node) => return Ok(node),
                None => self.learn(deadline).await?,
            }
        }
        Err(Error::new(ErrorKind::ClusterDown, "", "no node of the cluster serves the slot"))
    }

    fn link(&self, node: &Node) -> Arc<Link> {
        let dial = || Link::new(Dialer::to(node, &self.login, self.timeout));
        self.state().links.entry(node.clone()).or_insert_with(dial).clone()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

enum Step {
    Answer(Result<Value, Failure>),
    Refused(Failure),
    Away(Failure),
}

fn near(call: &Call<'_>) -> Patience {
    let patience = call.patience();
    Patience { connect_by: patience.connect_by.min(Instant::now() + NODE_PATIENCE), ..patience }
}
