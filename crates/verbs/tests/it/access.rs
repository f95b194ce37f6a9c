//! Tokens, sign-ins and the audit trail, by name.

use quorate_plane::trail::Record;
use serde_json::json;

use crate::support::{Asker, entry, without};

#[tokio::test]
async fn a_token_is_made_once_listed_without_its_secret_and_revoked() {
    quorate_testkit::check(&[], async |bench| {
        let asker = Asker::on(bench).await;
        let wanted = json!({ "name": "ci", "role": "agent", "scopes": ["queues:work"], "agent": "w", "ttl": "30d" });
        let made = asker.done("tokens.create", wanted.clone()).await;
        let secret = made["token"].as_str().expect("a secret").to_owned();
        assert_eq!(
            without(made, &["token", "created_at", "expires_at"]),
            json!({ "outcome": "created", "name": "ci", "role": "agent", "scopes": ["queues:work"], "agent": "w" })
        );
        let caller = asker.call.plane.tokens().check(&secret).await.unwrap().expect("it lets its holder in");
        assert_eq!((caller.name.as_str(), caller.agent.map(|own| own.to_string())), ("ci", Some("w".to_owned())));
        let (status, why) = asker.refused("tokens.create", wanted).await;
        assert_eq!((status, &why["code"]), (409, &json!("token_exists")));
        let listed = asker.done("tokens.ls", json!({})).await;
        assert_eq!((&listed[0]["name"], &listed[0]["by"]), (&json!("ci"), &json!("tester")));
        assert!(!listed.to_string().contains(&secret));
        let gone = asker.done("tokens.revoke", json!({ "name": "ci" })).await;
        assert_eq!((&gone["outcome"], &gone["name"]), (&json!("revoked"), &json!("ci")));
        assert!(asker.call.plane.tokens().check(&secret).await.unwrap().is_none());
        let (status, why) = asker.refused("tokens.revoke", json!({ "name": "ci" })).await;
        assert_eq!((status, &why["code"]), (404, &json!("no_token")));
        asker
            .bad(
                "tokens.create",
                &[
                    json!({ "name": "a" }),
                    json!({ "name": "a b", "role": "agent" }),
                    json!({ "name": "a", "role": "king" }),
                    json!({ "name": "a", "role": "agent", "scopes": ["queues"] }),
                    json!({ "name": "a", "role": "agent", "ttl": "0s" }),
                ],
            )
            .await;
    })
    .await;
}

#[tokio::test]
async fn somebody_is_invited_appointed_and_shown_out() {
    quorate_testkit::check(&[], async |bench| {
        let asker = Asker::on(bench).await;
        let invited = asker.done("sign-ins.invite", json!({ "user": "ada", "role": "operator" })).await;
        let code = invited["code"].as_str().expect("a code").to_owned();
        assert_eq!(
            without(invited, &["code"]),
            json!({ "outcome": "invited", "user": "ada", "role": "operator" })
        );
        let sign_in = asker.call.plane.sign_in();
        let session = sign_in.redeem(&code, &Default::default()).await.unwrap().expect("the code is good");
        let listed = asker.done("sign-ins.ls", json!({ "user": "ada" })).await;
        assert_eq!((&listed[0]["user"], &listed[0]["role"]), (&json!("ada"), &json!("operator")));
        assert!(!listed.to_string().contains(&session.secret));
        let role = asker.done("sign-ins.role", json!({ "user": "ada", "role": "viewer" })).await;
        assert_eq!(
            role,
            json!({ "outcome": "appointed", "user": "ada", "role": "viewer", "before": "operator" })
        );
        let gone = asker.done("sign-ins.revoke", json!({ "user": "ada" })).await;
        assert_eq!(gone, json!({ "outcome": "revoked", "user": "ada", "sessions": 1 }));
        assert!(sign_in.check(&session.secret).await.unwrap().is_none());
        asker
            .bad(
                "sign-ins.invite",
                &[json!({ "user": "ada" }), json!({ "user": "ada", "role": "agent", "ttl": "8d" })],
            )
            .await;
        asker
            .bad(
                "sign-ins.role",
                &[json!({ "user": "a:b", "role": "none" }), json!({ "user": "ada", "role": "king" })],
            )
            .await;
    })
    .await;
}

#[tokio::test]
async fn the_trail_is_listed_and_verified() {
    quorate_testkit::check(&[], async |bench| {
        let asker = Asker::on(bench).await;
        for number in 0..3 {
            let record = Record {
                who: "tester".into(),
                via: "test".into(),
                action: "agents.revoke".into(),
                target: format!("a{number}"),
                request: format!("r{number}"),
                result: "ok".into(),
                ..Record::default()
            };
            asker.call.plane.trail().record(&record).await.unwrap();
        }
        let page = asker.done("audit.ls", json!({ "action": "agents", "limit": 2 })).await;
        assert_eq!(
            (&page["records"][0]["target"], &page["records"][1]["target"]),
            (&json!("a2"), &json!("a1"))
        );
        let next = asker.done("audit.ls", json!({ "limit": 2, "cursor": page["cursor"] })).await;
        assert_eq!(
            (&next["records"][0]["target"], next["records"].as_array().map(Vec::len)),
            (&json!("a0"), Some(1))
        );
        let whole = asker.done("audit.verify", json!({})).await;
        assert_eq!(
            (&whole["outcome"], &whole["records"], &whole["faults"]),
            (&json!("verified"), &json!(3), &json!(0))
        );
        asker
            .bad(
                "audit.ls",
                &[json!({ "since": "yesterday" }), json!({ "limit": 0 }), json!({ "cursor": "x" })],
            )
            .await;
        asker.bad("audit.verify", &[json!({ "anchor": "x" })]).await;
    })
    .await;
}

#[test]
fn whoever_is_not_trusted_with_it_is_not_offered_it() {
    for action in
        ["tokens.create", "tokens.ls", "tokens.revoke", "sign-ins.invite", "sign-ins.role", "sign-ins.ls"]
    {
        assert!(entry(action).about.scope().ends_with(":admin"), "{action}");
    }
    assert_eq!(entry("audit.ls").about.scope(), "audit:operate");
}
