//! Queues under faults: workers that are killed, stopped and ended, poison items, lost replies.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::support::{agent, plane};
use quorate_plane::dead_letters::Filter;
use quorate_plane::queues::{Push, Queue};
use quorate_plane::{Plane, invariants};
use quorate_testkit::chaos::{EffectLog, Proxy, Worker};
use quorate_testkit::soak::{say, size};
use quorate_testkit::{Bench, check};
use rustix::process::{Pid, Signal, kill_process};
use tokio::time::{Instant, sleep};

const WORKER: &str = env!("CARGO_BIN_EXE_queue-worker");

fn normal() -> Queue {
    "normal".parse().unwrap()
}

fn worker(bench: &Bench, name: &str, log: &EffectLog, concurrency: usize, lease_ms: u64) -> Worker {
    let mut command = Command::new(WORKER);
    command
        .arg(bench.node.url().reveal())
        .arg(bench.scope.keys.namespace_text().trim_end_matches(':'))
        .arg(name)
        .arg("normal")
        .arg(log.path())
        .arg(concurrency.to_string())
        .arg(lease_ms.to_string());
    Worker::spawn(command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null())).unwrap()
}

async fn fill(plane: &Plane, count: usize) -> Vec<String> {
    let names: Vec<String> = (0..count).map(|n| format!("steady-{n}")).collect();
    let pushes: Vec<Push> =
        names.iter().map(|name| Push { max_attempts: Some(50), ..Push::new(name) }).collect();
    plane.queues().push_many(&normal(), &pushes).await.unwrap().unwrap();
    names
}

async fn drained(plane: &Plane, limit: Duration) {
    let deadline = Instant::now() + limit;
    loop {
        let shown = plane.queues().show(&normal(), 0).await.unwrap();
        if shown.depth + shown.in_flight + shown.delayed == 0 {
            return;
        }
        assert!(Instant::now() < deadline, "not done in time: {shown:?}");
        sleep(Duration::from_millis(50)).await;
    }
}

struct Effect {
    attempt: u32,
    fence: u64,
    agent: String,
}

fn effects(log: &EffectLog) -> BTreeMap<String, Vec<Effect>> {
    let read = log.read().unwrap();
    assert!(!read.torn);
    let mut all: BTreeMap<String, Vec<Effect>> = BTreeMap::new();
    for (payload, who) in read.lines {
        let [attempt, fence, agent] = who.split(' ').collect::<Vec<_>>()[..] else { panic!("{who}") };
        let effect = Effect {
            attempt: attempt.parse().unwrap(),
            fence: fence.parse().unwrap(),
            agent: agent.to_owned(),
        };
        all.entry(payload).or_default().push(effect);
    }
    all
}

/// Q1, Q2, Q3: killed at any instant, nothing is lost; a second run has a higher attempt and a higher fence.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_item_is_lost_to_workers_that_are_killed() {
    check(&invariants(), async |bench| {
        let (jobs, kills, lease) = (size(10_000, 100_000), size(50, 200), 700_u64);
        let folder = tempfile::tempdir().unwrap();
        let log = EffectLog::open(folder.path().join("effects")).unwrap();
        let plane = plane(bench, &[]).await;
        let names = fill(&plane, jobs).await;
        let mut workers: Vec<(String, Worker)> = (0..4)
            .map(|n| format!("w{n}"))
            .map(|name| (name.clone(), worker(bench, &name, &log, 10, lease)))
            .collect();
        let (mut at_work, mut dead) = (0, HashSet::new());
        for kill in 0..kills {
            let (name, victim) = &mut workers[kill % 4];
            // One that has not begun yet has nothing to lose.
            let seen = begun(&log, name).await;
            if !seen && plane.queues().show(&normal(), 0).await.unwrap().depth == 0 {
                break;
            }
            at_work += usize::from(seen);
            // In full size the kills are spread over the run.
            let pause = if jobs > 10_000 { 300 } else { 0 };
            sleep(Duration::from_millis(pause + kill as u64 % 7)).await;
            victim.kill9().unwrap();
            dead.insert(name.clone());
            let name = format!("w{}-{kill}", kill % 4);
            workers[kill % 4] = (name.clone(), worker(bench, &name, &log, 10, lease));
        }
        // Four workers do a thousand a second at best.
        drained(&plane, Duration::from_secs(60 + jobs as u64 / 400)).await;
        drop(workers);
        let done = effects(&log);
        let lost: Vec<&String> = names.iter().filter(|name| !done.contains_key(*name)).collect();
        assert!(lost.is_empty(), "{} lost: {:?}", lost.len(), &lost[..lost.len().min(5)]);
        let (mut orphans, mut lapsed) = (0, 0);
        for (name, mut runs) in done {
            runs.sort_by_key(|run| run.attempt);
            let grows = |pair: &[Effect]| pair[0].attempt < pair[1].attempt && pair[0].fence < pair[1].fence;
            assert!(runs.windows(2).all(grows), "{name}: a second run without a higher attempt and fence");
            let again = runs.len() - 1;
            let left = runs[..again].iter().filter(|run| dead.contains(&run.agent)).count();
            (orphans, lapsed) = (orphans + left, lapsed + again - left);
        }
        say(&format!(
            "Q1, Q2: {jobs} jobs, {kills} kills, {at_work} of a worker that was seen at work: none lost, each with a higher fence {orphans} done again after a kill and {lapsed} after a lease that ran out"
        ));
        assert!(at_work * 2 > kills && orphans > 0, "{at_work} of {kills} kills hit a worker at its work, {orphans}");
        assert!(orphans <= kills * 10, "{orphans} done again after {kills} kills of 10 handlers");
        assert!(list(&plane).await.is_empty(), "nothing was buried");
        forget(&plane, kills).await;
    })
    .await;
}

