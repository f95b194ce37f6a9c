//! `cargo xtask bench http`: a claim and an ack over HTTP beside the library in one run, and the fan-out of an event to a
//! thousand viewers.

#![expect(clippy::print_stdout, reason = "a benchmark reports to whoever runs it")]

use std::sync::Arc;
use std::time::{Duration, Instant};

use futures_util::future::join_all;
use quorate_catalog::ids::AgentId;
use quorate_plane::Plane;
use quorate_plane::agents::Registration;
use quorate_plane::events::{Event, Stream};
use quorate_plane::queues::{Claim, Push, Queue};
use quorate_plane::tokens::{NewToken, Role, TokenName};
use quorate_server::Served;
use quorate_testkit::Bench;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::mpsc;

const JOBS: usize = 5_000;
const TASKS: usize = 50;
/// One takes a third of a second, and differs from the next by a fifth.
const ROUNDS: usize = 15;
const VIEWERS: usize = 1_000;
const EVENTS: usize = 100;

/// As in the binary.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

#[tokio::main]
async fn main() {
    let bench = Bench::verbatim().await;
    let plane = Plane::new(bench.scope.clone()).expect("a plain deployment");
    for task in 0..TASKS {
        let own = Registration { lease: Duration::from_secs(3_600), ..Registration::new(agent(task)) };
        plane.agents().register(&own).await.expect("registers").unwrap();
    }
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let url = format!("http://{}", listener.local_addr().expect("an address"));
    let served = Served { store: bench.scope.store.clone(), plane: Some(plane.clone()), certificate: None };
    tokio::spawn(quorate_server::serve(listener, served, std::future::pending()));
    let new = NewToken::new(TokenName::parse("bench").expect("a name"), Role::Agent, "bench");
    let token = plane.tokens().create(&new).await.expect("creates").unwrap().token;
    let client = reqwest::Client::builder().tcp_nodelay(true).build().expect("a client");
    let mut ratios = Vec::new();
    for _ in 0..ROUNDS {
        let (before, library) = (Spent::now(&plane).await, library(&plane).await);
        let (between, http) = (Spent::now(&plane).await, over_http(&plane, &url, &token).await);
        println!(
            "claim + ack at {TASKS}: library {library:.0}/s ({}), HTTP {http:.0}/s ({}), ratio {:.2}",
            between.since(&before),
            Spent::now(&plane).await.since(&between),
            http / library
        );
        ratios.push(http / library);
    }
    ratios.sort_by(f64::total_cmp);
    println!("HTTP / library, median of {ROUNDS}: {:.2}  (bar 0.5)", ratios[ROUNDS / 2]);
    // `cargo bench … -- pairs` measures this part alone.
    if std::env::args().any(|word| word == "pairs") {
        return;
    }
    fan_out(&plane, &client, &url, &token).await;
}

/// Seconds that the engine and this process have worked.
struct Spent {
    engine: f64,
    here: f64,
}

impl Spent {
    async fn now(plane: &Plane) -> Self {
        let info = plane.store().info("cpu").await.expect("INFO cpu");
        let seconds =
            |name: &str| info.get(name).and_then(|text| text.parse::<f64>().ok()).unwrap_or_default();
        let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
        let words: Vec<&str> = stat.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
        let ticks = |at: usize| words.get(at).and_then(|text| text.parse::<f64>().ok()).unwrap_or_default();
        let engine = seconds("used_cpu_user") + seconds("used_cpu_sys");
        Self { engine, here: (ticks(11) + ticks(12)) / 100.0 }
    }

    /// What a pair has cost since then, with its share of filling the queue.
    fn since(&self, before: &Self) -> String {
        let each = |now: f64, then: f64| (now - then) * 1e6 / JOBS as f64;
        format!(
            "{:.0} µs engine, {:.0} µs here",
            each(self.engine, before.engine),
            each(self.here, before.here)
        )
    }
}

fn agent(task: usize) -> AgentId {
    AgentId::parse(&format!("agent-{task}")).expect("an id")
}

fn normal() -> Queue {
    "normal".parse().expect("a queue")
}

async fn fill(plane: &Plane) {
    let pushes: Vec<Push> = (0..JOBS).map(|n| Push::new(format!("{n}"))).collect();
    plane.queues().push_many(&normal(), &pushes).await.expect("pushes").unwrap();
}

async fn library(plane: &Plane) -> f64 {
    fill(plane).await;
    let started = Instant::now();
    let one = async |task: usize| {
        for _ in 0..JOBS / TASKS {
            let claim = Claim::new(normal(), agent(task));
            let item = plane.queues().claim(&claim).await.expect("claims").unwrap().items.remove(0);
            assert!(
                plane
                    .queues()
                    .ack(&claim.agent, None, &[item.token])
                    .await
                    .expect("acks")
                    .unwrap()
                    .is_empty()
            );
        }
    };
    join_all((0..TASKS).map(one)).await;
    JOBS as f64 / started.elapsed().as_secs_f64()
}

