//! Jobs: what is queued, once and never early, by schedulers that die.

use std::collections::BTreeMap;
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::support::{agent, plane, refused};
use quorate_catalog::ids::{JobId, QueueNameId};
use quorate_plane::jobs::{CatchUp, Overlap, Plan, Query, Recurrence, When};
use quorate_plane::queues::{Claim, Nack, Nacked, Queue};
use quorate_plane::{Plane, invariants};
use quorate_store::{Clock, FromRedisValue, Micros};
use quorate_testkit::chaos::Worker;
use quorate_testkit::soak::{say, size};
use quorate_testkit::{Bench, check};

const WORKER: &str = env!("CARGO_BIN_EXE_job-worker");

fn queue(name: &str) -> QueueNameId {
    QueueNameId::parse(name).unwrap()
}

fn scheduler(bench: &Bench) -> Worker {
    let namespace = bench.scope.keys.namespace_text();
    let mut command = Command::new(WORKER);
    command.arg(bench.node.url().reveal()).arg(namespace.trim_end_matches(':'));
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    Worker::spawn(&mut command).expect("the scheduler starts")
}

/// The items of a queue: id to the moment it was put there, in Unix milliseconds.
async fn queued(bench: &Bench, name: &str) -> Vec<(String, u64)> {
    let key = format!("{}ade:job:queue:{name}", bench.scope.keys.namespace_text());
    let items = Vec::<String>::from_redis_value(bench.cli(&format!("LRANGE {key} 0 -1")).await).unwrap();
    let read = |item: &String| {
        let json: serde_json::Value = serde_json::from_str(item).unwrap();
        (json["id"].as_str().unwrap().to_owned(), json["at"].as_u64().unwrap())
    };
    items.iter().map(read).collect()
}

fn at_clock(bench: &Bench, clock: Clock) -> Plane {
    let store = bench.scope.store.with_clock(clock);
    Plane::new(quorate_store::invariant::Scope { store, keys: bench.scope.keys.clone() }).unwrap()
}

/// C1: three schedulers are killed again and again; each job is queued once, at its time or within a second after it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_job_is_queued_once_and_never_early_whoever_dies() {
    let (jobs, kills) = (size(1_500, 100_000) as u64, size(20, 100) as u64);
    check(&invariants(), async |bench| {
        let plane = plane(bench, &[]).await;
        let mut schedulers: Vec<Worker> = (0..3).map(|_| scheduler(bench)).collect();
        let mut planned: BTreeMap<String, u64> = BTreeMap::new();
        let spread = kills * 300;
        for number in 0..jobs {
            let plan = Plan::new(
                queue("q"),
                "same",
                When::In(Duration::from_millis(1_500 + number * spread / jobs)),
            );
            let done = plane.jobs().schedule(&plan).await.unwrap().unwrap();
            planned.insert(format!("{}.{}", done.id, done.next_at.millis()), done.next_at.millis());
            if number % (jobs / kills) == 0 {
                let at = usize::try_from(number).unwrap() % 3;
                schedulers[at].kill9().unwrap();
                schedulers[at] = scheduler(bench);
                tokio::time::sleep(Duration::from_millis(150)).await;
            }
        }
        let deadline = tokio::time::Instant::now() + Duration::from_secs(60);
        while (queued(bench, "q").await.len() as u64) < jobs && tokio::time::Instant::now() < deadline {
            tokio::time::sleep(Duration::from_millis(200)).await;
        }
        drop(schedulers);
        let items = queued(bench, "q").await;
        assert_eq!(items.len() as u64, jobs, "each once");
        let mut latest = 0;
        for (id, at) in items {
            let due =
                planned.remove(&id).unwrap_or_else(|| panic!("{id} was queued twice, or never planned"));
            assert!(at >= due, "{id} was queued {} ms early", due - at);
            latest = latest.max(at - due);
        }
        say(&format!(
            "C1: {jobs} jobs, three schedulers, {kills} kills: each once, the latest {latest} ms late"
        ));
        assert!(latest <= 1_000, "the latest was queued {latest} ms late");
    })
    .await;
}

