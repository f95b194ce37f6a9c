//! Limits, dedupe and counters: what is accepted, told apart and counted, by many at once.

use std::time::Duration;

use crate::support::{plane, refused};
use quorate_catalog::ids::{ContentHash, Endpoint, MetricId, UserId};
use quorate_plane::dedupe::{DEFAULT_WINDOW, content_hash};
use quorate_plane::limits::{Rule, Verdict, Wish};
use quorate_plane::{Plane, invariants};
use quorate_store::{FromRedisValue, Micros};
use quorate_testkit::{Bench, check};

fn wish(endpoint: &str, user: &str, limit: u64, window: Duration) -> Wish {
    let rule = Some(Rule { limit, window });
    Wish { rule, ..Wish::new(Endpoint::parse(endpoint).unwrap(), UserId::parse(user).unwrap()) }
}

async fn ask(plane: &Plane, wishes: &[Wish]) -> Verdict {
    plane.limits().check(wishes).await.unwrap().unwrap()
}

/// C2: many clients ask as fast as they can; then the window is slid over every moment something was accepted.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_window_wherever_it_begins_has_more_than_the_limit() {
    check(&invariants(), async |bench| {
        let plane = plane(bench, &[]).await;
        for (limit, window) in [(1, 150), (20, 400), (7, 33)] {
            let window = Duration::from_millis(window);
            let rounds = quorate_testkit::soak::size(5, 200) as u32;
            let asking = (0..8).map(|_| {
                let (plane, one) = (plane.clone(), wish("tasks:create", &format!("u{limit}"), limit, window));
                tokio::spawn(async move {
                    let (mut accepted, began) = (Vec::new(), std::time::Instant::now());
                    while began.elapsed() < window * rounds {
                        let verdict = ask(&plane, std::slice::from_ref(&one)).await;
                        accepted.extend(verdict.allowed.then_some(verdict.at));
                        // Bursts and pauses, so that edges of every kind are met.
                        tokio::time::sleep(Duration::from_micros(verdict.at.get() % 3_000)).await;
                    }
                    accepted
                })
            });
            let mut accepted: Vec<Micros> = Vec::new();
            for client in asking.collect::<Vec<_>>() {
                accepted.extend(client.await.unwrap());
            }
            accepted.sort();
            for (place, end) in accepted.iter().enumerate() {
                let inside = accepted[..=place].iter().filter(|at| end.since(**at) <= window).count();
                assert!(inside as u64 <= limit, "{inside} of {limit} within {window:?}");
            }
            // It is a limit and no wall: nearly all of what may pass does.
            let least = limit * u64::from(rounds) / 2;
            assert!(accepted.len() as u64 >= least, "{} accepted, {least} expected", accepted.len());
        }
    })
    .await;
}

#[tokio::test]
async fn a_refusal_says_when_it_would_fit_and_it_then_does() {
    check(&invariants(), async |bench| {
        let plane = plane(bench, &[]).await;
        let one = wish("x", "u", 3, Duration::from_secs(60));
        for left in [2, 1, 0] {
            let verdict = ask(&plane, std::slice::from_ref(&one)).await;
            assert_eq!((verdict.allowed, verdict.limits[0].remaining), (true, Some(left)));
        }
        let no = ask(&plane, std::slice::from_ref(&one)).await;
        let retry = no.limits[0].retry_after_ms.unwrap();
        assert!(!no.allowed && (1..=60_600).contains(&retry), "{no:?}");
        let explained = plane.limits().explain(std::slice::from_ref(&one)).await.unwrap().unwrap();
        assert_eq!((explained.limits[0].used, explained.tightest().unwrap().name.as_str()), (3, "x/u"));
        // The clock of the server moves to just before, and to that moment.
        for (early, allowed) in [(true, false), (false, true)] {
            let at = no.at.millis() + retry - u64::from(early);
            let clock = quorate_store::Clock::Fixed(Micros::from_millis(at));
            let scope = quorate_store::invariant::Scope {
                store: bench.scope.store.with_clock(clock),
                keys: bench.scope.keys.clone(),
            };
            let then = ask(&Plane::new(scope).unwrap(), std::slice::from_ref(&one)).await;
            assert_eq!(then.allowed, allowed, "{then:?}");
        }
        let greedy = Wish { cost: 4, ..one };
        let never = ask(&plane, &[greedy]).await;
        assert_eq!((never.allowed, never.limits[0].retry_after_ms), (false, None), "it never fits");
    })
    .await;
}

