//! Queues: what each verb promises.

use std::time::Duration;

use crate::support::queues::{ack, claim, later, push, queue, texts, wanted};
use crate::support::{agent, plane, refused};
use quorate_catalog::ids::WordId;
use quorate_plane::agents::Registration;
use quorate_plane::invariants;
use quorate_plane::queues::{Nack, Nacked, Push};
use quorate_testkit::check;

#[tokio::test]
async fn an_item_is_pushed_claimed_and_acknowledged_once() {
    check(&invariants(), async |bench| {
        let plane = plane(bench, &["a", "b"]).await;
        let id = push(&plane, "normal", "{\"n\": 1.10}").await;
        let items = claim(&plane, "a", &["normal"], 5).await;
        assert_eq!(
            (items.len(), items[0].id.as_str(), items[0].text().as_str()),
            (1, id.as_str(), "{\"n\": 1.10}")
        );
        assert_eq!(items[0].attempt, 1);
        assert!(claim(&plane, "b", &["normal"], 1).await.is_empty(), "nobody else gets it");
        assert!(!ack(&plane, "b", &items[0]).await, "another agent's ack is refused");
        assert!(ack(&plane, "a", &items[0]).await);
        assert!(!ack(&plane, "a", &items[0]).await, "a second ack is stale");
        let shown = plane.queues().show(&queue("normal"), 10).await.unwrap();
        assert_eq!((shown.depth, shown.in_flight, shown.stale), (0, 0, 2));
    })
    .await;
}

#[tokio::test]
async fn items_come_in_order_in_batches_and_with_the_next_while_the_last_are_acknowledged() {
    check(&invariants(), async |bench| {
        let plane = plane(bench, &["a"]).await;
        let pushes: Vec<Push> = (0..1_200).map(|n| Push::new(n.to_string())).collect();
        assert_eq!(
            plane.queues().push_many(&queue("job:archive"), &pushes).await.unwrap().unwrap().len(),
            1_200
        );
        let mut next = 0;
        let mut held = claim(&plane, "a", &["job:archive"], 100).await;
        while !held.is_empty() {
            for item in &held {
                assert_eq!(item.text(), next.to_string());
                next += 1;
            }
            let tokens: Vec<_> = held.iter().map(|item| item.token.clone()).collect();
            let wanted = wanted("a", &["job:archive"], 100);
            let (stale, claimed) =
                plane.queues().complete_and_claim(&tokens, &wanted).await.unwrap().unwrap();
            assert!(stale.is_empty());
            held = claimed.items;
        }
        assert_eq!(next, 1_200);
    })
    .await;
}

#[tokio::test]
async fn a_lease_that_ran_out_returns_the_item_and_refuses_the_late_answer() {
    check(&invariants(), async |bench| {
        let plane = plane(bench, &["a", "b"]).await;
        push(&plane, "normal", "x").await;
        let first = claim(&plane, "a", &["normal"], 1).await.remove(0);
        let later = later(bench, 10_001);
        assert!(!ack(&later, "a", &first).await, "past its lease, though nobody has it yet");
        let second = claim(&later, "b", &["normal"], 1).await.remove(0);
        assert_eq!((second.attempt, &second.id), (2, &first.id));
        assert!(second.token.fence > first.token.fence);
        assert!(!ack(&later, "a", &first).await);
        let nacked =
            later.queues().nack(&agent("a"), None, &first.token, &Nack::default()).await.unwrap().unwrap();
        assert_eq!(nacked, Nacked::Stale);
        let (stale, _) = later
            .queues()
            .extend(&agent("a"), None, &[first.token], Duration::from_secs(9))
            .await
            .unwrap()
            .unwrap();
        assert_eq!(stale, [0]);
        assert!(ack(&later, "b", &second).await);
        assert_eq!(later.queues().show(&queue("normal"), 0).await.unwrap().stale, 4);
    })
    .await;
}

#[tokio::test]
async fn an_extended_lease_is_kept() {
    check(&invariants(), async |bench| {
        let plane = plane(bench, &["a", "b"]).await;
        push(&plane, "low", "x").await;
        let item = claim(&plane, "a", &["low"], 1).await.remove(0);
        let tokens = [item.token.clone()];
        plane.queues().extend(&agent("a"), None, &tokens, Duration::from_secs(30)).await.unwrap().unwrap();
        let later = later(bench, 20_000);
        assert!(claim(&later, "b", &["low"], 1).await.is_empty());
        assert!(ack(&later, "a", &item).await);
    })
    .await;
}

