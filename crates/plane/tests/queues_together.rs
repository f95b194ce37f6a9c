//! Single calls of one process in the same moment: they share scripts, and each keeps its own answer.

use std::collections::HashSet;

use crate::support::queues::{claim, push, queue, wanted};
use crate::support::{agent, plane, refused, scripts};
use futures_util::future::join_all;
use quorate_plane::agents::Registration;
use quorate_plane::queues::{Claim, Item, Push};
use quorate_plane::{Outcome, Plane, invariants};
use quorate_testkit::chaos::Proxy;
use quorate_testkit::{Bench, check, check_verbatim};

const MANY: usize = 40;

fn name(number: usize) -> String {
    format!("a{number}")
}

/// Registers as many agents, and pushes an item for each.
async fn fleet(bench: &Bench) -> Plane {
    let names: Vec<String> = (0..MANY).map(name).collect();
    plane(bench, &names.iter().map(String::as_str).collect::<Vec<_>>()).await
}

async fn push_all(plane: &Plane, from: usize) -> Vec<String> {
    let payloads: Vec<String> = (from..from + MANY).map(|n| n.to_string()).collect();
    join_all(payloads.iter().map(|payload| push(plane, "normal", payload))).await
}

async fn claim_all(plane: &Plane) -> Vec<Item> {
    let names: Vec<String> = (0..MANY).map(name).collect();
    let claims = names.iter().map(|name| claim(plane, name, &["normal"], 1));
    join_all(claims).await.into_iter().flatten().collect()
}

async fn ack_all(plane: &Plane, items: &[Item]) -> usize {
    let acks = items.iter().enumerate().map(async |(number, item)| {
        let tokens = std::slice::from_ref(&item.token);
        plane.queues().ack(&agent(&name(number)), None, tokens).await.unwrap().unwrap().len()
    });
    join_all(acks).await.into_iter().sum()
}

#[tokio::test]
async fn calls_of_one_moment_share_a_script_and_each_gets_what_is_its_own() {
    check(&invariants(), async |bench| {
        let plane = fleet(bench).await;
        // So that the scripts are known and settings are read.
        push(&plane, "normal", "first").await;
        let before = scripts(bench).await;
        let ids = push_all(&plane, 0).await;
        let items = claim_all(&plane).await;
        assert_eq!(items.len(), MANY);
        assert_eq!(ack_all(&plane, &items).await, 0, "each acknowledges what it was given");
        let used = scripts(bench).await - before;
        assert!(used < 3 * MANY as u64 / 4, "{used} scripts for {} calls", 3 * MANY);
        let distinct: HashSet<_> =
            items.iter().map(|item| (item.token.to_string(), item.id.clone())).collect();
        assert_eq!(distinct.len(), MANY, "nobody has what another has");
        assert_eq!(ids.iter().collect::<HashSet<_>>().len(), MANY);
        let fences: Vec<u64> = items.iter().map(|item| item.token.fence).collect();
        assert_eq!(fences.iter().collect::<HashSet<_>>().len(), MANY);
        let shown = plane.queues().show(&queue("normal"), 10).await.unwrap();
        assert_eq!((shown.depth, shown.in_flight, shown.stale), (1, 0, 0));
    })
    .await;
}

/// A shared claim is held like any other: its lease ends, and whoever comes late is refused.
#[tokio::test]
async fn what_was_claimed_together_lapses_each_for_itself_and_late_answers_count_as_late() {
    check(&invariants(), async |bench| {
        let plane = fleet(bench).await;
        push_all(&plane, 0).await;
        let items = claim_all(&plane).await;
        assert_eq!(items.len(), MANY);
        let shown = plane.queues().show(&queue("normal"), 100).await.unwrap();
        let holders: HashSet<_> = shown.claims.iter().map(|claim| claim.agent.clone()).collect();
        assert_eq!((shown.in_flight, holders.len()), (MANY as u64, MANY), "each is held by who claimed it");
        assert_eq!(ack_all(&plane, &items[..10]).await, 0);
        let later = crate::support::queues::later(bench, 10_500);
        let again = claim(&later, "a0", &["normal"], 100).await;
        assert_eq!(again.len(), MANY - 10);
        assert!(again.iter().all(|item| item.attempt == 2));
        assert_eq!(ack_all(&later, &items).await, MANY, "late, all of them");
        assert_eq!(later.queues().show(&queue("normal"), 0).await.unwrap().stale, MANY as u64);
    })
    .await;
}

