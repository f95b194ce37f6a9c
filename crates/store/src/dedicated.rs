//! A connection of its own, for reads that block in the server.
//!
//! A blocking command stops everything behind it on its connection, so it never shares the store's. Giving up on such
//! a call closes the connection at once: otherwise the server could still hand an item to nobody.

use std::sync::Arc;
use std::time::Duration;

use redis::{Cmd, FromRedisValue};

use crate::backend::Backend;
use crate::call::{Call, To};
use crate::error::Result;
use crate::packet::Packet;
use crate::store::{Store, decode};

/// One caller's own connection; it connects with the first call.
pub struct Dedicated {
    store: Store,
}

impl Dedicated {
    pub(crate) fn new(store: &Store) -> Self {
        let backend = Arc::new(Backend::new(&store.target, &store.options));
        Self { store: store.on(backend) }
    }

    /// Sends a command that may block for `block` in the server, and waits that long plus the store's own timeout.
    /// `block` must be what the command itself says; a command that blocks for ever has no place here.
    pub async fn query<T: FromRedisValue>(&mut self, cmd: &Cmd, block: Duration) -> Result<T> {
        let packet = Packet::One(cmd);
        let op = packet.name();
        let call = self.store.call(&op, packet, self.store.safety(packet));
        let call = Call { block, deadline: call.deadline + block, ..call };
        let mut unfinished = Unfinished(Some(&self.store.backend));
        let answer = call.deliver(To::Owner(&self.store.backend)).await;
        // An error may leave the command waiting in the server; only an answer shows that the connection is free.
        if answer.is_ok() {
            unfinished.0 = None;
        }
        drop(unfinished);
        decode(answer?, &op)
    }
}

/// Closes the connection unless the call on it has ended.
struct Unfinished<'a>(Option<&'a Backend>);

impl Drop for Unfinished<'_> {
    fn drop(&mut self) {
        if let Some(backend) = self.0 {
            backend.reset();
        }
    }
}
