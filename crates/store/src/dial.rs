//! Opening one connection: to a fixed address, or to whatever Sentinel calls the master now.
//!
//! A connection counts as open only when the server has answered on it. RESP3 is used for one reason: the client
//! crate then tells at once when an idle connection dies, so that the next write does not find out by losing its reply.

pub(crate) mod masters;
mod sentinel;

use std::sync::Once;
use std::time::Duration;

use redis::aio::{AsyncPushSender, MultiplexedConnection};
use redis::{
    AsyncConnectionConfig, Client, ConnectionAddr, ConnectionInfo, IntoConnectionInfo, ProtocolVersion,
    RedisConnectionInfo,
};
use tokio::time::{Instant, timeout_at};

use crate::error::{Error, ErrorKind, Result};
use crate::target::{Node, Secret, Shape, Target};
use sentinel::Sentinels;

/// Requests waiting to be written on one connection; who comes later waits in its own task.
const QUEUE: usize = 256;

/// Knows how to open connections to one server.
#[derive(Clone)]
pub(crate) struct Dialer {
    place: Place,
    login: Login,
    pub(crate) timeout: Duration,
}

#[derive(Clone)]
enum Place {
    Fixed(ConnectionAddr),
    Sentinel(Sentinels),
}

/// What every connection of a target shares.
#[derive(Clone)]
pub(crate) struct Login {
    user: Option<String>,
    password: Option<Secret>,
    tls: bool,
    db: i64,
}

impl Dialer {
    /// For a target that is one server at any time. A cluster makes a dialer per node with [`Dialer::to`].
    pub(crate) fn new(target: &Target, timeout: Duration) -> Option<Self> {
        let login = Login::of(target);
        let place = match &target.shape {
            Shape::Server(node) => Place::Fixed(login.address(node)),
            Shape::Socket(path) => Place::Fixed(ConnectionAddr::Unix(path.clone())),
            Shape::Sentinel { sentinels, master } => {
                Place::Sentinel(Sentinels::new(sentinels.clone(), master.clone()))
            }
            Shape::Cluster(_) => return None,
        };
        Some(Self { place, login, timeout })
    }

    pub(crate) fn to(node: &Node, login: &Login, timeout: Duration) -> Self {
        Self { place: Place::Fixed(login.address(node)), login: login.clone(), timeout }
    }

    /// Whether another dial may reach another server, so that reconnecting helps against a demoted master.
    pub(crate) fn can_move(&self) -> bool {
        matches!(self.place, Place::Sentinel(_))
    }

    /// Opens a connection and hears the server on it, all within the connect timeout.
    pub(crate) async fn dial(&self, pushes: impl AsyncPushSender + Clone) -> Result<MultiplexedConnection> {
        let deadline = Instant::now() + self.timeout;
        let opened = timeout_at(deadline, self.open(pushes, deadline)).await;
        let late =
            || Error::new(ErrorKind::Unreachable, "CONNECT", format!("no answer within {:?}", self.timeout));
        opened.unwrap_or_else(|_| Err(late())).map_err(|error| error.without(self.login.secret()))
    }

    async fn open(&self, pushes: impl AsyncPushSender, deadline: Instant) -> Result<MultiplexedConnection> {
        let address = match &self.place {
            Place::Fixed(address) => address.clone(),
            Place::Sentinel(sentinels) => sentinels.master(&self.login, deadline).await?,
        };
        let config = config().set_push_sender(pushes);
        let mut connection = self.login.connect(address, &config).await?;
        match &self.place {
            Place::Fixed(_) => greet(&mut connection).await?,
            Place::Sentinel(_) => sentinel::must_be_master(&mut connection).await?,
        }
        Ok(connection)
    }
}

impl Login {
    pub(crate) fn of(target: &Target) -> Self {
        Self { user: target.user.clone(), password: target.password.clone(), tls: target.tls, db: target.db }
    }

    fn secret(&self) -> Option<&str> {
        self.password.as_ref().map(Secret::reveal)
    }

    fn address(&self, node: &Node) -> ConnectionAddr {
        let Node { host, port } = node.clone();
        if self.tls {
            ConnectionAddr::TcpTls { host, port, insecure: false, tls_params: None }
        } else {
            ConnectionAddr::Tcp(host, port)
        }
    }

    async fn connect(
        &self,
        address: ConnectionAddr,
        config: &AsyncConnectionConfig,
    ) -> Result<MultiplexedConnection> {
        install_crypto();
        let client = Client::open(self.info(address).map_err(fault)?).map_err(fault)?;
        client.get_multiplexed_async_connection_with_config(config).await.map_err(fault)
    }

    fn info(&self, address: ConnectionAddr) -> redis::RedisResult<ConnectionInfo> {
        let mut settings = RedisConnectionInfo::default()
            .set_protocol(ProtocolVersion::RESP3)
            .set_db(self.db)
            .set_lib_name("quorate", env!("CARGO_PKG_VERSION"));
        if let Some(user) = &self.user {
            settings = settings.set_username(user);
        }
        if let Some(password) = self.secret() {
            settings = settings.set_password(password);
        }
        Ok(address.into_connection_info()?.set_redis_settings(settings))
    }
}

/// The timeouts of the client crate are off: it would drop the request and keep the dead connection.
fn config() -> AsyncConnectionConfig {
    AsyncConnectionConfig::new()
        .set_connection_timeout(None)
        .set_response_timeout(None)
        .set_pipeline_buffer_size(QUEUE)
}

/// A server that answers is there, whatever it answers, unless it does not let us in.
async fn greet(connection: &mut MultiplexedConnection) -> Result<()> {
    let answer: redis::RedisResult<redis::Value> = redis::cmd("PING").query_async(connection).await;
    match answer.map_err(|error| Error::from_redis(&error)) {
        Err(error)
            if matches!(error.kind(), ErrorKind::NoAuth | ErrorKind::Unreachable | ErrorKind::Protocol) =>
        {
            Err(error)
        }
        _ => Ok(()),
    }
}

fn fault(error: redis::RedisError) -> Error {
    Error::from_redis(&error).with_op("CONNECT")
}

/// The TLS library panics when two providers, or none, are compiled in; whoever installs one first is heard.
fn install_crypto() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| drop(rustls::crypto::ring::default_provider().install_default()));
}
