//! Many viewers of one stream: each sees every event once and in order, and none costs much.

use std::sync::Arc;
use std::time::{Duration, Instant};

use quorate_plane::events::{Event, Stream};
use quorate_plane::tokens::Role;
use quorate_testkit::soak;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::{Semaphore, mpsc};

use crate::support::{Server, token};

/// Viewers that one token may have.
const EACH: usize = 2_000;

/// Memory of this process in bytes, which has both ends of every connection.
fn memory() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap_or_default();
    1_024 * line.trim().trim_end_matches(" kB").parse::<usize>().unwrap_or_default()
}

/// Room for two descriptors of each viewer.
fn make_room(viewers: usize) {
    let most = format!("--nofile={0}:{0}", 4 * viewers + 1_024);
    let pid = std::process::id().to_string();
    let _ = std::process::Command::new("prlimit").args(["--pid", &pid, &most]).status();
}

/// Follows the stream and tells when each event comes; the numbers must follow each other.
async fn view(
    address: String,
    secret: String,
    ready: Arc<Semaphore>,
    heard: mpsc::UnboundedSender<(u64, Instant)>,
) {
    let mut stream = TcpStream::connect(address).await.expect("connects");
    let ask = format!(
        "GET /api/v1/live/events/events:all HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer {secret}\r\n\r\n"
    );
    stream.write_all(ask.as_bytes()).await.expect("asks");
    let (mut text, mut next, mut bytes) = (String::new(), 0, vec![0; 2_048]);
    loop {
        let read = stream.read(&mut bytes).await.expect("reads");
        assert!(read > 0, "the stream ended after {next} events");
        text.push_str(std::str::from_utf8(&bytes[..read]).expect("text"));
        while let Some((block, rest)) = text.split_once("\n\n") {
            if block.contains("event: ready") {
                ready.add_permits(1);
            }
            if let Some((_, number)) = block.split_once("\\\"n\\\":") {
                let number: u64 =
                    number.split('}').next().and_then(|text| text.parse().ok()).expect("a number");
                assert_eq!(number, next, "every event once, in order");
                next += 1;
                let _ = heard.send((number, Instant::now()));
            }
            text = rest.to_owned();
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_viewer_of_many_sees_every_event_once() {
    let (viewers, events) = (soak::size(100, 10_000), soak::size(5, 50));
    make_room(viewers);
    quorate_testkit::check(&[], async |bench| {
        let server = Server::start(bench).await;
        let address = server.url.trim_start_matches("http://").to_owned();
        let (ready, (heard, mut arrivals)) = (Arc::new(Semaphore::new(0)), mpsc::unbounded_channel());
        let before = memory();
        let mut tasks = tokio::task::JoinSet::new();
        for part in 0..viewers.div_ceil(EACH) {
            let secret = token(&server.plane, &format!("viewer-{part}"), Role::Viewer).await;
            for _ in 0..EACH.min(viewers - part * EACH) {
                tasks.spawn(view(address.clone(), secret.clone(), Arc::clone(&ready), heard.clone()));
                // The queue of a listening socket is short.
                if tasks.len() % 100 == 0 {
                    let all = u32::try_from(tasks.len()).expect("few");
                    drop(ready.acquire_many(all).await.expect("all are ready"));
                }
            }
        }
        drop(ready.acquire_many(u32::try_from(viewers).expect("few")).await.expect("all are ready"));
        let held = memory().saturating_sub(before);
        let mut waits = Vec::new();
        for number in 0..events {
            let payload = format!("{{\"n\":{number}}}");
            let sent = Instant::now();
            let event = Event { event: "count".into(), payload, source: "soak".into() };
            server.plane.events().publish(Stream::All, &[event]).await.unwrap().unwrap();
            for _ in 0..viewers {
                let next = tokio::time::timeout(Duration::from_secs(30), arrivals.recv());
                let (seen, at) = next.await.expect("arrives in time").expect("a viewer");
                assert_eq!(seen, number as u64);
                waits.push(at.saturating_duration_since(sent));
            }
        }
        waits.sort();
        soak::say(&format!(
            "{viewers} viewers of one stream: {events} events each once in order, p50 {:?}, p99 {:?}, last {:?}; \
             {} KiB for each viewer, both ends together, {} MiB for the process",
            waits[waits.len() / 2],
            waits[waits.len() * 99 / 100],
            waits[waits.len() - 1],
            held / viewers / 1_024,
            memory() / 1_048_576
        ));
        tasks.shutdown().await;
    })
    .await;
}
