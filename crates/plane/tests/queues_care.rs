//! Queues beside others: waiting claims, foreign items, wrong types, limits of agents, repair.

use std::time::Duration;

use crate::support::queues::{ack, claim, later, push, queue, texts, wanted};
use crate::support::{agent, end_lease, plane, refused};
use opentelemetry::trace::TracerProvider;
use opentelemetry_sdk::trace::SdkTracerProvider;
use quorate_plane::agents::Registration;
use quorate_plane::queues::{Claim, Item, Push};
use quorate_plane::trace::Trace;
use quorate_plane::{Outcome, invariants};
use quorate_store::Value;
use quorate_testkit::soak::{say, size};
use quorate_testkit::{Bench, check, check_verbatim};
use tracing_subscriber::layer::SubscriberExt;

/// A claim that waits is woken by a push of ours, of another client, and into a lane, without polling.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_waiting_claim_wakes_at_once_whoever_pushes() {
    check_verbatim(&invariants(), async |bench| {
        let plane = plane(bench, &["a"]).await;
        for round in 0..6 {
            let wait = Claim { wait: Duration::from_secs(20), ..wanted("a", &["high", "normal"], 1) };
            let waiting = {
                let plane = plane.clone();
                tokio::spawn(async move { plane.queues().claim(&wait).await.unwrap().unwrap().items })
            };
            tokio::time::sleep(Duration::from_millis(130)).await;
            let pushed = tokio::time::Instant::now();
            match round % 3 {
                0 => drop(push(&plane, "normal", "x").await),
                1 => drop(bench.cli("LPUSH tasks:queue:normal x").await),
                _ => {
                    let wish = Push { group: Some("g".into()), ..Push::new("x") };
                    plane.queues().push(&queue("high"), &wish).await.unwrap().unwrap();
                }
            }
            let item = waiting.await.unwrap().remove(0);
            let took = pushed.elapsed();
            assert_eq!(item.text(), "x");
            assert!(took < Duration::from_millis(150), "round {round}: {took:?}");
            assert!(ack(&plane, "a", &item).await);
        }
    })
    .await;
}

#[tokio::test]
async fn foreign_items_come_out_byte_for_byte_and_keep_their_id() {
    check_verbatim(&invariants(), async |bench| {
        let plane = plane(bench, &["a"]).await;
        let raw: &[&[u8]] = &[b"x", b"x", b"\xff\x00 \n", b"", b"{\"type\":\"a\"}"];
        for bytes in raw {
            let mut cmd = quorate_store::cmd("LPUSH");
            cmd.arg("tasks:queue:normal").arg(*bytes);
            bench.scope.store.query::<u64>(&cmd).await.unwrap();
        }
        let first = claim(&plane, "a", &["normal"], 10).await;
        assert_eq!(first.iter().map(|item| item.payload.clone()).collect::<Vec<_>>(), raw);
        let ids: std::collections::HashSet<_> = first.iter().map(|item| item.id.clone()).collect();
        assert_eq!(ids.len(), raw.len(), "identical payloads are two items");
        let again = claim(&later(bench, 10_500), "a", &["normal"], 10).await;
        let mut before: Vec<_> = first.iter().map(|item| (item.id.clone(), item.payload.clone())).collect();
        let mut after: Vec<_> = again.iter().map(|item| (item.id.clone(), item.payload.clone())).collect();
        before.sort();
        after.sort();
        assert_eq!(before, after);
    })
    .await;
}

#[tokio::test]
async fn a_key_of_another_type_is_a_refusal_and_nothing_is_written() {
    let bench = Bench::verbatim().await;
    let plane = plane(&bench, &["a"]).await;
    bench.cli("ZADD ade:job:queue:archive 1 x").await;
    let code = |outcome: Outcome<_>| refused(outcome).code;
    let pushed = plane.queues().push(&queue("job:archive"), &Push::new("x")).await.unwrap();
    assert_eq!(code(pushed.map(drop)), "wrong_type");
    let claimed = plane.queues().claim(&wanted("a", &["job:archive"], 1)).await.unwrap();
    assert_eq!(code(claimed.map(drop)), "wrong_type");
    assert_eq!(
        bench.cli("EXISTS ~q:queues:claims:job:archive ~q:queues:state:job:archive").await,
        Value::Int(0)
    );
}

