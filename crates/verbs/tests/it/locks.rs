//! Who holds what, by name.

use std::time::Duration;

use quorate_verbs::Fault;
use serde_json::{Value, json};
use tokio::time::{sleep, timeout};

use crate::support::{Asker, without};

#[tokio::test]
async fn a_lock_is_taken_renewed_guarded_and_given_back() {
    quorate_testkit::check_verbatim(&[], async |bench| {
        let asker = Asker::on(bench).await;
        asker.registers(&["a", "b"]).await;
        let taken = asker.done("locks.acquire", json!({ "lock": "name:x", "agent": "a", "ttl": "20s", "purpose": "p" })).await;
        let token = taken["token"].as_u64().expect("a number");
        let grant = without(taken["grants"][0].clone(), &["expires_at", "request"]);
        assert_eq!(grant, json!({ "lock": "name:x", "token": token }));
        let head = without(taken, &["expires_at", "request", "grants"]);
        assert_eq!(head, json!({ "outcome": "granted", "lock": "name:x", "token": token, "durable": false }));

        let (status, held) = asker.refused("locks.acquire", json!({ "lock": "name:x", "agent": "b" })).await;
        assert_eq!((status, &held["outcome"], &held["code"], &held["holder"]), (409, &json!("refused"), &json!("held"), &json!("a")));
        let renewed = asker.done("locks.renew", json!({ "lock": "name:x", "agent": "a", "token": token, "ttl": "40s" })).await;
        assert_eq!(without(renewed, &["expires_at", "request"]), json!({ "outcome": "renewed", "lock": "name:x", "token": token }));
        let shown = asker.done("locks.show", json!({ "lock": "name:x" })).await;
        assert_eq!((&shown["waiting"], &shown["holders"][0]["agent"], &shown["holders"][0]["purpose"]), (&json!(0), &json!("a"), &json!("p")));
        let listed = asker.done("locks.ls", json!({ "agent": "a" })).await[0].clone();
        assert_eq!((&listed["acquired_at"], &listed["expires_at"]), (&shown["holders"][0]["acquired_at"], &shown["holders"][0]["expires_at"]));
        assert_eq!(without(listed, &["acquired_at", "expires_at"]), json!({ "lock": "name:x", "agent": "a", "mode": "exclusive" }));
        assert_eq!(asker.done("locks.ls", json!({})).await.as_array().map(Vec::len), Some(1));

        let write = |token: u64| json!({ "lock": "name:x", "token": token, "write": ["HSET", "ade:agent:capacity:z", "status", "1"] });
        assert_eq!(asker.done("locks.guard", write(token)).await["outcome"], "written");
        let (status, stale) = asker.refused("locks.guard", write(9)).await;
        assert_eq!((status, &stale["code"], &stale["lock"]), (409, &json!("stale_fence"), &json!("name:x")));
        let nx = json!({ "lock": "name:x", "token": token, "write": ["HSETNX", "ade:agent:capacity:z", "status", "2"] });
        assert_eq!(asker.done("locks.guard", nx).await, json!({ "outcome": "unchanged", "reply": "0" }));
        let nil = json!({ "lock": "name:x", "token": token, "write": ["SET", "nothing", "2", "XX"] });
        assert_eq!(asker.done("locks.guard", nil).await, json!({ "outcome": "unchanged", "reply": null }));
        bench.cli("DEL ade:agent:capacity:z").await;
        let back = json!({ "lock": "name:x", "agent": "a", "token": token });
        assert_eq!(asker.done("locks.release", back.clone()).await, json!({ "outcome": "released", "lock": "name:x" }));
        assert_eq!(asker.done("locks.ls", json!({})).await, json!([]), "a string that was released is not held");
        let late = json!({ "lock": "name:x", "agent": "b", "token": 7 });
        let (status, why) = asker.refused("locks.release", late).await;
        assert_eq!((status, &why["lock"]), (409, &json!("name:x")));
    })
    .await;
}

#[tokio::test]
async fn several_are_taken_together_or_not_at_all() {
    quorate_testkit::check(&[], async |bench| {
        let asker = Asker::on(bench).await;
        asker.registers(&["a", "b"]).await;
        asker.done("locks.acquire", json!({ "lock": "task:2", "agent": "b" })).await;
        let both = json!({ "lock": "task:1", "locks": ["task:2"], "agent": "a" });
        let (_, why) = asker.refused("locks.acquire", both).await;
        assert_eq!(why["code"], "held");
        assert_eq!(asker.done("locks.show", json!({ "lock": "task:1" })).await["holders"], json!([]));
        let both =
            asker.done("locks.acquire", json!({ "lock": "task:1", "locks": ["name:n"], "agent": "a" })).await;
        assert_eq!(both["grants"].as_array().map(Vec::len), Some(2));
    })
    .await;
}

