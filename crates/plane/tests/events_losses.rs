//! What a foreign client destroys is found, counted and shown: by redis-cli, as any other client would.

use std::io::Write;
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::support::plane;
use quorate_catalog::ids::EventType;
use quorate_plane::events::{Event, Loss, Read, Stream};
use quorate_plane::{Plane, invariants, maintenance};
use quorate_store::FromRedisValue;
use quorate_testkit::soak::{say, size};
use quorate_testkit::{Bench, check};
use tokio::time::Instant;

/// Types commands into redis-cli.
fn redis_cli(bench: &Bench, lines: &[String]) {
    let mut child = Command::new("redis-cli")
        .arg("-u")
        .arg(bench.node.url().reveal())
        .arg("--no-auth-warning")
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .expect("redis-cli runs");
    child.stdin.take().unwrap().write_all(lines.join("\n").as_bytes()).unwrap();
    assert!(child.wait().unwrap().success());
}

fn foreign_adds(key: &str, count: usize, options: &str) -> Vec<String> {
    (0..count).map(|n| format!("XADD {key} {options} * n {n}")).collect()
}

async fn losses_within_five_seconds(plane: &Plane, since: Instant) -> Vec<Loss> {
    loop {
        let losses = plane.events().losses().await.unwrap();
        if !losses.is_empty() {
            assert!(since.elapsed() <= Duration::from_secs(5), "{:?}", since.elapsed());
            return losses;
        }
        assert!(since.elapsed() < Duration::from_secs(10), "the loss was not found");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

fn numbers(loss: &Loss) -> (&str, u64, u64, bool) {
    (&loss.group, loss.unread, loss.pending, loss.exact)
}

/// S2: the measured case of the seed's own command: 1,000 sent, 10 read and unacknowledged, 100 left.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_foreign_maxlen_is_found_within_five_seconds_and_counted_exactly() {
    check(&invariants(), async |bench| {
        let plane = plane(bench, &[]).await;
        let background = tokio::task::LocalSet::new();
        let running = background.spawn_local({
            let plane = plane.clone();
            async move { maintenance::run(&plane, |_| {}).await }
        });
        let foreign = async {
            let key = Stream::All.key(&bench.scope.keys).to_string();
            redis_cli(bench, &[format!("XGROUP CREATE {key} foreign 0 MKSTREAM")]);
            redis_cli(bench, &foreign_adds(&key, 10, ""));
            redis_cli(bench, &[format!("XREADGROUP GROUP foreign c COUNT 10 STREAMS {key} >")]);
            let began = Instant::now();
            redis_cli(bench, &foreign_adds(&key, 990, "MAXLEN ~ 100"));
            let losses = losses_within_five_seconds(&plane, began).await;
            tokio::time::sleep(Duration::from_secs(2)).await;
            losses
        };
        let losses = background.run_until(foreign).await;
        running.abort();
        let later = plane.events().losses().await.unwrap();
        assert_eq!(later.iter().map(numbers).collect::<Vec<_>>(), [("foreign", 890, 10, true)], "{losses:?}");
        let alerts = plane.events().newest(Stream::All, 20).await.unwrap();
        assert!(alerts.iter().any(|entry| entry.field("event") == Some("stream:loss")));
        assert!(!plane.events().ledger(10).await.unwrap().is_empty());
    })
    .await;
}

/// S2 at size: a foreign client that trims again and again; every entry that is gone was counted, and none twice.
#[tokio::test]
async fn a_foreign_client_that_trims_again_and_again_is_counted_to_the_last_entry() {
    let rounds = size(4, 60);
    check(&invariants(), async |bench| {
        let plane = plane(bench, &[]).await;
        let stream = Stream::Ade(EventType::Lock);
        let key = stream.key(&bench.scope.keys).to_string();
        let mine = Read { count: 9, ..Read::new(stream, "mine", "c") };
        assert!(plane.events().read(&mine).await.unwrap().unwrap().entries.is_empty());
        let mut read = 0;
        for round in 0..rounds {
            redis_cli(bench, &foreign_adds(&key, 1_000, "MAXLEN ~ 100"));
            if round % 3 == 1 {
                read += plane.events().read_once(&mine).await.unwrap().unwrap().entries.len() as u64;
            } else {
                tokio::time::sleep(Duration::from_millis(950)).await;
                plane.events().look(stream).await.unwrap();
            }
        }
        let left = u64::from_redis_value(bench.cli(&format!("XLEN {key}")).await).unwrap();
        let losses = plane.events().losses().await.unwrap();
        let [loss] = &losses[..] else { panic!("{losses:?}") };
        // Read, lost before it was read, or still there and unread; what was read is still there or lost.
        let unread = left - (read - loss.pending);
        assert!(loss.exact);
        assert_eq!(loss.unread + read + unread, rounds as u64 * 1_000, "{loss:?}");
        say(&format!(
            "S2: {rounds},000 foreign entries: {} unread and {} pending lost, each counted once",
            loss.unread, loss.pending
        ));
    })
    .await;
}

/// A stream that is deleted whole took along what its groups had not read, and what they had not acknowledged.
#[tokio::test]
async fn what_goes_with_a_whole_stream_is_counted_and_told_to_its_groups() {
    check(&invariants(), async |bench| {
        let plane = plane(bench, &[]).await;
        for (stream, looked_at) in
            [(Stream::Ade(EventType::Task), true), (Stream::Ade(EventType::Lock), false)]
        {
            let key = stream.key(&bench.scope.keys).to_string();
            redis_cli(bench, &foreign_adds(&key, 50, ""));
            let mine = Read { count: 10, ..Read::new(stream, "mine", "c") };
            assert_eq!(plane.events().read(&mine).await.unwrap().unwrap().entries.len(), 10);
            tokio::time::sleep(Duration::from_millis(950)).await;
            plane.events().look(stream).await.unwrap();
            redis_cli(bench, &[format!("DEL {key}")]);
            if looked_at {
                tokio::time::sleep(Duration::from_millis(950)).await;
                assert_eq!(plane.events().look(stream).await.unwrap().lost, 50);
            }
            redis_cli(bench, &foreign_adds(&key, 3, ""));
            let batch = plane.events().read(&mine).await.unwrap().unwrap();
            let gap = batch.gap.expect("a gap");
            assert_eq!((gap.unread, gap.pending, gap.exact, batch.entries.len()), (40, 10, false, 3));
        }
        let losses = plane.events().losses().await.unwrap();
        assert_eq!(losses.iter().map(numbers).collect::<Vec<_>>(), [("mine", 40, 10, false); 2]);
    })
    .await;
}

/// A loss is counted once, the group reads on, and a second loss is counted from where it then is.
#[tokio::test]
async fn a_second_loss_is_counted_from_where_the_group_is() {
    check(&invariants(), async |bench| {
        let plane = plane(bench, &[]).await;
        let stream = Stream::Ade(EventType::Task);
        let key = stream.key(&bench.scope.keys).to_string();
        let mine = Read { count: 7, ..Read::new(stream, "mine", "c") };
        assert!(plane.events().read(&mine).await.unwrap().unwrap().entries.is_empty());
        let mut totals = Vec::new();
        for _ in 0..3 {
            redis_cli(bench, &foreign_adds(&key, 500, "MAXLEN = 100"));
            // The read itself looks first, so no tick is needed and nothing is read over a hole unnoticed.
            let batch = plane.events().read_once(&mine).await.unwrap().unwrap();
            let gap = batch.gap.clone().expect("a gap");
            assert_eq!((batch.entries.len(), gap.exact), (7, true));
            let ids: Vec<String> = batch.entries.into_iter().map(|entry| entry.id).collect();
            plane.events().ack(stream, "mine", None, &ids[..5]).await.unwrap().unwrap();
            plane.events().ack(stream, "mine", None, &[gap.id]).await.unwrap().unwrap();
            totals.push((gap.unread, gap.pending));
        }
        // 400 at first; then 93 that were left unread and 400 new ones, and the two it had not acknowledged.
        assert_eq!(totals, [(400, 0), (493, 2), (493, 2)]);
        let losses = plane.events().losses().await.unwrap();
        assert_eq!(losses.iter().map(numbers).collect::<Vec<_>>(), [("mine", 1_386, 4, true)]);
    })
    .await;
}

/// What a group made between two looks cannot have got is a bound, and says so.
#[tokio::test]
async fn what_cannot_be_known_is_labelled() {
    check(&invariants(), async |bench| {
        let plane = plane(bench, &[]).await;
        let key = Stream::All.key(&bench.scope.keys).to_string();
        redis_cli(bench, &foreign_adds(&key, 10, ""));
        plane.events().upkeep().await.unwrap();
        redis_cli(bench, &[format!("XGROUP CREATE {key} foreign 0")]);
        redis_cli(bench, &foreign_adds(&key, 190, "MAXLEN = 50"));
        tokio::time::sleep(Duration::from_millis(950)).await;
        plane.events().upkeep().await.unwrap();
        let losses = plane.events().losses().await.unwrap();
        assert_eq!(losses.iter().map(numbers).collect::<Vec<_>>(), [("foreign", 150, 0, false)]);
        assert_eq!(plane.events().ledger(1).await.unwrap()[0].field("bound"), Some("at most"));
    })
    .await;
}

/// The same of a stream that was not there at the last look.
#[tokio::test]
async fn what_a_new_stream_lost_at_once_is_counted() {
    check(&invariants(), async |bench| {
        let plane = plane(bench, &[]).await;
        let key = Stream::All.key(&bench.scope.keys).to_string();
        plane.events().upkeep().await.unwrap();
        redis_cli(bench, &[format!("XGROUP CREATE {key} foreign 0 MKSTREAM")]);
        redis_cli(bench, &foreign_adds(&key, 30, "MAXLEN = 5"));
        plane.events().upkeep().await.unwrap();
        let losses = plane.events().losses().await.unwrap();
        assert_eq!(losses.iter().map(numbers).collect::<Vec<_>>(), [("foreign", 25, 0, false)]);
    })
    .await;
}

/// History that went before a group existed, and our own trimming, are no losses.
#[tokio::test]
async fn nothing_is_called_lost_that_was_not() {
    check(&invariants(), async |bench| {
        let plane = plane(bench, &[]).await;
        let key = Stream::All.key(&bench.scope.keys).to_string();
        redis_cli(bench, &foreign_adds(&key, 300, "MAXLEN = 100"));
        let mine = Read { count: 1_000, ..Read::new(Stream::All, "mine", "c") };
        assert_eq!(plane.events().read(&mine).await.unwrap().unwrap().entries.len(), 100);
        // A reader that keeps up while a foreign client keeps the stream short.
        for _ in 0..5 {
            redis_cli(bench, &foreign_adds(&key, 40, "MAXLEN = 100"));
            let batch = plane.events().read(&mine).await.unwrap().unwrap();
            let ids: Vec<String> = batch.entries.into_iter().map(|entry| entry.id).collect();
            plane.events().ack(Stream::All, "mine", None, &ids).await.unwrap().unwrap();
            tokio::time::sleep(Duration::from_millis(300)).await;
            plane.events().upkeep().await.unwrap();
        }
        // The first hundred were never acknowledged, and the foreign client did destroy those.
        let losses = plane.events().losses().await.unwrap();
        assert_eq!(losses.iter().map(numbers).collect::<Vec<_>>(), [("mine", 0, 100, true)]);
    })
    .await;
}

/// However many processes look, a loss is written down once.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn many_that_look_at_once_count_once() {
    check(&invariants(), async |bench| {
        let plane = plane(bench, &[]).await;
        let key = Stream::All.key(&bench.scope.keys).to_string();
        let mine = Read::new(Stream::All, "mine", "c");
        plane.events().read(&mine).await.unwrap().unwrap();
        redis_cli(bench, &foreign_adds(&key, 200, "MAXLEN = 50"));
        let looks: Vec<_> = (0..8)
            .map(|_| {
                let plane = plane.clone();
                tokio::spawn(async move { plane.events().upkeep().await.unwrap().lost })
            })
            .collect();
        let mut lost = 0;
        for look in looks {
            lost += look.await.unwrap();
        }
        assert_eq!(lost, 150);
        let event = Event { event: "test:x".into(), payload: "1".into(), source: "test".into() };
        plane.events().publish(Stream::All, &[event]).await.unwrap().unwrap();
        assert_eq!(plane.events().losses().await.unwrap()[0].unread, 150);
    })
    .await;
}