#[tokio::test]
async fn an_agent_claims_no_more_than_it_may_and_a_revoked_one_nothing() {
    check(&invariants(), async |bench| {
        let plane = plane(bench, &["b"]).await;
        let registration = Registration { max_tasks: Some(2), ..Registration::new(agent("small")) };
        plane.agents().register(&registration).await.unwrap().unwrap();
        for n in 0..4 {
            push(&plane, "normal", &n.to_string()).await;
        }
        let held = claim(&plane, "small", &["normal"], 10).await;
        assert_eq!(held.len(), 2);
        let active = async || {
            let shown = plane.agents().show(&agent("small")).await.unwrap().unwrap();
            shown.capacity.unwrap().active_tasks
        };
        assert_eq!(active().await, 2, "what is claimed is worked on");
        assert_eq!(
            refused(plane.queues().claim(&wanted("small", &["normal"], 1)).await.unwrap()).code,
            "capacity"
        );
        plane.agents().revoke(&agent("small"), None, None).await.unwrap().unwrap();
        let tokens = [held[0].token.clone()];
        assert_eq!(
            refused(plane.queues().ack(&agent("small"), None, &tokens).await.unwrap()).code,
            "revoked"
        );
        let passed_on = claim(&plane, "b", &["normal"], 10).await;
        assert_eq!(texts(&passed_on), ["0", "1", "2", "3"], "at once, what it held first");
        assert_eq!(
            refused(plane.queues().claim(&wanted("nobody", &["normal"], 1)).await.unwrap()).code,
            "unregistered"
        );
    })
    .await;
}

#[tokio::test]
async fn fsck_finds_what_nobody_would_find_again_and_brings_it_back() {
    let bench = Bench::verbatim().await;
    let plane = plane(&bench, &["a", "b"]).await;
    for n in 0..3 {
        push(&plane, "normal", &n.to_string()).await;
    }
    // Long enough that it is not due before it is looked for, however busy the machine is.
    let delay = Duration::from_millis(1_500);
    plane.queues().push(&queue("normal"), &Push { delay, ..Push::new("due") }).await.unwrap().unwrap();
    let group = Some("g".to_owned());
    // Before there is a lane: an item of it that was pushed in the same millisecond would come first.
    claim(&plane, "a", &["normal"], 2).await;
    plane.queues().push(&queue("normal"), &Push { group, ..Push::new("lane") }).await.unwrap().unwrap();
    bench.cli("DEL ~q:queues:agenda:normal").await;
    bench.cli("DEL ~q:queues:ready:normal:-").await;
    let mess = bench.mess(&invariants()).await.join("\n");
    for code in ["FSCK040", "FSCK042", "FSCK043"] {
        assert!(mess.contains(code), "{code}: {mess}");
    }
    quorate_audit::run(&bench.scope, &invariants(), true, &|_, _| {}).await.unwrap();
    tokio::time::sleep(delay).await;
    let mut all = texts(&claim(&plane, "b", &["normal"], 10).await);
    all.sort();
    assert_eq!(all, ["0", "1", "2", "due", "lane"]);
    assert_eq!(bench.mess(&invariants()).await, Vec::<String>::new());
}

