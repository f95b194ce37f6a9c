//! Whoever asks is here, whoever is gone is in nobody's way, and what was taken for later is kept until then.

use std::time::Duration;

use crate::support::{agent, end_lease, grant, later, lock, plane, refused, request, take};
use futures_util::future::join_all;
use quorate_catalog::ids::AgentId;
use quorate_plane::agents::Registration;
use quorate_plane::locks::{Acquire, Mode, Request};
use quorate_plane::{Outcome, Plane, invariants, maintenance};
use quorate_store::Value;
use quorate_testkit::check;

const LONG: Duration = Duration::from_secs(60);

async fn queue(plane: &Plane, name: &str, on: &str) {
    let wanted = Request { wait: LONG, detach: true, ..request(name, on) };
    plane.locks().acquire(&wanted).await.unwrap().unwrap();
}

#[tokio::test]
async fn an_agent_whose_lease_has_ended_is_in_no_ring() {
    check(&invariants(), async |bench| {
        let plane = plane(bench, &["a", "b"]).await;
        take(&plane, "b", "name:x").await;
        take(&plane, "a", "name:y").await;
        queue(&plane, "b", "name:y").await;
        end_lease(bench, &plane, "b").await;
        let wanted = Request { wait: Duration::from_secs(5), ..request("a", "name:x") };
        grant(plane.locks().acquire(&wanted).await.unwrap());
    })
    .await;
}

#[tokio::test]
async fn a_hold_that_has_lapsed_is_in_no_ring() {
    check(&invariants(), async |bench| {
        let plane = plane(bench, &["a", "b", "c"]).await;
        take(&plane, "a", "name:z").await;
        take(&plane, "b", "name:x").await;
        let short = Request { ttl: Some(Duration::from_millis(150)), ..request("c", "name:y") };
        grant(plane.locks().acquire(&short).await.unwrap());
        queue(&plane, "c", "name:z").await;
        queue(&plane, "b", "name:y").await;
        tokio::time::sleep(Duration::from_millis(200)).await;
        let wanted = Request { wait: Duration::from_millis(300), ..request("a", "name:x") };
        let verdict = plane.locks().acquire(&wanted).await.unwrap();
        assert!(matches!(verdict, Outcome::Done(Acquire::TimedOut)), "{verdict:?}");
    })
    .await;
}

#[tokio::test]
async fn who_asks_after_its_lease_has_ended_has_what_it_is_given() {
    check(&invariants(), async |bench| {
        let plane = plane(bench, &["a", "b"]).await;
        for kind in ["name:", "task:", "resource:db:", "file:", "project:"] {
            end_lease(bench, &plane, "a").await;
            let (one, other) = (format!("{kind}1"), format!("{kind}2"));
            let (one, other) = (request("a", &one), request("a", &other));
            let locks = plane.locks();
            let (first, second) = tokio::join!(locks.acquire(&one), locks.acquire(&other));
            for (wanted, got) in [(&one, first), (&other, second)] {
                let fence = grant(got.unwrap()).fence;
                let rival = Request::new(wanted.on.clone(), agent("b"));
                assert_eq!(refused(plane.locks().acquire(&rival).await.unwrap()).code, "held", "{kind}");
                let write = ["SET".to_owned(), "guarded".to_owned(), "1".to_owned()];
                plane.locks().guard(&wanted.on, fence, &write).await.unwrap().unwrap();
            }
        }
        let listed = plane.locks().held_by(&agent("a")).await.unwrap();
        assert_eq!(listed.len(), 10, "{listed:?}");
        bench.cli("DEL guarded").await;
    })
    .await;
}

#[tokio::test]
async fn a_hold_whose_agent_is_past_its_lease_is_not_renewed() {
    check(&invariants(), async |bench| {
        let plane = plane(bench, &["a", "b"]).await;
        let held = take(&plane, "a", "name:x").await;
        end_lease(bench, &plane, "a").await;
        let renewed = plane.locks().renew(&lock("name:x"), &agent("a"), None, held.fence, None).await;
        assert_eq!(refused(renewed.unwrap()).code, "expired");
        assert!(take(&plane, "b", "name:x").await.fence > held.fence);
    })
    .await;
}

