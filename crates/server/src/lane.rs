//! The short way for what most requests are: a whole request for a verb, in what has been read, in the plain form of HTTP/1.1.
//!
//! hyper can do all of HTTP, and each request pays for it: its body comes through a channel, and the connection is looked at three
//! times. Here the same request is read, asked and answered in one go. Whatever is not plain is hyper's, with all that has been
//! read, for the rest of the connection: so nothing about HTTP is decided in two ways.
//!
//! **Invariant:** what is answered here was read by hyper's parser, has one length and no encoding, and is whole. Nothing is
//! refused here.

mod answer;
mod request;
mod wait;

use std::pin::{Pin, pin};
use std::task::{Context, Poll, ready};
use std::time::Duration;
use std::{future, io};

use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt, ReadBuf};
use tokio::sync::watch;

use crate::api::Whole;
use crate::door::Door;
use request::Read;
use wait::Wait;

/// Room of a connection, and the most that it may grow to for one request.
const ROOM: usize = 4 * 1024;
const MOST: usize = 32 * 1024;
/// In how many pieces a request may come, and how long one that has begun may take, before it is hyper's.
const PIECES: usize = 8;
pub(crate) const BEGUN: Duration = Duration::from_secs(1);

/// How a connection left this way.
pub(crate) enum Left {
    /// It is at its end.
    Ended,
    /// It goes on with hyper, which has to read this first.
    On(Vec<u8>),
}

struct Lane<'c, T> {
    stream: &'c mut T,
    bytes: Vec<u8>,
    filled: usize,
    /// The answer that is being sent.
    answer: Vec<u8>,
}

/// What came of waiting for more.
enum More {
    Bytes,
    Nothing,
    Late,
}

/// Answers what it can, until the connection ends, is of another kind, or is silent for `idle`.
pub(crate) async fn run<T: AsyncRead + AsyncWrite + Unpin>(
    stream: &mut T,
    door: &Door,
    idle: Duration,
    stop: watch::Receiver<()>,
) -> Left {
    let mut lane = Lane { stream, bytes: vec![0; ROOM], filled: 0, answer: Vec::new() };
    let mut wait = Wait::new(idle, stop);
    let mut pieces = 0;
    loop {
        match request::read(&lane.bytes[..lane.filled], door) {
            Read::Other => return lane.left(),
            Read::Part if pieces >= PIECES || lane.is_full() => return lane.left(),
            Read::Part => {
                pieces += usize::from(lane.filled > 0);
                // Its time runs from its first piece, however many follow.
                match pieces {
                    0 => wait.begin(idle),
                    1 => wait.begin(BEGUN),
                    _ => {}
                }
                match lane.more(&mut wait).await {
                    More::Bytes => {}
                    More::Late if lane.filled > 0 => return lane.left(),
                    More::Late | More::Nothing => return Left::Ended,
                }
            }
            Read::Whole { found, parts, body, length } => {
                lane.forget(length);
                pieces = 0;
                let response = lane.beside(pin!(door.ask(found, &parts, body))).await;
                let Some(response) = response else { return Left::Ended };
                if !lane.send(&response).await {
                    return Left::Ended;
                }
            }
        }
    }
}

impl<T: AsyncRead + AsyncWrite + Unpin> Lane<'_, T> {
    fn left(&mut self) -> Left {
        let mut bytes = std::mem::take(&mut self.bytes);
        bytes.truncate(self.filled);
        Left::On(bytes)
    }

    /// Whether what has come is as much as may.
    fn is_full(&self) -> bool {
        self.filled >= MOST
    }

    /// Drops a request that has been read from what has come.
    fn forget(&mut self, length: usize) {
        self.bytes.copy_within(length..self.filled, 0);
        self.filled -= length;
        if self.filled == 0 && self.bytes.len() > ROOM {
            self.bytes = vec![0; ROOM];
        }
    }

    /// Sends an answer; whether the connection may go on.
    async fn send(&mut self, response: &Whole) -> bool {
        self.answer.clear();
        let on = answer::write(response, &mut self.answer);
        let sent = self.stream.write_all(&self.answer).await.is_ok() && self.stream.flush().await.is_ok();
        if self.answer.capacity() > MOST {
            self.answer = Vec::new();
        }
        sent && on
    }

    fn poll_read(&mut self, context: &mut Context<'_>) -> Poll<io::Result<usize>> {
        if self.filled == self.bytes.len() {
            self.bytes.resize((2 * self.filled).min(MOST), 0);
        }
        let mut room = ReadBuf::new(&mut self.bytes[self.filled..]);
        ready!(Pin::new(&mut *self.stream).poll_read(context, &mut room))?;
        let read = room.filled().len();
        self.filled += read;
        Poll::Ready(Ok(read))
    }

    /// Waits for more of a request, as long as there is a point in it.
    async fn more(&mut self, wait: &mut Wait) -> More {
        future::poll_fn(|context| {
            if let Poll::Ready(read) = self.poll_read(context) {
                return Poll::Ready(if read.is_ok_and(|read| read > 0) {
                    More::Bytes
                } else {
                    More::Nothing
                });
            }
            wait.poll(context).map(|()| More::Late)
        })
        .await
    }

    /// Waits for an answer, unless whoever asked goes away: then nobody wants it any more.
    async fn beside(&mut self, mut asked: Pin<&mut impl Future<Output = Whole>>) -> Option<Whole> {
        future::poll_fn(|context| {
            if let Poll::Ready(response) = asked.as_mut().poll(context) {
                return Poll::Ready(Some(response));
            }
            // What comes after it waits its turn; more than there is room for stays with the system.
            while !self.is_full() {
                match self.poll_read(context) {
                    Poll::Pending => break,
                    Poll::Ready(Ok(read)) if read > 0 => {}
                    Poll::Ready(_) => return Poll::Ready(None),
                }
            }
            Poll::Pending
        })
        .await
    }
}
