//! One server, one connection, shared by everybody and replaced when it is of no use.
//!
//! Invariants: at most one repair runs per link and everybody else waits for it, each up to its own deadline; a call
//! that timed out never decides alone, the repair asks the old connection and dials a new one, and whichever answers
//! first is used, so a connection that is blackholed for ever is replaced and one that was merely slow is kept.
//! Nothing is buffered while the link is down: a call waits in its own task or gives up.

mod repair;

use std::sync::{Arc, Weak};

use redis::aio::MultiplexedConnection;
use redis::{PushInfo, PushKind, Value};
use tokio::sync::watch;
use tokio::time::{Instant, timeout_at};

use crate::dial::Dialer;
use crate::error::{Error, ErrorKind};
use crate::failure::Failure;
use crate::packet::Packet;

pub(crate) struct Link {
    dialer: Dialer,
    state: watch::Sender<State>,
}

#[derive(Clone)]
enum State {
    /// Nobody has needed it yet, or its connection was given up.
    Idle,
    Up(Live),
    /// A repair runs; `last` is why its latest attempt failed.
    Down {
        last: Option<Error>,
    },
}

/// A connection and the number that tells it from its successors.
#[derive(Clone)]
struct Live {
    connection: MultiplexedConnection,
    number: u64,
}

/// Until when a call waits for a connection, and until when for its reply.
#[derive(Clone, Copy)]
pub(crate) struct Patience {
    pub(crate) connect_by: Instant,
    pub(crate) reply_by: Instant,
}

impl Link {
    pub(crate) fn new(dialer: Dialer) -> Arc<Self> {
        Arc::new(Self { dialer, state: watch::Sender::new(State::Idle) })
    }

    pub(crate) fn dialer(&self) -> &Dialer {
        &self.dialer
    }

    pub(crate) fn is_up(&self) -> bool {
        matches!(*self.state.borrow(), State::Up(_))
    }

    /// Waits for a connection without using it; fails at the first failed attempt instead of waiting for a later one.
    pub(crate) async fn first(self: &Arc<Self>) -> Result<(), Error> {
        let live = self.attempt(None).await?;
        self.raise(live);
        Ok(())
    }

    /// Sends one request and waits for its reply.
    pub(crate) async fn send(
        self: &Arc<Self>,
        packet: Packet<'_>,
        patience: Patience,
    ) -> Result<Value, Failure> {
        let mut live = self.live(patience.connect_by).await.map_err(Failure::NotSent)?;
        match timeout_at(patience.reply_by, packet.send(&mut live.connection)).await {
            Ok(Ok(value)) => Ok(value),
            Ok(Err(error)) => Err(self.judge(&error, &live)),
            Err(_) => {
                self.repair(live);
                Err(Failure::Silent(Error::new(ErrorKind::TimedOut, "", "the server did not reply")))
            }
        }
    }

    /// Drops the connection at once, with whatever still runs on it.
    pub(crate) fn reset(&self) {
        self.state.send_if_modified(|state| {
            let up = matches!(state, State::Up(_));
            if up {
                *state = State::Idle;
            }
            up
        });
    }

    async fn live(self: &Arc<Self>, deadline: Instant) -> Result<Live, Error> {
        let mut seen = self.state.subscribe();
        loop {
            let last = match seen.borrow_and_update().clone() {
                State::Up(live) => return Ok(live),
                State::Down { last: Some(error) } if error.kind() != ErrorKind::Unreachable => {
                    return Err(error);
                }
                State::Down { last } => last,
                State::Idle => None,
            };
            self.wake();
            if timeout_at(deadline, seen.changed()).await.is_err() {
                return Err(last.unwrap_or_else(no_connection));
            }
        }
    }

    fn judge(self: &Arc<Self>, error: &redis::RedisError, live: &Live) -> Failure {
        let fault = Error::from_redis(error);
        match fault.kind() {
            // Whatever went wrong on the way, the request may have arrived and its reply is not to be had.
            ErrorKind::Unreachable | ErrorKind::Protocol => {
                self.lose(live.number);
                Failure::Broken(fault)
            }
            ErrorKind::ReadOnly if self.dialer.can_move() => {
                self.lose(live.number);
                Failure::Refused(fault, None)
            }
            _ => Failure::Refused(fault, error.redirect_node().map(|(node, slot)| (node.to_owned(), slot))),
        }
    }

    /// Told by the client crate when the connection with this number has died.
    fn watcher(self: &Arc<Self>, number: u64) -> impl Fn(PushInfo) -> Result<(), ()> + Clone + use<> {
        let link: Weak<Self> = Arc::downgrade(self);
        move |push| {
            if push.kind == PushKind::Disconnection
                && let Some(link) = link.upgrade()
            {
                link.lose(number);
            }
            Ok(())
        }
    }
}

fn no_connection() -> Error {
    Error::new(ErrorKind::Unreachable, "CONNECT", "there was no connection in time")
}