#[tokio::test]
async fn who_waits_and_asks_is_not_passed_over_for_its_lease() {
    check(&invariants(), async |bench| {
        let plane = plane(bench, &["a"]).await;
        let short = Registration { lease: Duration::from_secs(1), ..Registration::new(agent("b")) };
        plane.agents().register(&short).await.unwrap().unwrap();
        let held = take(&plane, "a", "name:x").await;
        let wanted = Request { wait: Duration::from_secs(10), ..request("b", "name:x") };
        let release = async {
            tokio::time::sleep(Duration::from_secs(3)).await;
            plane.locks().release(&lock("name:x"), &agent("a"), held.fence).await.unwrap().unwrap();
        };
        let locks = plane.locks();
        let (got, ()) = tokio::join!(locks.acquire(&wanted), release);
        grant(got.unwrap());
    })
    .await;
}

#[tokio::test]
async fn locks_that_are_taken_together_are_all_held_when_the_last_one_is() {
    check(&invariants(), async |bench| {
        let plane = plane(bench, &["a", "b"]).await;
        let held = take(&plane, "a", "name:2").await;
        let wish = |on| Request { ttl: Some(Duration::from_millis(600)), wait: LONG, ..request("b", on) };
        let wanted = [wish("name:1"), wish("name:2")];
        let release = async {
            tokio::time::sleep(Duration::from_secs(2)).await;
            plane.locks().release(&lock("name:2"), &agent("a"), held.fence).await.unwrap().unwrap();
        };
        let locks = plane.locks();
        let (got, ()) = tokio::join!(locks.acquire_all(&wanted), release);
        let got = got.unwrap().unwrap();
        let now = plane.store().time().await.unwrap();
        for (request, got) in wanted.iter().zip(got) {
            let got = grant(Outcome::Done(got));
            assert!(got.expires_at > now, "{} is said to be over", request.on);
            let shown = plane.locks().show(&request.on, 1).await.unwrap();
            assert_eq!(shown.holders.first().map(|hold| hold.fence), Some(got.fence), "{}", request.on);
        }
    })
    .await;
}

#[tokio::test]
async fn what_an_agent_had_before_it_asked_for_more_stays_its_own() {
    check(&invariants(), async |bench| {
        let plane = plane(bench, &["a", "b"]).await;
        let own = take(&plane, "a", "name:1").await;
        take(&plane, "b", "name:2").await;
        let wanted = [request("a", "name:1"), request("a", "name:2")];
        assert_eq!(refused(plane.locks().acquire_all(&wanted).await.unwrap()).code, "held");
        plane.locks().cancel(&lock("name:1"), &wanted[0].request).await.unwrap();
        let shown = plane.locks().show(&lock("name:1"), 1).await.unwrap();
        assert_eq!(shown.holders.first().map(|hold| hold.fence), Some(own.fence));
        let whole = [request("a", "project:p"), request("a", "project:p:docs")];
        assert!(
            plane.locks().acquire_all(&whole).await.is_err(),
            "one of the two tokens would be worth nothing"
        );
        assert_eq!(plane.locks().held_by(&agent("a")).await.unwrap(), ["name:1 x"]);
    })
    .await;
}

/// Ends the incarnation of an agent in one of three ways, named as whoever still acts for it is refused.
async fn stop(plane: &Plane, who: &AgentId, how: &str) {
    let agents = plane.agents();
    match how {
        "revoked" => agents.revoke(who, None, None).await.unwrap().map(|_| ()).unwrap(),
        "unregistered" => agents.deregister(who, None).await.unwrap().map(|_| ()).unwrap(),
        _ => agents.register(&Registration::new(who.clone())).await.unwrap().map(|_| ()).unwrap(),
    }
}