/// Waits until a worker has been at work of late, two seconds at most.
async fn begun(log: &EffectLog, name: &str) -> bool {
    let mark = format!(" {name}\n");
    for _ in 0..400 {
        let text = std::fs::read(log.path()).unwrap_or_default();
        if String::from_utf8_lossy(&text[text.len().saturating_sub(16_384)..]).contains(&mark) {
            return true;
        }
        sleep(Duration::from_millis(5)).await;
    }
    false
}

async fn list(plane: &Plane) -> Vec<quorate_plane::dead_letters::Letter> {
    plane.dead_letters().list(&Filter { limit: 100, ..Filter::default() }).await.unwrap()
}

/// Agents of killed workers stay known; what they held has come back.
async fn forget(plane: &Plane, _kills: usize) {
    assert_eq!(plane.queues().show(&normal(), 0).await.unwrap().in_flight, 0);
}

/// Q3: what a killed worker held is run again within its lease and two seconds.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_orphan_is_picked_up_within_its_lease_and_two_seconds() {
    check(&invariants(), async |bench| {
        let folder = tempfile::tempdir().unwrap();
        let log = EffectLog::open(folder.path().join("effects")).unwrap();
        let plane = plane(bench, &[]).await;
        let mut worst = Duration::ZERO;
        for round in 0..size(3, 200) {
            let name = format!("slow-{round}");
            plane.queues().push(&normal(), &Push::new(&name)).await.unwrap().unwrap();
            let mut first = worker(bench, &format!("o{round}"), &log, 1, 800);
            wait_for(&log, &name, 1).await;
            first.kill9().unwrap();
            let killed = Instant::now();
            let _second = worker(bench, &format!("p{round}"), &log, 1, 800);
            wait_for(&log, &name, 2).await;
            worst = worst.max(killed.elapsed());
            drained(&plane, Duration::from_secs(5)).await;
        }
        say(&format!(
            "Q3: a lease of 800 ms, the slowest orphan ran again {worst:?} after its worker was killed"
        ));
        assert!(worst <= Duration::from_millis(800 + 2_000), "{worst:?}");
    })
    .await;
}

async fn wait_for(log: &EffectLog, name: &str, times: usize) {
    let deadline = Instant::now() + Duration::from_secs(15);
    while effects(log).get(name).map_or(0, Vec::len) < times {
        assert!(Instant::now() < deadline, "{name} was not run {times} times");
        sleep(Duration::from_millis(5)).await;
    }
}

/// Q4: a worker that was stopped past its leases cannot complete what another has by now.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_worker_that_was_stopped_past_its_lease_completes_nothing() {
    check(&invariants(), async |bench| {
        let folder = tempfile::tempdir().unwrap();
        let log = EffectLog::open(folder.path().join("effects")).unwrap();
        let plane = plane(bench, &[]).await;
        let rounds = size(2, 500);
        for round in 0..rounds {
            let name = format!("slow-{round}");
            plane.queues().push(&normal(), &Push::new(&name)).await.unwrap().unwrap();
            let first = worker(bench, &format!("s{round}"), &log, 1, 500);
            wait_for(&log, &name, 1).await;
            first.stop().unwrap();
            let second = worker(bench, &format!("t{round}"), &log, 1, 500);
            wait_for(&log, &name, 2).await;
            drained(&plane, Duration::from_secs(20)).await;
            drop(second);
            let before = plane.queues().show(&normal(), 0).await.unwrap().stale;
            first.cont().unwrap();
            let deadline = Instant::now() + Duration::from_secs(20);
            while plane.queues().show(&normal(), 0).await.unwrap().stale == before {
                assert!(Instant::now() < deadline, "the late answer was not refused");
                sleep(Duration::from_millis(20)).await;
            }
        }
        say(&format!("Q4: {rounds} workers stopped past their lease: no late answer was taken"));
    })
    .await;
}