/// Q5 in small: exactly as many attempts as it may have, whether by lease or by nack.
#[tokio::test]
async fn a_poison_item_is_buried_after_exactly_its_attempts() {
    check(&invariants(), async |bench| {
        let plane = plane(bench, &["a"]).await;
        for (n, name) in ["normal", "high"].iter().enumerate() {
            let wish = Push { max_attempts: Some(3), ..Push::new("poison") };
            let id = plane.queues().push(&queue(name), &wish).await.unwrap().unwrap().id;
            for attempt in 1..=3_i64 {
                let now = later(bench, (n as i64 * 10 + attempt) * 20_000);
                now.agents().heartbeat(&agent("a"), None).await.unwrap().unwrap();
                let item = claim(&now, "a", &[name], 1).await.remove(0);
                assert_eq!(i64::from(item.attempt), attempt);
                if n == 1 {
                    let why = Nack { error: format!("boom {attempt}"), delay: Some(Duration::ZERO) };
                    now.queues().nack(&agent("a"), None, &item.token, &why).await.unwrap().unwrap();
                }
            }
            let now = later(bench, (n as i64 * 10 + 9) * 20_000);
            now.queues().upkeep().await.unwrap();
            assert!(claim(&now, "a", &[name], 1).await.is_empty());
            let filter = quorate_plane::dead_letters::Filter { limit: 10, ..Default::default() };
            let letters = now.dead_letters().list(&filter).await.unwrap();
            assert_eq!(
                (letters[0].attempts, &letters[0].item, letters[0].payload.as_str()),
                (3, &id, "poison")
            );
            assert_eq!(letters[0].reason, ["the lease ran out in every attempt", "boom 3"][n]);
        }
    })
    .await;
}

#[tokio::test]
async fn a_failed_attempt_waits_its_backoff() {
    check(&invariants(), async |bench| {
        let plane = plane(bench, &["a"]).await;
        push(&plane, "normal", "x").await;
        let mut at = 0;
        for attempt in 1..=3_u32 {
            let now = later(bench, at);
            let item = claim(&now, "a", &["normal"], 1).await.remove(0);
            assert_eq!(item.attempt, attempt);
            let nacked =
                now.queues().nack(&agent("a"), None, &item.token, &Nack::default()).await.unwrap().unwrap();
            let Nacked::Retry(due) = nacked else { panic!("{nacked:?}") };
            let wait = due.since(now.store().time().await.unwrap()).as_millis() as i64;
            let full = 1_000 << (attempt - 1);
            assert!((full / 4..=full).contains(&wait), "attempt {attempt}: {wait} ms");
            assert!(claim(&later(bench, at + wait / 4), "a", &["normal"], 1).await.is_empty());
            at += wait + 5;
        }
    })
    .await;
}

/// Q7, Q4 for groups: one at a time, in order, also after a failure.
#[tokio::test]
async fn a_group_is_done_in_order_one_at_a_time() {
    check(&invariants(), async |bench| {
        let plane = plane(bench, &["a", "b"]).await;
        for n in 0..6 {
            let group = Some(["g one", "g/two"][n % 2].to_owned());
            plane
                .queues()
                .push(&queue("normal"), &Push { group, ..Push::new(n.to_string()) })
                .await
                .unwrap()
                .unwrap();
        }
        let first = claim(&plane, "a", &["normal"], 10).await;
        assert_eq!(texts(&first), ["0", "1"], "one of each group");
        assert!(claim(&plane, "b", &["normal"], 10).await.is_empty());
        assert!(ack(&plane, "a", &first[0]).await);
        let why = Nack { error: "no".into(), delay: Some(Duration::from_millis(30)) };
        plane.queues().nack(&agent("a"), None, &first[1].token, &why).await.unwrap().unwrap();
        let second = claim(&plane, "b", &["normal"], 10).await;
        assert_eq!(texts(&second), ["2"], "the other group waits for its retry");
        tokio::time::sleep(Duration::from_millis(40)).await;
        let third = claim(&plane, "b", &["normal"], 10).await;
        assert_eq!((texts(&third), third[0].attempt), (vec!["1".to_owned()], 2));
        assert!(ack(&plane, "b", &second[0]).await && ack(&plane, "b", &third[0]).await);
        let last = later(bench, 11_000);
        let mut rest = texts(&claim(&plane, "a", &["normal"], 10).await);
        rest.sort();
        assert_eq!(rest, ["3", "4"]);
        let again = claim(&last, "b", &["normal"], 10).await;
        let mut again_texts = texts(&again);
        again_texts.sort();
        assert_eq!(again_texts, ["3", "4"], "lapsed items come before what was pushed after them");
        for item in &again {
            assert!(ack(&last, "b", item).await);
        }
        assert_eq!(texts(&claim(&last, "b", &["normal"], 10).await), ["5"]);
    })
    .await;
}

