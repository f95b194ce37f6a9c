//! Calls to hostile addresses and from hostile servers: nothing reaches a listener that no rule names (X4).

use std::collections::VecDeque;
use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use futures_util::future::BoxFuture;
use quorate_outgoing::{Address, Call, Client, Denied, Failure, Guard, Limits, Lookup};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

const LOCAL: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);
const PUBLIC: IpAddr = IpAddr::V4(Ipv4Addr::new(93, 184, 215, 14));

/// A listener that counts who comes, and answers everybody with the same bytes.
struct Canary {
    at: SocketAddr,
    hits: Arc<AtomicUsize>,
}

impl Canary {
    async fn new(answer: impl Into<Vec<u8>>) -> Self {
        let listener = TcpListener::bind((LOCAL, 0)).await.unwrap();
        let (at, hits, answer) =
            (listener.local_addr().unwrap(), Arc::new(AtomicUsize::new(0)), answer.into());
        let counted = Arc::clone(&hits);
        tokio::spawn(async move {
            while let Ok((mut socket, _)) = listener.accept().await {
                counted.fetch_add(1, Ordering::SeqCst);
                let answer = answer.clone();
                tokio::spawn(async move {
                    let mut asked = [0; 4_096];
                    let _ = socket.read(&mut asked).await;
                    let _ = socket.write_all(&answer).await;
                    // Stays open, as a server does that never ends its answer.
                    let _ = socket.read(&mut asked).await;
                });
            }
        });
        Self { at, hits }
    }

    fn hits(&self) -> usize {
        self.hits.load(Ordering::SeqCst)
    }

    fn port(&self) -> u16 {
        self.at.port()
    }
}

/// A name server that gives the next of its answers each time it is asked, and the last one for ever.
#[derive(Debug, Clone)]
struct Names(Arc<Mutex<VecDeque<Vec<IpAddr>>>>);

impl Names {
    fn new(answers: &[&[IpAddr]]) -> Self {
        Self(Arc::new(Mutex::new(answers.iter().map(|answer| answer.to_vec()).collect())))
    }
}

impl Lookup for Names {
    fn lookup<'a>(&'a self, _: &'a str) -> BoxFuture<'a, io::Result<Vec<IpAddr>>> {
        let mut answers = self.0.lock().unwrap();
        let answer = if answers.len() > 1 { answers.pop_front() } else { answers.front().cloned() };
        Box::pin(async move { Ok(answer.unwrap_or_default()) })
    }
}

fn quick() -> Limits {
    Limits { connect: Duration::from_millis(300), total: Duration::from_millis(1_500), body: 64 * 1024 }
}

fn address(text: &str) -> Address {
    text.parse().unwrap_or_else(|why| panic!("{text}: {why}"))
}

const OK: &str = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok";

#[tokio::test]
async fn nothing_nearby_is_reached_however_it_is_spelled() {
    let canary = Canary::new(OK).await;
    let port = canary.port();
    let local = Guard::default().lookup(Names::new(&[&[LOCAL]]));
    let client = Client::new(local).limits(quick());
    let mut refused = 0;
    for host in [
        "127.0.0.1",
        "127.1",
        "0",
        "0.0.0.0",
        "2130706433",
        "0x7f000001",
        "0177.0.0.1",
        "017700000001",
        "localhost",
        "localhost.",
        "LOCALHOST",
        "[::1]",
        "[::]",
        "[::ffff:127.0.0.1]",
        "[::ffff:7f00:1]",
        "[0:0:0:0:0:0:0:1]",
        "[64:ff9b::7f00:1]",
        "evil.example",
        "127.0.0.1.nip.example",
        "\u{2460}27.0.0.1",
        "169.254.169.254",
        "metadata.google.internal",
        "[fe80::1]",
        "10.0.0.1",
        "192.168.1.1",
    ] {
        match format!("http://{host}:{port}/x").parse::<Address>() {
            Err(_) => refused += 1,
            Ok(address) => {
                let answer = client.send(&address, Call::get()).await;
                assert!(matches!(answer, Err(Failure::Denied(_))), "{host}: {answer:?}");
                refused += 1;
            }
        }
    }
    assert_eq!((refused, canary.hits()), (25, 0));
}

#[tokio::test]
async fn a_name_that_changes_its_mind_is_called_where_it_was_checked() {
    let canary = Canary::new(OK).await;
    let at = address(&format!("http://rebinding.example:{}", canary.port()));
    // Checked as public, and loopback for whoever asks a second time.
    let names = Names::new(&[&[PUBLIC], &[LOCAL]]);
    let client = Client::new(Guard::default().lookup(names.clone())).limits(quick());
    let first = client.send(&at, Call::get()).await;
    assert!(matches!(first, Err(Failure::TimedOut | Failure::Unreachable)), "{first:?}");
    assert_eq!(client.send(&at, Call::get()).await, Err(Denied::Nearby(LOCAL, canary.port()).into()));
    // One bad address among good ones is enough.
    let both = Client::new(Guard::default().lookup(Names::new(&[&[PUBLIC, LOCAL]]))).limits(quick());
    assert_eq!(both.send(&at, Call::get()).await, Err(Denied::Nearby(LOCAL, canary.port()).into()));
    assert_eq!(canary.hits(), 0);
}

