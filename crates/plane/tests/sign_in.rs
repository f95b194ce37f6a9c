//! Sessions of people: how they begin, when they end, and who still has which role.

use std::collections::BTreeSet;
use std::time::Duration;

use crate::support::{later, plane};
use quorate_catalog::ids::UserId;
use quorate_plane::sign_in::{NewSession, Seen};
use quorate_plane::tokens::{Caller, Level, NewToken, Role, TokenName, Via};
use quorate_plane::{Plane, invariants};
use quorate_store::FromRedisValue;
use quorate_testkit::{Bench, check};

const HOUR: Duration = Duration::from_secs(3_600);

fn user(name: &str) -> UserId {
    UserId::parse(name).unwrap()
}

fn seen() -> Seen {
    Seen { ip: "127.0.0.1".into(), user_agent: "test".into() }
}

async fn signed_in(plane: &Plane, name: &str, role: Role) -> NewSession {
    let code = plane.sign_in().invite(&user(name), role, HOUR).await.unwrap();
    plane.sign_in().redeem(&code, &seen()).await.unwrap().expect("signed in")
}

async fn by_token(plane: &Plane, name: &str, role: Role, ttl: Option<Duration>) -> (Caller, NewSession) {
    let wanted = NewToken { ttl, ..NewToken::new(TokenName::parse(name).unwrap(), role, "root") };
    let token = plane.tokens().create(&wanted).await.unwrap().unwrap().token;
    let caller = plane.tokens().check(&token).await.unwrap().unwrap();
    let session = plane.sign_in().open(&caller, &seen()).await.unwrap();
    (caller, session)
}

