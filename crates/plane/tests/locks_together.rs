//! Locks taken and given back in the same moment share scripts, and each call keeps its own answer.

use crate::support::{agent, grant, lock, plane, refused, request, scripts, take};
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

/// One that went alone would be done too, and only cost more.
#[tokio::test]
async fn what_many_take_and_give_back_at_once_shares_scripts() {
    check(&invariants(), async |bench| {
        let plane = fleet(bench).await;
        for kind in ["name:l", "task:l", "resource:db:l", "file:src/l"] {
            let (on, before) = (|number: usize| format!("{kind}{number}"), scripts(bench).await);
            let fences = ask_all(&plane, on).await;
            let between = scripts(bench).await;
            assert_eq!(release_all(&plane, on, &fences).await, MANY);
            let calls = [between - before, scripts(bench).await - between];
            assert!(calls.iter().all(|calls| *calls < MANY as u64 / 4), "{kind}: {calls:?}");
        }
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
                (9, answer) => assert_eq!(refused(answer.unwrap()).code, "wrong_type"),
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

/// What is taken at once ends when each asked for it to end, and the records of all of them say so.
#[tokio::test]
async fn each_of_many_keeps_the_time_it_asked_for() {
    check(&invariants(), async |bench| {
        let plane = fleet(bench).await;
        let ns = bench.scope.keys.namespace_text();
        let ttl = |number: usize| std::time::Duration::from_secs([20, 400, 3_000][number % 3]);
        for kind in ["name:l", "task:l"] {
            let wanted = |number: usize| Request {
                ttl: Some(ttl(number)),
                ..request(&name(number), &format!("{kind}{number}"))
            };
            let wanted: Vec<Request> = (0..MANY).map(wanted).collect();
            let answers =
                join_all(wanted.iter().map(async |wanted| plane.locks().acquire(wanted).await)).await;
            for (number, answer) in answers.into_iter().enumerate() {
                let fence = grant(answer.unwrap()).fence;
                let seed = if kind == "name:l" { "locks:l" } else { "ade:lock:task:l" };
                let left: i64 = asked(bench, &format!("PTTL {ns}{seed}{number}")).await;
                let whole = ttl(number).as_millis() as i64;
                assert!((whole - 15_000..=whole).contains(&left), "{kind}{number}: {left} of {whole}");
                let shown = plane.locks().show(&wanted[number].on, 0).await.unwrap();
                assert_eq!((&*shown.holders[0].agent, shown.holders[0].fence), (&*name(number), fence));
            }
        }
    })
    .await;
}

/// What ade's readers see of many locks is looked at and listed once for all of them.
#[tokio::test]
async fn a_task_that_cannot_be_had_is_told_why_and_the_others_are_had_and_shown() {
    check(&[], async |bench| {
        let plane = fleet(bench).await;
        let ns = bench.scope.keys.namespace_text();
        bench.cli(&format!("HSET {ns}ade:lock:task:l5 holder_agent_id 4711")).await;
        bench.cli(&format!("PEXPIRE {ns}ade:lock:task:l5 300000")).await;
        take(&plane, "a1", "task:l7").await;
        bench.cli(&format!("SET {ns}ade:lock:task:l9 x")).await;
        bench.cli(&format!("SET {ns}ade:lock:index:agent:a11 x")).await;
        bench.cli(&format!("SET {ns}ade:ratelimit:lock:acquire:a13 x")).await;
        let on = |number: usize| format!("task:l{number}");
        let wanted: Vec<Request> = (0..MANY).map(|number| request(&name(number), &on(number))).collect();
        let answers = join_all(wanted.iter().map(async |wanted| plane.locks().acquire(wanted).await)).await;
        let mut fences = Vec::new();
        for (number, answer) in answers.into_iter().enumerate() {
            match (number, answer) {
                (5 | 7, answer) => assert_eq!(refused(answer.unwrap()).code, "held"),
                (9 | 11 | 13, answer) => {
                    assert!(!matches!(answer, Ok(Outcome::Done(_))), "{number}: {answer:?}");
                }
                (_, answer) => fences.push((number, grant(answer.unwrap()).fence)),
            }
        }
        assert_eq!(fences.len(), MANY - 5);
        for (number, fence) in &fences {
            let seed = format!("{ns}ade:lock:task:l{number}");
            let holder: Vec<String> =
                asked(bench, &format!("HMGET {seed} holder_agent_id fence_token")).await;
            assert_eq!(holder, [name(*number), fence.to_string()]);
            assert!(asked::<i64>(bench, &format!("PTTL {seed}")).await > 0);
            let listed: Vec<String> =
                asked(bench, &format!("SMEMBERS {ns}ade:lock:index:agent:a{number}")).await;
            assert!(listed.contains(&seed), "{listed:?}");
            let until: Option<f64> = asked(bench, &format!("ZSCORE {ns}ade:lock:registry {seed}")).await;
            assert!(until.is_some(), "{seed} is in the registry");
        }
        let free: i64 = asked(bench, &format!("EXISTS {ns}ade:lock:task:l11 {ns}ade:lock:task:l13")).await;
        assert_eq!(free, 0, "whoever could not be listed has taken nothing");
        let listed = format!("EXISTS {ns}~q:ade:holds:a11 {ns}~q:ade:holds:a13");
        assert_eq!(asked::<i64>(bench, &listed).await, 0, "nor is it listed");
        let tries: u64 = asked(bench, &format!("GET {ns}ade:ratelimit:lock:acquire:a11")).await;
        assert_eq!(tries, 1, "and its attempt is counted once");
        let held: Vec<Option<u64>> = (0..MANY)
            .map(|own| fences.iter().find(|(number, _)| *number == own).map(|(_, fence)| *fence))
            .collect();
        assert_eq!(release_all(&plane, on, &held).await, fences.len());
        assert_eq!(
            asked::<i64>(bench, &format!("ZCARD {ns}ade:lock:registry")).await,
            1,
            "only a1's is left"
        );
        for (number, _) in &fences {
            let listed: i64 = asked(
                bench,
                &format!("EXISTS {ns}ade:lock:index:agent:a{number} {ns}ade:lock:task:l{number}"),
            )
            .await;
            assert_eq!(listed, i64::from(*number == 1), "a{number}");
        }
        for key in ["ade:lock:task:l9", "ade:lock:index:agent:a11", "ade:ratelimit:lock:acquire:a13"] {
            bench.cli(&format!("DEL {ns}{key}")).await;
        }
    })
    .await;
}

async fn asked<T: quorate_store::FromRedisValue>(bench: &Bench, line: &str) -> T {
    T::from_redis_value(bench.cli(line).await).unwrap()
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

/// Everybody wants one lock in the same moment, again and again: each gets it in turn, with a fence above the one before, and
/// whoever gives it back joins the line again behind the others.
#[tokio::test]
async fn a_lock_that_all_want_at_once_goes_round_in_turn() {
    check(&invariants(), async |bench| {
        let plane = fleet(bench).await;
        let turns = std::sync::Mutex::new(Vec::new());
        let one = async |number: usize| {
            for _ in 0..5 {
                let wanted = Request {
                    wait: std::time::Duration::from_secs(20),
                    ..request(&name(number), "name:hot")
                };
                let got = plane.locks().acquire(&wanted).await.unwrap();
                let Outcome::Done(Acquire::Granted(grant)) = got else { panic!("{got:?}") };
                turns.lock().unwrap().push((number, grant.fence));
                tokio::task::yield_now().await;
                let on = lock("name:hot");
                plane.locks().release(&on, &wanted.agent, grant.fence).await.unwrap().unwrap();
            }
        };
        join_all((0..MANY).map(one)).await;
        let turns = turns.into_inner().unwrap();
        assert!(
            turns.is_sorted_by(|one, next| one.1 < next.1),
            "a fence is above every earlier one: {turns:?}"
        );
        for round in turns.chunks(MANY) {
            let mut who: Vec<usize> = round.iter().map(|turn| turn.0).collect();
            who.sort_unstable();
            assert!(who.into_iter().eq(0..MANY), "nobody has it twice before all have had it: {round:?}");
        }
        let shown = plane.locks().show(&lock("name:hot"), 10).await.unwrap();
        assert!(shown.holders.is_empty() && shown.waiters.is_empty(), "{shown:?}");
    })
    .await;
}

/// A key of another type anywhere among what one of them needs is that one's fault, and the others have theirs.
#[tokio::test]
async fn a_wrong_typed_key_of_one_call_is_not_the_fault_of_the_others() {
    check(&[], async |bench| {
        let plane = fleet(bench).await;
        let ns = bench.scope.keys.namespace_text();
        for spoiled in ["ade:lock:index:agent:a1", "ade:ratelimit:lock:acquire:a1", "ade:events:lock"] {
            for kind in ["name:l", "task:l"] {
                bench.cli(&format!("DEL {ns}{spoiled}")).await;
                bench.cli(&format!("GEOADD {ns}{spoiled} 1 1 x")).await;
                let wanted: Vec<Request> =
                    (0..MANY).map(|number| request(&name(number), &format!("{kind}{number}"))).collect();
                let answers =
                    join_all(wanted.iter().map(async |wanted| plane.locks().acquire(wanted).await)).await;
                let mut fences = Vec::new();
                for (number, answer) in answers.into_iter().enumerate() {
                    let fine = match &answer {
                        Ok(Outcome::Done(Acquire::Granted(grant))) => {
                            fences.push(Some(grant.fence));
                            true
                        }
                        _ => {
                            fences.push(None);
                            false
                        }
                    };
                    let own = kind == "task:l" && (number == 1 || spoiled.starts_with("ade:events"))
                        || number == 1 && spoiled.starts_with("ade:ratelimit");
                    assert_eq!(fine, !own, "{spoiled} {kind}{number}: {answer:?}");
                    if own {
                        let shown = plane.locks().show(&wanted[number].on, 0).await.unwrap();
                        assert!(shown.holders.is_empty(), "{spoiled} {kind}{number}: {shown:?}");
                    }
                }
                bench.cli(&format!("DEL {ns}{spoiled}")).await;
                let held = fences.iter().flatten().count();
                let on = |number: usize| format!("{kind}{number}");
                assert_eq!(release_all(&plane, on, &fences).await, held);
            }
        }
    })
    .await;
}

/// What nobody looked for before it was written to fails in the middle of a shared call: for the one that needs it. Those who
/// joined another line with it are in that line, and get their lock.
#[tokio::test]
async fn a_call_that_fails_in_the_middle_leaves_the_others_whole() {
    check(&[], async |bench| {
        let plane = fleet(bench).await;
        let spoiled = take(&plane, "a0", "name:spoiled").await;
        let busy = take(&plane, "a0", "name:busy").await;
        let name_of_lock = quorate_catalog::ids::LockRef::parse(&lock("name:spoiled").lock_ref()).unwrap();
        let waiters = bench.scope.keys.quorate().lock_waiters(&name_of_lock);
        bench.cli(&format!("SET {waiters} x")).await;
        let wait = std::time::Duration::from_secs(3);
        let wanted = ["name:busy", "name:free", "name:busy", "name:spoiled"].map(|on| on.to_owned());
        let wanted: Vec<Request> = wanted
            .iter()
            .enumerate()
            .map(|(number, on)| Request { wait, ..request(&name(number + 1), on) })
            .collect();
        let one = async |wanted: &Request| {
            let got = plane.locks().acquire(wanted).await.map(|got| got.unwrap());
            if let Ok(Acquire::Granted(grant)) = &got {
                plane.locks().release(&wanted.on, &wanted.agent, grant.fence).await.unwrap().unwrap();
            }
            got
        };
        let release = async {
            tokio::time::sleep(wait / 6).await;
            plane.locks().release(&lock("name:busy"), &agent("a0"), busy.fence).await.unwrap().unwrap();
        };
        let (answers, ()) = tokio::join!(join_all(wanted.iter().map(one)), release);
        for (wanted, answer) in wanted.iter().zip(answers) {
            let fine = matches!(answer, Ok(Acquire::Granted(_)));
            assert_eq!(fine, wanted.on != lock("name:spoiled"), "{}: {answer:?}", wanted.on);
        }
        bench.cli(&format!("DEL {waiters}")).await;
        plane.locks().release(&lock("name:spoiled"), &agent("a0"), spoiled.fence).await.unwrap().unwrap();
    })
    .await;
}
