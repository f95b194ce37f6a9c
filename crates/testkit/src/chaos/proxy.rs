//! A proxy before a server on this machine that breaks the connection in every way a network does.
//!
//! It reads RESP, so a fault falls between messages and can be aimed: at the reply to one command after the server
//! has done it, or at published messages only. Faults are set while the proxy runs and hold for open and new
//! connections alike, except [`Proxy::strand`], which silences the open ones for ever and leaves new ones alone.

mod pump;

use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinHandle;

use pump::Pair;

/// What the proxy does to everything that passes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Fault {
    /// Nothing.
    #[default]
    Pass,
    /// Resets every connection, and every new one at once.
    Cut,
    /// Holds everything back for this long, in both directions.
    Delay(Duration),
    /// Accepts connections and forwards nothing. What was held back is sent on when the fault ends.
    Blackhole,
    /// Writes this many bytes at a time.
    Slice(usize),
    /// Drops published messages and nothing else.
    DropPubsub,
}

/// A running proxy. Dropping it resets its connections.
pub struct Proxy {
    shared: Arc<Shared>,
    address: SocketAddr,
    accepting: JoinHandle<()>,
    upstream: SocketAddr,
}

/// What every connection looks at.
pub(crate) struct Shared {
    control: watch::Sender<Control>,
    accepted: AtomicU64,
    late: Mutex<Late>,
}

/// Requests that come late.
#[derive(Default)]
struct Late {
    /// The command whose next request is held back.
    wanted: Option<Vec<u8>>,
    held: Vec<Vec<u8>>,
}

#[derive(Clone, Default)]
pub(crate) struct Control {
    fault: Fault,
    /// Connections with a lower number are silent for ever.
    stranded_below: u64,
    /// Replies still to be swallowed, and to which command.
    swallow: Option<(usize, Vec<u8>)>,
}

impl Proxy {
    /// Starts a proxy before `upstream` on a free port of the loopback address.
    pub async fn start(upstream: SocketAddr) -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
        let address = listener.local_addr()?;
        let shared = Arc::new(Shared {
            control: watch::Sender::default(),
            accepted: AtomicU64::new(0),
            late: Mutex::default(),
        });
        let accepting = tokio::spawn(accept(listener, upstream, shared.clone()));
        Ok(Self { shared, address, accepting, upstream })
    }

    /// Where clients connect to.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Sets what is done to everything that passes from now on.
    pub fn set(&self, fault: Fault) {
        self.shared.control.send_modify(|control| control.fault = fault);
    }

    /// Ends the fault. Stranded connections stay stranded.
    pub fn heal(&self) {
        self.set(Fault::Pass);
    }

    /// Silences every connection that is open now, for ever and without closing it.
    pub fn strand(&self) {
        let below = self.shared.accepted.load(Ordering::SeqCst);
        self.shared.control.send_modify(|control| control.stranded_below = below);
    }

    /// Forwards the next `count` requests of this command, waits for the reply, swallows it and closes the
    /// connection: the server has done it, and the client cannot know.
    pub fn drop_reply_after_forward(&self, count: usize, command: &str) {
        let swallow = Some((count, command.to_ascii_uppercase().into_bytes()));
        self.shared.control.send_modify(|control| control.swallow = swallow);
    }

    /// Keeps the next request of this command and closes its connection: it has not arrived, and the client cannot know.
    pub fn hold_back(&self, command: &str) {
        self.shared.late().wanted = Some(command.to_ascii_uppercase().into_bytes());
    }

    /// Lets the server have what was held back, and waits for its answers; how many they were.
    pub async fn let_through(&self) -> io::Result<usize> {
        let held = std::mem::take(&mut self.shared.late().held);
        for request in &held {
            let mut server = TcpStream::connect(self.upstream).await?;
            server.write_all(request).await?;
            server.read_u8().await?;
        }
        Ok(held.len())
    }

    /// How many connections have been accepted so far.
    pub fn accepted(&self) -> u64 {
        self.shared.accepted.load(Ordering::SeqCst)
    }

    /// How many of the replies to be swallowed have not been yet.
    pub fn still_to_drop(&self) -> usize {
        self.shared.control.borrow().swallow.as_ref().map_or(0, |(left, _)| *left)
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        self.accepting.abort();
        self.set(Fault::Cut);
    }
}

impl Shared {
    pub(crate) fn watch(&self) -> watch::Receiver<Control> {
        self.control.subscribe()
    }

    /// Takes one of the replies to be swallowed, if this command is the one.
    pub(crate) fn takes(&self, command: &[u8]) -> bool {
        self.control.send_if_modified(|control| match &mut control.swallow {
            Some((left, name)) if *left > 0 && command.eq_ignore_ascii_case(name) => {
                *left -= 1;
                true
            }
            _ => false,
        })
    }
}

impl Shared {
    fn late(&self) -> MutexGuard<'_, Late> {
        self.late.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Keeps a request, if it is of the command that is to come late.
    pub(crate) fn keeps(&self, command: &[u8], request: &[u8]) -> bool {
        let mut late = self.late();
        let wanted = late.wanted.as_ref().is_some_and(|wanted| command.eq_ignore_ascii_case(wanted));
        if wanted {
            late.wanted = None;
            late.held.push(request.to_vec());
        }
        wanted
    }
}

impl Control {
    pub(crate) fn fault(&self) -> &Fault {
        &self.fault
    }

    pub(crate) fn is_silent(&self, number: u64) -> bool {
        number < self.stranded_below || self.fault == Fault::Blackhole
    }
}

async fn accept(listener: TcpListener, upstream: SocketAddr, shared: Arc<Shared>) {
    while let Ok((client, _)) = listener.accept().await {
        let number = shared.accepted.fetch_add(1, Ordering::SeqCst);
        tokio::spawn(serve(client, upstream, shared.clone(), number));
    }
}

async fn serve(client: TcpStream, upstream: SocketAddr, shared: Arc<Shared>, number: u64) {
    if shared.watch().borrow().fault() == &Fault::Cut {
        return pump::reset(&client);
    }
    match TcpStream::connect(upstream).await {
        Ok(server) => Pair::new(client, server, shared, number).run().await,
        Err(_) => pump::reset(&client),
    }
}