#[tokio::test]
async fn several_limits_are_taken_from_together_or_not_at_all() {
    check(&invariants(), async |bench| {
        let plane = plane(bench, &[]).await;
        let wide = wish("org", "acme", 100, Duration::from_secs(60));
        let narrow = wish("model", "alice", 2, Duration::from_secs(60));
        for _ in 0..2 {
            assert!(ask(&plane, &[wide.clone(), narrow.clone()]).await.allowed);
        }
        let no = ask(&plane, &[wide.clone(), narrow.clone()]).await;
        assert_eq!((no.allowed, no.limits[0].used, no.limits[1].used), (false, 2, 2));
        assert_eq!(no.tightest().unwrap().name, "model/alice");
        let tokens = Wish { cost: 98, ..wide.clone() };
        assert!(ask(&plane, &[tokens]).await.allowed);
        assert!(!ask(&plane, std::slice::from_ref(&wide)).await.allowed);
        assert!(plane.limits().check(&[wide.clone(), wide]).await.is_err(), "the same twice");
        assert!(plane.limits().check(&[]).await.is_err());
    })
    .await;
}

#[tokio::test]
async fn a_limit_is_configured_changed_and_taken_away() {
    check(&invariants(), async |bench| {
        let plane = plane(bench, &[]).await;
        let endpoint = Endpoint::parse("tasks:create").unwrap();
        let one = Wish::new(endpoint.clone(), UserId::parse("u").unwrap());
        let unlimited = ask(&plane, std::slice::from_ref(&one)).await;
        assert_eq!((unlimited.allowed, unlimited.limits[0].limit), (true, None));
        let rule = Rule { limit: 2, window: Duration::from_secs(60) };
        plane.limits().set(&endpoint, rule).await.unwrap();
        assert_eq!(plane.limits().ls().await.unwrap().get("tasks:create"), Some(&rule));
        assert!(ask(&plane, std::slice::from_ref(&one)).await.allowed);
        assert!(!ask(&plane, std::slice::from_ref(&one)).await.allowed);
        // A longer window still knows what was accepted in the shorter one.
        let longer = Rule { limit: 3, window: Duration::from_secs(3_600) };
        plane.limits().set(&endpoint, longer).await.unwrap();
        assert!(ask(&plane, std::slice::from_ref(&one)).await.allowed);
        let no = ask(&plane, std::slice::from_ref(&one)).await;
        assert!(!no.allowed && no.limits[0].used == 3, "{no:?}");
        assert!(plane.limits().unset(&endpoint).await.unwrap());
        assert!(ask(&plane, std::slice::from_ref(&one)).await.allowed);
        for (limit, window) in [(0, 1_000), (2_000_000_000, 1_000), (1, 0), (1, 31 * 86_400_000)] {
            let bad = Rule { limit, window: Duration::from_millis(window) };
            assert!(plane.limits().set(&endpoint, bad).await.is_err(), "{bad:?}");
        }
    })
    .await;
}