async fn over_http(plane: &Plane, url: &str, token: &str) -> f64 {
    fill(plane).await;
    let lines: Vec<Line> = join_all((0..TASKS).map(|_| Line::open(url, token))).await;
    let started = Instant::now();
    let one = async |(task, mut line): (usize, Line)| {
        let own = agent(task);
        let claim = format!("{{\"agent\":\"{own}\"}}");
        for _ in 0..JOBS / TASKS {
            let claimed = line.post("/api/v1/queues/normal/claim", &claim).await;
            let done = format!("{{\"agent\":\"{own}\",\"token\":\"{}\"}}", token_in(claimed));
            line.post("/api/v1/queues/ack", &done).await;
        }
    };
    join_all(lines.into_iter().enumerate().map(one)).await;
    JOBS as f64 / started.elapsed().as_secs_f64()
}

/// A kept connection that costs little: what is measured is the server, which has the same two cores.
struct Line {
    stream: TcpStream,
    head: String,
    request: String,
    bytes: Vec<u8>,
}

impl Line {
    async fn open(url: &str, token: &str) -> Self {
        let host = url.trim_start_matches("http://");
        let stream = TcpStream::connect(host).await.expect("a connection");
        stream.set_nodelay(true).expect("no delay");
        let head = format!(
            " HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {token}\r\nContent-Type: application/json\r\nContent-Length: "
        );
        Self { stream, head, request: String::new(), bytes: vec![0; 4_096] }
    }

    /// Sends a request and gives the body of its answer.
    async fn post(&mut self, path: &str, body: &str) -> &str {
        self.request.clear();
        for piece in ["POST ", path, &self.head, &body.len().to_string(), "\r\n\r\n", body] {
            self.request.push_str(piece);
        }
        self.stream.write_all(self.request.as_bytes()).await.expect("sends");
        let mut filled = 0;
        loop {
            let read = self.stream.read(&mut self.bytes[filled..]).await.expect("an answer");
            filled += read;
            let text = &self.bytes[..filled];
            assert!(read > 0, "the server hung up after {}", String::from_utf8_lossy(text));
            if let Some(body) = body_in(text) {
                return std::str::from_utf8(&self.bytes[body]).expect("text");
            }
        }
    }
}

/// Where the body of an answer is, once it is all there; an answer that is not fine ends the benchmark.
fn body_in(text: &[u8]) -> Option<std::ops::Range<usize>> {
    let mut headers = [httparse::EMPTY_HEADER; 16];
    let mut answer = httparse::Response::new(&mut headers);
    let httparse::Status::Complete(head) = answer.parse(text).expect("an answer") else { return None };
    assert_eq!(answer.code, Some(200), "{}", String::from_utf8_lossy(text));
    let length = answer.headers.iter().find(|header| header.name == "content-length").expect("a length");
    let length = std::str::from_utf8(length.value).ok().and_then(|text| text.parse::<usize>().ok());
    let whole = head..head + length.expect("a number");
    assert!(text.len() <= whole.end, "more than was asked for: {}", String::from_utf8_lossy(text));
    (text.len() == whole.end).then_some(whole)
}

/// What a worker needs of the answer to a claim.
fn token_in(claimed: &str) -> &str {
    let (_, rest) = claimed.split_once("\"token\":\"").expect("an item");
    rest.split('"').next().expect("a token")
}

/// From the call that publishes an event to its arrival, over all viewers and events.
async fn fan_out(plane: &Plane, client: &reqwest::Client, url: &str, token: &str) {
    let (heard, mut arrivals) = mpsc::unbounded_channel::<Instant>();
    let ready = Arc::new(tokio::sync::Semaphore::new(0));
    for _ in 0..VIEWERS {
        let request =
            client.get(format!("{url}/api/v1/live/events/{}", Stream::All.name())).bearer_auth(token);
        let (heard, ready) = (heard.clone(), Arc::clone(&ready));
        tokio::spawn(async move {
            let mut response = request.send().await.expect("an answer");
            while let Ok(Some(chunk)) = response.chunk().await {
                let text = String::from_utf8_lossy(&chunk);
                ready.add_permits(text.matches("event: ready").count());
                for _ in text.matches("event: entry") {
                    let _ = heard.send(Instant::now());
                }
            }
        });
    }
    let _ = ready.acquire_many(VIEWERS as u32).await.expect("all are ready");
    let mut waits = Vec::new();
    for _ in 0..EVENTS {
        let event = Event { event: "bench".into(), payload: "{}".into(), source: "bench".into() };
        let sent = Instant::now();
        plane.events().publish(Stream::All, &[event]).await.expect("publishes").unwrap();
        for _ in 0..VIEWERS {
            waits.push(arrivals.recv().await.expect("arrives") - sent);
        }
    }
    waits.sort();
    println!(
        "one event to {VIEWERS} viewers: p50 {:?}, p99 {:?}, last {:?}  (bar: p99 50 ms)",
        waits[waits.len() / 2],
        waits[waits.len() * 99 / 100],
        waits[waits.len() - 1]
    );
}