/// Three workers, each started again when it dies, work off what is there. Gives how long it took until so many sound items
/// were done, and how many workers died by the time when so many letters are there and nothing waits.
async fn work_off(
    bench: &Bench,
    log: &EffectLog,
    (name, sound, letters): (&str, usize, usize),
) -> (Duration, usize) {
    let plane = plane(bench, &[]).await;
    let mut workers: Vec<Worker> =
        (0..3).map(|n| worker(bench, &format!("{name}{n}"), log, 8, 400)).collect();
    let (mut count, mut took, begun) = (0, None, Instant::now());
    loop {
        let done = || effects(log).keys().filter(|own| own.contains(name)).count();
        if took.is_none() && done() >= sound {
            took = Some(begun.elapsed());
        }
        let depth = plane.queues().show(&normal(), 0).await.unwrap().depth;
        if let (Some(took), 0, true) = (took, depth, list(&plane).await.len() >= letters) {
            drained(&plane, Duration::from_secs(20)).await;
            return (took, count);
        }
        assert!(begun.elapsed() < Duration::from_secs(60), "not done in time");
        for (place, own) in workers.iter_mut().enumerate() {
            if own.wait(Duration::ZERO).unwrap().is_some() {
                count += 1;
                *own = worker(bench, &format!("{name}{place}-{count}"), log, 8, 400);
            }
        }
        plane.queues().upkeep().await.unwrap();
        sleep(Duration::from_millis(20)).await;
    }
}

/// Q5: an item that kills its worker is buried after exactly its attempts, and takes no other along; in full size, the others
/// are done at four fifths of their speed at least.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn poison_is_buried_after_its_attempts_and_nothing_else_is() {
    check(&invariants(), async |bench| {
        let (jobs, poisons) = (size(400, 5_000), size(2, 10));
        let full = jobs > 400;
        let folder = tempfile::tempdir().unwrap();
        let log = EffectLog::open(folder.path().join("effects")).unwrap();
        let plane = plane(bench, &[]).await;
        let kind = if full { "steady" } else { "job" };
        // Few attempts show that poison takes nothing along; how fast the others are is measured with as many as they have
        // where nobody says: what was with poison twice would be on its last of three, and run alone.
        let max_attempts = if full { None } else { Some(3) };
        let sound = |name: &str| -> Vec<Push> {
            (0..jobs).map(|n| Push { max_attempts, ..Push::new(format!("{kind}-{name}-{n}")) }).collect()
        };
        let mut alone = Duration::ZERO;
        if full {
            plane.queues().push_many(&normal(), &sound("u")).await.unwrap().unwrap();
            alone = work_off(bench, &log, ("u", jobs, 0)).await.0;
        }
        let mut pushes = sound("v");
        for poison in 0..poisons {
            let place = (poison + 1) * jobs / (poisons + 1);
            pushes.insert(place, Push { max_attempts: Some(3), ..Push::new(format!("poison-{poison}")) });
        }
        plane.queues().push_many(&normal(), &pushes).await.unwrap().unwrap();
        let (took, count) = work_off(bench, &log, ("v", jobs, poisons)).await;
        let letters = list(&plane).await;
        assert!(
            letters.iter().all(|letter| letter.payload.starts_with("poison") && letter.attempts == 3),
            "{letters:?}"
        );
        let done = effects(&log);
        for poison in 0..poisons {
            let runs = done.get(&format!("poison-{poison}")).map_or(0, Vec::len);
            assert!((1..=3).contains(&runs), "poison-{poison} ran {runs} times");
        }
        assert_eq!((0..jobs).filter(|n| !done.contains_key(&format!("{kind}-v-{n}"))).count(), 0);
        say(&format!("Q5: {poisons} poison items in {jobs}: buried after 3 attempts, {count} workers died, nothing else was"));
        if full {
            let speed = alone.as_secs_f64() / took.as_secs_f64();
            say(&format!("Q5: the others took {alone:.1?} alone and {took:.1?} beside poison: {speed:.2} of their speed"));
            assert!(speed >= 0.8, "{speed:.2} of the speed without poison");
        }
    })
    .await;
}

