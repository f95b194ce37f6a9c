//! A first delivery that arrives after its own repeat, over another connection: it has no effect, whatever happened since.

use crate::support::queues::{claim, push, queue, wanted};
use crate::support::raw::dump;
use crate::support::{agent, plane};
use quorate_plane::Plane;
use quorate_plane::agents::Registration;
use quorate_plane::invariants;
use quorate_plane::queues::{Item, Push, Token};
use quorate_store::invariant::Scope;
use quorate_store::{Options, Store, Target};
use quorate_testkit::chaos::Proxy;
use quorate_testkit::{Bench, check};

/// A plane whose requests can be made to come late.
async fn behind(bench: &Bench) -> (Proxy, Plane) {
    let proxy = Proxy::start(format!("127.0.0.1:{}", bench.node.port()).parse().unwrap()).await.unwrap();
    let target = Target::parse(&format!("redis://{}", proxy.address())).unwrap();
    let store = Store::connect(target, Options::default()).await.unwrap();
    let plane = Plane::new(Scope { store, keys: bench.scope.keys.clone() }).unwrap();
    // Every script is known and every setting read: the next script that is sent is the one that is meant.
    for name in ["normal", "low"] {
        plane
            .queues()
            .push(&queue(name), &Push { group: Some("warm".into()), ..Push::new("w") })
            .await
            .unwrap()
            .unwrap();
        push(&plane, name, "w").await;
        while let Some(item) = claim(&plane, "a", &[name], 1).await.into_iter().next() {
            settle(&plane, &[item]).await;
        }
    }
    (proxy, plane)
}

fn tokens(items: &[Item]) -> Vec<Token> {
    items.iter().map(|item| item.token.clone()).collect()
}

async fn settle(plane: &Plane, items: &[Item]) {
    assert!(plane.queues().ack(&agent("a"), None, &tokens(items)).await.unwrap().unwrap().is_empty());
}

/// What was held back arrives, and nothing changes.
async fn comes_late(bench: &Bench, proxy: &Proxy, what: &str) {
    let before = dump(bench).await;
    assert_eq!(proxy.let_through().await.unwrap(), 1, "{what}");
    assert!(dump(bench).await == before, "{what} had a second effect");
}

#[tokio::test]
async fn a_push_that_comes_after_its_repeat_puts_nothing_there() {
    check(&invariants(), async |bench| {
        plane(bench, &["a"]).await;
        let (proxy, cut) = behind(bench).await;
        proxy.hold_back("EVALSHA");
        push(&cut, "normal", "plain").await;
        comes_late(bench, &proxy, "a push").await;
        proxy.hold_back("EVALSHA");
        let grouped = Push { group: Some("g".into()), ..Push::new("grouped") };
        cut.queues().push(&queue("normal"), &grouped).await.unwrap().unwrap();
        comes_late(bench, &proxy, "a push to a group").await;
        proxy.hold_back("EVALSHA");
        push(&cut, "normal", "early").await;
        push(&cut, "normal", "its lane has gone on").await;
        comes_late(bench, &proxy, "a push before the last").await;
        assert_eq!(cut.queues().show(&queue("normal"), 0).await.unwrap().depth, 4);
    })
    .await;
}

#[tokio::test]
async fn a_claim_that_comes_after_its_repeat_claims_nothing() {
    check(&invariants(), async |bench| {
        plane(bench, &["a"]).await;
        let (proxy, cut) = behind(bench).await;
        for n in 0..12 {
            push(&cut, "normal", &n.to_string()).await;
        }
        for names in [&["normal"][..], &["high", "normal"]] {
            proxy.hold_back("EVALSHA");
            let items = claim(&cut, "a", names, 2).await;
            assert_eq!(items.len(), 2);
            comes_late(bench, &proxy, "a claim").await;
            proxy.hold_back("EVALSHA");
            let more = claim(&cut, "a", names, 2).await;
            settle(&cut, &items).await;
            settle(&cut, &more).await;
            comes_late(bench, &proxy, "a claim whose items are done").await;
        }
        assert_eq!(cut.queues().show(&queue("normal"), 0).await.unwrap().depth, 4);
    })
    .await;
}

#[tokio::test]
async fn an_acknowledgement_that_comes_after_its_repeat_counts_nothing_and_claims_nothing() {
    check(&invariants(), async |bench| {
        plane(bench, &["a"]).await;
        let (proxy, cut) = behind(bench).await;
        for n in 0..8 {
            push(&cut, "normal", &n.to_string()).await;
        }
        let items = claim(&cut, "a", &["normal"], 4).await;
        proxy.hold_back("EVALSHA");
        settle(&cut, &items[..1]).await;
        comes_late(bench, &proxy, "an acknowledgement").await;
        proxy.hold_back("EVALSHA");
        settle(&cut, &items[1..2]).await;
        settle(&cut, &items[2..3]).await;
        comes_late(bench, &proxy, "an acknowledgement before the last").await;
        proxy.hold_back("EVALSHA");
        let next = wanted("a", &["normal"], 1);
        let (late, got) =
            cut.queues().complete_and_claim(&tokens(&items[3..]), &next).await.unwrap().unwrap();
        assert_eq!((late.len(), got.items.len()), (0, 1));
        comes_late(bench, &proxy, "an acknowledgement with a claim").await;
        settle(&cut, &got.items).await;
        let shown = cut.queues().show(&queue("normal"), 0).await.unwrap();
        assert_eq!((shown.depth, shown.in_flight, shown.stale), (3, 0, 0));
    })
    .await;
}

#[tokio::test]
async fn claims_that_share_a_script_and_come_after_their_repeat_claim_nothing() {
    check(&invariants(), async |bench| {
        let direct = plane(bench, &["a"]).await;
        direct.agents().register(&Registration::new(agent("b"))).await.unwrap().unwrap();
        let (proxy, cut) = behind(bench).await;
        for n in 0..40 {
            push(&cut, "normal", &n.to_string()).await;
        }
        let all = |plane: &Plane| {
            let asked = (0..6).map(|n| {
                let plane = plane.clone();
                async move { claim(&plane, if n % 2 == 0 { "a" } else { "b" }, &["normal"], 1).await }
            });
            futures_util::future::join_all(asked)
        };
        assert_eq!(all(&cut).await.concat().len(), 6);
        for _ in 0..3 {
            proxy.hold_back("EVALSHA");
            assert_eq!(all(&cut).await.concat().len(), 6);
            comes_late(bench, &proxy, "a shared claim").await;
        }
        assert_eq!(cut.queues().show(&queue("normal"), 0).await.unwrap().depth, 16);
    })
    .await;
}
