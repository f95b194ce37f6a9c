//! Tokens: who is let in, until when, and that nothing in the store is a secret.

use std::time::Duration;

use crate::support::{agent, later, plane, refused};
use quorate_plane::tokens::{Level, NewToken, Role, TokenName, Via};
use quorate_plane::{Outcome, Plane, invariants};
use quorate_store::{Clock, FromRedisValue};
use quorate_testkit::{Bench, check};

fn name(text: &str) -> TokenName {
    TokenName::parse(text).unwrap()
}

async fn make(plane: &Plane, wanted: &NewToken) -> String {
    plane.tokens().create(wanted).await.unwrap().unwrap().token
}

#[tokio::test]
async fn a_token_lets_its_holder_in_as_who_it_was_made_for() {
    check(&invariants(), async |bench| {
        let plane = plane(bench, &[]).await;
        let wanted = NewToken {
            scopes: vec!["queues:work".parse().unwrap(), "locks:*".parse().unwrap()],
            agent: Some(agent("a1")),
            ..NewToken::new(name("ci"), Role::Agent, "root")
        };
        let made = plane.tokens().create(&wanted).await.unwrap().unwrap();
        assert!(made.token.starts_with("qt_") && made.token.len() == 67 && made.expires_at.is_none());
        assert!(!format!("{made:?}").contains(&made.token), "what is printed for debugging ends in a log");
        let caller = plane.tokens().check(&made.token).await.unwrap().expect("let in");
        assert_eq!(
            (caller.name.as_str(), caller.role, &caller.agent),
            ("ci", Role::Agent, &Some(agent("a1")))
        );
        assert!(caller.may("queues", Level::Work) && !caller.may("queues", Level::Read));
        assert!(caller.acts_for(&agent("a1-sub-2")) && !caller.acts_for(&agent("a2")));
        let listed = plane.tokens().ls().await.unwrap();
        assert_eq!((listed.len(), listed[0].name.as_str(), listed[0].by.as_str()), (1, "ci", "root"));
        assert_eq!(caller.via, Via::Token { id: listed[0].id.clone() });
        let shown = serde_json::to_string(&listed).unwrap() + &serde_json::to_string(&caller).unwrap();
        let hash = quorate_plane::dedupe::content_hash(made.token.as_bytes());
        assert!(!shown.contains(&made.token) && !shown.contains(hash.as_key()), "{shown}");
        for wrong in ["", "qt_", "x", &made.token[1..], &format!("{}0", made.token), &"qt_".repeat(200)] {
            assert_eq!(plane.tokens().check(wrong).await.unwrap(), None, "{wrong}");
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_many_that_ask_for_one_name_one_gets_it() {
    check(&invariants(), async |bench| {
        let plane = plane(bench, &[]).await;
        let tries = (0..32).map(|number| {
            let plane = plane.clone();
            tokio::spawn(async move {
                let wanted = NewToken::new(name("one"), Role::Viewer, format!("by-{number}"));
                plane.tokens().create(&wanted).await.unwrap()
            })
        });
        let mut made = Vec::new();
        for one in tries.collect::<Vec<_>>() {
            match one.await.unwrap() {
                Outcome::Done(created) => made.push(created),
                Outcome::Refused(refusal) => assert_eq!(refusal.code, "token_exists"),
            }
        }
        assert_eq!(made.len(), 1);
        assert!(plane.tokens().check(&made[0].token).await.unwrap().is_some());
    })
    .await;
}

#[tokio::test]
async fn a_revoked_token_lets_nobody_in_and_its_name_is_free() {
    check(&invariants(), async |bench| {
        let plane = plane(bench, &[]).await;
        let first = make(&plane, &NewToken::new(name("ci"), Role::Admin, "root")).await;
        let twice = plane.tokens().create(&NewToken::new(name("ci"), Role::Viewer, "root")).await.unwrap();
        assert_eq!(refused(twice).code, "token_exists");
        let revoked = plane.tokens().revoke(&name("ci"), "root").await.unwrap().unwrap();
        assert_eq!(revoked.role, "admin");
        assert_eq!(plane.tokens().check(&first).await.unwrap(), None);
        assert_eq!(refused(plane.tokens().revoke(&name("ci"), "root").await.unwrap()).code, "no_token");
        assert_eq!(plane.tokens().ls().await.unwrap(), vec![]);
        let second = make(&plane, &NewToken::new(name("ci"), Role::Viewer, "root")).await;
        let caller = plane.tokens().check(&second).await.unwrap().unwrap();
        assert_eq!(caller.role, Role::Viewer);
        assert_ne!(caller.via, Via::Token { id: revoked.id }, "another token of the same name");
        assert_eq!(plane.tokens().check(&first).await.unwrap(), None);
    })
    .await;
}

#[tokio::test]
async fn an_expired_token_lets_nobody_in_by_the_servers_clock() {
    check(&invariants(), async |bench| {
        let plane = plane(bench, &[]).await;
        let hour = Duration::from_secs(3_600);
        let wanted = NewToken { ttl: Some(hour), ..NewToken::new(name("short"), Role::Agent, "root") };
        let token = make(&plane, &wanted).await;
        assert!(later(bench, 3_590).tokens().check(&token).await.unwrap().is_some());
        let after = later(bench, 3_601);
        assert_eq!(after.tokens().check(&token).await.unwrap(), None);
        assert!(
            after.tokens().ls().await.unwrap()[0].expired && !plane.tokens().ls().await.unwrap()[0].expired
        );
        assert_eq!(refused(plane.tokens().create(&wanted).await.unwrap()).code, "token_exists", "not yet");
        let again = make(&after, &NewToken::new(name("short"), Role::Agent, "root")).await;
        assert!(after.tokens().check(&again).await.unwrap().is_some(), "an expired name may be given again");
        assert_eq!(
            (plane.tokens().check(&token).await.unwrap(), plane.tokens().ls().await.unwrap().len()),
            (None, 1)
        );
        for bad in [Duration::ZERO, Duration::from_secs(367 * 86_400)] {
            let wanted = NewToken { ttl: Some(bad), ..NewToken::new(name("bad"), Role::Agent, "root") };
            assert!(plane.tokens().create(&wanted).await.is_err());
        }
        assert!(
            plane.tokens().create(&NewToken::new(name("bad"), Role::Agent, "")).await.is_err(),
            "by nobody"
        );
    })
    .await;
}

#[tokio::test]
async fn use_is_noted_once_a_minute_and_a_check_is_one_call() {
    check(&invariants(), async |bench| {
        let plane = plane(bench, &[]).await;
        let token = make(&plane, &NewToken::new(name("ci"), Role::Agent, "root")).await;
        plane.tokens().check(&token).await.unwrap();
        let used = async || plane.tokens().ls().await.unwrap()[0].last_used;
        let first = used().await.expect("noted");
        let calls = async || {
            let info = bench.scope.store.info("commandstats").await.unwrap();
            info.get("cmdstat_hset").unwrap().split([',', '=']).nth(1).unwrap().parse::<u64>().unwrap()
        };
        let before = calls().await;
        for _ in 0..50 {
            plane.tokens().check(&token).await.unwrap().unwrap();
        }
        assert_eq!((used().await, calls().await), (Some(first), before), "no write for 50 checks");
        later(bench, 61).tokens().check(&token).await.unwrap().unwrap();
        assert!(used().await.unwrap() > first);
    })
    .await;
}

#[tokio::test]
async fn what_another_client_changed_lets_nobody_in_by_mistake() {
    let bench = Bench::verbatim().await;
    let plane = plane(&bench, &[]).await;
    let token = make(&plane, &NewToken::new(name("ci"), Role::Agent, "root")).await;
    let hash = quorate_plane::dedupe::content_hash(token.as_bytes());
    for (field, value) in
        [("role", "root"), ("scopes", "everything"), ("agent", "a:b"), ("expires_at", "soon")]
    {
        let key = format!("~q:quorate:token:{hash}");
        let before = String::from_redis_value(bench.cli(&format!("HGET {key} {field}")).await).unwrap();
        bench.cli(&format!("HSET {key} {field} {value}")).await;
        assert!(!matches!(plane.tokens().check(&token).await, Ok(Some(_))), "{field}={value}");
        bench.cli(&format!("HSET {key} {field} '{before}'")).await;
        assert!(plane.tokens().check(&token).await.unwrap().is_some());
    }
    bench.cli(&format!("DEL ~q:quorate:token:{hash}")).await;
    bench.cli(&format!("SET ~q:quorate:token:{hash} x")).await;
    assert!(plane.tokens().check(&token).await.is_err(), "another type is a fault, not a way in");
}

#[tokio::test]
async fn the_list_of_tokens_is_put_right() {
    check(&invariants(), async |bench| {
        let plane = plane(bench, &[]).await;
        let token = make(&plane, &NewToken::new(name("ci"), Role::Agent, "root")).await;
        let list = format!("{}~q:quorate:token_names", bench.scope.keys.namespace_text());
        bench.cli(&format!("DEL {list}")).await;
        bench.cli(&format!("HSET {list} ghost 00ff")).await;
        let found = bench.mess(&invariants()).await;
        assert!(found.len() == 2 && found.iter().all(|one| one.starts_with("FSCK070")), "{found:?}");
        let report = quorate_audit::run(&bench.scope, &invariants(), true, &|_, _| {}).await.unwrap();
        assert_eq!((report.repaired, report.findings.len()), (2, 0));
        assert_eq!(plane.tokens().ls().await.unwrap().len(), 1);
        plane.tokens().revoke(&name("ci"), "root").await.unwrap().unwrap();
        assert_eq!(plane.tokens().check(&token).await.unwrap(), None);
    })
    .await;
}

/// A clock that goes back does not bring anybody back in for longer than the token's own end says.
#[tokio::test]
async fn an_end_is_an_instant_and_not_a_time_to_live() {
    check(&invariants(), async |bench| {
        let plane = plane(bench, &[]).await;
        let wanted =
            NewToken { ttl: Some(Duration::from_millis(300)), ..NewToken::new(name("s"), Role::Agent, "r") };
        let token = make(&plane, &wanted).await;
        tokio::time::sleep(Duration::from_millis(350)).await;
        assert_eq!(plane.tokens().check(&token).await.unwrap(), None);
        let back = crate::support::at_clock(bench, Clock::Offset(-10_000_000));
        assert!(
            back.tokens().check(&token).await.unwrap().is_some(),
            "the record is there, and its end is not reached"
        );
    })
    .await;
}