#[tokio::test]
async fn capabilities_are_matched_at_claim_time() {
    check(&invariants(), async |bench| {
        let plane = plane(bench, &["plain"]).await;
        let word = |text: &str| WordId::parse(text).unwrap();
        let capabilities = vec![word("gpu"), word("rust")];
        let registration = Registration { capabilities, ..Registration::new(agent("able")) };
        plane.agents().register(&registration).await.unwrap().unwrap();
        for (payload, needs) in [
            ("both", vec![word("rust"), word("gpu")]),
            ("one", vec![word("gpu")]),
            ("no", vec![word("ruby")]),
        ] {
            plane
                .queues()
                .push(&queue("normal"), &Push { needs, ..Push::new(payload) })
                .await
                .unwrap()
                .unwrap();
        }
        push(&plane, "normal", "any").await;
        assert_eq!(texts(&claim(&plane, "plain", &["normal"], 10).await), ["any"]);
        let mut able = texts(&claim(&plane, "able", &["normal"], 10).await);
        able.sort();
        assert_eq!(able, ["both", "one"]);
        assert_eq!(plane.queues().show(&queue("normal"), 0).await.unwrap().depth, 1);
    })
    .await;
}

#[tokio::test]
async fn delayed_items_are_never_early() {
    check(&invariants(), async |bench| {
        let plane = plane(bench, &["a"]).await;
        let wish = Push { delay: Duration::from_secs(5), ..Push::new("later") };
        plane.queues().push(&queue("normal"), &wish).await.unwrap().unwrap();
        assert!(claim(&later(bench, 1_000), "a", &["normal"], 1).await.is_empty());
        assert_eq!(plane.queues().show(&queue("normal"), 0).await.unwrap().delayed, 1);
        assert_eq!(texts(&claim(&later(bench, 5_001), "a", &["normal"], 1).await), ["later"]);
    })
    .await;
}

/// Q6: the most urgent first, and at least one of twenty goes to the oldest lower item.
#[tokio::test]
async fn the_urgent_come_first_and_the_others_are_not_starved() {
    check(&invariants(), async |bench| {
        let plane = plane(bench, &["a"]).await;
        for n in 0..200 {
            push(&plane, "high", &format!("h{n}")).await;
        }
        push(&plane, "low", "l").await;
        tokio::time::sleep(Duration::from_millis(3)).await;
        push(&plane, "normal", "n").await;
        let mut order = Vec::new();
        for _ in 0..60 {
            let item = claim(&plane, "a", &["low", "high", "normal"], 1).await.remove(0);
            order.push(item.text());
            assert!(ack(&plane, "a", &item).await);
        }
        let place = |text: &str| order.iter().position(|own| own == text);
        assert_eq!(order[0], "h0");
        assert_eq!((place("l"), place("n")), (Some(19), Some(39)), "{order:?}");
        let batch = texts(&claim(&plane, "a", &["high", "low"], 50).await);
        assert_eq!((batch.len(), batch[0].as_str()), (50, "h58"));
    })
    .await;
}

/// What waits in a lane, or has become due, is no less old than what is on a list.
#[tokio::test]
async fn grouped_and_delayed_items_of_a_lower_queue_are_not_starved_either() {
    check(&invariants(), async |bench| {
        let plane = plane(bench, &["a"]).await;
        let group = Some("g".to_owned());
        plane.queues().push(&queue("low"), &Push { group, ..Push::new("lane") }).await.unwrap().unwrap();
        let delay = Duration::from_millis(1);
        plane.queues().push(&queue("normal"), &Push { delay, ..Push::new("due") }).await.unwrap().unwrap();
        for n in 0..100 {
            push(&plane, "high", &format!("h{n}")).await;
        }
        let mut order = Vec::new();
        for _ in 0..60 {
            let item = claim(&plane, "a", &["low", "high", "normal"], 1).await.remove(0);
            order.push(item.text());
            assert!(ack(&plane, "a", &item).await);
        }
        let mut places: Vec<_> =
            ["lane", "due"].iter().map(|text| order.iter().position(|own| own == text)).collect();
        places.sort_unstable();
        assert_eq!(places, [Some(19), Some(39)], "{order:?}");
    })
    .await;
}