/// FSCK041 and the count of FSCK043, broken on purpose.
#[tokio::test]
async fn fsck_finds_a_claim_that_its_agent_is_not_said_to_hold_and_a_wrong_count() {
    let bench = Bench::verbatim().await;
    let plane = plane(&bench, &["a"]).await;
    push(&plane, "normal", "x").await;
    let group = Some("g".to_owned());
    plane.queues().push(&queue("normal"), &Push { group, ..Push::new("lane") }).await.unwrap().unwrap();
    let held = claim(&plane, "a", &["normal"], 1).await;
    bench.cli("DEL ~q:queues:held:a").await;
    bench.cli("HSET ~q:queues:state:normal lanes 7").await;
    let mess = bench.mess(&invariants()).await.join("\n");
    assert!(mess.contains("FSCK041") && mess.contains("FSCK043"), "{mess}");
    let report = quorate_audit::run(&bench.scope, &invariants(), true, &|_, _| {}).await.unwrap();
    assert_eq!((report.repaired, report.findings.len()), (2, 0));
    assert_eq!(bench.mess(&invariants()).await, Vec::<String>::new());
    assert_eq!(bench.cli("ZCARD ~q:queues:held:a").await, Value::Int(1));
    assert!(ack(&plane, "a", &held[0]).await);
}

/// What an agent that was stopped had claimed waits from then on, and not since the beginning of time.
#[tokio::test]
async fn what_a_stopped_agent_had_is_claimed_next_and_is_as_old_as_that() {
    check(&invariants(), async |bench| {
        let plane = plane(bench, &["a", "b"]).await;
        push(&plane, "normal", "x").await;
        claim(&plane, "a", &["normal"], 1).await;
        plane.agents().revoke(&agent("a"), None, None).await.unwrap().unwrap();
        plane.queues().release_agent(&agent("a")).await.unwrap();
        let shown = plane.queues().show(&queue("normal"), 5).await.unwrap();
        assert_eq!((shown.depth, shown.in_flight), (1, 0));
        assert!(shown.oldest_ms.is_some_and(|age| age < 60_000), "{:?}", shown.oldest_ms);
        assert_eq!(texts(&claim(&plane, "b", &["normal"], 1).await), ["x"]);
    })
    .await;
}

/// Whoever asks for work is here: a lease that ended unseen begins anew, so that what is given is held, whichever way it came.
#[tokio::test]
async fn who_claims_after_its_lease_has_ended_keeps_what_it_is_given() {
    check(&invariants(), async |bench| {
        let plane = plane(bench, &["a", "b"]).await;
        for text in ["1", "2", "3", "4"] {
            push(&plane, "normal", text).await;
        }
        let kept = async |item: &Item| {
            plane.queues().release_agent(&agent("a")).await.unwrap();
            let token = std::slice::from_ref(&item.token);
            let lease = Duration::from_secs(60);
            plane.queues().extend(&agent("a"), None, token, lease).await.unwrap().unwrap().0.is_empty()
        };
        end_lease(bench, &plane, "a").await;
        let one = claim(&plane, "a", &["normal"], 1).await;
        assert!(kept(&one[0]).await, "straight from the list");
        end_lease(bench, &plane, "a").await;
        let two = claim(&plane, "a", &["high", "normal"], 1).await;
        assert!(kept(&two[0]).await, "from several queues");
        end_lease(bench, &plane, "a").await;
        let done = [two[0].token.clone()];
        let next = plane.queues().complete_and_claim(&done, &wanted("a", &["normal"], 1)).await;
        let (late, three) = next.unwrap().unwrap();
        assert!(late.is_empty() && kept(&three.items[0]).await, "with an acknowledgement");
        assert_eq!(texts(&claim(&plane, "b", &["normal"], 9).await), ["4"], "nothing was given twice");
    })
    .await;
}