#[tokio::test]
async fn what_is_not_granted_is_no_success() {
    quorate_testkit::check(&[], async |bench| {
        let asker = Asker::on(bench).await;
        asker.registers(&["a", "b", "c"]).await;
        let take =
            |lock: &str, agent: &str, wait: &str| json!({ "lock": lock, "agent": agent, "wait": wait });
        asker.done("locks.acquire", take("name:x", "a", "0s")).await;
        asker.done("locks.acquire", take("name:y", "b", "0s")).await;
        let (status, late) = asker.refused("locks.acquire", take("name:x", "b", "50ms")).await;
        assert_eq!(
            (status, &late["outcome"], &late["code"]),
            (409, &json!("timed_out"), &json!("timed_out"))
        );

        let (waits, other) = (asker.ask("locks.acquire", take("name:y", "a", "10s")), async {
            sleep(Duration::from_millis(200)).await;
            asker.refused("locks.acquire", take("name:x", "b", "10s")).await
        });
        let queued = json!({ "lock": "name:x", "agent": "c", "wait": "1m", "detach": true });
        let (first, (status, ring)) = tokio::join!(timeout(Duration::from_millis(800), waits), other);
        assert!(first.is_err(), "it waits on");
        assert_eq!((status, &ring["outcome"], &ring["code"]), (409, &json!("deadlock"), &json!("deadlock")));
        assert_eq!(ring["cycle"].as_array().map(Vec::len), Some(2));
        let queued = asker.done("locks.acquire", queued).await;
        assert_eq!((&queued["outcome"], &queued["position"]), (&json!("queued"), &json!(1)));
        let waits = asker.done("locks.waits", json!({})).await;
        let of_c = waits.as_array().unwrap().iter().find(|wait| wait["agent"] == "c").unwrap();
        assert_eq!((&of_c["lock"], &of_c["behind"]), (&json!("name:x"), &json!(["a"])));
        assert_eq!(
            asker.done("locks.deadlocks", json!({})).await,
            json!({ "deadlocks": [], "broken": false })
        );
        assert_eq!(asker.done("locks.break", json!({})).await, json!({ "deadlocks": [], "broken": false }));
    })
    .await;
}

#[tokio::test]
async fn a_place_is_given_up_once_and_only_by_who_may() {
    quorate_testkit::check(&[], async |bench| {
        let asker = Asker::on(bench).await;
        asker.registers(&["a", "b", "c"]).await;
        let held = asker.done("locks.acquire", json!({ "lock": "name:x", "agent": "a" })).await;
        let place = async |agent: &str| {
            asker
                .done(
                    "locks.acquire",
                    json!({ "lock": "name:x", "agent": agent, "wait": "1m", "detach": true }),
                )
                .await["request"]
                .clone()
        };
        let (of_b, of_c) = (place("b").await, place("c").await);
        let cancel = |request: &Value| json!({ "lock": "name:x", "request": request });
        let (status, why) = asker.bound("c").refused("locks.cancel", cancel(&of_b)).await;
        assert_eq!((status, &why["code"], &why["lock"]), (404, &json!("no_request"), &json!("name:x")));
        assert_eq!(
            asker.bound("b").done("locks.cancel", cancel(&of_b)).await,
            json!({ "outcome": "cancelled", "lock": "name:x" })
        );
        assert_eq!(asker.refused("locks.cancel", cancel(&of_b)).await.0, 404, "it is gone");
        asker.done("locks.release", json!({ "lock": "name:x", "agent": "a", "token": held["token"] })).await;
        let (status, why) = asker.refused("locks.cancel", cancel(&of_c)).await;
        let shown = asker.done("locks.show", json!({ "lock": "name:x" })).await;
        assert_eq!(
            (status, &why["code"], &why["token"]),
            (409, &json!("already_granted"), &shown["holders"][0]["token"])
        );
        assert!(matches!(
            asker.ask("locks.cancel", cancel(&json!("a b"))).await,
            Err(Fault::BadInput { .. })
        ));
    })
    .await;
}