/// It is not that the lock was not free in time: whoever waits for a stopped agent is to stop too.
#[tokio::test]
async fn who_is_stopped_while_it_waits_hears_that_and_not_that_its_time_is_over() {
    check(&invariants(), async |bench| {
        let plane = plane(bench, &["a", "b"]).await;
        let (on, b, locks) = (lock("name:x"), agent("b"), plane.locks());
        take(&plane, "a", "name:x").await;
        for (how, passed_on) in [
            ("revoked", false),
            ("revoked", true),
            ("unregistered", false),
            ("unregistered", true),
            ("stale_epoch", false),
        ] {
            let waiting = Request { wait: LONG, ..request("b", "name:x") };
            let stopping = async {
                while locks.show(&on, 1).await.unwrap().waiting == 0 {
                    tokio::time::sleep(Duration::from_millis(10)).await;
                }
                stop(&plane, &b, how).await;
                if passed_on {
                    locks.release_agent(&b).await.unwrap();
                }
            };
            let both = async { tokio::join!(locks.acquire(&waiting), stopping).0 };
            let outcome = tokio::time::timeout(Duration::from_secs(10), both).await.unwrap().unwrap();
            assert_eq!(refused(outcome).code, how, "passed on: {passed_on}");
            assert_eq!(locks.show(&on, 1).await.unwrap().waiting, 0);
            stop(&plane, &b, "replaced by a new one").await;
        }
    })
    .await;
}

/// Neither alone nor in one call with others, although nobody has passed on yet what it held.
#[tokio::test]
async fn a_revoked_agent_gives_nothing_back_any_more() {
    check(&invariants(), async |bench| {
        let plane = plane(bench, &["a", "b"]).await;
        let (locks, kinds) = (plane.locks(), ["name:n", "task:t", "resource:db:r"]);
        let mut held = Vec::new();
        for on in kinds {
            held.push((lock(on), "a", take(&plane, "a", on).await.fence));
        }
        for on in ["name:m", "task:u"] {
            held.push((lock(on), "b", take(&plane, "b", on).await.fence));
        }
        stop(&plane, &agent("a"), "revoked").await;
        let before = locks.show(&held[0].0, 1).await.unwrap();
        let alone = locks.release(&held[0].0, &agent("a"), held[0].2).await.unwrap();
        assert_eq!(refused(alone).code, "revoked");
        assert_eq!(locks.show(&held[0].0, 1).await.unwrap(), before);
        let together = join_all(held.iter().map(async |(on, who, fence)| {
            let answer = locks.release(on, &agent(who), *fence).await.unwrap();
            answer.refusal().map(|why| why.code.to_string())
        }));
        let revoked = Some("revoked".to_owned());
        assert_eq!(together.await, [revoked.clone(), revoked.clone(), revoked, None, None]);
        maintenance::tick(&plane).await.unwrap();
    })
    .await;
}

/// The figure is of the plane: it does not matter which process asked, nor how.
#[tokio::test]
async fn writes_that_came_too_late_are_counted_in_the_store_whoever_made_them() {
    check(&invariants(), async |bench| {
        let (plane, other) = (plane(bench, &["a", "b"]).await, Plane::new(bench.scope.clone()).unwrap());
        let on = lock("name:x");
        let first = take(&plane, "a", "name:x").await;
        plane.locks().release(&on, &agent("a"), first.fence).await.unwrap().unwrap();
        let second = take(&plane, "b", "name:x").await;
        let key = format!("{}metrics:guarded", bench.scope.keys.namespace_text());
        let write = ["SET", key.as_str(), "1"].map(str::to_owned);
        for plane in [&plane, &other] {
            plane.locks().guard(&on, first.fence, &write).await.unwrap().refusal().expect("too late");
            let script = plane.locks().guard_script(&on, first.fence, "return 1", &[], &[]).await.unwrap();
            script.refusal().expect("too late");
        }
        other.locks().release(&on, &agent("a"), second.fence).await.unwrap().refusal().expect("too late");
        plane.locks().guard(&on, second.fence, &write).await.unwrap().unwrap();
        plane.locks().release(&on, &agent("b"), second.fence).await.unwrap().unwrap();
        let counts: Vec<_> = plane.stale_writes().await.unwrap();
        let count = |code: &str| counts.iter().find(|(own, _)| *own == code).map(|(_, count)| *count);
        assert_eq!((count("stale_fence"), count("not_owner"), count("expired")), (Some(4), Some(1), Some(0)));
    })
    .await;
}

