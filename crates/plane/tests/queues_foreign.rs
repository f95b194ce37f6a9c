//! What other clients put into a queue, and what they do to it while we work on it.

use crate::support::queues::{ack, claim, later, push, queue, texts};
use crate::support::{agent, plane};
use quorate_plane::invariants;
use quorate_plane::queues::{Item, Nack, Nacked, Push};
use quorate_store::{ErrorKind, cmd};
use quorate_testkit::{Bench, check, check_verbatim};

async fn lpush(bench: &Bench, element: &[u8]) {
    let mut put = cmd("LPUSH");
    put.arg("tasks:queue:normal").arg(element);
    bench.scope.store.query::<u64>(&put).await.unwrap();
}

/// Elements that are no items of ours, and some that look like it.
fn odd() -> Vec<Vec<u8>> {
    let deep = "[".repeat(5_000) + &"]".repeat(5_000);
    let mut all: Vec<Vec<u8>> = [
        "",
        " ",
        "- - - 0 x",
        "1 id lane class letter 5 item",
        "{\"at\":5,\"id\":\"a b c\",\"payload\":\"x\"}",
        "{\"at\":5,\"id\":\"a b 9 9 9 9\",\"payload\":\"x\"}",
        "{\"at\":5,\"id\":\"\",\"payload\":\"x\"}",
        "{\"at\":5,\"id\":\"a\\nb\",\"payload\":\"x\"}",
        "{\"at\":5,\"id\":\"é\",\"payload\":\"x\"}",
        "{\"at\":5,\"id\":\"-\",\"payload\":\"x\"}",
        "{\"id\":\"a:b\"}",
        "{\"id\": \"7\", \"payload\": 1}",
        "{\"payload\":\"x\",\"id\":\"7\"}",
    ]
    .map(|text| text.as_bytes().to_vec())
    .to_vec();
    all.extend([b"\xff\x00\xfe \n\t".to_vec(), deep.into_bytes(), vec![b'x'; 10 << 20]]);
    all
}

#[tokio::test]
async fn what_others_pushed_keeps_its_bytes_and_its_id_through_every_attempt_and_its_burial() {
    check_verbatim(&invariants(), async |bench| {
        let plane = plane(bench, &["a"]).await;
        let odd = odd();
        for element in &odd {
            lpush(bench, element).await;
        }
        let first = claim(&plane, "a", &["normal"], 50).await;
        let payloads =
            |items: &[Item]| -> Vec<Vec<u8>> { items.iter().map(|item| item.payload.clone()).collect() };
        assert!(payloads(&first) == odd, "each as it was pushed, in order");
        assert!(first.iter().all(|item| item.id.starts_with('x')), "each has an id of ours");
        let ids = |items: &[Item]| -> Vec<String> { items.iter().map(|item| item.id.clone()).collect() };
        let mut at = 0;
        for attempt in 2..=5 {
            at += 11_000;
            let plane = later(bench, at);
            let again = claim(&plane, "a", &["normal"], 50).await;
            assert_eq!(ids(&again), ids(&first), "attempt {attempt}");
            assert!(payloads(&again) == odd, "attempt {attempt}");
            if attempt < 5 {
                continue;
            }
            for item in &again {
                let why = Nack { error: "boom".into(), delay: None };
                let end = plane.queues().nack(&agent("a"), None, &item.token, &why).await.unwrap().unwrap();
                assert!(matches!(end, Nacked::Dead(_)), "{end:?}");
            }
        }
        assert_eq!(plane.queues().show(&queue("normal"), 0).await.unwrap().dead, odd.len() as u64);
    })
    .await;
}