/// M15: whatever clients do, no counter stays for ever.
#[tokio::test]
async fn no_key_is_without_an_expiry() {
    check(&invariants(), async |bench| {
        let plane = plane(bench, &[]).await;
        let ns = bench.scope.keys.namespace_text();
        // An old client counts just after the window has ended, and forgets the expiry.
        bench.cli(&format!("INCRBY {ns}ade:ratelimit:x:u 2")).await;
        bench.cli(&format!("INCR {ns}ade:ratelimit:y:u")).await;
        let verdict = ask(&plane, &[wish("x", "u", 3, Duration::from_secs(60))]).await;
        assert_eq!((verdict.allowed, verdict.limits[0].used), (true, 3), "what it counted counts");
        let left =
            async |key: &str| i64::from_redis_value(bench.cli(&format!("PTTL {ns}{key}")).await).unwrap();
        for key in ["ade:ratelimit:x:u", "~q:ade:window:x:u"] {
            assert!((1..=61_000).contains(&left(key).await), "{key}");
        }
        let found = bench.mess(&invariants()).await;
        assert!(found.len() == 1 && found[0].starts_with("FSCK063"), "{found:?}");
        let all = invariants();
        let report = quorate_audit::run(&bench.scope, &all, true, &|_, _| {}).await.unwrap();
        assert_eq!((report.repaired, report.findings.len()), (1, 0));
        assert!((1..=60_000).contains(&left("ade:ratelimit:y:u").await));
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_many_that_ask_at_once_one_is_the_first() {
    check(&invariants(), async |bench| {
        let plane = plane(bench, &[]).await;
        let scope = ContentHash::parse("observations").unwrap();
        for round in 0..20 {
            let asking = (0..8).map(|_| {
                let (plane, scope) = (plane.clone(), scope.clone());
                let content = content_hash(format!("content {round}").as_bytes());
                tokio::spawn(async move {
                    plane.dedupe().check(&scope, &content, DEFAULT_WINDOW).await.unwrap().unwrap()
                })
            });
            let mut firsts = 0;
            for one in asking.collect::<Vec<_>>() {
                firsts += usize::from(one.await.unwrap().first);
            }
            assert_eq!(firsts, 1, "round {round}");
        }
        let content = content_hash(b"content 0");
        assert!(plane.dedupe().forget(&scope, &content).await.unwrap());
        assert!(plane.dedupe().check(&scope, &content, DEFAULT_WINDOW).await.unwrap().unwrap().first);
    })
    .await;
}

#[tokio::test]
async fn what_was_seen_is_forgotten_after_its_window_and_the_key_expires() {
    check(&invariants(), async |bench| {
        let plane = plane(bench, &[]).await;
        let scope = ContentHash::parse("gate").unwrap();
        let window = Duration::from_secs(900);
        let seen = async |plane: &Plane, text: &str| {
            plane.dedupe().check(&scope, &content_hash(text.as_bytes()), window).await.unwrap().unwrap().first
        };
        for text in ["a", "b", "c"] {
            assert!(seen(&plane, text).await && !seen(&plane, text).await);
        }
        let later = quorate_store::invariant::Scope {
            store: bench.scope.store.with_clock(quorate_store::Clock::Offset(901_000_000)),
            keys: bench.scope.keys.clone(),
        };
        let later = Plane::new(later).unwrap();
        assert!(seen(&later, "a").await, "it is new again");
        let key = format!("{}seen:gate", bench.scope.keys.namespace_text());
        let number = async |line: String| i64::from_redis_value(bench.cli(&line).await).unwrap();
        assert_eq!(number(format!("ZCARD {key}")).await, 1, "the old have left");
        assert!((1..=900_000).contains(&number(format!("PTTL {key}")).await));
        assert!(plane.dedupe().check(&scope, &content_hash(b"x"), Duration::ZERO).await.is_err());
    })
    .await;
}

#[tokio::test]
async fn counters_are_exact_and_there_are_never_too_many() {
    check(&invariants(), async |bench| {
        let plane = plane(bench, &[]).await;
        let ns = bench.scope.keys.namespace_text();
        let name = |text: &str| MetricId::parse(text).unwrap();
        bench.cli(&format!("SET {ns}ade:config:counters:most 3")).await;
        for (counter, by, value) in [("a", 2, 2), ("a", -5, -3), ("b", i64::MAX, i64::MAX), ("c", 1, 1)] {
            assert_eq!(plane.metrics().incr(&name(counter), by).await.unwrap().unwrap(), value);
        }
        assert_eq!(refused(plane.metrics().incr(&name("b"), 1).await.unwrap()).code, "no_number");
        assert_eq!(refused(plane.metrics().incr(&name("d"), 1).await.unwrap()).code, "too_many_counters");
        bench.cli(&format!("SET {ns}metrics:foreign text")).await;
        let all = plane.metrics().ls().await.unwrap();
        let expected = [("a", Some(-3)), ("b", Some(i64::MAX)), ("c", Some(1)), ("foreign", None)];
        assert_eq!(all, expected.into_iter().map(|(name, value)| (name.to_owned(), value)).collect());
    })
    .await;
}

#[tokio::test]
async fn keys_of_another_type_are_refused_before_anything_is_written() {
    let bench = Bench::start().await;
    let plane = plane(&bench, &[]).await;
    let ns = bench.scope.keys.namespace_text();
    for key in ["ade:ratelimit:x:u", "seen:gate", "metrics:m"] {
        bench.cli(&format!("RPUSH {ns}{key} wrong")).await;
    }
    let good = wish("y", "u", 3, Duration::from_secs(60));
    let bad = wish("x", "u", 3, Duration::from_secs(60));
    assert_eq!(refused(plane.limits().check(&[good, bad]).await.unwrap()).code, "wrong_type");
    let scope = ContentHash::parse("gate").unwrap();
    assert_eq!(
        refused(plane.dedupe().check(&scope, &content_hash(b"x"), DEFAULT_WINDOW).await.unwrap()).code,
        "wrong_type"
    );
    assert_eq!(
        refused(plane.metrics().incr(&MetricId::parse("m").unwrap(), 1).await.unwrap()).code,
        "wrong_type"
    );
    assert_eq!(i64::from_redis_value(bench.cli("DBSIZE").await).unwrap(), 3);
}
