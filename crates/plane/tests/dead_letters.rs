//! Dead letters: lists, clusters, and a replay that makes one item however many ask.

use std::process::{Command, Stdio};
use std::time::Duration;

use crate::support::{agent, plane, refused};
use quorate_catalog::ids::DeadLetterId;
use quorate_plane::dead_letters::{Canary, Filter, Letter, Replay};
use quorate_plane::queues::{Claim, Item, Nack, Nacked, Push, Queue};
use quorate_plane::{Outcome, Plane, invariants};
use quorate_testkit::chaos::Worker;
use quorate_testkit::{Bench, check};

fn normal() -> Queue {
    "normal".parse().unwrap()
}

async fn claim(plane: &Plane) -> Vec<Item> {
    let wanted = Claim { most: 100, ..Claim::new(normal(), agent("a")) };
    plane.queues().claim(&wanted).await.unwrap().unwrap().items
}

async fn fail(plane: &Plane, item: &Item, error: &str) -> Nacked {
    let why = Nack { error: error.into(), delay: Some(Duration::ZERO) };
    plane.queues().nack(&agent("a"), None, &item.token, &why).await.unwrap().unwrap()
}

/// Buries items whose only attempt failed with these errors.
async fn bury(plane: &Plane, errors: &[&str]) -> Vec<DeadLetterId> {
    let pushes: Vec<Push> = errors
        .iter()
        .enumerate()
        .map(|(n, _)| Push { max_attempts: Some(1), ..Push::new(format!("{{\"n\":{n}}}")) })
        .collect();
    plane.queues().push_many(&normal(), &pushes).await.unwrap().unwrap();
    let mut letters = Vec::new();
    for (item, error) in claim(plane).await.iter().zip(errors) {
        let Nacked::Dead(letter) = fail(plane, item, error).await else { panic!("not buried") };
        letters.push(DeadLetterId::parse(&letter).unwrap());
    }
    letters
}

async fn list(plane: &Plane, filter: Filter) -> Vec<Letter> {
    plane.dead_letters().list(&Filter { limit: 100, ..filter }).await.unwrap()
}

#[tokio::test]
async fn letters_are_found_by_filter_and_by_failure() {
    check(&invariants(), async |bench| {
        let plane = plane(bench, &["a"]).await;
        let letters = bury(&plane, &["timeout after 3 ms", "timeout after 77 ms", "no such user"]).await;
        assert_eq!(list(&plane, Filter::default()).await.len(), 3);
        let clusters = plane.dead_letters().clusters(false, 10).await.unwrap();
        let mut counts: Vec<u64> = clusters.iter().map(|cluster| cluster.count).collect();
        counts.sort_unstable();
        assert_eq!(counts, [1, 2]);
        let of_two = clusters.iter().find(|cluster| cluster.count == 2).unwrap();
        let cluster = Some(of_two.fingerprint.clone());
        assert_eq!(list(&plane, Filter { cluster, ..Filter::default() }).await.len(), 2);
        let text = Some("user".to_owned());
        assert_eq!(list(&plane, Filter { text, ..Filter::default() }).await.len(), 1);
        let source = Some("queue:high".to_owned());
        assert!(list(&plane, Filter { source, ..Filter::default() }).await.is_empty());
        plane.dead_letters().investigate(&letters[0], "ann", "the disk").await.unwrap().unwrap();
        let shown = plane.dead_letters().show(&letters[0]).await.unwrap().unwrap();
        assert_eq!(
            (shown.note.as_deref(), shown.investigated_by.as_deref()),
            (Some("the disk"), Some("ann"))
        );
        plane.dead_letters().drop(&letters[2], "ann", "a test").await.unwrap().unwrap();
        assert_eq!(list(&plane, Filter::default()).await.len(), 2);
        assert_eq!(
            refused(plane.dead_letters().drop(&letters[2], "ann", "").await.unwrap()).code,
            "no_letter"
        );
    })
    .await;
}

async fn failing(plane: &Plane, open: bool) -> Vec<(u64, u64, String)> {
    let all = plane.dead_letters().clusters(open, 10).await.unwrap();
    let mut all: Vec<_> = all.into_iter().map(|one| (one.open, one.count, one.reason)).collect();
    all.sort();
    all
}

