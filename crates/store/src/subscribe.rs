//! Pub/sub on a connection of its own that comes back by itself, and says so.
//!
//! A message is a hint (DESIGN D10): the server forgets it once sent. So a break in the connection and a reader that
//! is too slow are both notices of their own, upon which the reader looks at the durable state. A connection that
//! goes silent is found by PING. At most [`BUFFER`] messages wait for a slow reader.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use redis::aio::MultiplexedConnection;
use redis::{Msg, PushInfo, PushKind};
use tokio::sync::mpsc;
use tokio::time::{Instant, sleep_until, timeout};

use crate::backoff::Backoff;
use crate::dial::Dialer;
use crate::error::{Error, ErrorKind, Result};
use crate::store::Store;

const BUFFER: usize = 4096;
const PING_EVERY: Duration = Duration::from_secs(5);

/// What to listen to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Topics {
    /// Names of channels.
    pub channels: Vec<String>,
    /// Patterns of channels.
    pub patterns: Vec<String>,
}

impl Topics {
    /// These channels and no pattern.
    pub fn channels<S: Into<String>>(names: impl IntoIterator<Item = S>) -> Self {
        Self { channels: names.into_iter().map(Into::into).collect(), patterns: Vec::new() }
    }

    /// These patterns and no single channel.
    pub fn patterns<S: Into<String>>(patterns: impl IntoIterator<Item = S>) -> Self {
        Self { channels: Vec::new(), patterns: patterns.into_iter().map(Into::into).collect() }
    }
}

/// What a subscription yields.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Notice {
    /// A message.
    Message {
        /// The channel it was published on.
        channel: String,
        /// The pattern that matched, if one did.
        pattern: Option<String>,
        /// What was published.
        payload: Vec<u8>,
    },
    /// The connection was lost and is back; messages in between are gone.
    Reconnected,
    /// The reader was too slow; some messages are gone.
    Overflowed,
}

/// A running subscription. Dropping it closes the connection.
pub struct Subscription {
    store: Store,
    topics: Topics,
    pipe: Pipe,
}

struct Pipe {
    connection: MultiplexedConnection,
    messages: mpsc::Receiver<Notice>,
    overflowed: Arc<AtomicBool>,
}

impl Store {
    /// Listens to channels. On a cluster one node is enough: it hears what is published on any.
    pub async fn subscribe(&self, topics: Topics) -> Result<Subscription> {
        if topics.channels.is_empty() && topics.patterns.is_empty() {
            return Err(Error::new(ErrorKind::InvalidArgument, "SUBSCRIBE", "there is nothing to listen to"));
        }
        let pipe = open(self, &topics, 0).await?;
        Ok(Subscription { store: self.clone(), topics, pipe })
    }
}

impl Subscription {
    /// The next notice. It waits through outages of any length, and is safe to drop and call again.
    pub async fn next(&mut self) -> Notice {
        loop {
            if self.pipe.overflowed.swap(false, Ordering::Relaxed) {
                return Notice::Overflowed;
            }
            match timeout(PING_EVERY, self.pipe.messages.recv()).await {
                Ok(Some(notice)) => return notice,
                Err(_) if self.answers().await => {}
                _ => {
                    self.reopen().await;
                    return Notice::Reconnected;
                }
            }
        }
    }

    async fn answers(&mut self) -> bool {
        let limit = self.store.options.connect_timeout;
        let ping = async { redis::cmd("PING").query_async::<redis::Value>(&mut self.pipe.connection).await };
        matches!(timeout(limit, ping).await, Ok(Ok(_)))
    }

    async fn reopen(&mut self) {
        let mut backoff = Backoff::reconnect();
        for attempt in 0.. {
            let next = Instant::now() + backoff.pause();
            if let Ok(pipe) = open(&self.store, &self.topics, attempt).await {
                self.pipe = pipe;
                return;
            }
            sleep_until(next).await;
        }
    }
}

async fn open(store: &Store, topics: &Topics, attempt: usize) -> Result<Pipe> {
    let masters = store.backend.masters(store.deadline()).await?;
    let link = masters.get(attempt % masters.len().max(1)).ok_or_else(nobody)?;
    let (sender, messages) = mpsc::channel(BUFFER);
    let overflowed = Arc::new(AtomicBool::new(false));
    let connection = Dialer::clone(link.dialer()).dial(forward(sender, overflowed.clone())).await?;
    let mut pipe = Pipe { connection, messages, overflowed };
    let limit = store.options.response_timeout;
    let late = |_| Error::new(ErrorKind::TimedOut, "SUBSCRIBE", "the server did not confirm");
    timeout(limit, listen(&mut pipe.connection, topics)).await.map_err(late)??;
    Ok(pipe)
}

async fn listen(connection: &mut MultiplexedConnection, topics: &Topics) -> Result<()> {
    let fault = |error: redis::RedisError| Error::from_redis(&error).with_op("SUBSCRIBE");
    if !topics.channels.is_empty() {
        connection.subscribe(&topics.channels).await.map_err(fault)?;
    }
    if !topics.patterns.is_empty() {
        connection.psubscribe(&topics.patterns).await.map_err(fault)?;
    }
    Ok(())
}

/// Hands messages to the reader. Dropping the sender at a disconnection is what tells the reader of it.
fn forward(
    sender: mpsc::Sender<Notice>,
    overflowed: Arc<AtomicBool>,
) -> impl Fn(PushInfo) -> Result<(), ()> + Clone {
    let sender = Arc::new(std::sync::Mutex::new(Some(sender)));
    move |push| {
        let mut sender = sender.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if push.kind == PushKind::Disconnection {
            sender.take();
        } else if let (Some(sender), Some(notice)) = (sender.as_ref(), notice(push))
            && sender.try_send(notice).is_err()
        {
            overflowed.store(true, Ordering::Relaxed);
        }
        Ok(())
    }
}

fn notice(push: PushInfo) -> Option<Notice> {
    let message = Msg::from_push_info(push)?;
    Some(Notice::Message {
        channel: message.get_channel_name().to_owned(),
        pattern: message.get_pattern().ok().flatten(),
        payload: message.get_payload_bytes().to_vec(),
    })
}

fn nobody() -> Error {
    Error::new(ErrorKind::Unreachable, "SUBSCRIBE", "the cluster has no master")
}
