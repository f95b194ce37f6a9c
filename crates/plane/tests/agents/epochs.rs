//! An incarnation's epoch only grows, and earlier incarnations are refused.

use std::collections::BTreeSet;

use futures_util::future::join_all;
use quorate_plane::agents::{Patch, Registration};
use quorate_plane::{Plane, invariants};
use quorate_store::invariant::Scope;
use quorate_store::{Options, Store, Target, cmd};
use quorate_testkit::chaos::Proxy;
use quorate_testkit::{Bench, check};

use super::support::{another, code, hash, id, plane, register};

async fn refusals(plane: &Plane, agent: &str, epoch: Option<u64>) -> Vec<String> {
    let agent = id(agent);
    let patch = Patch { task: Some("late".into()), ..Patch::default() };
    let again = Registration { epoch, ..Registration::new(agent.clone()) };
    let mut codes = vec![
        code(plane.agents().heartbeat(&agent, epoch).await.unwrap()),
        code(plane.agents().update(&agent, epoch, &patch).await.unwrap()),
        code(plane.agents().deregister(&agent, epoch).await.unwrap()),
    ];
    if epoch.is_some() {
        codes.push(code(plane.agents().register(&again).await.unwrap()));
    }
    codes.dedup();
    codes
}

#[tokio::test]
async fn a_new_incarnation_is_above_the_old_one_and_the_old_one_is_refused() {
    check(&invariants(), async |bench| {
        let plane = plane(bench);
        let first = register(&plane, "a").await.epoch;
        let second = register(&plane, "a").await.epoch;
        assert!(second > first);
        assert_eq!(refusals(&plane, "a", Some(first)).await, ["stale_epoch"]);
        plane.agents().deregister(&id("a"), Some(second)).await.unwrap().unwrap();
        assert_eq!(refusals(&plane, "a", Some(second)).await, ["unregistered"]);
        assert_eq!(refusals(&plane, "a", None).await, ["unregistered"]);
        let third = register(&plane, "a").await.epoch;
        assert!(third > second);
        assert_eq!(refusals(&plane, "a", Some(second)).await, ["stale_epoch"]);
        assert_eq!(refusals(&plane, "a", Some(third + 1)).await, ["stale_epoch"], "nor a made-up one");
        plane.agents().heartbeat(&id("a"), Some(third)).await.unwrap().unwrap();
    })
    .await;
}

/// The epoch must not rest on the clock alone: a server whose clock stands behind the record still goes up.
#[tokio::test]
async fn an_epoch_grows_even_if_the_clock_went_back() {
    check(&invariants(), async |bench| {
        let ahead = super::support::later(bench, 3_600.0);
        let first = register(&ahead, "a").await.epoch;
        let second = register(&plane(bench), "a").await.epoch;
        assert_eq!(second, first + 1);
    })
    .await;
}

#[tokio::test]
async fn an_epoch_grows_across_a_crash_of_the_server() {
    let mut bench = Bench::start().await;
    let plane = plane(&bench);
    let before = register(&plane, "a").await.epoch;
    bench.node.kill9();
    bench.node.restart().unwrap();
    let after = register(&plane, "a").await.epoch;
    assert!(after > before);
    assert_eq!(refusals(&plane, "a", Some(before)).await, ["stale_epoch"]);
    bench.node.kill9();
    bench.node.restart().unwrap();
    bench.scope.store.repeatable().query::<()>(&cmd("FLUSHALL")).await.unwrap();
    assert!(register(&plane, "a").await.epoch > after, "even if the record is lost");
    assert_eq!(bench.mess(&invariants()).await, Vec::<String>::new());
}

#[tokio::test]
async fn concurrent_registrations_get_distinct_epochs() {
    check(&invariants(), async |bench| {
        let planes = join_all((0..4).map(|_| another(bench))).await;
        let calls = (0..32).map(|n| {
            let plane = &planes[n % planes.len()];
            async move { register(plane, "a").await.epoch }
        });
        let epochs: BTreeSet<u64> = join_all(calls).await.into_iter().collect();
        assert_eq!(epochs.len(), 32);
        let record = hash(bench, bench.scope.keys.quorate().agent(&id("a"))).await;
        assert_eq!(record["epoch"], epochs.last().unwrap().to_string());
        assert_eq!(record["version"], "32");
        let one_by_one: Vec<u64> =
            vec![register(&planes[0], "a").await.epoch, register(&planes[1], "a").await.epoch];
        assert!(one_by_one[1] > one_by_one[0] && one_by_one[0] > *epochs.last().unwrap());
    })
    .await;
}