#[tokio::test]
async fn a_redirect_is_an_answer_and_leads_nowhere() {
    let canary = Canary::new(OK).await;
    let moved = format!("HTTP/1.1 302 Found\r\nlocation: http://{}/\r\ncontent-length: 0\r\n\r\n", canary.at);
    let server = Canary::new(moved).await;
    let guard = Guard::parse(&format!("127.0.0.1:{}", server.port())).unwrap();
    let answer = Client::new(guard)
        .limits(quick())
        .send(&address(&format!("http://{}", server.at)), Call::get())
        .await;
    assert_eq!((answer.unwrap().status, server.hits(), canary.hits()), (302, 1, 0));
}

#[tokio::test]
async fn a_rule_opens_what_it_names_and_no_port_of_a_store_or_our_own() {
    let canary = Canary::new(OK).await;
    let named = Guard::parse("hooks.fleet:* 127.0.0.0/8:*").unwrap().lookup(Names::new(&[&[LOCAL]]));
    let client = Client::new(named.clone()).limits(quick());
    let at = address(&format!("http://hooks.fleet:{}/in", canary.port()));
    let answer = client.send(&at, Call::post("hello").header("x-test", "1")).await.unwrap();
    assert!(answer.is_success() && answer.body == b"ok" && !answer.cut && canary.hits() == 1);
    let own = Client::new(named.clone().own_port(canary.port())).limits(quick());
    assert_eq!(own.send(&at, Call::get()).await, Err(Denied::Never("this is a port of our own").into()));
    for port in [6379, 6380, 16379, 26379] {
        assert!(named.check(&address(&format!("http://127.0.0.1:{port}"))).is_err(), "{port}");
    }
    for never in ["http://169.254.169.254", "http://[fd00:ec2::254]", "http://metadata.google.internal."] {
        let all = Guard::parse("0.0.0.0/0:* [::/0]:* metadata.google.internal:*").unwrap();
        assert!(all.check(&address(never)).is_err(), "{never}");
    }
    let only = Guard::parse("only").unwrap().lookup(Names::new(&[&[PUBLIC]]));
    assert_eq!(only.resolve(&address("https://example.org")).await, Err(Denied::NotNamed));
    assert_eq!(canary.hits(), 1);
}

#[tokio::test]
async fn a_hostile_server_gets_a_little_time_and_memory() {
    let endless = [b"HTTP/1.1 200 OK\r\n\r\n".to_vec(), vec![b'x'; 4 << 20]].concat();
    // Says that it is packed: it comes as it is.
    let packed = b"HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: 3\r\n\r\nabc".to_vec();
    let (endless, packed, silent) =
        (Canary::new(endless).await, Canary::new(packed).await, Canary::new("").await);
    let noise = Canary::new("-ERR unknown command\r\n").await;
    let client = Client::new(Guard::parse("127.0.0.1:*").unwrap()).limits(quick());
    let send =
        async |canary: &Canary| client.send(&address(&format!("http://{}", canary.at)), Call::get()).await;
    let answer = send(&endless).await.unwrap();
    assert!(answer.cut && answer.body.len() == 64 * 1024);
    assert_eq!(send(&packed).await.unwrap().body, b"abc");
    let start = Instant::now();
    assert_eq!(send(&silent).await, Err(Failure::TimedOut));
    assert!(start.elapsed() < Duration::from_secs(3));
    assert_eq!(send(&noise).await, Err(Failure::Broken));
}

#[tokio::test]
async fn who_asks_for_the_status_alone_does_not_wait_for_the_rest() {
    let endless =
        Canary::new("HTTP/1.1 202 Accepted\r\ncontent-length: 1000000\r\nretry-after: 7\r\n\r\nx").await;
    let rules = format!("127.0.0.1:{}", endless.port());
    let client = Client::new(Guard::parse(&rules).unwrap()).limits(quick());
    let there = address(&format!("http://127.0.0.1:{}/x", endless.port()));
    let began = Instant::now();
    let answer = client.send(&there, Call::post("{}").for_its_status()).await.expect("an answer");
    assert_eq!((answer.status, answer.retry_after, answer.body.len(), answer.cut), (202, Some(7), 0, true));
    assert!(began.elapsed() < Duration::from_secs(1), "{:?}", began.elapsed());
    assert_eq!(client.send(&there, Call::post("{}")).await, Err(Failure::TimedOut), "as others do");
}