/// M16: two equal schedules are two jobs.
#[tokio::test]
async fn equal_jobs_both_run_and_every_occurrence_has_a_state() {
    check(&invariants(), async |bench| {
        let plane = plane(bench, &[]).await;
        let plan = Plan::new(queue("q"), "same", When::In(Duration::ZERO));
        let one = plane.jobs().schedule(&plan).await.unwrap().unwrap();
        let two = plane.jobs().schedule(&plan).await.unwrap().unwrap();
        assert_ne!(one.id, two.id);
        assert_eq!(plane.jobs().tick().await.unwrap().queued, 2);
        assert_eq!((queued(bench, "q").await.len(), plane.jobs().tick().await.unwrap().queued), (2, 0));
        let id = JobId::parse(&one.id).unwrap();
        let state = async || plane.jobs().show(&id, 10).await.unwrap().unwrap().runs[0].state.clone();
        assert_eq!(state().await, "queued");
        let (at, minute) = (one.next_at.millis(), Duration::from_secs(60));
        plane.jobs().begin(&id, at, &agent("w1"), minute).await.unwrap().unwrap();
        assert_eq!(refused(plane.jobs().begin(&id, at, &agent("w2"), minute).await.unwrap()).code, "held");
        assert!(plane.jobs().finish(&id, at, &agent("w2"), None).await.unwrap().refusal().is_some());
        plane.jobs().finish(&id, at, &agent("w1"), None).await.unwrap().unwrap();
        assert_eq!(state().await, "done");
        assert_eq!(
            refused(plane.jobs().begin(&id, at, &agent("w2"), minute).await.unwrap()).code,
            "job_over"
        );
        let again = plane.jobs().run(&id).await.unwrap().unwrap();
        assert!(queued(bench, "q").await.iter().any(|(item, _)| *item == again));
    })
    .await;
}

#[tokio::test]
async fn what_recurs_obeys_its_policies() {
    check(&invariants(), async |bench| {
        let now = bench.scope.store.time().await.unwrap();
        let start = at_clock(bench, Clock::Fixed(now));
        let plan = |name: &str, catch_up, overlap| Plan {
            id: Some(JobId::parse(name).unwrap()),
            catch_up,
            overlap,
            ..Plan::new(
                queue(name),
                "x",
                When::Recurring(Box::new(Recurrence::parse("* * * * *", "UTC").unwrap())),
            )
        };
        for (name, catch_up) in [("one", CatchUp::One), ("all", CatchUp::All), ("none", CatchUp::None)] {
            start.jobs().schedule(&plan(name, catch_up, Overlap::Skip)).await.unwrap().unwrap();
        }
        let twice = start.jobs().schedule(&plan("one", CatchUp::One, Overlap::Skip)).await.unwrap();
        assert_eq!(refused(twice).code, "job_exists");
        assert_eq!(start.jobs().tick().await.unwrap().queued, 0, "never early");
        // Nobody was there for five minutes and a half.
        let minute = now.seconds() / 60 * 60;
        let later = at_clock(bench, Clock::Fixed(Micros::new((minute + 330) * 1_000_000)));
        later.jobs().tick().await.unwrap();
        let counts = async |name: &str| queued(bench, name).await.len();
        assert_eq!((counts("one").await, counts("all").await, counts("none").await), (1, 5, 0));
        let none = later.jobs().show(&JobId::parse("none").unwrap(), 10).await.unwrap().unwrap();
        assert_eq!((none.runs[0].state.as_str(), none.runs[0].detail.as_str()), ("skipped", "missed"));
        // An occurrence that still runs keeps the next one out, where the policy says so.
        let one = JobId::parse("one").unwrap();
        let run = later.jobs().show(&one, 1).await.unwrap().unwrap().runs.remove(0);
        let planned = run.id.rsplit('.').next().unwrap().parse().unwrap();
        later.jobs().begin(&one, planned, &agent("w"), Duration::from_secs(3_600)).await.unwrap().unwrap();
        let next = at_clock(bench, Clock::Fixed(Micros::new((minute + 361) * 1_000_000)));
        next.jobs().tick().await.unwrap();
        let skipped = next.jobs().show(&one, 1).await.unwrap().unwrap().runs.remove(0);
        assert_eq!(
            (skipped.state.as_str(), skipped.detail.as_str(), counts("one").await),
            ("skipped", "overlap", 1)
        );
        next.jobs().cancel(&one).await.unwrap().unwrap();
        let end = at_clock(bench, Clock::Fixed(Micros::new((minute + 600) * 1_000_000)));
        end.jobs().tick().await.unwrap();
        assert_eq!(counts("one").await, 1, "a cancelled job is over");
    })
    .await;
}

