//! One connection of the proxy: two directions, message by message.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use tokio::net::TcpStream;
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::sync::watch;

use super::{Control, Fault, Shared};
use crate::chaos::resp;

const PUBLISHED: [&[u8]; 3] = [b"message", b"pmessage", b"smessage"];

/// A client and the server behind it.
pub(super) struct Pair {
    client: TcpStream,
    server: TcpStream,
    line: Line,
}

/// What both directions of a connection share.
#[derive(Clone)]
struct Line {
    shared: Arc<Shared>,
    number: u64,
    /// How many requests went to the server and how many replies came back: the n-th reply is to the n-th request.
    sent: Arc<AtomicU64>,
    replied: Arc<AtomicU64>,
    /// The number of the reply to be swallowed.
    swallow: Arc<AtomicU64>,
    /// The client has subscribed, so an array that looks like a message is one (RESP2).
    subscribed: Arc<AtomicBool>,
}

#[derive(Clone, Copy)]
enum Way {
    ToServer,
    ToClient,
}

impl Pair {
    pub(super) fn new(client: TcpStream, server: TcpStream, shared: Arc<Shared>, number: u64) -> Self {
        let swallow = Arc::new(AtomicU64::new(u64::MAX));
        let line = Line {
            shared,
            number,
            sent: Arc::default(),
            replied: Arc::default(),
            swallow,
            subscribed: Arc::default(),
        };
        Self { client, server, line }
    }

    /// Runs until one side closes or a fault ends it, then resets both.
    pub(super) async fn run(self) {
        // Without this, tiny writes would be joined again by the kernel.
        let _ = (self.client.set_nodelay(true), self.server.set_nodelay(true));
        let (from_client, to_client) = self.client.into_split();
        let (from_server, to_server) = self.server.into_split();
        let mut control = self.line.shared.watch();
        let mut there = Direction::new(self.line.clone(), Way::ToServer);
        let mut back = Direction::new(self.line, Way::ToClient);
        tokio::select! {
            _ = there.run(&from_client, &to_server) => {}
            _ = back.run(&from_server, &to_client) => {}
            _ = control.wait_for(|control| control.fault() == &Fault::Cut) => {}
        }
        reset(from_client.as_ref());
        reset(from_server.as_ref());
    }
}

/// Makes closing the socket a reset, so that the other side learns of it at once and cannot mistake it for an end.
pub(super) fn reset(socket: &TcpStream) {
    let _ = rustix::net::sockopt::set_socket_linger(socket, Some(Duration::ZERO));
}

impl Line {
    fn request(&self, command: &[u8]) {
        let number = self.sent.fetch_add(1, Ordering::SeqCst);
        if self.shared.takes(command) {
            self.swallow.store(number, Ordering::SeqCst);
        }
    }

    /// Whether this is the reply to be swallowed; messages the server sends unasked are no replies.
    fn is_swallowed(&self, message: &[u8]) -> bool {
        message[0] != b'>'
            && self.replied.fetch_add(1, Ordering::SeqCst) == self.swallow.load(Ordering::SeqCst)
    }
}

struct Direction {
    line: Line,
    way: Way,
    control: watch::Receiver<Control>,
    held: Vec<u8>,
}

impl Direction {
    fn new(line: Line, way: Way) -> Self {
        Self { control: line.shared.watch(), line, way, held: Vec::new() }
    }

    async fn run(&mut self, from: &OwnedReadHalf, to: &OwnedWriteHalf) -> io::Result<()> {
        let mut chunk = vec![0; 64 * 1024];
        loop {
            let length = read(from, &mut chunk).await?;
            if length == 0 {
                return Ok(());
            }
            self.held.extend_from_slice(&chunk[..length]);
            self.pass_gate().await?;
            while let Some(length) = resp::message(&self.held).filter(|length| *length > 0) {
                let message: Vec<u8> = self.held.drain(..length).collect();
                self.one(&message, to).await?;
            }
        }
    }

    /// Waits as long as nothing may pass.
    async fn pass_gate(&mut self) -> io::Result<()> {
        let number = self.line.number;
        let open = self.control.wait_for(|control| !control.is_silent(number)).await;
        let fault = open.map_err(|_| io::Error::other("the proxy is gone"))?.fault().clone();
        if let Fault::Delay(time) = fault {
            tokio::time::sleep(time).await;
        }
        Ok(())
    }

    async fn one(&mut self, message: &[u8], to: &OwnedWriteHalf) -> io::Result<()> {
        let words = resp::words(message);
        let first = words.first().copied().unwrap_or_default();
        match self.way {
            Way::ToServer if self.line.shared.keeps(first, message) => {
                return Err(io::Error::other("the request is held back"));
            }
            Way::ToServer => self.line.request(first),
            Way::ToClient if self.line.is_swallowed(message) => {
                return Err(io::Error::other("the reply is swallowed"));
            }
            Way::ToClient if self.is_dropped(message, first) => return Ok(()),
            Way::ToClient => {}
        }
        let fault = self.control.borrow().fault().clone();
        write(to, message, if let Fault::Slice(size) = fault { size.max(1) } else { message.len() }).await
    }

    fn is_dropped(&self, message: &[u8], first: &[u8]) -> bool {
        if first == b"subscribe" || first == b"psubscribe" {
            self.line.subscribed.store(true, Ordering::SeqCst);
        }
        let published = message[0] == b'>' || self.line.subscribed.load(Ordering::SeqCst);
        self.control.borrow().fault() == &Fault::DropPubsub && published && PUBLISHED.contains(&first)
    }
}

async fn read(from: &OwnedReadHalf, chunk: &mut [u8]) -> io::Result<usize> {
    loop {
        from.readable().await?;
        match from.try_read(chunk) {
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
            result => return result,
        }
    }
}

async fn write(to: &OwnedWriteHalf, message: &[u8], size: usize) -> io::Result<()> {
    for piece in message.chunks(size) {
        let mut rest = piece;
        while !rest.is_empty() {
            to.writable().await?;
            match to.try_write(rest) {
                Ok(length) => rest = &rest[length..],
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                Err(error) => return Err(error),
            }
        }
        tokio::task::yield_now().await;
    }
    Ok(())
}