/// Q9: workers that are asked to end finish or hand back, and no attempt is counted.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn workers_that_are_asked_to_end_burn_no_attempt() {
    check(&invariants(), async |bench| {
        let (jobs, restarts) = (size(30, 1_000), size(6, 50));
        // In full size most is done by the last, and not by slow ones.
        let kind = if jobs > 30 { "steady" } else { "slow" };
        let folder = tempfile::tempdir().unwrap();
        let log = EffectLog::open(folder.path().join("effects")).unwrap();
        let plane = plane(bench, &[]).await;
        let mut names: Vec<String> = Vec::new();
        let mut workers: Vec<Worker> = Vec::new();
        for round in 0..restarts {
            let agent = format!("e{round}");
            workers.push(worker(bench, &agent, &log, 10, 10_000));
            let fresh: Vec<String> = (0..jobs).map(|n| format!("{kind}-{round}-{n}")).collect();
            let pushes: Vec<Push> = fresh.iter().map(Push::new).collect();
            plane.queues().push_many(&normal(), &pushes).await.unwrap().unwrap();
            names.extend(fresh);
            // In the middle of its work: it has begun, and has more than it could begin.
            let deadline = Instant::now() + Duration::from_secs(15);
            while !log.read().unwrap().lines.iter().any(|(_, who)| who.ends_with(&format!(" {agent}"))) {
                assert!(Instant::now() < deadline, "{agent} did not begin");
                sleep(Duration::from_millis(5)).await;
            }
            let old = workers.last_mut().unwrap();
            kill_process(Pid::from_child(old.child()), Signal::TERM).unwrap();
            let status = old.wait(Duration::from_secs(8)).unwrap();
            assert!(status.is_some_and(|status| status.success()), "it ends by itself: {status:?}");
        }
        workers.push(worker(bench, "e-last", &log, 10, 10_000));
        drained(&plane, Duration::from_secs(60 + names.len() as u64 / 50)).await;
        let done = effects(&log);
        assert_eq!(names.iter().filter(|name| !done.contains_key(*name)).count(), 0);
        assert!(done.values().all(|runs| runs.len() == 1 && runs[0].attempt == 1), "an attempt was burned");
        say(&format!(
            "Q9: {restarts} workers asked to end, {} jobs: each done once, no attempt counted",
            names.len()
        ));
    })
    .await;
}

/// Q8: many push with few keys through a proxy that swallows replies; each key is there once and everybody is told the same.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn lost_replies_make_no_second_item() {
    check(&invariants(), async |bench| {
        let proxy = Proxy::start(format!("127.0.0.1:{}", bench.node.port()).parse().unwrap()).await.unwrap();
        let target = quorate_store::Target::parse(&format!("redis://{}", proxy.address())).unwrap();
        let store = quorate_store::Store::connect(target, quorate_store::Options::default()).await.unwrap();
        let cut =
            Plane::new(quorate_store::invariant::Scope { store, keys: bench.scope.keys.clone() }).unwrap();
        let direct = plane(bench, &["a"]).await;
        let (mut ids, rounds): (HashMap<String, String>, usize) = (HashMap::new(), size(60, 5_000));
        for round in 0..rounds {
            proxy.drop_reply_after_forward(1, "EVALSHA");
            let wish = Push { key: Some(format!("k{}", round % 20)), ..Push::new("keyed") };
            let id = cut.queues().push(&normal(), &wish).await.unwrap().unwrap().id;
            assert_eq!(*ids.entry(format!("k{}", round % 20)).or_insert(id.clone()), id);
            proxy.drop_reply_after_forward(1, "EVALSHA");
            cut.queues().push(&normal(), &Push::new(format!("plain-{round}"))).await.unwrap().unwrap();
        }
        let wanted = quorate_plane::queues::Claim {
            most: 50,
            ..quorate_plane::queues::Claim::new(normal(), agent("a"))
        };
        let mut seen = Vec::new();
        loop {
            proxy.drop_reply_after_forward(1, "EVALSHA");
            let items = cut.queues().claim(&wanted).await.unwrap().unwrap().items;
            if items.is_empty() {
                break;
            }
            assert!(items.iter().all(|item| item.attempt == 1), "a lost claim was given again as it was");
            let tokens: Vec<_> = items.iter().map(|item| item.token.clone()).collect();
            seen.extend(items.into_iter().map(|item| item.id));
            proxy.drop_reply_after_forward(1, "EVALSHA");
            let stale = cut.queues().ack(&agent("a"), None, &tokens).await.unwrap().unwrap();
            assert!(stale.is_empty(), "a repeated ack is told what the first was");
        }
        proxy.heal();
        assert_eq!(seen.len(), 20 + rounds);
        assert_eq!(seen.iter().collect::<HashSet<_>>().len(), seen.len());
        say(&format!("Q8: {} pushes whose replies were lost: {} items, each once", 2 * rounds, seen.len()));
        assert_eq!(direct.queues().show(&normal(), 0).await.unwrap().stale, 0);
    })
    .await;
}
