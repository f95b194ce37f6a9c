//! Waiting for items: many of one process share their connections, and are served in the order in which they came.

use std::time::{Duration, Instant};

use crate::support::queues::{ack, push, queue, wanted};
use crate::support::{agent, clients, plane, refused, scripts};
use futures_util::future::join_all;
use quorate_plane::agents::Registration;
use quorate_plane::queues::{Claim, Claimed, Item, Push};
use quorate_plane::{Outcome, Plane, invariants};
use quorate_testkit::check;
use tokio::task::JoinHandle;
use tokio::time::{sleep, timeout};

type Waiting = JoinHandle<quorate_store::Result<Outcome<Claimed>>>;

const SOON: Duration = Duration::from_millis(500);

/// Waits for one item, for a while.
fn wait(plane: &Plane, who: &str, names: &[&str]) -> Waiting {
    let (plane, claim) = (plane.clone(), Claim { wait: Duration::from_secs(30), ..wanted(who, names, 1) });
    tokio::spawn(async move { plane.queues().claim(&claim).await })
}

/// So many wait, one after the other.
async fn line(plane: &Plane, count: usize) -> Vec<Waiting> {
    let mut all = Vec::new();
    for _ in 0..count {
        all.push(wait(plane, "a", &["normal"]));
        sleep(Duration::from_millis(3)).await;
    }
    sleep(Duration::from_millis(300)).await;
    all
}

async fn item(waiting: Waiting) -> Item {
    let outcome = timeout(SOON, waiting).await.expect("at once").unwrap().unwrap();
    outcome.unwrap().items.pop().expect("an item")
}

#[tokio::test]
async fn hundreds_who_wait_share_two_connections_and_get_items_in_the_order_they_came() {
    check(&invariants(), async |bench| {
        let plane = plane(bench, &["a"]).await;
        push(&plane, "normal", "first").await;
        let before = clients(bench).await;
        let mut all = line(&plane, 301).await;
        item(all.remove(0)).await;
        assert!(clients(bench).await <= before + 2, "{} more for 300", clients(bench).await - before);
        let rest = all.split_off(100);
        for (number, waiting) in all.into_iter().enumerate() {
            push(&plane, "normal", &number.to_string()).await;
            assert_eq!(item(waiting).await.text(), number.to_string(), "who came first is served first");
        }
        let pushes: Vec<Push> = (0..rest.len()).map(|number| Push::new(number.to_string())).collect();
        plane.queues().push_many(&queue("normal"), &pushes).await.unwrap().unwrap();
        let items = join_all(rest.into_iter().map(item)).await;
        for item in &items {
            assert!(ack(&plane, "a", item).await);
        }
    })
    .await;
}

/// What nobody may take is no reason to look for it all the time.
#[tokio::test]
async fn a_paused_queue_with_items_costs_those_who_wait_next_to_nothing_and_goes_on_at_once() {
    check(&invariants(), async |bench| {
        let plane = plane(bench, &["a"]).await;
        push(&plane, "normal", "x").await;
        plane.queues().pause(&queue("normal"), "me").await.unwrap();
        let waiting = wait(&plane, "a", &["normal"]);
        sleep(Duration::from_millis(200)).await;
        let before = scripts(bench).await;
        sleep(Duration::from_secs(2)).await;
        let used = scripts(bench).await - before;
        assert!(used < 20, "{used} scripts in two seconds");
        plane.queues().resume(&queue("normal")).await.unwrap();
        assert_eq!(item(waiting).await.text(), "x");
    })
    .await;
}

#[tokio::test]
async fn what_few_may_take_finds_them_behind_all_others() {
    check(&invariants(), async |bench| {
        let plane = plane(bench, &["a"]).await;
        let able =
            Registration { capabilities: vec!["gpu".parse().unwrap()], ..Registration::new(agent("able")) };
        plane.agents().register(&able).await.unwrap().unwrap();
        let others = line(&plane, 40).await;
        let waiting = wait(&plane, "able", &["normal"]);
        sleep(Duration::from_millis(100)).await;
        let gpu = Push { needs: vec!["gpu".parse().unwrap()], ..Push::new("gpu") };
        plane.queues().push(&queue("normal"), &gpu).await.unwrap().unwrap();
        assert_eq!(item(waiting).await.text(), "gpu");
        let group = |name: usize| Push { group: Some(name.to_string()), ..Push::new(name.to_string()) };
        let groups: Vec<Push> = (0..others.len()).map(group).collect();
        plane.queues().push_many(&queue("normal"), &groups).await.unwrap().unwrap();
        for waiting in others {
            item(waiting).await;
        }
    })
    .await;
}