/// Q6: while urgent items never end, one claim in twenty is a lower one's, the oldest first, and no more than one.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_saturated_queue_leaves_one_claim_in_twenty_to_the_oldest_lower_item() {
    let lower = size(30, 2_000);
    check(&invariants(), async |bench| {
        let plane = plane(bench, &["a"]).await;
        for n in 0..lower {
            push(&plane, if n % 3 == 0 { "normal" } else { "low" }, &format!("{n}")).await;
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        let urgent: Vec<Push> = (0..lower * 20).map(|_| Push::new("h")).collect();
        plane.queues().push_many(&queue("high"), &urgent).await.unwrap().unwrap();
        let order = std::sync::Arc::new(std::sync::Mutex::new(Vec::new()));
        let claimers = (0..4).map(|_| {
            let (plane, order) = (plane.clone(), order.clone());
            tokio::spawn(async move {
                while order.lock().unwrap().len() < lower * 20 {
                    let item = claim(&plane, "a", &["low", "normal", "high"], 1).await.remove(0);
                    order.lock().unwrap().push((item.token.fence, item.text()));
                    assert!(ack(&plane, "a", &item).await);
                }
            })
        });
        for claimer in claimers.collect::<Vec<_>>() {
            claimer.await.unwrap();
        }
        let order = order.lock().unwrap();
        let served: Vec<usize> = order.iter().filter_map(|(_, text)| text.parse().ok()).collect();
        let late = |(place, own): (usize, &usize)| place.abs_diff(*own);
        assert!(served.len().abs_diff(lower) <= 1, "{} of {lower}", served.len());
        assert!(
            served.iter().enumerate().map(late).max() <= Some(4),
            "the oldest first, as far as four that claim at once can see"
        );
        let places: Vec<usize> =
            order.iter().enumerate().filter(|(_, (_, text))| text != "h").map(|(place, _)| place).collect();
        let longest = places.windows(2).map(|two| two[1] - two[0]).max().unwrap_or_default();
        assert!(longest <= 24, "{longest} claims between two lower ones");
        say(&format!(
            "Q6: {lower} lower items beside {} urgent ones: {longest} claims at most between two",
            order.len()
        ));
    })
    .await;
}

/// Q7: with one consumer, strictly the order of the pushes, whatever the size of the batches.
#[tokio::test]
async fn one_consumer_sees_strictly_the_order_of_the_pushes() {
    let count = size(5_000, 50_000);
    check(&invariants(), async |bench| {
        let plane = plane(bench, &["a"]).await;
        let group = |n: usize| n.is_multiple_of(3).then(|| format!("g{}", n % 7));
        let pushes: Vec<Push> =
            (0..count).map(|n| Push { group: group(n), ..Push::new(n.to_string()) }).collect();
        plane.queues().push_many(&queue("normal"), &pushes).await.unwrap().unwrap();
        let (mut last, mut seen) = (std::collections::HashMap::new(), 0);
        while seen < count {
            let items = claim(&plane, "a", &["normal"], 1 + seen % 50).await;
            assert!(!items.is_empty(), "{seen} of {count}");
            seen += items.len();
            for item in &items {
                let n: usize = item.text().parse().unwrap();
                let before = last.insert(group(n), n);
                assert!(before.is_none_or(|before| before < n), "{n} after {before:?}");
            }
            let tokens: Vec<_> = items.into_iter().map(|item| item.token).collect();
            assert!(plane.queues().ack(&agent("a"), None, &tokens).await.unwrap().unwrap().is_empty());
        }
    })
    .await;
}

/// Where spans are exported, what a handler does is a child of whoever pushed its item.
#[tokio::test]
async fn a_handler_runs_in_the_trace_of_its_item() {
    let provider = SdkTracerProvider::builder().build();
    let layer = tracing_opentelemetry::layer().with_tracer(provider.tracer("test"));
    let _spans = tracing::subscriber::set_default(tracing_subscriber::registry().with(layer));
    check(&invariants(), async |bench| {
        let plane = plane(bench, &[]).await;
        let trace = Trace::read("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01", None);
        let traced = Push { trace: trace.clone(), ..Push::new("traced") };
        plane.queues().push(&queue("normal"), &traced).await.unwrap().unwrap();
        push(&plane, "normal", "alone").await;
        let (send, mut got) = tokio::sync::mpsc::unbounded_channel();
        let handler = move |job: quorate_plane::worker::Job| {
            let send = send.clone();
            async move {
                tokio::task::yield_now().await;
                send.send((job.text(), job.trace.clone(), Trace::current())).map_err(|_| "nobody listens")
            }
        };
        let seen = async {
            let (one, two) = (got.recv().await.unwrap(), got.recv().await.unwrap());
            if one.0 == "traced" { (one, two) } else { (two, one) }
        };
        let work = plane.worker("normal").until(std::future::pending()).run(handler);
        let (traced, alone) = tokio::select! {
            seen = seen => seen,
            report = work => panic!("it ended: {report:?}"),
        };
        let place = traced.2.expect("a span");
        assert_eq!(traced.1, trace, "the item says where it comes from");
        assert_eq!(place.parent()[..36], trace.as_ref().unwrap().parent()[..36], "the same trace");
        assert_ne!(place, trace.unwrap(), "and a span of its own");
        assert_eq!((alone.1, alone.2), (None, None));
    })
    .await;
}