/// What is refused is refused to whom it concerns, and groups go on.
#[tokio::test]
async fn what_is_out_of_the_ordinary_concerns_nobody_else() {
    check(&invariants(), async |bench| {
        let plane = fleet(bench).await;
        let small = Registration { max_tasks: Some(1), ..Registration::new(agent("small")) };
        plane.agents().register(&small).await.unwrap().unwrap();
        plane.agents().revoke(&agent("a1"), None, None).await.unwrap().unwrap();
        let who = ["a0", "a1", "small", "nobody", "a2", "small"];
        push_all(&plane, 0).await;
        let asked = who.map(|name| wanted(name, &["normal"], 1));
        let answers = join_all(asked.iter().map(async |claim| plane.queues().claim(claim).await)).await;
        let told: Vec<String> = answers
            .into_iter()
            .map(|answer| match answer.unwrap() {
                Outcome::Done(claimed) => format!("{} item", claimed.items.len()),
                Outcome::Refused(refusal) => refusal.code,
            })
            .collect();
        assert_eq!(told, ["1 item", "revoked", "1 item", "unregistered", "1 item", "capacity"]);
        let stale = Claim { epoch: Some(7), ..wanted("a3", &["normal"], 1) };
        let fine = wanted("a4", &["normal"], 3);
        let queues = plane.queues();
        let (stale, fine) = tokio::join!(queues.claim(&stale), queues.claim(&fine));
        assert_eq!(refused(stale.unwrap()).code, "stale_epoch");
        assert_eq!(fine.unwrap().unwrap().items.len(), 3);
        let group = || Push { group: Some("g".to_owned()), ..Push::new("grouped") };
        for _ in 0..2 {
            plane.queues().push(&queue("low"), &group()).await.unwrap().unwrap();
        }
        let low = |name: &'static str| wanted(name, &["low"], 1);
        let (one, two) = (low("a5"), low("a6"));
        let (one, two) = tokio::join!(queues.claim(&one), queues.claim(&two));
        let mut got: Vec<Item> = [one, two].into_iter().flat_map(|got| got.unwrap().unwrap().items).collect();
        assert_eq!(got.len(), 1, "one of a group at a time");
        let first = got.remove(0);
        for name in ["a5", "a6"] {
            let tokens = std::slice::from_ref(&first.token);
            plane.queues().ack(&agent(name), None, tokens).await.unwrap().unwrap();
        }
        assert_eq!(claim(&plane, "a7", &["low"], 5).await.len(), 1, "the group goes on");
    })
    .await;
}

/// Replies are lost in the middle of shared calls: nothing is pushed, claimed or acknowledged a second time.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_lost_reply_of_a_shared_call_has_one_effect_for_each() {
    check_verbatim(&invariants(), async |bench| {
        fleet(bench).await;
        let proxy = Proxy::start(format!("127.0.0.1:{}", bench.node.port()).parse().unwrap()).await.unwrap();
        let target = quorate_store::Target::parse(&format!("redis://{}", proxy.address())).unwrap();
        let store = quorate_store::Store::connect(target, quorate_store::Options::default()).await.unwrap();
        let keys = bench.scope.keys.clone();
        let cut = Plane::new(quorate_store::invariant::Scope { store, keys }).unwrap();
        for round in 0..4 {
            proxy.drop_reply_after_forward(2, "EVALSHA");
            push_all(&cut, round * MANY).await;
            proxy.drop_reply_after_forward(2, "EVALSHA");
            let items = claim_all(&cut).await;
            let distinct: HashSet<_> = items.iter().map(|item| item.text()).collect();
            assert_eq!((items.len(), distinct.len()), (MANY, MANY), "each once");
            assert!(items.iter().all(|item| item.attempt == 1), "what was lost is given again as it was");
            proxy.drop_reply_after_forward(2, "EVALSHA");
            assert_eq!(ack_all(&cut, &items).await, 0, "a repeated answer is told what the first was");
        }
        proxy.heal();
        let shown = cut.queues().show(&queue("normal"), 0).await.unwrap();
        assert_eq!((shown.depth, shown.in_flight, shown.stale), (0, 0, 0));
    })
    .await;
}
