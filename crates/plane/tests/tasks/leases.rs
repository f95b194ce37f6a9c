//! Leases of tasks: one owner, and a recovery that really fires, once.

use std::time::Duration;

use quorate_catalog::ids::DeadLetterId;
use quorate_plane::dead_letters::{Again, RecordFilter};
use quorate_plane::invariants;
use quorate_plane::queues::Queue;
use quorate_plane::tasks::{Part, Recovery, Severity, Wish};
use quorate_store::Clock;
use quorate_testkit::check;

use super::order::at;
use crate::support::queues::{claim, texts};

use super::support::{code, plane, statuses, task};

const SECOND: Duration = Duration::from_secs(1);

fn wish(name: &str, owner: &str, recovery: Recovery) -> Wish {
    let queue: Queue = "job:again".parse().unwrap();
    Wish { ttl: SECOND, recovery, work: Some((queue, "the work".into())), ..Wish::new(task(name), owner) }
}

#[tokio::test]
async fn a_task_has_one_lease_and_only_its_owner_keeps_it() {
    check(&invariants(), async |bench| {
        let plane = plane(bench);
        let leases = plane.tasks().leases();
        let lease = leases.take(&wish("t", "w1", Recovery::ObserveOnly)).await.unwrap().unwrap();
        let second = leases.take(&wish("t", "w2", Recovery::ObserveOnly)).await.unwrap();
        assert_eq!((code(&second), second.refusal().unwrap().detail.as_deref()), ("leased", Some("w1")));
        assert_eq!(
            code(&leases.take(&wish("t", "w1", Recovery::ObserveOnly)).await.unwrap()),
            "leased",
            "twice"
        );
        for (owner, token) in [("w2", lease.token.as_str()), ("w1", "1")] {
            assert_eq!(code(&leases.beat(&task("t"), owner, token, SECOND).await.unwrap()), "no_lease");
            assert_eq!(code(&leases.release(&task("t"), owner, token).await.unwrap()), "no_lease");
        }
        leases.beat(&task("t"), "w1", &lease.token, 60 * SECOND).await.unwrap().unwrap();
        assert_eq!(leases.list(10).await.unwrap()[0].owner, "w1");
        leases.release(&task("t"), "w1", &lease.token).await.unwrap().unwrap();
        assert!(leases.list(10).await.unwrap().is_empty());
        let next = leases.take(&wish("t", "w2", Recovery::ObserveOnly)).await.unwrap().unwrap();
        assert!(next.token.parse::<u64>().unwrap() > lease.token.parse::<u64>().unwrap());
        leases.release(&task("t"), "w2", &next.token).await.unwrap().unwrap();
        assert!(leases.take(&Wish { work: None, ..wish("t", "w", Recovery::Retry) }).await.is_err());
    })
    .await;
}

/// systems 2e.1: in Relayna the key is gone when its scanner looks, and nothing is ever recovered on a real server.
#[tokio::test]
async fn what_has_lapsed_is_recovered_once_as_it_was_asked_for() {
    check(&invariants(), async |bench| {
        let plane = plane(bench);
        let all = [
            ("observed", Recovery::ObserveOnly, &[][..]),
            ("stale", Recovery::PublishStaleStatus, &["stale"]),
            ("again", Recovery::Requeue, &["requeued"]),
            ("retry", Recovery::Retry, &["retrying"]),
            ("dead", Recovery::DeadLetter, &["failed"]),
        ];
        for (name, recovery, _) in all {
            plane.tasks().leases().take(&wish(name, "w", recovery)).await.unwrap().unwrap();
        }
        let last = Wish { attempt: 3, max_retries: 3, ..wish("spent", "w", Recovery::Retry) };
        plane.tasks().leases().take(&last).await.unwrap().unwrap();
        assert_eq!(plane.tasks().leases().recover().await.unwrap(), 0, "nothing has lapsed");
        tokio::time::sleep(Duration::from_millis(1_100)).await;
        assert_eq!(plane.tasks().leases().lapsed().await.unwrap(), 6);
        let leases = plane.tasks().leases();
        let (one, two) = tokio::join!(leases.recover(), leases.recover());
        assert_eq!(one.unwrap() + two.unwrap(), 6, "two processes at once recover each once");
        for (name, _, wanted) in all {
            assert_eq!(statuses(&plane, name).await, wanted, "{name}");
            let seen = plane.tasks().observations(&task(name), 10).await.unwrap();
            assert_eq!(seen.events.len(), 1, "{name}");
            assert_eq!(seen.events[0].text("event_type"), Some("TaskLeaseExpired"));
        }
        assert_eq!(statuses(&plane, "spent").await, ["failed"], "no attempt was left");
        let again = plane.queues().show(&"job:again".parse().unwrap(), 10).await.unwrap();
        assert_eq!(again.depth, 2, "requeued and retried");
        for name in ["dead", "spent"] {
            let filter = RecordFilter { task_id: Some(name.into()), ..RecordFilter::default() };
            let page = plane.dead_letters().records().list(&filter, None, 10).await.unwrap().unwrap();
            let found: Vec<_> = page.items.iter().map(|one| (one.reason.as_str(), &one.body)).collect();
            assert_eq!(found, [("lease_expired", &"the work".into())], "{name}");
        }
        assert!(plane.tasks().leases().list(10).await.unwrap().is_empty());
        assert_eq!(plane.tasks().feed(Part::Newest, 100).await.unwrap().unwrap().count, 11);
    })
    .await;
}

