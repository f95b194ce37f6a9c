//! Streams under faults: consumers that are killed and stopped, poison, and a stream that is kept short meanwhile.

use std::collections::BTreeMap;
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::support::plane;
use quorate_catalog::ids::EventType;
use quorate_plane::dead_letters::Filter;
use quorate_plane::events::{Event, Read, Stream};
use quorate_plane::{Plane, invariants};
use quorate_store::FromRedisValue;
use quorate_testkit::chaos::{EffectLog, Worker};
use quorate_testkit::soak::{say, size};
use quorate_testkit::{Bench, check};
use tokio::time::Instant;

const WORKER: &str = env!("CARGO_BIN_EXE_event-worker");
const IDLE: Duration = Duration::from_millis(500);

fn worker(bench: &Bench, stream: Stream, group: &str, consumer: &str, log: &EffectLog) -> Worker {
    let namespace = bench.scope.keys.namespace_text();
    let mut command = Command::new(WORKER);
    command.arg(bench.node.url().reveal()).arg(namespace.trim_end_matches(':')).arg(stream.name());
    command.arg(group).arg(consumer).arg(IDLE.as_millis().to_string()).arg(log.path());
    Worker::spawn(command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()))
        .expect("the worker starts")
}

fn event(payload: &str) -> Event {
    Event { event: "test:work".into(), payload: payload.into(), source: "test".into() }
}

async fn set(bench: &Bench, name: &str, value: &str) {
    bench.cli(&format!("SET {}ade:config:{name} {value}", bench.scope.keys.namespace_text())).await;
}

async fn number(bench: &Bench, line: &str) -> u64 {
    u64::from_redis_value(bench.cli(line).await).unwrap()
}

/// S5: consumers are killed at any moment; every event is dealt with, and one that was left is taken up within idle + 2 s.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_is_lost_when_consumers_are_killed() {
    check(&invariants(), async |bench| {
        let (events, kills) = (size(4_000, 50_000), size(15, 200));
        set(bench, "streams:keep", "500").await;
        set(bench, "streams:max_deliveries", "1000").await;
        let stream = Stream::Ade(EventType::Task);
        let folder = tempfile::tempdir().unwrap();
        let log = EffectLog::open(folder.path().join("effects")).unwrap();
        let plane = plane(bench, &[]).await;
        let first = Read { count: 1, ..Read::new(stream, "audit-logger", "first") };
        plane.events().read(&first).await.unwrap().unwrap();
        let mut ids = Vec::new();
        let mut workers: Vec<Worker> =
            (0..4).map(|n| worker(bench, stream, "audit-logger", &format!("w{n}"), &log)).collect();
        for round in 0..kills {
            let page: Vec<Event> =
                (0..events / kills).map(|n| event(&format!("{{\"r\":{round},\"n\":{n}}}"))).collect();
            for part in page.chunks(1_000) {
                ids.extend(plane.events().publish(stream, part).await.unwrap().unwrap());
            }
            tokio::time::sleep(Duration::from_millis(60)).await;
            let at = round % workers.len();
            workers[at].kill9().unwrap();
            workers[at] = worker(bench, stream, "audit-logger", &format!("w{at}k{round}"), &log);
            plane.events().look(stream).await.unwrap();
        }
        let last_kill = Instant::now();
        let key = stream.key(&bench.scope.keys);
        let done = async || {
            let groups = plane.events().groups(Some(stream)).await.unwrap();
            groups[0].pending == 0 && log.read().unwrap().counts().len() == ids.len()
        };
        let limit = Duration::from_secs(size(40, 240) as u64);
        while !done().await {
            assert!(last_kill.elapsed() < limit, "{} of {}", log.read().unwrap().counts().len(), ids.len());
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        drop(workers);
        let effects = log.read().unwrap();
        assert_eq!(effects.missing(ids.iter().map(String::as_str)), Vec::<&str>::new());
        // One that was dealt with twice had been left by somebody who was killed: it says so.
        let mut times: BTreeMap<&str, Vec<u64>> = BTreeMap::new();
        for (id, who) in &effects.lines {
            times.entry(id).or_default().push(who.split(' ').next().unwrap().parse().unwrap());
        }
        let twice = times.values().filter(|deliveries| deliveries.len() > 1).count();
        assert!(times.values().all(|all| all.is_sorted_by(|a, b| a < b)), "a repeat that does not count up");
        assert!(twice <= kills * 20, "{twice} repeats of {kills} kills");
        assert_eq!(plane.events().losses().await.unwrap(), vec![], "and trimming went on all the while");
        tokio::time::sleep(Duration::from_millis(950)).await;
        plane.events().look(stream).await.unwrap();
        assert!(number(bench, &format!("XLEN {key}")).await < 700);
    })
    .await;
}