/// Also whoever is far behind in line hears that it may not wait any longer, and what is due reaches the first.
#[tokio::test]
async fn who_may_not_go_on_hears_it_in_line_and_what_is_due_is_not_missed() {
    check(&invariants(), async |bench| {
        let plane = plane(bench, &["a", "gone", "drained"]).await;
        let mut all = line(&plane, 3).await;
        let behind = [wait(&plane, "gone", &["normal"]), wait(&plane, "drained", &["normal"])];
        sleep(Duration::from_millis(100)).await;
        plane.agents().revoke(&agent("gone"), None, None).await.unwrap().unwrap();
        plane.agents().drain(&agent("drained"), None, "update").await.unwrap().unwrap();
        for (waiting, code) in behind.into_iter().zip(["revoked", "draining"]) {
            let outcome = timeout(Duration::from_secs(3), waiting).await.expect("soon").unwrap().unwrap();
            assert_eq!(refused(outcome).code, code);
        }
        let pushed = Instant::now();
        let later = Push { delay: Duration::from_millis(300), ..Push::new("later") };
        plane.queues().push(&queue("normal"), &later).await.unwrap().unwrap();
        assert_eq!(item(all.remove(0)).await.text(), "later");
        assert!(pushed.elapsed() >= Duration::from_millis(295), "{:?}", pushed.elapsed());
        // Whoever goes away leaves its turn to the next.
        all.remove(0).abort();
        push(&plane, "normal", "next").await;
        assert_eq!(item(all.remove(0)).await.text(), "next");
    })
    .await;
}

/// A claim of several queues stands in the line of each.
#[tokio::test]
async fn who_waits_for_several_queues_is_served_by_any_of_them() {
    check(&invariants(), async |bench| {
        let plane = plane(bench, &["a"]).await;
        for name in ["high", "low", "job:archive"] {
            let waiting = wait(&plane, "a", &["high", "low", "job:archive"]);
            sleep(Duration::from_millis(100)).await;
            push(&plane, name, name).await;
            assert_eq!(item(waiting).await.text(), name);
        }
    })
    .await;
}

/// Two processes wait for one queue: what one of them takes costs the other nothing, and what comes next finds it at once.
#[tokio::test]
async fn who_was_too_late_for_an_item_is_there_for_the_next() {
    check(&invariants(), async |bench| {
        let (one, other) = (plane(bench, &["a"]).await, Plane::new(bench.scope.clone()).unwrap());
        let (mut first, mut second) = (line(&one, 20).await, line(&other, 20).await);
        for number in 0..40 {
            push(&one, "normal", &number.to_string()).await;
            let pushed = Instant::now();
            while !first.iter().chain(&second).any(JoinHandle::is_finished) {
                sleep(Duration::from_millis(1)).await;
            }
            assert!(pushed.elapsed() < SOON / 2, "{number}: {:?}", pushed.elapsed());
            for all in [&mut first, &mut second] {
                if let Some(place) = all.iter().position(JoinHandle::is_finished) {
                    item(all.remove(place)).await;
                }
            }
        }
    })
    .await;
}

/// Whether it may still wait is asked for all of a process at once, whatever queue they wait for, and whoever may not hears it.
#[tokio::test]
async fn hundreds_who_wait_for_a_job_queue_ask_together_whether_they_still_may() {
    check(&invariants(), async |bench| {
        let plane = plane(bench, &["a", "gone"]).await;
        let mut all = Vec::new();
        for number in 0..200 {
            let who = if number == 100 { "gone" } else { "a" };
            all.push(wait(&plane, who, &["job:archive", "low"]));
        }
        sleep(Duration::from_secs(1)).await;
        let before = scripts(bench).await;
        sleep(Duration::from_secs(2)).await;
        let used = scripts(bench).await - before;
        assert!(used < 20, "{used} scripts in two seconds");
        plane.agents().revoke(&agent("gone"), None, None).await.unwrap().unwrap();
        let outcome = timeout(Duration::from_secs(3), all.remove(100)).await.expect("soon").unwrap().unwrap();
        assert_eq!(refused(outcome).code, "revoked");
        push(&plane, "job:archive", "x").await;
        assert_eq!(item(all.remove(0)).await.text(), "x");
        assert!(all.iter().all(|waiting| !waiting.is_finished()), "the others wait on");
    })
    .await;
}
