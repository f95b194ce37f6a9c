//! Places in the queue of a lock: what is said of them, what answers them, and giving them up.

use std::time::Duration;

use crate::support::{agent, detached, grant, lock, plane, refused, request, take};
use quorate_catalog::ids::ProcessId;
use quorate_plane::agents::Registration;
use quorate_plane::locks::{Acquire, Mode, Request};
use quorate_plane::{Outcome, Plane, invariants, maintenance};
use quorate_store::cmd;
use quorate_testkit::{Bench, check};
use tokio::task::JoinHandle;

const LONG: Duration = Duration::from_secs(60);

async fn number(bench: &Bench, line: &str) -> String {
    let (command, rest) = line.split_once(' ').unwrap();
    let ns = bench.scope.keys.namespace_text();
    let said = format!("{:?}", bench.cli(&format!("{command} {ns}{rest}")).await);
    said.chars().filter(char::is_ascii_digit).collect()
}

#[tokio::test]
async fn the_counters_of_an_agent_and_of_a_task_end_where_they_began() {
    check(&invariants(), async |bench| {
        let plane = plane(bench, &["b"]).await;
        let registration = Registration { max_tasks: Some(5), ..Registration::new(agent("a")) };
        plane.agents().register(&registration).await.unwrap().unwrap();
        let counts = async || {
            let mut all = Vec::new();
            for field in ["active_tasks", "queued_tasks"] {
                all.push(number(bench, &format!("HGET ade:lock:agent:a:capacity {field}")).await);
            }
            all.push(number(bench, "HGET ade:lock:task:t queue_length").await);
            all.join(" ")
        };
        take(&plane, "b", "task:t").await;
        take(&plane, "b", "name:n").await;
        let short = Request { ttl: Some(Duration::from_millis(100)), ..request("a", "task:u") };
        grant(plane.locks().acquire(&short).await.unwrap());
        detached(&plane, &request("a", "name:n")).await;
        let given_up = request("a", "task:t");
        detached(&plane, &given_up).await;
        detached(&plane, &request("a", "task:t")).await;
        assert_eq!(counts().await, "1 2 2", "a named lock is no task");
        plane.locks().cancel(&lock("task:t"), &given_up.request).await.unwrap();
        assert_eq!(counts().await, "1 1 1");
        tokio::time::sleep(Duration::from_millis(150)).await;
        plane.locks().upkeep().await.unwrap();
        assert_eq!(counts().await, "0 1 1", "a hold that lapsed is counted no more");
        let timed = Request { wait: Duration::from_millis(50), ..request("a", "task:t") };
        assert_eq!(plane.locks().acquire(&timed).await.unwrap(), Outcome::Done(Acquire::TimedOut));
        assert_eq!(counts().await, "0 1 1", "nor is a wait that ended");
    })
    .await;
}

/// Two requests of one agent for one lock, of which one is answered first.
async fn both(plane: &Plane, on: [&str; 2], modes: [Mode; 2]) -> [quorate_plane::locks::Grant; 2] {
    let held = take(plane, "b", on[0]).await;
    let wish = |place: usize| Request { wait: LONG, mode: modes[place], ..request("a", on[place]) };
    let (first, second) = (wish(0), wish(1));
    let locks = plane.locks();
    let later = async {
        tokio::time::sleep(Duration::from_millis(100)).await;
        locks.acquire(&second).await
    };
    let release = async {
        tokio::time::sleep(Duration::from_millis(300)).await;
        detached(plane, &request("c", on[0])).await;
        locks.release(&lock(on[0]), &agent("b"), held.fence).await.unwrap().unwrap();
    };
    let (first, second, ()) = tokio::join!(locks.acquire(&first), later, release);
    [grant(first.unwrap()), grant(second.unwrap())]
}