#[tokio::test]
async fn a_job_that_fell_out_of_the_schedule_is_found_and_put_back() {
    check(&invariants(), async |bench| {
        let plane = plane(bench, &[]).await;
        let plan = Plan::new(queue("q"), "x", When::In(Duration::from_secs(60)));
        plane.jobs().schedule(&plan).await.unwrap().unwrap();
        bench.cli(&format!("DEL {}ade:job:scheduled", bench.scope.keys.namespace_text())).await;
        let found = bench.mess(&invariants()).await;
        assert!(found.len() == 1 && found[0].starts_with("FSCK064"), "{found:?}");
        let all = invariants();
        let report = quorate_audit::run(&bench.scope, &all, true, &|_, _| {}).await.unwrap();
        assert_eq!((report.repaired, report.findings.len()), (1, 0));
    })
    .await;
}

/// Pages walk the sets that are in order anyway, however many keys there are; nobody is left out where moments are equal.
#[tokio::test]
async fn jobs_are_listed_a_page_at_a_time_and_the_ended_ones_apart() {
    check(&invariants(), async |bench| {
        let now = bench.scope.store.time().await.unwrap();
        let plane = at_clock(bench, Clock::Fixed(now));
        for n in 0..7 {
            let id = Some(JobId::parse(&format!("j{n}")).unwrap());
            let plan = Plan { id, ..Plan::new(queue("q"), "x", When::In(Duration::from_secs(n / 6))) };
            plane.jobs().schedule(&plan).await.unwrap().unwrap();
        }
        let walk = async |plane: &Plane, ended: bool| {
            let (mut names, mut query) = (Vec::new(), Query { ended, limit: 2, cursor: None });
            loop {
                let page = plane.jobs().ls(&query).await.unwrap();
                names.extend(page.jobs.into_iter().map(|job| job.id));
                query.cursor = page.cursor;
                if query.cursor.is_none() {
                    return names;
                }
            }
        };
        assert_eq!(walk(&plane, false).await, ["j0", "j1", "j2", "j3", "j4", "j5", "j6"]);
        assert_eq!(plane.jobs().tick().await.unwrap().queued, 6);
        plane.jobs().cancel(&JobId::parse("j6").unwrap()).await.unwrap().unwrap();
        assert!(walk(&plane, false).await.is_empty());
        let page = plane.jobs().ls(&Query { ended: true, ..Query::default() }).await.unwrap();
        let ran = page.jobs.iter().filter(|job| job.runs.first().is_some_and(|run| run.state == "queued"));
        assert_eq!(ran.count(), 6, "each with its last occurrence");
        let mut ended = walk(&plane, true).await;
        ended.sort();
        assert_eq!(ended, ["j0", "j1", "j2", "j3", "j4", "j5", "j6"]);
        for bad in ["", "x", "1/", "nan/j1", "inf/j1", "/"] {
            let query = Query { cursor: Some(bad.into()), ..Query::default() };
            assert!(plane.jobs().ls(&query).await.is_err() || bad == "1/", "{bad}");
        }
        bench.cli(&format!("DEL {}", bench.scope.keys.quorate().ended_jobs())).await;
        let found = bench.mess(&invariants()).await;
        assert_eq!(found.iter().filter(|one| one.starts_with("FSCK064")).count(), 7, "{found:?}");
        quorate_audit::run(&bench.scope, &invariants(), true, &|_, _| {}).await.unwrap();
        assert_eq!(walk(&plane, true).await.len(), 7);
        // Scheduled again, it is to come, and no longer among the ended.
        let again = Plan::new(queue("q"), "x", When::In(Duration::from_secs(9)));
        plane
            .jobs()
            .schedule(&Plan { id: Some(JobId::parse("j0").unwrap()), ..again })
            .await
            .unwrap()
            .unwrap();
        assert_eq!((walk(&plane, false).await.len(), walk(&plane, true).await.len()), (1, 6));
    })
    .await;
}

