//! Sessions of people against the seed's own commands, in both directions.

use std::collections::HashMap;
use std::time::Duration;

use crate::support::plane;
use quorate_catalog::FamilyId;
use quorate_catalog::ids::UserId;
use quorate_plane::Plane;
use quorate_plane::sign_in::{NewSession, Seen};
use quorate_plane::tokens::Role;
use quorate_store::{FromRedisValue, Micros};
use quorate_testkit::Bench;
use quorate_testkit::conformance::both_directions;

const WRITTEN: &str = "HSET ade:session:s-1 user_id user-789 user_name 'Ada L' roles '[\"approver\"]' permissions '[\"tasks:read\"]' \
    created_at 2026-03-18T15:30:00Z last_active 2026-03-18T15:31:00Z ip_address 10.0.0.1 user_agent curl/8";

fn user() -> UserId {
    UserId::parse("user-789").unwrap()
}

async fn signed_in(plane: &Plane) -> NewSession {
    let code = plane.sign_in().invite(&user(), Role::Operator, Duration::from_secs(60)).await.unwrap();
    let seen = Seen { ip: "10.0.0.2".into(), user_agent: "Studio".into() };
    plane.sign_in().redeem(&code, &seen).await.unwrap().unwrap()
}

async fn fields(bench: &Bench, id: &str) -> HashMap<String, String> {
    HashMap::from_redis_value(bench.cli(&format!("HGETALL ade:session:{id}")).await).unwrap()
}

#[tokio::test]
async fn ade_login_session() {
    both_directions(
        FamilyId::AdeLoginSession,
        async |bench| {
            let plane = plane(bench, &[]).await;
            bench.cli(WRITTEN).await;
            bench.cli("EXPIRE ade:session:s-1 86400").await;
            bench.cli("SADD ade:session:index:user:user-789 s-1").await;
            let listed = plane.sign_in().ls(Some(&user())).await.unwrap();
            let one = &listed[0];
            assert_eq!((one.id.as_str(), one.user.as_str(), one.foreign), ("s-1", "user-789", true));
            assert_eq!((one.ip_address.as_deref(), one.role), (Some("10.0.0.1"), None), "what it says of roles is not trusted");
            // The seed names a session by its secret; ours is found by a hash, and only with our record beside it.
            assert_eq!(plane.sign_in().check("s-1").await.unwrap(), None);
            let forged = "qs_00".to_owned();
            let hash = quorate_plane::dedupe::content_hash(forged.as_bytes());
            bench.cli(&format!("HSET ade:session:{hash} user_id user-789 roles '[\"admin\"]' created_at 2026-03-18T15:30:00Z")).await;
            assert_eq!(plane.sign_in().check(&forged).await.unwrap(), None, "a written session lets nobody in");
        },
        async |bench| {
            let plane = plane(bench, &[]).await;
            let session = signed_in(&plane).await;
            let id = plane.sign_in().ls(None).await.unwrap()[0].id.clone();
            assert_eq!(id, quorate_plane::dedupe::content_hash(session.secret.as_bytes()).to_string());
            let found = fields(bench, &id).await;
            let word = |name: &str| found.get(name).map(String::as_str);
            assert_eq!((word("user_id"), word("user_name")), (Some("user-789"), Some("user-789")));
            assert_eq!((word("ip_address"), word("user_agent")), (Some("10.0.0.2"), Some("Studio")));
            assert_eq!(word("roles"), Some("[\"operator\"]"));
            assert_eq!(word("permissions"), Some("[\"read\",\"work\",\"operate\"]"));
            for time in ["created_at", "last_active"] {
                assert!(Micros::parse_iso(word(time).unwrap()).is_some(), "{time} is ISO 8601");
            }
            assert_eq!(found.len(), 8, "the seed's fields and no others: {found:?}");
            let ttl = i64::from_redis_value(bench.cli(&format!("TTL ade:session:{id}")).await).unwrap();
            assert!((1..=86_400).contains(&ttl));
            // A client of the seed signs somebody out by deleting the key.
            bench.cli(&format!("DEL ade:session:{id}")).await;
            assert_eq!(plane.sign_in().check(&session.secret).await.unwrap(), None);
        },
    )
    .await;
}

#[tokio::test]
async fn ade_login_sessions_by_user() {
    both_directions(
        FamilyId::AdeLoginSessionsByUser,
        async |bench| {
            let plane = plane(bench, &[]).await;
            bench.cli(WRITTEN).await;
            bench.cli("SADD ade:session:index:user:user-789 s-1 s-gone").await;
            let listed = plane.sign_in().ls(Some(&user())).await.unwrap();
            assert_eq!(listed.iter().map(|one| one.id.as_str()).collect::<Vec<_>>(), ["s-1"]);
            assert_eq!(plane.sign_in().revoke_user(&user()).await.unwrap(), 2);
            let gone = i64::from_redis_value(
                bench.cli("EXISTS ade:session:s-1 ade:session:index:user:user-789").await,
            );
            assert_eq!(gone.unwrap(), 0, "sessions of other clients end too");
        },
        async |bench| {
            let plane = plane(bench, &[]).await;
            bench.cli("SADD ade:session:index:user:user-789 s-gone").await;
            let session = signed_in(&plane).await;
            let members = bench.cli("SMEMBERS ade:session:index:user:user-789").await;
            let hash = quorate_plane::dedupe::content_hash(session.secret.as_bytes()).to_string();
            assert_eq!(Vec::<String>::from_redis_value(members).unwrap(), [hash], "what is gone has left");
            let ttl = i64::from_redis_value(bench.cli("TTL ade:session:index:user:user-789").await).unwrap();
            assert!((86_000..=86_400).contains(&ttl));
            assert!(plane.sign_in().close(&session.secret).await.unwrap());
            let gone =
                i64::from_redis_value(bench.cli("EXISTS ade:session:index:user:user-789").await).unwrap();
            assert_eq!(gone, 0);
        },
    )
    .await;
}