#[tokio::test]
async fn an_agent_that_waits_twice_for_a_lock_has_one_hold_in_the_end() {
    use Mode::{Exclusive, Shared};
    check(&invariants(), async |bench| {
        let plane = plane(bench, &["a", "b", "c"]).await;
        for (on, modes) in [
            (["name:n", "name:n"], [Exclusive; 2]),
            (["task:t", "task:t"], [Exclusive; 2]),
            (["project:p", "project:p:docs"], [Exclusive; 2]),
            (["resource:db:main", "resource:db:main"], [Exclusive, Shared]),
        ] {
            let [first, second] = both(&plane, on, modes).await;
            assert_eq!(first.fence, second.fence, "{on:?}");
            let shown = plane.locks().show(&lock(on[0]), 9).await.unwrap();
            let held: Vec<_> = shown.holders.iter().map(|hold| (hold.agent.as_str(), hold.fence)).collect();
            assert_eq!((held, shown.waiting), (vec![("a", first.fence)], 1), "{on:?}");
            assert_eq!(shown.holders[0].mode, "exclusive", "{on:?}");
            plane.locks().release(&lock(on[0]), &agent("a"), first.fence).await.unwrap().unwrap();
            let next = plane.locks().show(&lock(on[0]), 9).await.unwrap();
            assert_eq!(next.holders[0].agent, "c", "{on:?}: one release frees it");
        }
    })
    .await;
}

#[tokio::test]
async fn who_waits_behind_others_for_a_part_of_what_it_has_need_not_wait_for_them() {
    check(&invariants(), async |bench| {
        let plane = plane(bench, &["a", "b", "c"]).await;
        let held = take(&plane, "b", "project:p").await;
        detached(&plane, &Request { priority: 50, ..request("a", "project:p") }).await;
        detached(&plane, &Request { priority: 10, ..request("c", "project:p") }).await;
        let part = Request { wait: LONG, ..request("a", "project:p:docs") };
        let release = async {
            tokio::time::sleep(Duration::from_millis(200)).await;
            plane.locks().release(&lock("project:p"), &agent("b"), held.fence).await.unwrap().unwrap();
        };
        let locks = plane.locks();
        let waiting = tokio::time::timeout(Duration::from_secs(5), locks.acquire(&part));
        let (part, ()) = tokio::join!(waiting, release);
        let part = grant(part.expect("it has all of the project").unwrap());
        let shown = plane.locks().show(&lock("project:p"), 9).await.unwrap();
        assert_eq!((shown.holders[0].fence, shown.waiting), (part.fence, 1), "c still waits");
    })
    .await;
}

#[tokio::test]
async fn a_wait_that_nobody_asks_about_is_answered_by_what_its_agent_has() {
    check(&invariants(), async |bench| {
        let plane = plane(bench, &["a", "b", "c"]).await;
        let held = take(&plane, "b", "project:p").await;
        detached(&plane, &request("a", "project:p")).await;
        detached(&plane, &request("a", "project:p:docs")).await;
        plane.locks().release(&lock("project:p"), &agent("b"), held.fence).await.unwrap().unwrap();
        // Whoever asks serves the line.
        detached(&plane, &request("c", "project:p:docs")).await;
        plane.agents().deregister(&agent("b"), None).await.unwrap().unwrap();
        let timed = Request { wait: Duration::from_millis(700), ..request("c", "project:p") };
        assert_eq!(plane.locks().acquire(&timed).await.unwrap(), Outcome::Done(Acquire::TimedOut));
        let shown = plane.locks().show(&lock("project:p"), 9).await.unwrap();
        let held: Vec<_> =
            shown.holders.iter().map(|hold| (hold.agent.as_str(), hold.mode.as_str())).collect();
        assert_eq!((held, shown.waiting), (vec![("a", "exclusive")], 1));
    })
    .await;
}

#[tokio::test]
async fn a_place_that_nobody_looks_after_is_served_when_the_lock_lapses() {
    const KINDS: [&str; 5] = ["name:n", "file:src/a.rs", "project:p", "task:t", "resource:db:main"];
    check(&invariants(), async |bench| {
        let plane = plane(bench, &["a", "b"]).await;
        for on in KINDS {
            let short = Request { ttl: Some(Duration::from_millis(900)), ..request("a", on) };
            grant(plane.locks().acquire(&short).await.unwrap());
            detached(&plane, &request("b", on)).await;
        }
        plane.locks().upkeep().await.unwrap();
        let holder =
            async |on: &str| plane.locks().show(&lock(on), 1).await.unwrap().holders[0].agent.clone();
        for on in KINDS {
            assert_eq!(holder(on).await, "a", "{on}: it has not lapsed");
        }
        tokio::time::sleep(Duration::from_millis(1_000)).await;
        plane.locks().upkeep().await.unwrap();
        for on in KINDS {
            assert_eq!(holder(on).await, "b", "{on}");
        }
        assert_eq!(number(bench, "ZCARD ~q:ade:due").await, "0", "nobody is left");
    })
    .await;
}