/// A client that hangs up while it waits must leave neither a place in the queue nor a lock that nobody knows of.
#[tokio::test]
async fn whoever_goes_away_gives_up_its_place_and_what_it_had() {
    quorate_testkit::check(&[], async |bench| {
        let asker = Asker::on(bench).await;
        asker.registers(&["a", "b"]).await;
        asker.done("locks.acquire", json!({ "lock": "name:y", "agent": "b" })).await;
        let wanted = json!({ "lock": "name:x", "locks": ["name:y"], "agent": "a", "wait": "1m" });
        let gone = timeout(Duration::from_millis(300), asker.ask("locks.acquire", wanted)).await;
        assert!(gone.is_err(), "it waited");
        let mut left = Value::Null;
        for _ in 0..50 {
            let (x, y) = (json!({ "lock": "name:x" }), json!({ "lock": "name:y" }));
            let (x, y) = (asker.done("locks.show", x).await, asker.done("locks.show", y).await);
            left = json!([x["holders"].as_array().map(Vec::len), y["waiting"]]);
            if left == json!([0, 0]) {
                return;
            }
            sleep(Duration::from_millis(50)).await;
        }
        panic!("holders of x and waiters of y: {left}");
    })
    .await;
}

#[tokio::test]
async fn a_repeated_request_is_the_same_hold() {
    quorate_testkit::check(&[], async |bench| {
        let asker = Asker::on(bench).await;
        asker.registers(&["a"]).await;
        let wanted = json!({ "lock": "task:1", "locks": ["task:2"], "agent": "a" });
        let first = asker.named("req-1").done("locks.acquire", wanted.clone()).await;
        assert_eq!(first["request"], "req-1");
        let again = asker.named("req-1").done("locks.acquire", wanted).await;
        let tokens = |answer: &Value| json!([answer["grants"][0]["token"], answer["grants"][1]["token"]]);
        assert_eq!(tokens(&first), tokens(&again));
    })
    .await;
}

#[tokio::test]
async fn what_cannot_be_locked_or_by_whom_is_said() {
    quorate_testkit::check(&[], async |bench| {
        let asker = Asker::on(bench).await;
        asker.registers(&["a"]).await;
        let bad = |lock: &str| json!({ "lock": lock, "agent": "a" });
        let mut inputs = vec![bad(""), bad("x"), bad("task:"), bad("file:../x"), bad("name:~q")];
        inputs.extend([
            json!({ "agent": "a" }),
            json!({ "lock": "name:x" }),
            json!({ "lock": "name:x", "agent": "a", "shared": true }),
            json!({ "lock": "name:x", "agent": "a", "ttl": "0s" }),
            json!({ "lock": "name:x", "agent": "a", "priority": 101 }),
            json!({ "lock": "name:x", "agent": "a", "lock_delay": "2m" }),
            json!({ "lock": "name:x", "agent": "a", "purpose": "p".repeat(1_025) }),
            json!({ "lock": "name:x", "locks": ["name:y"], "agent": "a", "detach": true }),
        ]);
        asker.bad("locks.acquire", &inputs).await;
        asker.bad("locks.guard", &[json!({ "lock": "name:x", "token": 1, "write": ["FLUSHALL"] })]).await;
        let (status, why) =
            asker.refused("locks.acquire", json!({ "lock": "name:x", "agent": "nobody" })).await;
        assert_eq!((status, &why["code"]), (404, &json!("unregistered")));
        let (_, why) =
            asker.refused("locks.steal", json!({ "lock": "name:x", "agent": "a", "owner": "b" })).await;
        assert_eq!((&why["code"], &why["lock"]), (&json!("not_stealable"), &json!("name:x")));
        let own = asker.bound("a");
        for (action, more) in [
            ("locks.acquire", json!({})),
            ("locks.renew", json!({ "token": 1 })),
            ("locks.release", json!({ "token": 1 })),
        ] {
            let mut input = json!({ "lock": "name:x", "agent": "b" });
            input.as_object_mut().unwrap().extend(more.as_object().cloned().unwrap());
            assert!(matches!(own.fault(action, input).await, Fault::NotYours(_)), "{action}");
        }
    })
    .await;
}

/// Such a grant is given back where no replica has it, so whoever has one may rely on it.
#[test]
fn a_durable_grant_says_that_it_is_one() {
    let (on, who) = ("name:x".parse().unwrap(), quorate_catalog::ids::AgentId::parse("a").unwrap());
    let wanted =
        quorate_plane::locks::Request { durable: true, ..quorate_plane::locks::Request::new(on, who) };
    let grant = quorate_plane::locks::Grant {
        fence: 7,
        expires_at: quorate_store::Micros::from_millis(1),
        request: wanted.request.clone(),
        again: false,
    };
    let granted = quorate_plane::Outcome::Done(vec![quorate_plane::locks::Acquire::Granted(grant)]);
    let quorate_verbs::Verdict::Done(told) = quorate_verbs::locks::verdict(&[wanted], granted) else {
        panic!("granted")
    };
    assert_eq!(serde_json::to_value(told).unwrap()["durable"], true);
}