/// What was replayed and done stays on record, and needs nobody any more.
#[tokio::test]
async fn a_failure_counts_while_it_has_open_letters() {
    check(&invariants(), async |bench| {
        let plane = plane(bench, &["a"]).await;
        let letters = bury(&plane, &["timeout after 3 ms", "timeout after 77 ms", "no such user"]).await;
        let dead = plane.dead_letters();
        let normal_dead = async || plane.queues().show(&normal(), 0).await.unwrap().dead;
        assert_eq!((dead.open().await.unwrap(), normal_dead().await), ((3, 2), 3));
        dead.replay(&letters[2], &Replay::by("ann")).await.unwrap().unwrap();
        assert_eq!((dead.open().await.unwrap(), normal_dead().await), ((2, 1), 2));
        assert_eq!(failing(&plane, true).await, [(2, 2, "timeout after 77 ms".to_owned())]);
        let all = [(0, 1, "no such user".to_owned()), (2, 2, "timeout after 77 ms".to_owned())];
        assert_eq!(failing(&plane, false).await, all);
        // It dies again, in another way: of the old failure nothing is left.
        fail(&plane, &claim(&plane).await.remove(0), "disk full").await;
        assert_eq!(dead.open().await.unwrap(), (3, 2));
        assert_eq!(failing(&plane, false).await[0], (1, 1, "disk full".to_owned()));
        assert_eq!(failing(&plane, false).await.len(), 2);
        let open = || Filter { state: Some("open".into()), ..Filter::default() };
        let source = Some("queue:normal".to_owned());
        assert_eq!(list(&plane, Filter { source, ..open() }).await.len(), 3);
        assert_eq!(
            list(&plane, Filter { text: Some("\"n\":1".into()), ..open() }).await.len(),
            1,
            "in the payload"
        );
        for letter in &letters {
            dead.replay(letter, &Replay::by("ann")).await.unwrap().unwrap();
        }
        assert_eq!((dead.open().await.unwrap(), normal_dead().await), ((0, 0), 0));
        assert!(failing(&plane, true).await.is_empty() && list(&plane, open()).await.is_empty());
        assert_eq!(list(&plane, Filter::default()).await.len(), 3);
        dead.drop(&letters[2], "ann", "").await.unwrap().unwrap();
        assert_eq!(failing(&plane, false).await.len(), 1);
    })
    .await;
}

/// D4: sixteen ask at once, some of them twice.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sixteen_replays_at_once_make_one_item() {
    check(&invariants(), async |bench| {
        let plane = plane(bench, &["a"]).await;
        let letters = bury(&plane, &["x", "y", "z"]).await;
        for letter in &letters {
            let asks = (0..16).map(|n| {
                let (plane, letter) = (plane.clone(), letter.clone());
                let how = Replay { request: format!("r{}", n / 2), ..Replay::by("ann") };
                tokio::spawn(async move { plane.dead_letters().replay(&letter, &how).await.unwrap() })
            });
            let mut made = Vec::new();
            for ask in asks.collect::<Vec<_>>() {
                match ask.await.unwrap() {
                    Outcome::Done(item) => made.push(item),
                    Outcome::Refused(why) => assert_eq!(why.code, "already_replayed"),
                }
            }
            assert!((1..=2).contains(&made.len()), "only the request that did it is told so: {made:?}");
            assert!(made.iter().all(|item| *item == made[0]));
        }
        let items = claim(&plane).await;
        assert_eq!(items.len(), 3);
        assert!(items.iter().all(|item| item.attempt == 1));
    })
    .await;
}

#[tokio::test]
async fn a_letter_that_died_again_is_open_again_up_to_its_cap_and_keeps_its_history() {
    check(&invariants(), async |bench| {
        let plane = plane(bench, &["a"]).await;
        let letter = bury(&plane, &["first"]).await.remove(0);
        let edited = Replay { payload: Some("{\"n\":5}".into()), cap: 2, ..Replay::by("ann") };
        let item = plane.dead_letters().replay(&letter, &edited).await.unwrap().unwrap();
        let claimed = claim(&plane).await.remove(0);
        assert_eq!((claimed.text().as_str(), &claimed.id), ("{\"n\":5}", &item));
        assert!(
            matches!(fail(&plane, &claimed, "second").await, Nacked::Dead(again) if again == letter.as_key())
        );
        let again = Replay { cap: 2, ..Replay::by("bob") };
        plane.dead_letters().replay(&letter, &again).await.unwrap().unwrap();
        fail(&plane, &claim(&plane).await.remove(0), "third").await;
        let third = Replay { cap: 2, ..Replay::by("bob") };
        assert_eq!(refused(plane.dead_letters().replay(&letter, &third).await.unwrap()).code, "replay_cap");
        let shown = plane.dead_letters().show(&letter).await.unwrap().unwrap();
        assert_eq!((shown.replays, shown.state.as_str(), shown.reason.as_str()), (2, "open", "third"));
        assert_eq!((&shown.history[0]["by"], &shown.history[1]["by"]), (&"ann".into(), &"bob".into()));
        assert_eq!(
            shown.history[0]["diff"][0],
            serde_json::json!({ "member": "n", "before": 0, "after": 5 })
        );
        let audit: u64 = plane
            .store()
            .query(quorate_store::cmd("XLEN").arg(plane.keys().quorate().dead_audit().as_str()))
            .await
            .unwrap();
        assert_eq!(audit, 2);
    })
    .await;
}