#[tokio::test]
async fn a_lost_reply_is_answered_once_and_with_the_first_answer() {
    check(&invariants(), async |bench| {
        let address = format!("127.0.0.1:{}", bench.node.port());
        let proxy = Proxy::start(address.parse().unwrap()).await.unwrap();
        let target = Target::parse(&format!("redis://{}/", proxy.address())).unwrap();
        let store = Store::connect(target, Options::default()).await.unwrap();
        let plane = Plane::new(Scope { store, keys: bench.scope.keys.clone() }).unwrap();
        // The server must know the scripts, so that EVALSHA is what does the work.
        register(&plane, "warm").await;
        plane.agents().drain(&id("warm"), None, "").await.unwrap().unwrap();
        plane.agents().revoke(&id("warm"), None, None).await.unwrap().unwrap();
        register(&plane, "warm").await;
        let patch = Patch { task: Some("x".into()), ..Patch::default() };
        plane.agents().update(&id("warm"), None, &patch).await.unwrap().unwrap();
        plane.agents().deregister(&id("warm"), None).await.unwrap().unwrap();

        let record = bench.scope.keys.quorate().agent(&id("a"));
        let lose = || proxy.drop_reply_after_forward(1, "EVALSHA");
        lose();
        let registered = register(&plane, "a").await;
        assert_eq!(proxy.still_to_drop(), 0);
        let known = hash(bench, &record).await;
        assert_eq!((&known["epoch"], known["version"].as_str()), (&registered.epoch.to_string(), "1"));
        lose();
        assert_eq!(plane.agents().update(&id("a"), None, &patch).await.unwrap().unwrap(), 2);
        assert_eq!(hash(bench, &record).await["version"], "2");
        lose();
        assert_eq!(plane.agents().drain(&id("a"), None, "").await.unwrap().unwrap(), registered.epoch);
        lose();
        assert_eq!(plane.agents().deregister(&id("a"), None).await.unwrap().unwrap(), registered.epoch);
        assert_eq!(proxy.still_to_drop(), 0);
        let epoch = register(&plane, "a").await.epoch;
        lose();
        assert_eq!(plane.agents().revoke(&id("a"), None, None).await.unwrap().unwrap(), epoch);
    })
    .await;
}

/// E3.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_late_heartbeat_never_brings_a_session_back() {
    let rounds = quorate_testkit::soak::size(2_000, 10_000);
    check(&invariants(), async |bench| {
        let (one, two) = (plane(bench), another(bench).await);
        let session = bench.scope.keys.reverie().session(&id("a"));
        let index = bench.scope.keys.reverie().session_index();
        for round in 0..rounds {
            let epoch = register(&one, "a").await.epoch;
            let agent = id("a");
            let (own, late) = (one.agents(), [two.agents(), one.agents()]);
            if round % 2 == 0 {
                let (left, beat, default) = tokio::join!(
                    own.deregister(&agent, Some(epoch)),
                    late[0].heartbeat(&agent, Some(epoch)),
                    late[1].heartbeat(&agent, None),
                );
                left.unwrap().unwrap();
                // Whether they came in time is chance; that they were answered is not.
                assert!(beat.is_ok() && default.is_ok());
                assert_eq!(code(two.agents().heartbeat(&agent, Some(epoch)).await.unwrap()), "unregistered");
                assert!(!super::support::exists(bench, &session).await, "round {round}");
                assert_eq!(super::support::score(bench, &index, "a").await, None, "round {round}");
            } else {
                let (next, beat) = tokio::join!(register(&one, "a"), late[0].heartbeat(&agent, Some(epoch)));
                beat.unwrap();
                assert_eq!(code(two.agents().heartbeat(&agent, Some(epoch)).await.unwrap()), "stale_epoch");
                assert_eq!(hash(bench, &session).await["epoch"], next.epoch.to_string(), "round {round}");
            }
        }
    })
    .await;
}