#[tokio::test]
async fn an_item_that_looks_like_ours_has_the_same_id_in_every_attempt() {
    check_verbatim(&invariants(), async |bench| {
        plane(bench, &["a"]).await;
        let alike = [
            ("{\"id\":\"7\",\"payload\":{\"n\":1}}", "7", "{\"n\":1}"),
            ("{\"at\":5,\"id\":\"a:b\",\"payload\":\"x\"}", "a:b", "x"),
            ("{\"at\":5,\"id\":\"d\",\"id\":\"e\",\"payload\":\"x\"}", "d", "x"),
            ("{\"at\":5,\"id\":\"cut\",\"payload\":", "cut", "{\"at\":5,\"id\":\"cut\",\"payload\":"),
            ("{\"at\":5,\"id\":\"m\",\"max\":99999999999,\"payload\":\"x\"}", "m", "x"),
            ("{\"at\":99999999999999999999,\"id\":\"f\",\"payload\":\"x\"}", "f", "x"),
        ];
        for (element, ..) in alike {
            lpush(bench, element.as_bytes()).await;
        }
        for attempt in 0..3 {
            let items = claim(&later(bench, attempt * 11_000), "a", &["normal"], 50).await;
            let found: Vec<_> = items.iter().map(|item| (item.id.as_str(), item.text())).collect();
            let wanted: Vec<_> = alike.iter().map(|(_, id, payload)| (*id, (*payload).to_owned())).collect();
            assert_eq!(found, wanted, "attempt {attempt}");
        }
        let most = later(bench, 55_000);
        claim(&later(bench, 33_000), "a", &["normal"], 50).await;
        claim(&later(bench, 44_000), "a", &["normal"], 50).await;
        most.queues().upkeep().await.unwrap();
        assert_eq!(most.queues().show(&queue("normal"), 0).await.unwrap().dead, alike.len() as u64);
    })
    .await;
}

#[tokio::test]
async fn what_others_take_rename_or_trim_is_not_given_out_and_what_is_left_is() {
    check_verbatim(&invariants(), async |bench| {
        let plane = plane(bench, &["a"]).await;
        for n in 0..6 {
            push(&plane, "normal", &n.to_string()).await;
        }
        bench.cli("RPOP tasks:queue:normal").await;
        bench.cli("LTRIM tasks:queue:normal 1 -1").await;
        bench.cli("RENAME tasks:queue:normal tasks:queue:high").await;
        bench.cli("SCRIPT FLUSH").await;
        assert!(claim(&plane, "a", &["normal"], 9).await.is_empty());
        let held = claim(&plane, "a", &["high"], 2).await;
        assert_eq!(texts(&held), ["1", "2"]);
        bench.cli("DEL tasks:queue:high").await;
        assert!(claim(&plane, "a", &["high"], 9).await.is_empty());
        assert!(
            ack(&plane, "a", &held[0]).await && ack(&plane, "a", &held[1]).await,
            "what was claimed is with us"
        );
    })
    .await;
}

#[tokio::test]
async fn a_full_server_refuses_new_items_and_its_queues_drain_to_nothing() {
    check(&invariants(), async |bench| {
        let plane = plane(bench, &["a"]).await;
        for name in ["normal", "low", "job:archive"] {
            for n in 0..20 {
                push(&plane, name, &n.to_string()).await;
            }
        }
        plane
            .queues()
            .push(&queue("normal"), &Push { group: Some("g".into()), ..Push::new("g") })
            .await
            .unwrap()
            .unwrap();
        bench.cli("CONFIG SET maxmemory 1").await;
        let full = plane.queues().push(&queue("normal"), &Push::new("x")).await.unwrap_err();
        assert_eq!(full.kind(), ErrorKind::OutOfMemory);
        let mut done = 0;
        loop {
            let mut items = claim(&plane, "a", &["normal"], 3).await;
            items.extend(claim(&plane, "a", &["low", "job:archive"], 3).await);
            if items.is_empty() {
                break;
            }
            for item in &items {
                assert!(ack(&plane, "a", item).await);
            }
            done += items.len();
        }
        assert_eq!(done, 61);
        bench.cli("CONFIG SET maxmemory 0").await;
    })
    .await;
}