#[tokio::test]
async fn a_place_is_given_up_by_its_name_and_a_grant_is_not() {
    check(&invariants(), async |bench| {
        let plane = plane(bench, &["a", "b", "c"]).await;
        let held = take(&plane, "a", "task:t").await;
        let (first, second) = (request("b", "task:t"), request("c", "task:t"));
        detached(&plane, &first).await;
        detached(&plane, &second).await;
        let give_up = async |wanted: &Request, whose: Option<&str>| {
            let whose = whose.map(agent);
            plane.locks().withdraw(&lock("task:t"), &wanted.request, whose.as_ref()).await.unwrap()
        };
        let code = |outcome: Outcome<()>| outcome.refusal().map(|why| why.code.clone());
        assert_eq!(code(give_up(&first, Some("c")).await).as_deref(), Some("no_request"), "it is b's");
        assert_eq!(code(give_up(&first, Some("b")).await), None);
        assert_eq!(code(give_up(&first, None).await).as_deref(), Some("no_request"), "it was given up");
        plane.locks().release(&lock("task:t"), &agent("a"), held.fence).await.unwrap().unwrap();
        let shown = plane.locks().show(&lock("task:t"), 9).await.unwrap();
        assert_eq!((shown.holders[0].agent.as_str(), shown.waiting), ("c", 0));
        let late = give_up(&second, None).await;
        let why = late.refusal().unwrap();
        assert_eq!(
            (why.code.as_str(), why.detail.clone()),
            ("already_granted", Some(shown.fence.to_string()))
        );
        plane.locks().renew(&lock("task:t"), &agent("c"), None, shown.fence, None).await.unwrap().unwrap();
        for bad in ["", "a b", "a\u{1b}"] {
            assert!(plane.locks().withdraw(&lock("task:t"), bad, None).await.is_err(), "{bad:?}");
        }
    })
    .await;
}

#[tokio::test]
async fn who_was_passed_over_asks_again_and_whose_place_was_given_up_does_not() {
    check(&invariants(), async |bench| {
        let plane = plane(bench, &["a", "b"]).await;
        let held = take(&plane, "a", "name:n").await;
        let waiting = |wanted: &Request| {
            let (plane, wanted) = (plane.clone(), Request { wait: LONG, ..wanted.clone() });
            tokio::spawn(async move { plane.locks().acquire(&wanted).await.unwrap() })
        };
        let given_up = request("b", "name:n");
        let waits = waiting(&given_up);
        tokio::time::sleep(Duration::from_millis(300)).await;
        plane.locks().withdraw(&lock("name:n"), &given_up.request, None).await.unwrap().unwrap();
        let told =
            tokio::time::timeout(Duration::from_secs(2), waits).await.expect("it hears of it").unwrap();
        assert_eq!(told, Outcome::Done(Acquire::TimedOut));
        // As after a stop: whoever serves the line finds that it no longer asks.
        let silent = request("b", "name:n");
        let waits = waiting(&silent);
        tokio::time::sleep(Duration::from_millis(300)).await;
        plane.locks().cancel(&lock("name:n"), &silent.request).await.unwrap();
        tokio::time::sleep(Duration::from_millis(1_000)).await;
        plane.locks().release(&lock("name:n"), &agent("a"), held.fence).await.unwrap().unwrap();
        let got = tokio::time::timeout(Duration::from_secs(2), waits).await.expect("it is free").unwrap();
        assert_eq!(grant(got).request, silent.request);
    })
    .await;
}