#[tokio::test]
async fn fsck_lists_a_letter_again() {
    let bench = Bench::verbatim().await;
    let plane = plane(&bench, &["a"]).await;
    bury(&plane, &["x"]).await;
    bench.cli("DEL ~q:dead:view:all").await;
    assert!(bench.mess(&invariants()).await.join("").contains("FSCK044"));
    quorate_audit::run(&bench.scope, &invariants(), true, &|_, _| {}).await.unwrap();
    assert_eq!(list(&plane, Filter::default()).await.len(), 1);
    assert_eq!(bench.mess(&invariants()).await, Vec::<String>::new());
}

#[tokio::test]
async fn fsck_mends_the_lists_of_open_letters() {
    let bench = Bench::verbatim().await;
    let plane = plane(&bench, &["a"]).await;
    let letters = bury(&plane, &["x", "y"]).await;
    plane.dead_letters().replay(&letters[1], &Replay::by("ann")).await.unwrap().unwrap();
    for broken in [
        "DEL ~q:dead:view:open:all".to_owned(),
        "DEL ~q:dead:view:open:source:queue:normal".to_owned(),
        "DEL ~q:dead:view:open:clusters".to_owned(),
        format!("ZADD ~q:dead:view:open:all 1 {}", letters[1].as_key()),
        "ZADD ~q:dead:view:open:all 1 nobody".to_owned(),
    ] {
        bench.cli(&broken).await;
        assert!(bench.mess(&invariants()).await.join("").contains("FSCK044"), "{broken}");
        quorate_audit::run(&bench.scope, &invariants(), true, &|_, _| {}).await.unwrap();
        assert_eq!(plane.dead_letters().open().await.unwrap(), (1, 1), "{broken}");
        assert_eq!(bench.mess(&invariants()).await, Vec::<String>::new(), "{broken}");
    }
}

/// D4: a thousand letters, sixteen replayers, and each of them is killed again and again: one new item for each letter.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn replayers_that_are_killed_make_one_item_of_each_letter() {
    check(&invariants(), async |bench| {
        let plane = plane(bench, &["a"]).await;
        let count = 1_000;
        for _ in 0..count / 100 {
            bury(&plane, &["x"; 100]).await;
        }
        let replayer = |name: String| {
            let mut command = Command::new(env!("CARGO_BIN_EXE_queue-worker"));
            let namespace = bench.scope.keys.namespace_text();
            command.arg(bench.node.url().reveal()).arg(namespace.trim_end_matches(':')).arg(name);
            command.args(["replay", "/dev/null", "1", "1000"]);
            command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
            Worker::spawn(&mut command).unwrap()
        };
        let mut replayers: Vec<Worker> = (0..16).map(|n| replayer(format!("r{n}"))).collect();
        for kill in 0..24 {
            tokio::time::sleep(Duration::from_millis(20)).await;
            replayers[kill % 16].kill9().unwrap();
            replayers[kill % 16] = replayer(format!("s{kill}"));
        }
        for one in &mut replayers {
            assert!(one.wait(Duration::from_secs(20)).unwrap().is_some(), "it ends when nothing is open");
        }
        let letters = plane.dead_letters().list(&Filter { limit: 2_000, ..Filter::default() }).await.unwrap();
        assert!(letters.iter().all(|letter| letter.state == "replayed" && letter.replays == 1));
        let mut names: Vec<String> = Vec::new();
        loop {
            let items = claim(&plane).await;
            if items.is_empty() {
                break;
            }
            names.extend(items.into_iter().map(|item| item.id));
        }
        let mut made: Vec<String> = letters.into_iter().filter_map(|letter| letter.replayed_as).collect();
        names.sort();
        made.sort();
        assert_eq!(
            (names.len(), names == made),
            (count, true),
            "each letter has one item, and it is the one it says"
        );
    })
    .await;
}

#[tokio::test]
async fn a_letter_whose_second_life_is_done_is_resolved_and_a_canary_waits_for_that() {
    check(&invariants(), async |bench| {
        let plane = plane(bench, &["a"]).await;
        let letters = bury(&plane, &["x", "x", "x"]).await;
        let (short, dead) = (Duration::from_millis(60), plane.dead_letters());
        dead.replay(&letters[0], &Replay::by("ann")).await.unwrap().unwrap();
        assert_eq!(dead.canary(&letters[0], short).await.unwrap(), Canary::Unknown);
        fail(&plane, &claim(&plane).await.remove(0), "again").await;
        assert_eq!(dead.canary(&letters[0], short).await.unwrap(), Canary::Relapsed);
        let before: Vec<_> = dead.replay_many(&letters, &Replay::by("ann")).await.unwrap();
        assert!(before.iter().all(|one| one.refusal().is_none()));
        let tokens: Vec<_> = claim(&plane).await.into_iter().map(|item| item.token).collect();
        assert!(plane.queues().ack(&agent("a"), None, &tokens).await.unwrap().unwrap().is_empty());
        for letter in &letters {
            assert_eq!(dead.canary(letter, short).await.unwrap(), Canary::Resolved);
            let again = dead.replay(letter, &Replay::by("ann")).await.unwrap();
            assert_eq!(refused(again).code, "already_replayed");
        }
    })
    .await;
}
