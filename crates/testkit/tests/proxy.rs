//! The proxy against a server of a dozen lines that answers `+OK` to every request and counts them.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use quorate_testkit::chaos::{Fault, Proxy, resp};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::timeout;

const PING: &[u8] = b"*1\r\n$4\r\nPING\r\n";
const SOON: Duration = Duration::from_secs(2);

struct Server {
    address: SocketAddr,
    requests: Arc<AtomicUsize>,
}

impl Server {
    /// `greeting` is sent to every new connection before anything else.
    async fn start(greeting: &'static [u8]) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let requests = Arc::new(AtomicUsize::new(0));
        let counter = requests.clone();
        tokio::spawn(async move {
            while let Ok((socket, _)) = listener.accept().await {
                tokio::spawn(answer(socket, greeting, counter.clone()));
            }
        });
        Self { address, requests }
    }

    fn requests(&self) -> usize {
        self.requests.load(Ordering::SeqCst)
    }
}

async fn answer(mut socket: TcpStream, greeting: &[u8], counter: Arc<AtomicUsize>) {
    socket.write_all(greeting).await.unwrap();
    let (mut held, mut chunk) = (Vec::new(), [0; 4096]);
    while let Ok(length @ 1..) = socket.read(&mut chunk).await {
        held.extend_from_slice(&chunk[..length]);
        while let Some(length) = resp::message(&held) {
            held.drain(..length);
            counter.fetch_add(1, Ordering::SeqCst);
            let _ = socket.write_all(b"+OK\r\n").await;
        }
    }
}

async fn proxied(greeting: &'static [u8]) -> (Server, Proxy) {
    let server = Server::start(greeting).await;
    let proxy = Proxy::start(server.address).await.unwrap();
    (server, proxy)
}

async fn connect(proxy: &Proxy) -> TcpStream {
    let socket = TcpStream::connect(proxy.address()).await.unwrap();
    socket.set_nodelay(true).unwrap();
    socket
}

/// Sends a request and reads its `+OK`; an error if the connection breaks.
async fn call(socket: &mut TcpStream, request: &[u8]) -> std::io::Result<()> {
    socket.write_all(request).await?;
    let mut reply = [0; 5];
    socket.read_exact(&mut reply).await?;
    assert_eq!(&reply, b"+OK\r\n");
    Ok(())
}

#[tokio::test]
async fn passing_passes() {
    let (server, proxy) = proxied(b"").await;
    let mut socket = connect(&proxy).await;
    for _ in 0..100 {
        call(&mut socket, PING).await.unwrap();
    }
    assert_eq!((server.requests(), proxy.accepted()), (100, 1));
}

#[tokio::test]
async fn a_cut_resets_open_and_new_connections_until_healed() {
    let (_server, proxy) = proxied(b"").await;
    let mut socket = connect(&proxy).await;
    call(&mut socket, PING).await.unwrap();
    proxy.set(Fault::Cut);
    assert!(timeout(SOON, call(&mut socket, PING)).await.unwrap().is_err());
    let mut refused = connect(&proxy).await;
    assert!(timeout(SOON, call(&mut refused, PING)).await.unwrap().is_err());
    proxy.heal();
    call(&mut connect(&proxy).await, PING).await.unwrap();
}

#[tokio::test]
async fn a_delay_holds_both_directions_back() {
    let (_server, proxy) = proxied(b"").await;
    let mut socket = connect(&proxy).await;
    call(&mut socket, PING).await.unwrap();
    proxy.set(Fault::Delay(Duration::from_millis(50)));
    let start = Instant::now();
    call(&mut socket, PING).await.unwrap();
    assert!(start.elapsed() >= Duration::from_millis(100), "{:?}", start.elapsed());
}

#[tokio::test]
async fn a_blackhole_forwards_nothing_and_goes_on_where_it_stopped() {
    let (server, proxy) = proxied(b"").await;
    let mut socket = connect(&proxy).await;
    proxy.set(Fault::Blackhole);
    assert!(timeout(Duration::from_millis(100), call(&mut socket, PING)).await.is_err());
    assert_eq!(server.requests(), 0);
    proxy.heal();
    let mut reply = [0; 5];
    timeout(SOON, socket.read_exact(&mut reply)).await.unwrap().unwrap();
    assert_eq!(server.requests(), 1);
}

#[tokio::test]
async fn stranded_connections_stay_silent_while_new_ones_work() {
    let (server, proxy) = proxied(b"").await;
    let mut old = connect(&proxy).await;
    call(&mut old, PING).await.unwrap();
    proxy.strand();
    assert!(timeout(Duration::from_millis(100), call(&mut old, PING)).await.is_err());
    call(&mut connect(&proxy).await, PING).await.unwrap();
    assert_eq!(server.requests(), 2);
}

#[tokio::test]
async fn a_swallowed_reply_is_of_a_request_the_server_has_done() {
    let (server, proxy) = proxied(b"").await;
    let mut socket = connect(&proxy).await;
    proxy.drop_reply_after_forward(1, "set");
    call(&mut socket, PING).await.unwrap();
    let both = [PING, b"*1\r\n$3\r\nSET\r\n"].concat();
    call(&mut socket, &both).await.unwrap();
    assert!(timeout(SOON, socket.read_u8()).await.unwrap().is_err(), "the connection must be closed");
    assert_eq!((server.requests(), proxy.still_to_drop()), (3, 0));
    call(&mut connect(&proxy).await, b"*1\r\n$3\r\nSET\r\n").await.unwrap();
}

#[tokio::test]
async fn slices_arrive_whole() {
    let (server, proxy) = proxied(b"").await;
    proxy.set(Fault::Slice(1));
    let mut socket = connect(&proxy).await;
    for _ in 0..20 {
        call(&mut socket, b"*2\r\n$4\r\nECHO\r\n$6\r\na\r\nb\r\n\r\n").await.unwrap();
    }
    assert_eq!(server.requests(), 20);
}

#[tokio::test]
async fn only_published_messages_are_dropped() {
    let pushes = b">3\r\n$7\r\nmessage\r\n$1\r\nc\r\n$1\r\nm\r\n*3\r\n$7\r\nmessage\r\n$1\r\nc\r\n$1\r\nm\r\n\
        >3\r\n$9\r\nsubscribe\r\n$1\r\nc\r\n:1\r\n*4\r\n$8\r\npmessage\r\n$1\r\np\r\n$1\r\nc\r\n$1\r\nm\r\n+LAST\r\n";
    let (_server, proxy) = proxied(pushes).await;
    proxy.set(Fault::DropPubsub);
    let mut socket = connect(&proxy).await;
    let mut seen = Vec::new();
    while !seen.ends_with(b"+LAST\r\n") {
        timeout(SOON, socket.read_buf(&mut seen)).await.unwrap().unwrap();
    }
    // The array before the subscription is an ordinary reply, the one after it is a message.
    let expected =
        b"*3\r\n$7\r\nmessage\r\n$1\r\nc\r\n$1\r\nm\r\n>3\r\n$9\r\nsubscribe\r\n$1\r\nc\r\n:1\r\n+LAST\r\n";
    assert_eq!(seen, expected);
}
