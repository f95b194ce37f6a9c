//! The handle everything above this crate holds: cheap to clone, the same for a server, Sentinel and a cluster.
//!
//! A handle carries how patient its calls are and which clock scripts see; [`Store::within`] and the like give a
//! changed copy that shares the connection. Calls that block in the server belong on [`Store::dedicated`].

use std::sync::Arc;
use std::time::Duration;

use redis::{Cmd, FromRedisValue, Pipeline, Value};
use tokio::time::Instant;

use crate::backend::Backend;
use crate::call::{Call, To};
use crate::dedicated::Dedicated;
use crate::error::{Error, Result};
use crate::failure::Safety;
use crate::info::Info;
use crate::link::Link;
use crate::options::Options;
use crate::packet::Packet;
use crate::script::once::Once;
use crate::target::Target;
use crate::time::{Clock, Micros};

/// A handle on the server, the Sentinel group or the cluster that a [`Target`] names.
#[derive(Clone)]
pub struct Store {
    pub(crate) backend: Arc<Backend>,
    pub(crate) target: Arc<Target>,
    pub(crate) options: Options,
    pub(crate) clock: Clock,
    repeatable: bool,
    /// The request in whose name changes are made.
    pub(crate) once: Option<Arc<Once>>,
    /// Whether a script runs again and again until something happens.
    pub(crate) looping: bool,
}

impl Store {
    /// Connects, and fails at once if the first attempt fails.
    pub async fn connect(target: Target, options: Options) -> Result<Self> {
        let store = Self::lazy(target, options);
        store.backend.first(Instant::now() + options.connect_timeout).await?;
        Ok(store)
    }

    /// A handle that connects with its first call, which then waits for the server as any later call would.
    pub fn lazy(target: Target, options: Options) -> Self {
        let backend = Arc::new(Backend::new(&target, &options));
        Self {
            backend,
            target: Arc::new(target),
            options,
            clock: Clock::Server,
            repeatable: false,
            once: None,
            looping: false,
        }
    }

    /// Which server this is; its `Display` shows no password.
    pub fn target(&self) -> &Target {
        &self.target
    }

    /// The same store with another limit for the whole of each call.
    #[must_use]
    pub fn within(&self, timeout: Duration) -> Self {
        Self { options: self.options.response_timeout(timeout), ..self.clone() }
    }

    /// The same settings on other connections.
    pub(crate) fn on(&self, backend: Arc<Backend>) -> Self {
        Self { backend, ..self.clone() }
    }

    /// The same store, whose calls the caller knows to be idempotent: a lost reply is answered by sending again.
    #[must_use]
    pub fn repeatable(&self) -> Self {
        Self { repeatable: true, ..self.clone() }
    }

    /// The same store, whose changes are made in the name of a request: each has one effect, however often it is tried.
    #[must_use]
    pub fn under(&self, once: Arc<Once>) -> Self {
        Self { once: Some(once), ..self.clone() }
    }

    /// Whether changes are made in the name of a request that is remembered.
    pub fn is_under(&self) -> bool {
        self.once.as_ref().is_some_and(|once| once.remembers())
    }

    /// Whether its changes are made in the name of a request, so that nobody else's may go with them.
    pub fn is_enveloped(&self) -> bool {
        self.once.is_some()
    }

    /// The same store for a script that runs until something happens: all its runs are one step of the request.
    #[must_use]
    pub fn looping(&self) -> Self {
        Self { repeatable: true, looping: true, ..self.clone() }
    }

    /// The same store for changes that are the same however often they are made, and by whom: nothing is remembered.
    #[must_use]
    pub fn natural(&self) -> Self {
        Self { repeatable: true, once: None, ..self.clone() }
    }

    /// The same store with another clock in its scripts and in [`Store::time`]; for tests.
    #[must_use]
    pub fn with_clock(&self, clock: Clock) -> Self {
        Self { clock, ..self.clone() }
    }

    /// Sends one command. It is repeated after a lost reply only if it reads or the store is [`Store::repeatable`].
    pub async fn query<T: FromRedisValue>(&self, cmd: &Cmd) -> Result<T> {
        self.send(Packet::One(cmd)).await
    }

    /// Sends several commands at once; on a cluster all of them must be of one slot. Unless the pipeline is atomic,
    /// an error may leave a part of it done.
    pub async fn pipeline<T: FromRedisValue>(&self, pipeline: &Pipeline) -> Result<T> {
        self.send(Packet::Many(pipeline)).await
    }

    /// Sends one command to every master and gives their answers in a fixed order.
    pub async fn each_master<T: FromRedisValue>(&self, cmd: &Cmd) -> Result<Vec<T>> {
        let (packet, deadline) = (Packet::One(cmd), self.deadline());
        let op = packet.name();
        let mut answers = Vec::new();
        for link in self.backend.masters(deadline).await? {
            let value = self.call(&op, packet, self.safety(packet)).deliver(To::Node(&link)).await?;
            answers.push(decode(value, &op)?);
        }
        Ok(answers)
    }

    /// The server's time, or what the store's test clock makes of it.
    pub async fn time(&self) -> Result<Micros> {
        let (seconds, micros): (u64, u64) = self.query(&redis::cmd("TIME")).await?;
        Ok(self.clock.at(Micros::new(seconds.saturating_mul(1_000_000).saturating_add(micros))))
    }

    /// One section of `INFO`; on a cluster, of one of its masters.
    pub async fn info(&self, section: &str) -> Result<Info> {
        let text: String = self.query(redis::cmd("INFO").arg(section)).await?;
        Ok(Info::read(&text))
    }

    /// A connection of its own, for calls that block in the server.
    pub fn dedicated(&self) -> Dedicated {
        Dedicated::new(self)
    }

    async fn send<T: FromRedisValue>(&self, packet: Packet<'_>) -> Result<T> {
        let op = packet.name();
        let value = self.call(&op, packet, self.safety(packet)).deliver(To::Owner(&self.backend)).await?;
        decode(value, &op)
    }

    pub(crate) async fn send_to<T: FromRedisValue>(&self, link: &Arc<Link>, cmd: &Cmd) -> Result<T> {
        let packet = Packet::One(cmd);
        let op = packet.name();
        let value = self.call(&op, packet, self.safety(packet)).deliver(To::Node(link)).await?;
        decode(value, &op)
    }

    pub(crate) fn call<'a>(&self, op: &'a str, packet: Packet<'a>, safety: Safety) -> Call<'a> {
        let patience = self.options.response_timeout;
        Call {
            op,
            packet,
            safety,
            block: Duration::ZERO,
            patience,
            deadline: self.deadline(),
            until_lost: false,
        }
    }

    pub(crate) fn safety(&self, packet: Packet<'_>) -> Safety {
        if packet.only_reads() { Safety::Read } else { self.of_changes() }
    }

    /// The same for what is known to change something.
    pub(crate) fn of_changes(&self) -> Safety {
        if self.repeatable { Safety::Repeatable } else { Safety::Once }
    }

    pub(crate) fn deadline(&self) -> Instant {
        Instant::now() + self.options.response_timeout
    }
}

impl std::fmt::Debug for Store {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Store({})", self.target)
    }
}

pub(crate) fn decode<T: FromRedisValue>(value: Value, op: &str) -> Result<T> {
    redis::from_redis_value(value).map_err(|error| Error::from_redis(&error.into()).with_op(op))
}