/// Q8 in small; a key is the queue's own.
#[tokio::test]
async fn a_push_with_a_key_is_there_once() {
    check(&invariants(), async |bench| {
        let plane = plane(bench, &["a"]).await;
        let wish = Push { key: Some("order 17/ü".into()), ..Push::new("x") };
        let mut ids = Vec::new();
        for _ in 0..5 {
            ids.push(plane.queues().push(&queue("normal"), &wish).await.unwrap().unwrap());
        }
        assert!(ids.iter().all(|pushed| pushed.id == ids[0].id));
        assert_eq!(ids.iter().filter(|pushed| pushed.known).count(), 4);
        plane.queues().push(&queue("high"), &wish).await.unwrap().unwrap();
        assert_eq!(claim(&plane, "a", &["normal", "high"], 10).await.len(), 2);
    })
    .await;
}

#[tokio::test]
async fn a_full_queue_refuses_and_says_when_it_would_start() {
    check(&invariants(), async |bench| {
        let plane = plane(bench, &["a"]).await;
        let wish = Push { max_depth: Some(3), ..Push::new("x") };
        for _ in 0..3 {
            plane.queues().push(&queue("normal"), &wish).await.unwrap().unwrap();
        }
        let refusal = refused(plane.queues().push(&queue("normal"), &wish).await.unwrap());
        assert_eq!((refusal.code.as_str(), refusal.detail.as_deref()), ("queue_full", Some("unknown")));
        claim(&plane, "a", &["normal"], 1).await;
        plane.queues().upkeep().await.unwrap();
        tokio::time::sleep(Duration::from_millis(50)).await;
        claim(&plane, "a", &["normal"], 1).await;
        let wish = Push { max_depth: Some(1), ..wish };
        let refusal = refused(plane.queues().push(&queue("normal"), &wish).await.unwrap());
        let starts: u64 = refusal.detail.unwrap().parse().unwrap();
        assert!((40..5_000).contains(&starts), "{starts}");
    })
    .await;
}

#[tokio::test]
async fn a_paused_queue_gives_nothing_and_goes_on_where_it_was() {
    check(&invariants(), async |bench| {
        let plane = plane(bench, &["a"]).await;
        push(&plane, "normal", "x").await;
        plane.queues().pause(&queue("normal"), "ann").await.unwrap();
        let claimed = plane.queues().claim(&wanted("a", &["normal"], 1)).await.unwrap().unwrap();
        assert!(claimed.items.is_empty() && claimed.paused);
        assert!(plane.queues().show(&queue("normal"), 0).await.unwrap().paused.unwrap().starts_with("ann "));
        assert!(plane.queues().resume(&queue("normal")).await.unwrap().starts_with("ann "));
        assert_eq!(texts(&claim(&plane, "a", &["normal"], 1).await), ["x"]);
    })
    .await;
}

#[tokio::test]
async fn what_is_handed_back_costs_no_attempt_and_comes_next() {
    check(&invariants(), async |bench| {
        let plane = plane(bench, &["a"]).await;
        for text in ["1", "2", "3"] {
            push(&plane, "normal", text).await;
        }
        let held = claim(&plane, "a", &["normal"], 2).await;
        let tokens: Vec<_> = held.iter().map(|item| item.token.clone()).collect();
        assert_eq!(plane.queues().give_back(&agent("a"), None, &tokens).await.unwrap().unwrap(), 2);
        let again = claim(&plane, "a", &["normal"], 3).await;
        assert_eq!(texts(&again), ["1", "2", "3"]);
        assert!(again.iter().all(|item| item.attempt == 1));
        for item in &again[..2] {
            assert!(ack(&plane, "a", item).await);
        }
        let pause = Duration::from_secs(30);
        let last = std::slice::from_ref(&again[2].token);
        plane.queues().give_back_for(&agent("a"), None, last, pause).await.unwrap().unwrap();
        assert!(claim(&plane, "a", &["normal"], 3).await.is_empty(), "it is left alone for a while");
        let then = claim(&later(bench, 30_100), "a", &["normal"], 3).await;
        assert_eq!((texts(&then), then[0].attempt), (vec!["3".to_owned()], 1));
    })
    .await;
}