/// A message may be late: it tells of what the request was granted before and has lost since, as after a stop.
#[tokio::test]
async fn who_asks_again_does_not_take_an_old_grant_for_a_new_one() {
    check(&invariants(), async |bench| {
        let plane = plane(bench, &["a", "b"]).await;
        let held = take(&plane, "a", "name:n").await;
        let wanted = Request { wait: LONG, ..request("b", "name:n") };
        let (other, asked) = (plane.clone(), wanted.clone());
        let mut waits = tokio::spawn(async move { other.locks().acquire(&asked).await.unwrap() });
        tokio::time::sleep(Duration::from_millis(300)).await;
        plane.locks().cancel(&wanted.on, &wanted.request).await.unwrap();
        tokio::time::sleep(Duration::from_millis(1_000)).await;
        assert_eq!(plane.locks().show(&wanted.on, 1).await.unwrap().waiting, 1, "it has asked again");
        let channel = plane.keys().quorate().wake(&ProcessId::parse("x").unwrap()).to_string();
        let found: Vec<String> = bench
            .scope
            .store
            .query(cmd("PUBSUB").arg("CHANNELS").arg(format!("{}*", channel.strip_suffix('x').unwrap())))
            .await
            .unwrap();
        let [channel] = &found[..] else { panic!("one process waits: {found:?}") };
        bench.cli(&format!("PUBLISH {channel} \"{} 1 9999999999999\"", wanted.request)).await;
        let early = tokio::time::timeout(Duration::from_millis(1_500), &mut waits).await;
        assert!(early.is_err(), "a has it, and b was told {early:?}");
        plane.locks().release(&wanted.on, &agent("a"), held.fence).await.unwrap().unwrap();
        let got = tokio::time::timeout(Duration::from_secs(2), waits).await.expect("it is free").unwrap();
        assert!(grant(got).fence > held.fence);
    })
    .await;
}

/// `b` reads what `r` reads too, and waits for what `c` has, who waits for what they read: whatever lets `b` read closes a
/// ring.
async fn nearly_a_ring(plane: &Plane, patience: Option<Duration>) -> (Request, JoinHandle<Outcome<Acquire>>) {
    let read = |who: &str| Request { mode: Mode::Shared, ..request(who, "resource:db:main") };
    grant(plane.locks().acquire(&read("r")).await.unwrap());
    take(plane, "c", "name:y").await;
    let (other, detach) = (plane.clone(), patience.is_none());
    let writer = Request { detach, wait: patience.unwrap_or(LONG), ..request("w", "resource:db:main") };
    let asked = writer.clone();
    let waits = tokio::spawn(async move { other.locks().acquire(&asked).await.unwrap() });
    while plane.locks().show(&writer.on, 1).await.unwrap().waiting == 0 {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    detached(plane, &read("b")).await;
    detached(plane, &request("b", "name:y")).await;
    detached(plane, &request("c", "resource:db:main")).await;
    (writer, waits)
}

#[tokio::test]
async fn a_ring_that_is_closed_by_whoever_goes_away_is_broken_with_it() {
    for how in ["given up", "gone", "past its lease", "overtaken", "out of time", "a victim"] {
        check(&invariants(), async |bench| {
            let plane = plane(bench, &["r", "w", "b", "c", "d"]).await;
            let patience = (how == "out of time").then_some(Duration::from_millis(900));
            let (writer, waits) = nearly_a_ring(&plane, patience).await;
            assert_eq!(plane.locks().deadlocks(false).await.unwrap(), Vec::<Vec<String>>::new());
            match how {
                "given up" => {
                    plane.locks().cancel(&writer.on, &writer.request).await.unwrap();
                }
                "out of time" => assert_eq!(waits.await.unwrap(), Outcome::Done(Acquire::TimedOut)),
                "a victim" => {
                    take(&plane, "w", "name:z").await;
                    detached(&plane, &Request { priority: 1, ..request("r", "name:z") }).await;
                }
                "gone" => {
                    plane.agents().deregister(&agent("w"), None).await.unwrap().unwrap();
                }
                _ => {
                    let record = plane.keys().quorate().agent(&agent("w"));
                    bench.cli(&format!("HSET {} lease_until 1", record.as_str())).await;
                }
            }
            match how {
                "past its lease" => drop(plane.locks().release_agent(&agent("w")).await.unwrap()),
                "overtaken" => {
                    let asked = plane
                        .locks()
                        .acquire(&Request { mode: Mode::Shared, ..request("d", "resource:db:main") })
                        .await
                        .unwrap();
                    assert_eq!(refused(asked).code, "held");
                }
                _ => {}
            }
            let shown = plane.locks().show(&writer.on, 9).await.unwrap();
            assert!(shown.holders.iter().any(|hold| hold.agent == "b"), "{how}: b reads");
            let mut left = plane.locks().waits(9).await.unwrap();
            left.retain(|(who, ..)| who != "r");
            assert_eq!(left.len(), 1, "{how}: one of the two waits gave way: {left:?}");
            maintenance::tick(&plane).await.unwrap();
        })
        .await;
    }
}