/// S5: what a killed consumer had is with another one within idle + 2 s.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_a_killed_consumer_had_is_taken_up_in_time() {
    check(&invariants(), async |bench| {
        let stream = Stream::Ade(EventType::Approval);
        let folder = tempfile::tempdir().unwrap();
        let log = EffectLog::open(folder.path().join("effects")).unwrap();
        let plane = plane(bench, &[]).await;
        let mut slowest = Duration::ZERO;
        for round in 0..size(6, 100) {
            let ids = plane.events().publish(stream, &[event("{}")]).await.unwrap().unwrap();
            // It reads and is gone: here a reader that never comes back stands for a process that was killed.
            let dead =
                Read { idle: IDLE, ..Read::new(stream, "webhook-dispatcher", &format!("dead{round}")) };
            assert_eq!(plane.events().read(&dead).await.unwrap().unwrap().entries.len(), 1);
            let since = Instant::now();
            let mut living = worker(bench, stream, "webhook-dispatcher", &format!("w{round}"), &log);
            while log.read().unwrap().missing([ids[0].as_str()]) != Vec::<&str>::new() {
                assert!(since.elapsed() <= IDLE + Duration::from_secs(2), "{:?}", since.elapsed());
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
            slowest = slowest.max(since.elapsed());
            while plane.events().groups(Some(stream)).await.unwrap()[0].pending > 0 {
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
            living.kill9().unwrap();
        }
        assert!(slowest >= IDLE, "nothing is taken from a consumer that may still be at it: {slowest:?}");
    })
    .await;
}

/// Poison kills whoever touches it, so often as it may; then it is put aside, and the others were served all along.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn poison_is_put_aside_and_the_rest_is_served() {
    check(&invariants(), async |bench| {
        set(bench, "streams:max_deliveries", "3").await;
        let stream = Stream::Ade(EventType::Task);
        let folder = tempfile::tempdir().unwrap();
        let log = EffectLog::open(folder.path().join("effects")).unwrap();
        let plane = plane(bench, &[]).await;
        let mut ids = Vec::new();
        for n in 0..50 {
            let payload = if n == 25 { "{\"kind\":\"poison\"}" } else { "{}" };
            ids.extend(plane.events().publish(stream, &[event(payload)]).await.unwrap().unwrap());
        }
        let poison = ids.remove(25);
        let dead =
            async || plane.dead_letters().list(&Filter { limit: 5, ..Filter::default() }).await.unwrap();
        let began = Instant::now();
        let mut deaths = 0;
        let mut living = worker(bench, stream, "audit-logger", "w0", &log);
        while dead().await.is_empty()
            || !log.read().unwrap().missing(ids.iter().map(String::as_str)).is_empty()
        {
            assert!(began.elapsed() < Duration::from_secs(20), "{deaths} deaths");
            if living.wait(Duration::from_millis(20)).unwrap().is_some() {
                deaths += 1;
                living = worker(bench, stream, "audit-logger", &format!("w{deaths}"), &log);
            }
        }
        // A healthy neighbour that shared its batch may have been counted once more; the poison itself killed three.
        assert_eq!(deaths, 3);
        let kept = dead().await;
        assert_eq!((kept.len(), kept[0].item.as_str(), kept[0].attempts), (1, poison.as_str(), 3));
    })
    .await;
}

/// S1: a consumer is stopped, far more than the stream keeps is sent, and it misses nothing when it goes on.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_stopped_consumer_misses_nothing() {
    check(&invariants(), async |bench| {
        let sends = size(5_000, 50_000);
        set(bench, "streams:keep", if sends > 10_000 { "1000" } else { "100" }).await;
        set(bench, "streams:max_deliveries", "1000").await;
        let stream = Stream::Ade(EventType::Lock);
        let folder = tempfile::tempdir().unwrap();
        let log = EffectLog::open(folder.path().join("effects")).unwrap();
        let plane = plane(bench, &[]).await;
        let consumer = worker(bench, stream, "notification-service", "only", &log);
        wait_for_group(&plane, stream).await;
        consumer.stop().unwrap();
        let mut ids = Vec::new();
        let all: Vec<Event> = (0..sends).map(|n| event(&n.to_string())).collect();
        for page in all.chunks(500) {
            ids.extend(plane.events().publish(stream, page).await.unwrap().unwrap());
            plane.events().look(stream).await.unwrap();
        }
        assert_eq!(ids.len(), sends, "nobody who sends is refused or kept waiting");
        consumer.cont().unwrap();
        let began = Instant::now();
        while log.read().unwrap().counts().len() < sends {
            assert!(began.elapsed() < Duration::from_secs(size(30, 200) as u64));
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        drop(consumer);
        assert_eq!(log.read().unwrap().missing(ids.iter().map(String::as_str)), Vec::<&str>::new());
        assert_eq!(plane.events().losses().await.unwrap(), vec![]);
    })
    .await;
}

async fn wait_for_group(plane: &Plane, stream: Stream) {
    while plane.events().groups(Some(stream)).await.unwrap().is_empty() {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// S4 at size: everything there is, from the first event on, in its order.
#[tokio::test]
async fn a_group_that_comes_late_gets_all_there_is_in_order() {
    check(&invariants(), async |bench| {
        let plane = plane(bench, &[]).await;
        let stream = Stream::Ade(EventType::Task);
        let published = {
            let all: Vec<Event> = (0..size(300, 9_000)).map(|n| event(&n.to_string())).collect();
            let mut ids = Vec::new();
            for page in all.chunks(1_000) {
                ids.extend(plane.events().publish(stream, page).await.unwrap().unwrap());
            }
            ids
        };
        let late = Read { count: 500, ..Read::new(stream, "late", "c") };
        let mut got = Vec::new();
        while got.len() < published.len() {
            let read = plane.events().read(&late).await.unwrap().unwrap();
            let batch: Vec<String> = read.entries.into_iter().map(|entry| entry.id).collect();
            assert!(!batch.is_empty(), "{} of {}", got.len(), published.len());
            plane.events().ack(stream, "late", None, &batch).await.unwrap().unwrap();
            got.extend(batch);
        }
        assert_eq!(got, published);
        say(&format!("S4: a late group got all of {} events, the first one first", got.len()));
    })
    .await;
}
