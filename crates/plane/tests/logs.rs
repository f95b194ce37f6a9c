//! Logs: nobody is kept waiting, records come in order, and the server's own troubles are reported once.

use std::time::{Duration, Instant};

use crate::support::plane;
use quorate_catalog::ids::LogServiceId;
use quorate_plane::events::Stream;
use quorate_plane::logs::{Filter, Level, LogLayer, Logger, Record};
use quorate_plane::{Plane, invariants};
use quorate_store::{Options, Store, Target, Topics};
use quorate_testkit::chaos::{Fault, Proxy};
use quorate_testkit::{Bench, check};
use tracing_subscriber::layer::SubscriberExt;

fn service(name: &str) -> LogServiceId {
    LogServiceId::parse(name).unwrap()
}

async fn messages(plane: &Plane, name: &str) -> Vec<String> {
    let (records, _) = plane.logs().tail(&[service(name)], 10_000, None, &Filter::default()).await.unwrap();
    records.into_iter().map(|record| record.msg).collect()
}

/// A store that swallows everything: the caller goes on at once, what fits the buffer arrives later, the rest is counted.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_silent_store_never_blocks_the_caller_and_drops_are_told() {
    check(&invariants(), async |bench| {
        let proxy = Proxy::start(format!("127.0.0.1:{}", bench.node.port()).parse().unwrap()).await.unwrap();
        let target = Target::parse(&format!("redis://{}", proxy.address())).unwrap();
        let logger = Logger::start(
            Store::lazy(target, Options::default()),
            bench.scope.keys.clone(),
            service("coord"),
        );
        logger.emit(Level::Info, "t", "before");
        assert_eq!(logger.flush(Duration::from_secs(5)).await.sent, 1);
        proxy.set(Fault::Blackhole);
        let mut slowest = Duration::ZERO;
        for n in 0..20_000 {
            let began = Instant::now();
            logger.emit(Level::Info, "t", &format!("m{n}"));
            slowest = slowest.max(began.elapsed());
        }
        assert!(slowest < Duration::from_millis(100), "{slowest:?}");
        let report = logger.report();
        assert!(
            report.dropped > 10_000 && report.sent + report.dropped + report.waiting == 20_001,
            "{report:?}"
        );
        proxy.heal();
        let report = logger.flush(Duration::from_secs(20)).await;
        assert_eq!((report.waiting, report.sent + report.dropped), (0, 20_001));
        tokio::time::sleep(Duration::from_millis(300)).await;
        let plane = plane(bench, &[]).await;
        let told = messages(&plane, "coord").await;
        assert!(
            told.iter().any(|msg| *msg
                == format!("{} records were dropped while the store was away or slow", report.dropped))
        );
    })
    .await;
}

/// Records of many services come in the order in which the store took them, none missing, none twice.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn many_services_are_followed_in_one_order() {
    check(&invariants(), async |bench| {
        let plane = plane(bench, &[]).await;
        let (_, mut tail) = plane.logs().tail(&[], 10, None, &Filter::default()).await.unwrap();
        let writers: Vec<_> = (0..5)
            .map(|writer| {
                let logger = plane.logs().logger(&service(&format!("s{writer}")));
                tokio::spawn(async move {
                    for n in 0..1_200 {
                        logger.emit(Level::Info, "t", &format!("s{writer} {n}"));
                        if n % 100 == 0 {
                            tokio::time::sleep(Duration::from_millis(2)).await;
                        }
                    }
                    logger.flush(Duration::from_secs(10)).await.sent
                })
            })
            .collect();
        for writer in writers {
            assert_eq!(writer.await.unwrap(), 1_200);
        }
        let mut all = Vec::new();
        let deadline = Instant::now() + Duration::from_secs(15);
        while all.len() < 6_000 && Instant::now() < deadline {
            all.extend(
                plane.logs().follow(&mut tail, &Filter::default(), Duration::from_millis(200)).await.unwrap(),
            );
        }
        let texts: Vec<String> = all.into_iter().map(|record| record.msg).collect();
        assert_eq!(texts.len(), 6_000);
        // The truth: all entries of all streams, sorted by the ids the server gave them.
        let mut truth: Vec<((u64, u64), String, String)> = Vec::new();
        for writer in 0..5 {
            let key = bench.scope.keys.reverie().log_stream(&service(&format!("s{writer}")));
            let range: Vec<(String, Vec<String>)> = bench
                .scope
                .store
                .query(quorate_store::cmd("XRANGE").arg(key.as_str()).arg("-").arg("+"))
                .await
                .unwrap();
            for (id, fields) in range {
                let (ms, seq) = id.split_once('-').unwrap();
                let at = fields.iter().position(|field| field == "msg").unwrap();
                truth.push((
                    (ms.parse().unwrap(), seq.parse().unwrap()),
                    format!("s{writer}"),
                    fields[at + 1].clone(),
                ));
            }
        }
        truth.sort();
        assert!(texts.iter().eq(truth.iter().map(|(_, _, msg)| msg)), "the order differs");
    })
    .await;
}