async fn is_in(plane: &Plane, session: &NewSession) -> bool {
    plane.sign_in().check(&session.secret).await.unwrap().is_some()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_many_that_bring_one_code_one_is_signed_in() {
    check(&invariants(), async |bench| {
        let plane = plane(bench, &[]).await;
        for round in 0..5 {
            let code =
                plane.sign_in().invite(&user(&format!("u{round}")), Role::Operator, HOUR).await.unwrap();
            let tries = (0..32).map(|_| {
                let (plane, code) = (plane.clone(), code.clone());
                tokio::spawn(async move { plane.sign_in().redeem(&code, &seen()).await.unwrap() })
            });
            let mut sessions = Vec::new();
            for one in tries.collect::<Vec<_>>() {
                sessions.extend(one.await.unwrap());
            }
            assert_eq!(sessions.len(), 1);
            let caller = plane.sign_in().check(&sessions[0].secret).await.unwrap().unwrap();
            assert_eq!((caller.name, caller.role), (format!("u{round}"), Role::Operator));
            assert_eq!(plane.sign_in().redeem(&code, &seen()).await.unwrap(), None, "a code is used once");
        }
    })
    .await;
}

#[tokio::test]
async fn a_code_ends_and_a_wrong_one_opens_nothing() {
    check(&invariants(), async |bench| {
        let plane = plane(bench, &[]).await;
        let code = plane.sign_in().invite(&user("u"), Role::Viewer, HOUR).await.unwrap();
        assert_eq!(later(bench, 3_601).sign_in().redeem(&code, &seen()).await.unwrap(), None);
        for wrong in ["", "qi_", "qi_00", &code[1..], &format!("{code}0"), &"qi_".repeat(500)] {
            assert_eq!(plane.sign_in().redeem(wrong, &seen()).await.unwrap(), None, "{wrong}");
        }
        for bad in [Duration::ZERO, Duration::from_secs(8 * 86_400)] {
            assert!(plane.sign_in().invite(&user("u"), Role::Viewer, bad).await.is_err());
        }
        assert!(plane.sign_in().redeem(&code, &seen()).await.unwrap().is_some());
        assert_eq!(plane.sign_in().check(&code).await.unwrap(), None, "a code is no session");
    })
    .await;
}

#[tokio::test]
async fn a_session_ends_unused_after_two_hours_and_used_after_a_day() {
    check(&invariants(), async |bench| {
        let plane = plane(bench, &[]).await;
        let (idle, used) =
            (signed_in(&plane, "idle", Role::Viewer).await, signed_in(&plane, "used", Role::Viewer).await);
        for quarter in 1..=95_i64 {
            let then = later(bench, quarter * 900);
            assert!(is_in(&then, &used).await, "after {quarter} quarters of an hour");
            if quarter == 7 {
                assert_eq!(then.sign_in().ls(Some(&user("idle"))).await.unwrap().len(), 1);
            }
        }
        assert!(!is_in(&later(bench, 7_201), &idle).await, "nobody used it");
        assert!(!is_in(&later(bench, 86_401), &used).await, "used all the time, and a day old");
        assert_eq!(plane.sign_in().ls(None).await.unwrap(), vec![], "what has ended is in no list");
    })
    .await;
}

#[tokio::test]
async fn use_is_noted_once_a_minute() {
    let bench = Bench::verbatim().await;
    let plane = plane(&bench, &[]).await;
    let session = signed_in(&plane, "u", Role::Viewer).await;
    let noted = async || plane.sign_in().ls(Some(&user("u"))).await.unwrap()[0].last_active.clone();
    let first = noted().await;
    for _ in 0..20 {
        assert!(is_in(&later(&bench, 50), &session).await);
    }
    assert_eq!(noted().await, first);
    assert!(is_in(&later(&bench, 61), &session).await);
    assert!(noted().await > first);
}

#[tokio::test]
async fn a_role_that_was_taken_away_is_gone_with_the_next_check() {
    check(&invariants(), async |bench| {
        let plane = plane(bench, &[]).await;
        let session = signed_in(&plane, "u", Role::Admin).await;
        let role = async || plane.sign_in().check(&session.secret).await.unwrap().map(|caller| caller.role);
        assert_eq!(role().await, Some(Role::Admin));
        assert_eq!(
            plane.sign_in().set_role(&user("u"), Some(Role::Viewer)).await.unwrap(),
            Some(Role::Admin)
        );
        assert_eq!(role().await, Some(Role::Viewer));
        let shown = plane.sign_in().ls(Some(&user("u"))).await.unwrap();
        assert_eq!(shown[0].role, Some(Role::Viewer));
        let code = plane.sign_in().invite(&user("u"), Role::Admin, HOUR).await.unwrap();
        assert_eq!(role().await, Some(Role::Viewer), "a code changes nothing before it is used");
        plane.sign_in().set_role(&user("u"), None).await.unwrap();
        assert_eq!(role().await, None);
        assert_eq!(
            plane.sign_in().redeem(&code, &seen()).await.unwrap(),
            None,
            "made before the role was taken away"
        );
        let back = signed_in(&plane, "u", Role::Reviewer).await;
        let caller = plane.sign_in().check(&back.secret).await.unwrap().unwrap();
        assert!(caller.may("approvals", Level::Review) && !caller.may("queues", Level::Work));
    })
    .await;
}

#[tokio::test]
async fn a_session_by_token_ends_with_the_token_and_has_its_role() {
    check(&invariants(), async |bench| {
        let plane = plane(bench, &[]).await;
        let (caller, session) = by_token(&plane, "ci", Role::Operator, None).await;
        let found = plane.sign_in().check(&session.secret).await.unwrap().unwrap();
        assert_eq!((found.name.as_str(), found.role), ("ci", Role::Operator));
        assert!(matches!(found.via, Via::Session { .. }));
        assert!(plane.sign_in().open(&found, &seen()).await.is_err(), "a session opens no session");
        plane.tokens().revoke(&TokenName::parse("ci").unwrap(), "root").await.unwrap().unwrap();
        assert!(!is_in(&plane, &session).await);
        assert!(plane.sign_in().open(&caller, &seen()).await.is_err(), "nor does a revoked token");
        let (_, again) = by_token(&plane, "ci", Role::Viewer, Some(HOUR)).await;
        assert!(!is_in(&plane, &session).await, "another token of the same name brings nobody back");
        assert!(is_in(&later(bench, 3_500), &again).await && !is_in(&later(bench, 3_601), &again).await);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_is_cut_off_is_out_at_once_with_every_session_and_code() {
    check(&invariants(), async |bench| {
        let plane = plane(bench, &[]).await;
        let mut sessions = Vec::new();
        for _ in 0..450 {
            sessions.push(signed_in(&plane, "u", Role::Operator).await);
        }
        let other = signed_in(&plane, "v", Role::Operator).await;
        // A session that no list names is out too.
        let hidden = signed_in(&plane, "u", Role::Operator).await;
        let hash = quorate_plane::dedupe::content_hash(hidden.secret.as_bytes());
        let space = bench.scope.keys.namespace_text();
        bench.cli(&format!("SREM {space}ade:session:index:user:u {hash}")).await;
        bench.cli(&format!("ZREM {space}~q:ade:logins {hash}:u")).await;
        let code = plane.sign_in().invite(&user("u"), Role::Admin, HOUR).await.unwrap();
        assert_eq!(plane.sign_in().ls(Some(&user("u"))).await.unwrap().len(), 450);
        assert_eq!(plane.sign_in().revoke_user(&user("u")).await.unwrap(), 450);
        for session in sessions.iter().chain([&hidden]) {
            assert!(!is_in(&plane, session).await);
        }
        assert_eq!(plane.sign_in().redeem(&code, &seen()).await.unwrap(), None);
        assert!(is_in(&plane, &other).await);
        assert_eq!(plane.sign_in().ls(None).await.unwrap().len(), 1);
        assert_eq!(plane.sign_in().revoke_user(&user("nobody")).await.unwrap(), 0);
        let again = signed_in(&plane, "u", Role::Viewer).await;
        assert!(is_in(&plane, &again).await, "a new code lets them in again");
    })
    .await;
}

#[tokio::test]
async fn closing_ends_one_session_and_only_that() {
    check(&invariants(), async |bench| {
        let plane = plane(bench, &[]).await;
        let (one, two) =
            (signed_in(&plane, "u", Role::Viewer).await, signed_in(&plane, "u", Role::Viewer).await);
        assert!(
            plane.sign_in().close(&one.secret).await.unwrap()
                && !plane.sign_in().close(&one.secret).await.unwrap()
        );
        assert!(!is_in(&plane, &one).await && is_in(&plane, &two).await);
        assert!(!plane.sign_in().close("nonsense").await.unwrap());
        assert_eq!(plane.sign_in().ls(Some(&user("u"))).await.unwrap().len(), 1);
    })
    .await;
}

/// What the seed says of roles and permissions is what the roles allow.
#[tokio::test]
async fn ades_record_shows_what_each_role_allows() {
    let bench = Bench::verbatim().await;
    let plane = plane(&bench, &[]).await;
    for role in Role::ALL {
        signed_in(&plane, role.as_str(), role).await;
        let id = plane.sign_in().ls(Some(&user(role.as_str()))).await.unwrap()[0].id.clone();
        let words = Vec::<String>::from_redis_value(
            bench.cli(&format!("HMGET ade:session:{id} roles permissions")).await,
        );
        let levels: Vec<&str> = role.levels().iter().map(|level| level.as_str()).collect();
        let expected = [serde_json::json!([role]).to_string(), serde_json::json!(levels).to_string()];
        assert_eq!(words.unwrap(), expected);
    }
}

/// Maintenance takes what has ended out of the lists, and nothing else.
#[tokio::test]
async fn what_has_ended_leaves_the_lists_without_anybody_asking() {
    check(&invariants(), async |bench| {
        let plane = plane(bench, &[]).await;
        let mut names = BTreeSet::new();
        for number in 0..40 {
            let name = format!("u{number}");
            signed_in(&plane, &name, Role::Viewer).await;
            names.insert(name);
        }
        let kept = signed_in(&later(bench, 7_000), "late", Role::Viewer).await;
        quorate_plane::maintenance::tick(&later(bench, 7_300)).await.unwrap();
        let left = plane.sign_in().ls(None).await.unwrap();
        assert_eq!(left.iter().map(|one| one.user.as_str()).collect::<Vec<_>>(), ["late"]);
        assert!(is_in(&later(bench, 7_300), &kept).await);
        let sets = bench.cli(&format!("KEYS {}ade:session:index:*", bench.scope.keys.namespace_text())).await;
        assert_eq!(Vec::<String>::from_redis_value(sets).unwrap().len(), 1);
    })
    .await;
}

#[tokio::test]
async fn the_lists_are_put_right_in_both_directions() {
    check(&invariants(), async |bench| {
        let plane = plane(bench, &[]).await;
        let session = signed_in(&plane, "u", Role::Viewer).await;
        let space = bench.scope.keys.namespace_text().to_owned();
        bench.cli(&format!("DEL {space}ade:session:index:user:u")).await;
        bench.cli(&format!("DEL {space}~q:ade:logins")).await;
        bench.cli(&format!("SADD {space}ade:session:index:user:w 00ff")).await;
        bench.cli(&format!("ZADD {space}~q:ade:logins 99999999999999 00ee:w")).await;
        let found = bench.mess(&invariants()).await;
        let count = |code: &str| found.iter().filter(|one| one.starts_with(code)).count();
        assert_eq!((count("FSCK071"), count("FSCK072"), found.len()), (2, 2, 4), "{found:?}");
        let report = quorate_audit::run(&bench.scope, &invariants(), true, &|_, _| {}).await.unwrap();
        assert_eq!((report.repaired, report.findings.len()), (4, 0), "{:?}", report.findings);
        assert!(is_in(&plane, &session).await);
        assert_eq!(plane.sign_in().revoke_user(&user("u")).await.unwrap(), 1);
    })
    .await;
}

#[tokio::test]
async fn operators_set_how_long_sessions_last() {
    let bench = Bench::verbatim().await;
    bench.cli("SET ade:config:sign_in:idle_timeout 600").await;
    bench.cli("SET ade:config:sign_in:max_age 1800").await;
    let plane = plane(&bench, &[]).await;
    let session = signed_in(&plane, "u", Role::Viewer).await;
    assert!(is_in(&later(&bench, 599), &session).await && is_in(&later(&bench, 1_190), &session).await);
    assert!(is_in(&later(&bench, 1_700), &session).await && !is_in(&later(&bench, 1_801), &session).await);
    let second = signed_in(&plane, "u", Role::Viewer).await;
    assert!(!is_in(&later(&bench, 601), &second).await);
}

/// X5: the store never gets a secret in clear: not as a key, not as a value, not as an argument.
#[tokio::test]
async fn the_store_never_gets_a_secret() {
    let bench = Bench::verbatim().await;
    for line in ["slowlog-log-slower-than 0", "slowlog-max-len 10000", "rdbcompression no"] {
        bench.cli(&format!("CONFIG SET {line}")).await;
    }
    let plane = plane(&bench, &[]).await;
    let name = TokenName::parse("ci").unwrap();
    let token = plane
        .tokens()
        .create(&NewToken::new(name.clone(), Role::Admin, "root"))
        .await
        .unwrap()
        .unwrap()
        .token;
    let caller = plane.tokens().check(&token).await.unwrap().unwrap();
    let code = plane.sign_in().invite(&user("u"), Role::Admin, HOUR).await.unwrap();
    let one = plane.sign_in().redeem(&code, &seen()).await.unwrap().unwrap();
    let two = plane.sign_in().open(&caller, &seen()).await.unwrap();
    let three = plane.sign_in().open(&caller, &seen()).await.unwrap();
    for session in [&one, &two, &three] {
        let caller = plane.sign_in().check(&session.secret).await.unwrap().unwrap();
        let after =
            Some(serde_json::json!({ "secret": session.secret, "caller": caller, "deep": [token, code] }));
        let request = quorate_plane::random_id();
        let record = quorate_plane::trail::Record { after, request, ..Default::default() };
        plane.trail().record(&record).await.unwrap();
    }
    plane.sign_in().close(&three.secret).await.unwrap();
    let bytes = |value: quorate_store::Value| format!("{value:?}");
    let mut held = bytes(bench.cli("SLOWLOG GET -1").await);
    assert!(held.contains("EVALSHA") && held.contains("HSET"), "every command is written down");
    for key in Vec::<String>::from_redis_value(bench.cli("KEYS *").await).unwrap() {
        held += &key;
        let dump = Vec::<u8>::from_redis_value(bench.cli(&format!("DUMP '{key}'")).await).unwrap();
        held += &String::from_utf8_lossy(&dump);
    }
    assert!(held.contains("~q:quorate:token:") && held.contains("[redacted]"));
    for secret in [&token, &code, &one.secret, &two.secret, &three.secret] {
        assert!(!held.contains(&secret[3..]), "a secret is in the store");
    }
}