/// Whatever queue the work came from, it is not lost with its last attempt; from the dead letters it goes back there.
#[tokio::test]
async fn the_work_of_every_queue_is_kept_among_the_dead_letters_and_goes_back_there() {
    check(&invariants(), async |bench| {
        let plane = crate::support::plane(bench, &["w"]).await;
        let later = at(bench, Clock::Offset(2_000_000));
        let normal: Queue = "normal".parse().unwrap();
        let own =
            Wish { work: Some((normal, "{\"n\": 1.0}".into())), ..wish("own", "w", Recovery::DeadLetter) };
        let spent = Wish { attempt: 3, work: own.work.clone(), ..wish("spent", "w", Recovery::Retry) };
        let bare = Wish { work: None, ..wish("bare", "w", Recovery::DeadLetter) };
        for wish in [&own, &spent, &bare] {
            plane.tasks().leases().take(wish).await.unwrap().unwrap();
        }
        assert_eq!(later.tasks().leases().recover().await.unwrap(), 3);
        let records = plane.dead_letters().records();
        for name in ["own", "spent", "bare"] {
            let filter = RecordFilter { task_id: Some(name.into()), ..RecordFilter::default() };
            let page = records.list(&filter, None, 10).await.unwrap().unwrap();
            let [letter] = &page.items[..] else { panic!("{name}: {page:?}") };
            let id = DeadLetterId::parse(&letter.dlq_id).unwrap();
            let again = Again { request: name.into(), who: "me".into(), ..Again::default() };
            let replayed = records.replay(&id, &again).await.unwrap();
            if name == "bare" {
                assert_eq!(code(&replayed), "no_replay", "nobody has said where it came from");
                continue;
            }
            assert_eq!(replayed.unwrap().target_queue_name, "priority:normal");
            let claimed = claim(&plane, "w", &["normal"], 1).await;
            assert!(texts(&claimed)[0].contains("\"body\":{\"n\": 1.0}"), "{claimed:?}");
        }
    })
    .await;
}

/// One whose recovery meets a wrong key is tried again later, and those behind it are recovered now.
#[tokio::test]
async fn a_lease_that_cannot_be_recovered_keeps_nobody_else_waiting_and_is_recovered_later() {
    check(&invariants(), async |bench| {
        let plane = plane(bench);
        for name in ["a", "b", "c"] {
            plane
                .tasks()
                .leases()
                .take(&wish(name, "w", Recovery::PublishStaleStatus))
                .await
                .unwrap()
                .unwrap();
        }
        let spoiled = bench.scope.keys.relayna().status_history(&task("a"));
        bench.cli(&format!("SET {spoiled} x")).await;
        let soon = at(bench, Clock::Offset(2_000_000));
        assert!(soon.tasks().leases().recover().await.unwrap_err().to_string().contains("lapsed"));
        for name in ["b", "c"] {
            assert_eq!(statuses(&plane, name).await, ["stale"]);
        }
        assert_eq!(plane.tasks().leases().list(10).await.unwrap().len(), 1, "it is still to be done");
        bench.cli(&format!("DEL {spoiled}")).await;
        assert_eq!(at(bench, Clock::Offset(40_000_000)).tasks().leases().recover().await.unwrap(), 1);
        assert_eq!(statuses(&plane, "a").await, ["stale"]);
    })
    .await;
}

#[tokio::test]
async fn a_recovery_whose_process_died_is_done_by_another_and_has_one_effect() {
    check(&invariants(), async |bench| {
        let plane = plane(bench);
        for (name, recovery) in [("t", Recovery::Requeue), ("dead", Recovery::DeadLetter)] {
            plane.tasks().leases().take(&wish(name, "w", recovery)).await.unwrap().unwrap();
        }
        let store = quorate_catalog::ids::TaskStore::parse("relayna").unwrap();
        let due = bench.scope.keys.quorate().task_leases(&store);
        let leases = ["t", "dead"].map(|name| {
            let record = quorate_catalog::ids::TaskRecord::parse(&format!("relayna:{name}")).unwrap();
            (name, bench.scope.keys.quorate().task_lease(&record))
        });
        let later = at(bench, Clock::Offset(10_000_000));
        // The effect was made and the process died before it could say so: the lease is there as it was.
        for (_, lease) in &leases {
            bench.cli(&format!("COPY {lease} {lease}-copy")).await;
        }
        assert_eq!(later.tasks().leases().recover().await.unwrap(), 2);
        for (name, lease) in &leases {
            bench.cli(&format!("RENAME {lease}-copy {lease}")).await;
            bench.cli(&format!("ZADD {due} 1 {name}")).await;
        }
        assert_eq!(later.tasks().leases().recover().await.unwrap(), 2);
        assert_eq!(statuses(&plane, "t").await, ["requeued"]);
        assert_eq!(plane.queues().show(&"job:again".parse().unwrap(), 10).await.unwrap().depth, 1);
        assert_eq!(statuses(&plane, "dead").await, ["failed"]);
        let letters = plane.dead_letters().records().list(&RecordFilter::default(), None, 10).await.unwrap();
        assert_eq!(letters.unwrap().items.len(), 1, "one letter, however often it was recovered");
    })
    .await;
}

