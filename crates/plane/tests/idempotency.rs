//! A repeated request has one effect and one answer, whoever dies in between.

use std::time::Duration;

use crate::support::{later, plane};
use quorate_plane::idempotency::{Begun, Claim, Kept, MAX_BODY};
use quorate_plane::{Plane, invariants};
use quorate_testkit::check;

const ONE: [u8; 32] = [1; 32];
const TWO: [u8; 32] = [2; 32];

fn kept(body: impl Into<Vec<u8>>) -> Kept {
    Kept { status: 201, content_type: "application/json".into(), body: body.into() }
}

async fn go(plane: &Plane, key: &str) -> Claim {
    match plane.idempotency().begin("ci", key, &ONE).await.unwrap() {
        Begun::Go(claim) => claim,
        other => panic!("not free: {other:?}"),
    }
}

#[tokio::test]
async fn the_first_goes_ahead_and_a_repeat_gets_its_answer_byte_for_byte() {
    check(&invariants(), async |bench| {
        let plane = plane(bench, &[]).await;
        let begin = async |caller: &str, print: &[u8; 32]| {
            plane.idempotency().begin(caller, "k", print).await.unwrap()
        };
        let claim = go(&plane, "k").await;
        assert_eq!((begin("ci", &ONE).await, begin("ci", &TWO).await), (Begun::Busy, Begun::Other));
        assert!(matches!(begin("other", &ONE).await, Begun::Go(_)), "every caller has keys of its own");
        let body: Vec<u8> = (0..=255).collect();
        plane.idempotency().finish(&claim, &kept(body.clone())).await.unwrap();
        assert_eq!(
            (begin("ci", &ONE).await, begin("ci", &TWO).await),
            (Begun::Known(kept(body)), Begun::Other)
        );
        plane.idempotency().leave(&claim).await.unwrap();
        assert!(matches!(begin("ci", &ONE).await, Begun::Known(_)), "an answer is not forgotten");
        plane.idempotency().finish(&claim, &kept("another")).await.unwrap();
        let Begun::Known(first) = begin("ci", &ONE).await else { panic!("no answer") };
        assert_ne!(first.body, b"another", "the first answer stays");
        for bad in ["", &"k".repeat(256)] {
            assert!(plane.idempotency().begin("ci", bad, &ONE).await.is_err());
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_32_that_race_one_goes_ahead() {
    check(&invariants(), async |bench| {
        let plane = plane(bench, &[]).await;
        for round in 0..20 {
            let racers = (0..32).map(|_| {
                let plane = plane.clone();
                tokio::spawn(async move {
                    plane.idempotency().begin("ci", &format!("r{round}"), &ONE).await.unwrap()
                })
            });
            let (mut claims, mut busy) = (Vec::new(), 0);
            for one in racers.collect::<Vec<_>>() {
                match one.await.unwrap() {
                    Begun::Go(claim) => claims.push(claim),
                    Begun::Busy => busy += 1,
                    other => panic!("{other:?}"),
                }
            }
            assert_eq!((claims.len(), busy), (1, 31));
        }
    })
    .await;
}

#[tokio::test]
async fn what_was_left_goes_on_under_the_same_request() {
    check(&invariants(), async |bench| {
        let plane = plane(bench, &[]).await;
        let first = go(&plane, "k").await;
        plane.idempotency().leave(&first).await.unwrap();
        let second = go(&plane, "k").await;
        assert_eq!(first.request, second.request, "what the first one did is not done again");
        plane.idempotency().leave(&first).await.unwrap();
        assert_eq!(
            plane.idempotency().begin("ci", "k", &ONE).await.unwrap(),
            Begun::Busy,
            "not the first one's to leave"
        );
    })
    .await;
}

#[tokio::test]
async fn who_takes_over_a_lapsed_claim_has_the_same_request_and_the_last_word() {
    check(&invariants(), async |bench| {
        let plane = plane(bench, &[]).await;
        let dead = go(&plane, "k").await;
        assert_eq!(later(bench, 59).idempotency().begin("ci", "k", &ONE).await.unwrap(), Begun::Busy);
        let after = later(bench, 61);
        assert_eq!(
            after.idempotency().begin("ci", "k", &TWO).await.unwrap(),
            Begun::Other,
            "still another request"
        );
        let heir = go(&after, "k").await;
        assert_eq!(heir.request, dead.request);
        assert_ne!(heir, dead);
        plane.idempotency().finish(&dead, &kept("late")).await.unwrap();
        assert_eq!(
            after.idempotency().begin("ci", "k", &ONE).await.unwrap(),
            Begun::Busy,
            "it has no say any more"
        );
        after.idempotency().finish(&heir, &kept("heir")).await.unwrap();
        assert_eq!(after.idempotency().begin("ci", "k", &ONE).await.unwrap(), Begun::Known(kept("heir")));
    })
    .await;
}

#[tokio::test]
async fn an_answer_too_large_to_keep_says_so() {
    check(&invariants(), async |bench| {
        let plane = plane(bench, &[]).await;
        let (fits, large) = (go(&plane, "fits").await, go(&plane, "large").await);
        plane.idempotency().finish(&fits, &kept(vec![b'x'; MAX_BODY])).await.unwrap();
        plane.idempotency().finish(&large, &kept(vec![b'x'; MAX_BODY + 1])).await.unwrap();
        let known = async |key: &str| match plane.idempotency().begin("ci", key, &ONE).await.unwrap() {
            Begun::Known(kept) => kept,
            other => panic!("{other:?}"),
        };
        assert_eq!(known("fits").await.body.len(), MAX_BODY);
        let told = known("large").await;
        let json: serde_json::Value = serde_json::from_slice(&told.body).unwrap();
        assert_eq!((told.status, &json["code"]), (409, &"answer_too_large".into()));
    })
    .await;
}

#[tokio::test]
async fn what_is_kept_goes_after_a_day_and_what_is_broken_is_found() {
    check(&invariants(), async |bench| {
        let plane = plane(bench, &[]).await;
        let claim = go(&plane, "k").await;
        plane.idempotency().finish(&claim, &kept("x")).await.unwrap();
        let space = bench.scope.keys.namespace_text().to_owned();
        let keys = bench.cli(&format!("KEYS {space}~q:quorate:idempotency:*")).await;
        let key = <Vec<String> as quorate_store::FromRedisValue>::from_redis_value(keys).unwrap().remove(0);
        let ttl =
            <i64 as quorate_store::FromRedisValue>::from_redis_value(bench.cli(&format!("PTTL {key}")).await);
        assert!((86_390_000..=86_400_000).contains(&ttl.unwrap()));
        bench.cli(&format!("PERSIST {key}")).await;
        bench.cli(&format!("HSET {space}~q:quorate:idempotency:00ff state busy")).await;
        let found = bench.mess(&invariants()).await;
        assert!(found.iter().filter(|one| one.starts_with("FSCK073")).count() == 2, "{found:?}");
        let report = quorate_audit::run(&bench.scope, &invariants(), true, &|_, _| {}).await.unwrap();
        assert_eq!((report.repaired, report.findings.len()), (2, 0));
        tokio::time::sleep(Duration::from_millis(1)).await;
    })
    .await;
}