/// One waits while an earlier occurrence runs, is queued when that has ended, and those due meanwhile are left out.
#[tokio::test]
async fn one_occurrence_waits_for_the_one_before() {
    check(&invariants(), async |bench| {
        let now = bench.scope.store.time().await.unwrap();
        let minute = now.seconds() / 60 * 60;
        let at = |seconds: u64| at_clock(bench, Clock::Fixed(Micros::new((minute + seconds) * 1_000_000)));
        let id = JobId::parse("one").unwrap();
        let when = When::Recurring(Box::new(Recurrence::parse("* * * * *", "UTC").unwrap()));
        let plan =
            Plan { id: Some(id.clone()), overlap: Overlap::QueueOne, ..Plan::new(queue("one"), "x", when) };
        at(1).jobs().schedule(&plan).await.unwrap().unwrap();
        assert_eq!(at(61).jobs().tick().await.unwrap().queued, 1);
        let first = (minute + 60) * 1_000;
        at(61).jobs().begin(&id, first, &agent("w"), Duration::from_secs(3_600)).await.unwrap().unwrap();
        for later in [121, 122, 185] {
            assert_eq!(at(later).jobs().tick().await.unwrap().queued, 0, "the first still runs");
        }
        let shown = at(185).jobs().show(&id, 10).await.unwrap().unwrap();
        assert_eq!((shown.runs.len(), shown.runs[0].state.as_str()), (2, "waiting"));
        at(186).jobs().finish(&id, first, &agent("w"), None).await.unwrap().unwrap();
        assert_eq!(at(187).jobs().tick().await.unwrap().queued, 1);
        assert_eq!(at(188).jobs().tick().await.unwrap().queued, 0, "only one had waited");
        let shown = at(188).jobs().show(&id, 10).await.unwrap().unwrap();
        let states: Vec<&str> = shown.runs.iter().map(|run| run.state.as_str()).collect();
        assert_eq!((states, queued(bench, "one").await.len()), (vec!["queued", "done"], 2));
        assert_eq!(at(241).jobs().tick().await.unwrap().queued, 1, "it goes on as planned");
    })
    .await;
}

/// Whether it ran is a lookup, also where an ordinary worker of the queue does it; and while it does, it counts as running.
#[tokio::test]
async fn an_occurrence_says_what_became_of_it_whoever_works_on_its_queue() {
    check(&invariants(), async |bench| {
        let plane = plane(bench, &["w1", "w2"]).await;
        let id = JobId::parse("mail.daily").unwrap();
        let plan = Plan { id: Some(id.clone()), ..Plan::new(queue("mail"), "x", When::In(Duration::ZERO)) };
        plane.jobs().schedule(&plan).await.unwrap().unwrap();
        assert_eq!(plane.jobs().tick().await.unwrap().queued, 1);
        let run = async || plane.jobs().show(&id, 1).await.unwrap().unwrap().runs.remove(0);
        let from = "job:mail".parse::<Queue>().unwrap();
        let claim = async |name: &str| {
            let wanted = Claim { lease: Duration::from_secs(20), ..Claim::new(from.clone(), agent(name)) };
            plane.queues().claim(&wanted).await.unwrap().unwrap().items.remove(0)
        };
        let lock = async || plane.jobs().begin(&id, 1, &agent("w9"), Duration::from_secs(1)).await.unwrap();
        let item = claim("w1").await;
        assert_eq!((run().await.state, run().await.detail), ("started".to_owned(), "w1".to_owned()));
        plane
            .queues()
            .extend(&agent("w1"), None, std::slice::from_ref(&item.token), Duration::from_secs(60))
            .await
            .unwrap()
            .unwrap();
        let ttl = bench.cli(&format!("PTTL {}", bench.scope.keys.ade().job_lock(&id).as_str())).await;
        assert!(u64::from_redis_value(ttl).unwrap() > 30_000, "the job's lock lasts as long as the lease");
        let again = Nack { error: "no".to_owned(), delay: Some(Duration::ZERO) };
        plane.queues().nack(&agent("w1"), None, &item.token, &again).await.unwrap().unwrap();
        assert_eq!(run().await.state, "queued");
        assert_eq!(lock().await.refusal().unwrap().code, "no_job", "nobody has the job's lock");
        let item = claim("w2").await;
        assert_eq!((run().await.state, run().await.detail), ("started".to_owned(), "w2".to_owned()));
        assert_eq!(
            plane.queues().ack(&agent("w1"), None, std::slice::from_ref(&item.token)).await.unwrap().unwrap(),
            [0]
        );
        assert_eq!(run().await.state, "started", "a stranger's answer says nothing of it");
        assert!(plane.queues().ack(&agent("w2"), None, &[item.token]).await.unwrap().unwrap().is_empty());
        assert_eq!((run().await.state, run().await.detail), ("done".to_owned(), "w2".to_owned()));

        plane.jobs().run(&id).await.unwrap().unwrap();
        loop {
            let item = claim("w1").await;
            let nacked = plane.queues().nack(&agent("w1"), None, &item.token, &again).await.unwrap().unwrap();
            if matches!(nacked, Nacked::Dead { .. }) {
                break;
            }
        }
        let runs = plane.jobs().show(&id, 5).await.unwrap().unwrap().runs;
        assert!(runs.iter().any(|run| run.state == "failed" && run.detail == "w1 no"), "{runs:?}");
    })
    .await;
}