#[tokio::test]
async fn who_comes_late_neither_renews_nor_takes_what_is_anothers() {
    check(&invariants(), async |bench| {
        let plane = plane(bench);
        let first = plane
            .tasks()
            .leases()
            .take(&wish("t", "w1", Recovery::PublishStaleStatus))
            .await
            .unwrap()
            .unwrap();
        let later = at(bench, Clock::Offset(5_000_000));
        assert_eq!(
            code(&later.tasks().leases().beat(&task("t"), "w1", &first.token, SECOND).await.unwrap()),
            "no_lease"
        );
        let second = later
            .tasks()
            .leases()
            .take(&wish("t", "w2", Recovery::PublishStaleStatus))
            .await
            .unwrap()
            .unwrap();
        assert_eq!(
            code(&later.tasks().leases().release(&task("t"), "w1", &first.token).await.unwrap()),
            "no_lease"
        );
        assert_eq!(later.tasks().leases().recover().await.unwrap(), 0, "somebody works on it again");
        later.tasks().leases().release(&task("t"), "w2", &second.token).await.unwrap().unwrap();
        // The record is gone and the list still has it: there is nothing to recover.
        let store = quorate_catalog::ids::TaskStore::parse("relayna").unwrap();
        bench.cli(&format!("ZADD {} 1 t", bench.scope.keys.quorate().task_leases(&store))).await;
        assert_eq!(later.tasks().leases().recover().await.unwrap(), 0);
        assert_eq!(later.tasks().leases().lapsed().await.unwrap(), 0, "and it is taken out of the list");
    })
    .await;
}

#[tokio::test]
async fn pressure_is_said_with_how_serious_it_is_and_a_look_that_fails_is_a_signal() {
    check(&invariants(), async |bench| {
        let plane = plane(bench);
        let of = async |kind: &str| {
            let found = plane.tasks().pressure().await.unwrap();
            let of_kind = found.signals.into_iter().filter(|signal| signal.kind == kind);
            let signal = of_kind.max_by(|one, two| one.value.partial_cmp(&two.value).unwrap());
            signal.map(|signal| (signal.severity, signal.value))
        };
        assert_eq!(of("worker_count_zero").await, Some((Severity::Unknown, Some(0.0))));
        assert_eq!(of("dlq_growth_high").await, Some((Severity::Normal, Some(0.0))));
        let items: Vec<_> = (0..1_000).map(|_| quorate_plane::queues::Push::new("x")).collect();
        plane.queues().push_many(&"normal".parse().unwrap(), &items[..99]).await.unwrap().unwrap();
        assert_eq!(of("queue_depth_high").await, Some((Severity::Normal, Some(99.0))));
        assert_eq!(of("consumer_count_zero").await, Some((Severity::Critical, Some(0.0))));
        plane.queues().push_many(&"normal".parse().unwrap(), &items[..1]).await.unwrap().unwrap();
        assert_eq!(of("queue_depth_high").await, Some((Severity::Warning, Some(100.0))));
        plane.queues().push_many(&"normal".parse().unwrap(), &items[..900]).await.unwrap().unwrap();
        assert_eq!(of("queue_depth_high").await, Some((Severity::Critical, Some(1_000.0))));
        plane.tasks().leases().take(&wish("t", "w", Recovery::ObserveOnly)).await.unwrap().unwrap();
        tokio::time::sleep(Duration::from_millis(1_100)).await;
        assert_eq!(of("lease_expiry_rate_high").await, Some((Severity::Warning, Some(1.0))));
        plane.tasks().leases().recover().await.unwrap();
        let store = quorate_catalog::ids::TaskStore::parse("relayna").unwrap();
        let due = bench.scope.keys.quorate().task_leases(&store);
        bench.cli(&format!("SET {due} poison")).await;
        assert_eq!(of("pressure_collector_unavailable").await, Some((Severity::Unknown, None)));
        bench.cli(&format!("DEL {due}")).await;
    })
    .await;
}