/// The cap is for everything that waits: on the list, in lanes, for its time, and what came back.
#[tokio::test]
async fn the_depth_cap_counts_everything_that_waits() {
    check(&invariants(), async |bench| {
        let plane = plane(bench, &["a"]).await;
        let put = async |wish: Push| plane.queues().push(&queue("normal"), &wish).await.unwrap();
        let group = |name: &str| Push { group: Some(name.into()), ..Push::new("g") };
        put(Push::new("plain")).await.unwrap();
        put(group("one")).await.unwrap();
        put(group("one")).await.unwrap();
        put(group("two")).await.unwrap();
        put(Push { delay: Duration::from_secs(60), ..Push::new("later") }).await.unwrap();
        for wish in [Push::new("x"), group("three"), Push { delay: Duration::from_secs(9), ..Push::new("x") }]
        {
            let full = Push { max_depth: Some(5), ..wish.clone() };
            assert_eq!(refused(put(full).await).code, "queue_full");
        }
        // What is out does not wait; what has come back does.
        let held = claim(&plane, "a", &["normal"], 2).await;
        let full = Push { max_depth: Some(4), ..Push::new("x") };
        put(full.clone()).await.unwrap();
        assert_eq!(refused(put(full).await).code, "queue_full");
        let tokens: Vec<_> = held.iter().map(|item| item.token.clone()).collect();
        plane.queues().give_back(&agent("a"), None, &tokens).await.unwrap().unwrap();
        assert_eq!(refused(put(Push { max_depth: Some(6), ..Push::new("x") }).await).code, "queue_full");
        let shown = plane.queues().show(&queue("normal"), 0).await.unwrap();
        assert_eq!((shown.depth, shown.delayed), (5, 1));
    })
    .await;
}

/// What is due, and what lapsed, waits like anything else: it has an age, and nobody has it.
#[tokio::test]
async fn what_became_due_or_lapsed_waits_and_is_with_nobody() {
    check(&invariants(), async |bench| {
        let plane = plane(bench, &["a"]).await;
        push(&plane, "normal", "x").await;
        drop(claim(&plane, "a", &["normal"], 1).await);
        let held = plane.queues().show(&queue("normal"), 5).await.unwrap();
        assert_eq!((held.depth, held.in_flight, held.oldest_ms, held.claims.len()), (0, 1, None, 1));
        let late = Push { delay: Duration::from_secs(9), ..Push::new("y") };
        plane.queues().push(&queue("high"), &late).await.unwrap().unwrap();
        let soon = plane.queues().show(&queue("high"), 5).await.unwrap();
        assert_eq!((soon.depth, soon.delayed, soon.oldest_ms), (0, 1, None));
        let later = later(bench, 12_000);
        for name in ["normal", "high"] {
            let shown = later.queues().show(&queue(name), 5).await.unwrap();
            assert_eq!((shown.depth, shown.in_flight, shown.delayed, shown.claims.len()), (1, 0, 0, 0));
            let age = shown.oldest_ms.unwrap();
            assert!((1_000..10_000).contains(&age), "{name}: {age}");
        }
    })
    .await;
}