/// ade's own jobs are scheduled where nobody scheduled them, and any process that keeps a plane does them.
#[tokio::test]
async fn the_planes_own_jobs_come_through_their_queues() {
    check(&invariants(), async |bench| {
        let now = bench.scope.store.time().await.unwrap();
        let start = at_clock(bench, Clock::Fixed(now));
        start.jobs().provide().await.unwrap();
        start.jobs().provide().await.unwrap();
        let page = start.jobs().ls(&Query::default()).await.unwrap();
        assert_eq!((page.jobs.len(), page.cursor), (2, None));
        let later = at_clock(bench, Clock::Fixed(Micros::new(now.get() + 31_000_000)));
        assert_eq!(later.jobs().tick().await.unwrap().queued, 2);
        assert_eq!(
            (queued(bench, "lock_cleanup").await.len(), queued(bench, "deadlock_detect").await.len()),
            (1, 1)
        );
        // Another process is at one of them, and dies; its lock ends.
        let cleanup = JobId::parse("lock_cleanup").unwrap();
        let planned = later.jobs().show(&cleanup, 1).await.unwrap().unwrap().runs.remove(0);
        let planned = planned.id.rsplit('.').next().unwrap().parse().unwrap();
        later
            .jobs()
            .begin(&cleanup, planned, &agent("dead"), Duration::from_millis(80))
            .await
            .unwrap()
            .unwrap();
        assert_eq!(later.jobs().work_off(&agent("m")).await.unwrap(), 1, "the other one");
        tokio::time::sleep(Duration::from_millis(100)).await;
        assert_eq!(later.jobs().work_off(&agent("m")).await.unwrap(), 1);
        let shown = later.jobs().show(&cleanup, 1).await.unwrap().unwrap();
        assert_eq!((shown.runs[0].state.as_str(), shown.runs[0].detail.as_str()), ("done", "m"));
        // What another client put there is done too; a paused queue is left alone; a cancelled job stays cancelled.
        let list = bench.scope.keys.ade().job_queue(&queue("lock_cleanup"));
        bench.cli(&format!("LPUSH {list} '{{\"type\":\"lock_cleanup\"}}'")).await;
        later.queues().pause(&"job:lock_cleanup".parse().unwrap(), "ann").await.unwrap();
        assert_eq!(later.jobs().work_off(&agent("m")).await.unwrap(), 0);
        later.queues().resume(&"job:lock_cleanup".parse().unwrap()).await.unwrap();
        assert_eq!(later.jobs().work_off(&agent("m")).await.unwrap(), 1);
        later.jobs().cancel(&cleanup).await.unwrap().unwrap();
        later.jobs().provide().await.unwrap();
        assert_eq!(later.jobs().show(&cleanup, 0).await.unwrap().unwrap().state, "cancelled");
    })
    .await;
}

/// The record decides: a score that somebody changed makes no job early.
#[tokio::test]
async fn a_job_whose_score_somebody_changed_is_not_queued_early() {
    check(&invariants(), async |bench| {
        let plane = plane(bench, &[]).await;
        plane
            .jobs()
            .schedule(&Plan::new(queue("q"), "x", When::In(Duration::from_secs(60))))
            .await
            .unwrap()
            .unwrap();
        let key = bench.scope.keys.ade().scheduled_jobs();
        let members = bench.cli(&format!("ZRANGE {key} 0 -1")).await;
        let member = Vec::<String>::from_redis_value(members).unwrap().remove(0);
        bench.cli(&format!("ZADD {key} 1 '{member}'")).await;
        assert_eq!(plane.jobs().tick().await.unwrap().queued, 0);
        assert!(queued(bench, "q").await.is_empty());
    })
    .await;
}
