//! Locks taken and given back in the same moment share scripts, and each call keeps its own answer.

use crate::support::{agent, lock, plane, refused, request, take};
use futures_util::future::join_all;
use quorate_plane::locks::{Acquire, Request};
use quorate_plane::{Outcome, Plane, invariants};
use quorate_testkit::chaos::Proxy;
use quorate_testkit::{Bench, check};

const MANY: usize = 40;

fn name(number: usize) -> String {
    format!("a{number}")
}

async fn fleet(bench: &Bench) -> Plane {
    let names: Vec<String> = (0..MANY).map(name).collect();
    plane(bench, &names.iter().map(String::as_str).collect::<Vec<_>>()).await
}

/// Everybody asks at once, each for the lock that `on` names; the fence of whoever got it.
async fn ask_all(plane: &Plane, on: impl Fn(usize) -> String) -> Vec<Option<u64>> {
    let wanted: Vec<Request> = (0..MANY).map(|number| request(&name(number), &on(number))).collect();
    let answers = join_all(wanted.iter().map(async |wanted| plane.locks().acquire(wanted).await)).await;
    let fence = |answer| match answer {
        Outcome::Done(Acquire::Granted(grant)) => Some(grant.fence),
        _ => None,
    };
    answers.into_iter().map(|answer| fence(answer.unwrap())).collect()
}

async fn release_all(plane: &Plane, on: impl Fn(usize) -> String, fences: &[Option<u64>]) -> usize {
    let held = fences.iter().enumerate().filter_map(|(number, fence)| Some((number, (*fence)?)));
    let calls = held.map(async |(number, fence)| {
        plane
            .locks()
            .release(&lock(&on(number)), &agent(&name(number)), fence)
            .await
            .unwrap()
            .refusal()
            .is_none()
    });
    join_all(calls).await.into_iter().filter(|released| *released).count()
}

#[tokio::test]
async fn of_many_who_ask_at_once_each_gets_its_own_and_a_shared_one_has_one_holder() {
    check(&invariants(), async |bench| {
        let plane = fleet(bench).await;
        for kind in ["name:l", "task:l", "resource:db:l", "file:src/l"] {
            // Two want each lock, in one moment: one of them gets it.
            let on = |number: usize| format!("{kind}{}", number / 2);
            let mut last = [0; MANY / 2];
            for _ in 0..3 {
                let fences = ask_all(&plane, on).await;
                for (place, pair) in fences.chunks(2).enumerate() {
                    let [one] = pair.iter().flatten().copied().collect::<Vec<_>>()[..] else {
                        panic!("{kind}{place}: {pair:?}")
                    };
                    assert!(one > last[place], "{kind}{place}: fences grow");
                    last[place] = one;
                }
                assert_eq!(release_all(&plane, on, &fences).await, MANY / 2);
                assert_eq!(
                    release_all(&plane, on, &fences).await,
                    MANY / 2,
                    "a repeated release is told it was done"
                );
            }
        }
        let rate = format!("GET {}ade:ratelimit:lock:acquire:a0", bench.scope.keys.namespace_text());
        let rate: u64 = quorate_store::FromRedisValue::from_redis_value(bench.cli(&rate).await).unwrap();
        assert_eq!(rate, 12, "each attempt is counted once");
    })
    .await;
}

/// Tasks of one agent: it is looked at once for all of them, and yet each attempt counts and each hold goes with its session.
#[tokio::test]
async fn what_one_agent_takes_at_once_is_counted_and_goes_with_it() {
    check(&invariants(), async |bench| {
        let plane = plane(bench, &["a", "b"]).await;
        take(&plane, "b", "name:l7").await;
        for kind in ["name:l", "task:l"] {
            let wanted: Vec<Request> =
                (0..MANY).map(|number| request("a", &format!("{kind}{number}"))).collect();
            let answers =
                join_all(wanted.iter().map(async |wanted| plane.locks().acquire(wanted).await)).await;
            let granted =
                answers.iter().filter(|answer| matches!(answer, Ok(Outcome::Done(Acquire::Granted(_)))));
            assert_eq!(granted.count(), if kind == "name:l" { MANY - 1 } else { MANY });
        }
        let rate = format!("GET {}ade:ratelimit:lock:acquire:a", bench.scope.keys.namespace_text());
        let rate: u64 = quorate_store::FromRedisValue::from_redis_value(bench.cli(&rate).await).unwrap();
        assert_eq!(rate, 2 * MANY as u64);
        plane.agents().deregister(&agent("a"), None).await.unwrap().unwrap();
        for number in (0..MANY).filter(|number| *number != 7) {
            take(&plane, "b", &format!("name:l{number}")).await;
            take(&plane, "b", &format!("task:l{number}")).await;
        }
    })
    .await;
}

#[tokio::test]
async fn one_that_cannot_have_it_is_told_why_and_the_others_have_theirs() {
    check(&[], async |bench| {
        let plane = fleet(bench).await;
        let ns = bench.scope.keys.namespace_text();
        plane.agents().revoke(&agent("a3"), None, None).await.unwrap().unwrap();
        bench.cli(&format!("SET {ns}locks:l5 4711 EX 300")).await;
        take(&plane, "a1", "name:l7").await;
        bench.cli(&format!("SADD {ns}locks:l9 x")).await;
        let wanted: Vec<Request> = (0..MANY)
            .map(|number| Request {
                purpose: "with spaces\nand a line".into(),
                ..request(&name(number), &format!("name:l{number}"))
            })
            .collect();
        let answers = join_all(wanted.iter().map(async |wanted| plane.locks().acquire(wanted).await)).await;
        for (number, answer) in answers.into_iter().enumerate() {
            match (number, answer) {
                (9, answer) => assert!(answer.is_err(), "a key of another type is its own fault"),
                (3, answer) => assert_eq!(refused(answer.unwrap()).code, "revoked"),
                (5 | 7, answer) => assert_eq!(refused(answer.unwrap()).code, "held"),
                (_, answer) => {
                    let got = answer.unwrap();
                    assert!(matches!(got, Outcome::Done(Acquire::Granted(_))), "{number}: {got:?}");
                }
            }
        }
        let shown = plane.locks().show(&lock("name:l0"), 0).await.unwrap();
        assert_eq!(shown.holders[0].purpose, "with spaces\nand a line");
        bench.cli(&format!("DEL {ns}locks:l9")).await;
    })
    .await;
}

#[tokio::test]
async fn a_shared_call_whose_reply_is_lost_has_one_effect_for_each() {
    check(&invariants(), async |bench| {
        let _ = fleet(bench).await;
        let proxy = Proxy::start(format!("127.0.0.1:{}", bench.node.port()).parse().unwrap()).await.unwrap();
        let target = quorate_store::Target::parse(&format!("redis://{}", proxy.address())).unwrap();
        let store = quorate_store::Store::connect(target, quorate_store::Options::default()).await.unwrap();
        let keys = bench.scope.keys.clone();
        let cut = Plane::new(quorate_store::invariant::Scope { store, keys }).unwrap();
        for kind in ["name:l", "task:l"] {
            let on = |number: usize| format!("{kind}{number}");
            proxy.drop_reply_after_forward(2, "EVALSHA");
            let fences = ask_all(&cut, on).await;
            assert!(fences.iter().all(Option::is_some), "{fences:?}");
            proxy.drop_reply_after_forward(2, "EVALSHA");
            assert_eq!(release_all(&cut, on, &fences).await, MANY);
        }
        proxy.heal();
    })
    .await;
}