#[tokio::test]
async fn a_record_is_published_and_kept_as_the_envelope_says() {
    check(&invariants(), async |bench| {
        let plane = plane(bench, &[]).await;
        let channel = bench.scope.keys.reverie().log_channel(&service("coord"), Level::Warn);
        let mut heard = bench.scope.store.subscribe(Topics::channels([channel.as_str()])).await.unwrap();
        plane
            .logs()
            .emit(&service("coord"), &[Record::new("coord", Level::Warn, "lock", "slow")])
            .await
            .unwrap();
        let quorate_store::Notice::Message { payload, .. } = heard.next().await else { panic!("a message") };
        let envelope: serde_json::Value = serde_json::from_slice(&payload).unwrap();
        let names: Vec<&str> = envelope.as_object().unwrap().keys().map(String::as_str).collect();
        assert_eq!(names, ["v", "ts", "service", "host", "level", "pid", "target", "msg", "fields"]);
        assert_eq!((&envelope["v"], &envelope["level"]), (&0.into(), &"warn".into()));
        assert_eq!(messages(&plane, "coord").await, ["slow"]);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_tracing_logs_goes_to_the_plane() {
    check(&invariants(), async |bench| {
        let plane = plane(bench, &[]).await;
        let logger = plane.logs().logger(&service("rust"));
        let subscriber = tracing_subscriber::registry().with(LogLayer::new(logger.clone()));
        tracing::subscriber::with_default(subscriber, || {
            tracing::info!(user = "ada", tries = 3, "signed in");
            tracing::error!("gone");
            tracing::debug!("not for everybody");
        });
        logger.flush(Duration::from_secs(5)).await;
        let (records, _) = plane.logs().tail(&[service("rust")], 10, None, &Filter::default()).await.unwrap();
        let shown: Vec<_> = records.iter().map(|one| (one.level, one.msg.as_str())).collect();
        assert_eq!(shown, [(Level::Info, "signed in"), (Level::Error, "gone")]);
        assert_eq!((&records[0].fields["user"], &records[0].fields["tries"]), (&"ada".into(), &3.into()));
    })
    .await;
}

/// Eight processes watch, and each trouble is reported once.
#[tokio::test]
async fn the_servers_troubles_are_reported_once() {
    let bench = Bench::start().await;
    let plane = Plane::new(bench.scope.clone()).unwrap();
    assert!(plane.logs().watch().await.unwrap().looked);
    bench.cli("CONFIG SET slowlog-log-slower-than 0").await;
    bench.cli("SET presence:a online").await;
    bench.cli("CONFIG SET slowlog-log-slower-than 1000000").await;
    bench.cli("CONFIG SET maxmemory 2mb").await;
    let mut crowd = Vec::new();
    for _ in 0..10 {
        crowd.push(bench.another_store().await);
        crowd.last().unwrap().time().await.unwrap();
    }
    let mut reported = 0;
    tokio::time::sleep(Duration::from_millis(5_100)).await;
    for _ in 0..8 {
        let watched = plane.logs().watch().await;
        reported += watched.map_or(0, |watched| watched.reported);
    }
    bench.cli("CONFIG SET maxmemory 0").await;
    let notes = plane.events().newest(Stream::Environment, 100).await.unwrap();
    for event in ["engine:slow", "engine:clients", "engine:memory"] {
        assert!(notes.iter().any(|note| note.field("event") == Some(event)), "{event}: {notes:?}");
    }
    assert_eq!(notes.len() as u64, reported);
}

/// Who follows too slowly is told how much was trimmed before it could be shown.
#[tokio::test]
async fn a_slow_follower_is_told_of_the_gap() {
    check(&invariants(), async |bench| {
        let plane = plane(bench, &[]).await;
        let list = bench.scope.keys.reverie().log_stream(&service("busy"));
        let write = async |from: usize, count: usize| {
            let mut all = quorate_store::pipe();
            for n in from..from + count {
                all.cmd("XADD").arg(list.as_str()).arg("*").arg("msg").arg(format!("m{n}"));
            }
            bench.scope.store.pipeline::<Vec<String>>(&all).await.unwrap();
        };
        write(0, 3).await;
        let (first, mut tail) =
            plane.logs().tail(&[service("busy")], 10, None, &Filter::default()).await.unwrap();
        assert_eq!(first.len(), 3);
        write(3, 600).await;
        let wait = Duration::from_millis(50);
        let got = plane.logs().follow(&mut tail, &Filter::default(), wait).await.unwrap();
        assert_eq!((got.len(), tail.gaps().len()), (500, 0), "nothing is missing yet");
        write(603, 1_000).await;
        bench.cli(&format!("XTRIM {list} MAXLEN 800")).await;
        let got = plane.logs().follow(&mut tail, &Filter::default(), wait).await.unwrap();
        let gaps = tail.gaps();
        assert_eq!((gaps.len(), gaps[0].lost, gaps[0].service.as_str()), (1, 300, "busy"));
        assert_eq!((got.len(), got[0].msg.as_str()), (500, "m803"));
        assert!(tail.gaps().is_empty(), "told once");
    })
    .await;
}