/// Each reader has its own time, and who is past it is not said to read, however long the others do.
#[tokio::test]
async fn a_reader_that_lapses_beside_others_is_no_longer_shown() {
    for (many, short) in [(3, 0), (3, 2), (40, 0), (40, 39)] {
        check(&invariants(), async |bench| {
            let names: Vec<String> = (0..many).map(|n| format!("r{n}")).collect();
            let plane = plane(bench, &names.iter().map(String::as_str).collect::<Vec<_>>()).await;
            let read = |name: &str, ttl: u64| {
                let ttl = Some(Duration::from_secs(ttl));
                Request { mode: Mode::Shared, ttl, ..request(name, "resource:db:main") }
            };
            let next = (short + 1) % many;
            for (n, name) in names.iter().enumerate() {
                let ttl = if n == short { 60 } else { 600 };
                grant(plane.locks().acquire(&read(name, if n == next { 120 } else { ttl })).await.unwrap());
            }
            let ns = bench.scope.keys.namespace_text();
            let shown = async |name: &str| {
                let holders = bench.cli(&format!("HGET {ns}ade:lock:resource:db:main holders")).await;
                let indexed = bench.cli(&format!("SCARD {ns}ade:lock:index:agent:{name}")).await;
                (format!("{holders:?}").contains(&format!("\\\"{name}\\\"")), indexed)
            };
            for (seconds, late, left) in [(61, short, many - 1), (121, next, many - 2)] {
                assert_eq!(shown(&names[late]).await, (true, Value::Int(1)));
                maintenance::tick(&later(bench, seconds)).await.unwrap();
                assert_eq!(shown(&names[late]).await, (false, Value::Int(0)), "{late} of {many}");
                let shown = later(bench, seconds).locks().show(&lock("resource:db:main"), 1).await.unwrap();
                assert_eq!(shown.holders.len(), left);
            }
        })
        .await;
    }
}

/// It is to finish what it has: what it only waits for goes to the next, and whoever waits for it hears why.
#[tokio::test]
async fn who_is_to_drain_takes_nothing_that_it_waits_for() {
    check(&invariants(), async |bench| {
        let plane = plane(bench, &["a", "b", "c", "d"]).await;
        for on in ["name:x", "task:t"] {
            let held = take(&plane, "a", on).await;
            let waiting = Request { wait: LONG, ..request("b", on) };
            let (other, asked) = (plane.clone(), waiting.clone());
            let waits = tokio::spawn(async move { other.locks().acquire(&asked).await.unwrap() });
            while plane.locks().show(&waiting.on, 1).await.unwrap().waiting == 0 {
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
            queue(&plane, "c", on).await;
            queue(&plane, "d", on).await;
            for who in ["b", "c"] {
                plane.agents().drain(&agent(who), None, "enough").await.unwrap().unwrap();
            }
            let told = tokio::time::timeout(Duration::from_secs(3), waits).await.expect("it looks").unwrap();
            assert_eq!(refused(told).code, "draining", "{on}");
            plane.locks().release(&waiting.on, &agent("a"), held.fence).await.unwrap().unwrap();
            let shown = plane.locks().show(&waiting.on, 9).await.unwrap();
            assert_eq!((shown.holders[0].agent.as_str(), shown.waiting), ("d", 0), "{on}");
            for who in ["b", "c"] {
                let again = Registration { lease: LONG, ..Registration::new(agent(who)) };
                plane.agents().register(&again).await.unwrap().unwrap();
            }
        }
    })
    .await;
}
