//! Servers that die between an effect and its answer: a repeat has no second effect.

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::support::{agent, plane};
use quorate_catalog::ids::UserId;
use quorate_plane::idempotency::{Begun, Kept};
use quorate_plane::sign_in::Seen;
use quorate_plane::tokens::{NewToken, Role, TokenName};
use quorate_plane::trail::{Filter, Record};
use quorate_plane::{Plane, invariants};
use quorate_testkit::chaos::{Proxy, Worker};
use quorate_testkit::{Bench, check};

const WORKER: &str = env!("CARGO_BIN_EXE_request-worker");

fn server(bench: &Bench, key: &str, ahead: u64, stage: &str) -> Worker {
    let namespace = bench.scope.keys.namespace_text();
    let mut command = Command::new(WORKER);
    command.arg(bench.node.url().reveal()).arg(namespace.trim_end_matches(':')).arg(key);
    command.arg(ahead.to_string()).arg(stage);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
    Worker::spawn(&mut command).expect("the server starts")
}

/// Each request is begun by a server that is killed after its claim, its effect or its record, and repeated by another.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_that_dies_between_effect_and_answer_leaves_one_effect() {
    let rounds = if std::env::var_os("QUORATE_SOAK").is_some() { 100 } else { 3 };
    check(&invariants(), async |bench| {
        let plane = plane(bench, &["box", "ci"]).await;
        let mut requests = 0;
        for round in 0..rounds {
            for (stage, effect) in [("claimed", 0), ("done", 1), ("recorded", 1)] {
                let key = format!("{stage}-{round}");
                let before = inbox(&plane).await;
                let mut first = server(bench, &key, 0, stage);
                let mut line = String::new();
                BufReader::new(first.child().stdout.take().unwrap()).read_line(&mut line).unwrap();
                first.kill9().unwrap();
                assert_eq!((line.trim(), inbox(&plane).await - before), (stage, effect), "it died there");
                let begin =
                    async |plane: &Plane| plane.idempotency().begin("ci", &key, &[7; 32]).await.unwrap();
                assert_eq!(begin(&plane).await, Begun::Busy, "nobody knows yet that it is dead");
                // For this one the lease is over.
                let mut second = server(bench, &key, 61, "");
                let ended = second.wait(Duration::from_secs(20)).unwrap().expect("it ends").code();
                assert_eq!((ended, inbox(&plane).await - before), (Some(0), 1), "{stage}: one effect");
                assert!(matches!(begin(&plane).await, Begun::Known(kept) if kept.status == 201));
                requests += 1;
            }
        }
        let trail = plane.trail().ls(&Filter { limit: 1_000, ..Filter::default() }).await.unwrap();
        assert_eq!(
            (trail.records.len(), inbox(&plane).await),
            (requests, requests),
            "one of each for each request"
        );
    })
    .await;
}

async fn inbox(plane: &Plane) -> usize {
    let key = plane.keys().reverie().inbox(&agent("box"));
    plane.store().query(quorate_store::cmd("LLEN").arg(key.as_str())).await.unwrap()
}

/// A reply that is lost between the store and us: the call is asked for again and finds what it did.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn lost_replies_make_no_second_of_anything() {
    check(&invariants(), async |bench| {
        let proxy = Proxy::start(format!("127.0.0.1:{}", bench.node.port()).parse().unwrap()).await.unwrap();
        let target = quorate_store::Target::parse(&format!("redis://{}", proxy.address())).unwrap();
        let store = quorate_store::Store::connect(target, quorate_store::Options::default()).await.unwrap();
        let keys = bench.scope.keys.clone();
        let plane = Plane::new(quorate_store::invariant::Scope { store, keys }).unwrap();
        // Everything once, so that the server knows the scripts; then with a lost reply each time.
        for round in 0..2 {
            let lose = || (0..round).for_each(|_| proxy.drop_reply_after_forward(1, "EVALSHA"));
            let lost = |what: &str| assert_eq!(proxy.still_to_drop(), 0, "{what}");
            let name = TokenName::parse(&format!("t{round}")).unwrap();
            lose();
            let made = plane
                .tokens()
                .create(&NewToken::new(name.clone(), Role::Agent, "root"))
                .await
                .unwrap()
                .unwrap();
            lost("create");
            lose();
            let caller = plane.tokens().check(&made.token).await.unwrap().expect("the token that was shown");
            lost("check");
            let user = UserId::parse("ada").unwrap();
            let code = plane.sign_in().invite(&user, Role::Viewer, Duration::from_secs(60)).await.unwrap();
            lose();
            let session =
                plane.sign_in().redeem(&code, &Seen::default()).await.unwrap().expect("its own session");
            lost("redeem");
            lose();
            let second = plane.sign_in().open(&caller, &Seen::default()).await.unwrap();
            lost("open");
            for secret in [&session.secret, &second.secret] {
                assert!(plane.sign_in().check(secret).await.unwrap().is_some());
            }
            assert_eq!(plane.sign_in().ls(None).await.unwrap().len(), 2, "no session twice");
            lose();
            let Begun::Go(claim) =
                plane.idempotency().begin("ci", &format!("k{round}"), &[1; 32]).await.unwrap()
            else {
                panic!("its own claim")
            };
            lost("begin");
            lose();
            let record = Record { request: claim.request.clone(), ..Record::default() };
            plane.trail().record(&record).await.unwrap();
            lost("record");
            lose();
            let kept = Kept { status: 200, content_type: String::new(), body: b"x".to_vec() };
            plane.idempotency().finish(&claim, &kept).await.unwrap();
            lost("finish");
            assert_eq!(
                plane.idempotency().begin("ci", &format!("k{round}"), &[1; 32]).await.unwrap(),
                Begun::Known(kept)
            );
            lose();
            plane.tokens().revoke(&name, "root").await.unwrap().unwrap();
            lost("revoke");
            lose();
            assert_eq!(
                plane.sign_in().revoke_user(&user).await.unwrap(),
                1 - round,
                "counted with the reply that was lost"
            );
            lost("cut");
            assert_eq!(plane.sign_in().check(&session.secret).await.unwrap(), None);
            assert_eq!(plane.sign_in().check(&second.secret).await.unwrap(), None);
        }
        assert_eq!(plane.trail().ls(&Filter::default()).await.unwrap().records.len(), 2);
        assert_eq!(
            (plane.tokens().ls().await.unwrap(), plane.sign_in().ls(None).await.unwrap()),
            (vec![], vec![])
        );
    })
    .await;
}
