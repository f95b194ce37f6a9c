//! Waiting for entries: however many read, a stream has one connection that waits for them, and each group hears of it.

use std::time::{Duration, Instant};

use crate::support::{clients, plane, scripts};
use futures_util::future::join_all;
use quorate_plane::events::{Batch, Event, Observation, Read, Start, Stream};
use quorate_plane::{Outcome, Plane, invariants};
use quorate_testkit::check;
use tokio::task::JoinHandle;
use tokio::time::{sleep, timeout};

type Waiting = JoinHandle<quorate_store::Result<Outcome<Batch>>>;

fn reader(stream: Stream, group: &str, number: usize) -> Read {
    let wait = Duration::from_secs(30);
    Read { wait, count: 1, ..Read::new(stream, group, &format!("c{number}")) }
}

fn wait(plane: &Plane, wanted: Read) -> Waiting {
    let plane = plane.clone();
    tokio::spawn(async move { plane.events().read(&wanted).await })
}

async fn publish(plane: &Plane, count: usize) -> Vec<String> {
    let event = |n: usize| Event { event: "test:n".into(), payload: n.to_string(), source: "test".into() };
    let all: Vec<Event> = (0..count).map(event).collect();
    plane.events().publish(Stream::All, &all).await.unwrap().unwrap()
}

async fn id(waiting: Waiting) -> String {
    let batch = timeout(Duration::from_secs(2), waiting).await.expect("at once").unwrap().unwrap().unwrap();
    batch.entries.into_iter().next().expect("an entry").id
}

#[tokio::test]
async fn hundreds_who_read_share_a_connection_for_each_stream_and_miss_nothing() {
    check(&invariants(), async |bench| {
        let plane = plane(bench, &[]).await;
        plane.events().read(&Read::new(Stream::All, "one", "c")).await.unwrap().unwrap();
        let before = clients(bench).await;
        let of = |group: &'static str| {
            (0..100).map(|n| wait(&plane, reader(Stream::All, group, n))).collect::<Vec<_>>()
        };
        let (one, other) = (of("one"), of("other"));
        let observers: Vec<_> =
            (0..50).map(|n| wait(&plane, reader(Stream::Pending, "consolidators", n))).collect();
        sleep(Duration::from_millis(700)).await;
        let more = clients(bench).await.saturating_sub(before);
        assert!(more <= 2, "{more} more clients for 250 who wait");
        let used = scripts(bench).await;
        sleep(Duration::from_secs(2)).await;
        let used = scripts(bench).await - used;
        assert!(used < 40, "{used} scripts in two seconds in which nothing happened");
        let published = publish(&plane, 100).await;
        for group in [one, other] {
            let mut got = join_all(group.into_iter().map(id)).await;
            got.sort();
            let mut all = published.clone();
            all.sort();
            assert_eq!(got, all, "each entry once in each group");
        }
        for n in 0..50 {
            let observation = Observation { content: n.to_string(), ..Observation::default() };
            plane.observations().submit(&observation).await.unwrap().unwrap();
        }
        join_all(observers.into_iter().map(id)).await;
    })
    .await;
}

/// Somebody else may read for the group, or publish between the look and the wait: who waits is there for the next entry.
#[tokio::test]
async fn an_entry_that_comes_while_somebody_begins_to_wait_is_not_slept_through() {
    check(&invariants(), async |bench| {
        let (plane, other) = (plane(bench, &[]).await, Plane::new(bench.scope.clone()).unwrap());
        let from_now = |group: &str, n| Read { start: Start::New, ..reader(Stream::All, group, n) };
        let standing = wait(&plane, from_now("standing", 0));
        sleep(Duration::from_millis(100)).await;
        for number in 0..200 {
            let waiting = wait(&plane, reader(Stream::All, "racing", number));
            sleep(Duration::from_micros(number as u64 * 10)).await;
            let (published, began) = (publish(&other, 1).await, Instant::now());
            assert_eq!(vec![id(waiting).await], published);
            assert!(began.elapsed() < Duration::from_millis(500), "{number}: {:?}", began.elapsed());
        }
        id(standing).await;
        let left =
            wait(&plane, Read { idle: Duration::from_millis(300), ..reader(Stream::All, "racing", 999) });
        assert!(!id(left).await.is_empty(), "what a dead consumer left comes to who waits");
    })
    .await;
}
