//! Many viewers of one stream: each sees every event once and in order, and none costs much.
//!
//! The viewers live in processes of their own, so that each process has descriptors enough and what is measured is the
//! server's memory alone.

use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use quorate_plane::events::{Event, Stream};
use quorate_plane::tokens::Role;
use quorate_testkit::chaos::Worker;
use quorate_testkit::soak;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::{Semaphore, mpsc};

use crate::support::{Server, token};

/// Viewers of one process and one token.
const EACH: usize = 2_000;
/// Viewers that connect at once.
const AT_ONCE: usize = 100;
/// What a process of viewers is to do: address, secret, viewers and events.
const TASK: &str = "QUORATE_TEST_VIEWERS";

/// Memory of this process in bytes.
pub(crate) fn memory() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap_or_default();
    1_024 * line.trim().trim_end_matches(" kB").parse::<usize>().unwrap_or_default()
}

/// Microseconds by a clock that processes share.
#[expect(clippy::disallowed_methods, reason = "two processes of one machine compare moments")]
fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_micros() as u64)
}

/// Follows the stream and tells how long each event took; the numbers must follow each other.
async fn view(task: Arc<Task>, ready: Arc<Semaphore>, heard: mpsc::UnboundedSender<(usize, u64)>) {
    let mut stream = TcpStream::connect(&task.address).await.expect("connects");
    let ask = format!(
        "GET /api/v1/live/events/events:all HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer {}\r\n\r\n",
        task.secret
    );
    stream.write_all(ask.as_bytes()).await.expect("asks");
    let (mut text, mut next, mut bytes) = (String::new(), 0, vec![0; 2_048]);
    loop {
        let read = stream.read(&mut bytes).await.expect("reads");
        assert!(read > 0, "the stream ended after {next} events: {text}");
        text.push_str(std::str::from_utf8(&bytes[..read]).expect("text"));
        while let Some((block, rest)) = text.split_once("\n\n") {
            ready.add_permits(usize::from(block.contains("event: ready")));
            if let Some((number, sent)) = told(block) {
                assert_eq!(number, next, "every event once, in order");
                next += 1;
                let _ = heard.send((number, now().saturating_sub(sent)));
            }
            text = rest.to_owned();
        }
    }
}

/// The number of an event and when it was sent, as they stand in its payload: `"n":1,"at":2}`.
fn told(block: &str) -> Option<(usize, u64)> {
    let (_, rest) = block.split_once("\\\"n\\\":")?;
    let (number, rest) = rest.split_once(",\\\"at\\\":")?;
    Some((number.parse().expect("a number"), rest.split('}').next()?.parse().expect("a moment")))
}

struct Task {
    address: String,
    secret: String,
    viewers: usize,
    events: usize,
}

impl Task {
    fn read(text: &str) -> Option<Self> {
        let mut words = text.split(' ').map(str::to_owned);
        let (address, secret) = (words.next()?, words.next()?);
        Some(Self {
            address,
            secret,
            viewers: words.next()?.parse().ok()?,
            events: words.next()?.parse().ok()?,
        })
    }
}

#[expect(clippy::print_stdout, reason = "one process tells the other")]
fn tell(line: &str) {
    println!("\nviewers: {line}");
    let _ = std::io::stdout().flush();
}

/// The other process: it does what the variable says, and nothing in the usual run of the tests.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_process_of_viewers() {
    let Some(task) = std::env::var(TASK).ok().and_then(|text| Task::read(&text)).map(Arc::new) else {
        return;
    };
    quorate_server::make_room();
    let (ready, (heard, mut arrivals)) = (Arc::new(Semaphore::new(0)), mpsc::unbounded_channel());
    let mut all = tokio::task::JoinSet::new();
    while all.len() < task.viewers {
        let more = AT_ONCE.min(task.viewers - all.len());
        (0..more).for_each(|_| drop(all.spawn(view(Arc::clone(&task), Arc::clone(&ready), heard.clone()))));
        // One that ended before it was ready says why.
        tokio::select! {
            permits = ready.acquire_many(more as u32) => permits.expect("all are ready").forget(),
            ended = all.join_next() => panic!("a viewer ended: {ended:?}"),
        }
    }
    tell("ready");
    for number in 0..task.events {
        let mut waits = Vec::new();
        while waits.len() < task.viewers {
            let (seen, wait) = arrivals.recv().await.expect("a viewer");
            assert_eq!(seen, number, "nobody is a whole event ahead");
            waits.push(wait.to_string());
        }
        tell(&format!("seen {}", waits.join(" ")));
    }
    // Whoever started this process ends it.
    drop(all.join_next().await);
}

/// Starts a process of viewers; its lines come by the channel.
fn begin(task: &str) -> (Worker, Receiver<String>) {
    let program = std::env::current_exe().expect("this program");
    let mut command = Command::new(program);
    command.args(["--exact", "viewers::a_process_of_viewers", "--nocapture"]).env(TASK, task);
    let mut worker = Worker::spawn(command.stdin(Stdio::null()).stdout(Stdio::piped())).expect("starts");
    let lines = BufReader::new(worker.child().stdout.take().expect("piped")).lines();
    let (say, said) = channel();
    std::thread::spawn(move || {
        let ours =
            lines.map_while(Result::ok).filter_map(|line| Some(line.strip_prefix("viewers: ")?.to_owned()));
        ours.for_each(|line| drop(say.send(line)));
    });
    (worker, said)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_viewer_of_many_sees_every_event_once() {
    let (viewers, events) = (soak::size(100, 10_000), soak::size(5, 50));
    quorate_testkit::check(&[], async |bench| {
        let server = Server::start(bench).await;
        let address = server.url.trim_start_matches("http://").to_owned();
        let before = memory();
        let mut processes = Vec::new();
        for part in 0..viewers.div_ceil(EACH) {
            let secret = token(&server.plane, &format!("viewer-{part}"), Role::Viewer).await;
            let own = EACH.min(viewers - part * EACH);
            processes.push(begin(&format!("{address} {secret} {own} {events}")));
        }
        let next = |said: &Receiver<String>| {
            let line = tokio::task::block_in_place(|| said.recv_timeout(Duration::from_secs(60)));
            line.expect("a process of viewers goes on")
        };
        processes.iter().for_each(|(_, said)| assert_eq!(next(said), "ready"));
        let held = memory().saturating_sub(before);
        let mut waits: Vec<u64> = Vec::new();
        for number in 0..events {
            let payload = format!("{{\"n\":{number},\"at\":{}}}", now());
            let event = Event { event: "count".into(), payload, source: "soak".into() };
            server.plane.events().publish(Stream::All, &[event]).await.unwrap().unwrap();
            for (_, said) in &processes {
                let line = next(said);
                waits.extend(line.split(' ').skip(1).filter_map(|wait| wait.parse::<u64>().ok()));
            }
            assert_eq!(waits.len(), viewers * (number + 1), "each viewer once");
        }
        waits.sort_unstable();
        soak::say(&format!(
            "{viewers} viewers of one stream: {events} events each once in order, p50 {} ms, p99 {} ms, last {} ms; \
             {} KiB of the server for each viewer, {} MiB for its process",
            waits[waits.len() / 2] / 1_000,
            waits[waits.len() * 99 / 100] / 1_000,
            waits[waits.len() - 1] / 1_000,
            held / viewers / 1_024,
            memory() / 1_048_576
        ));
    })
    .await;
}
