//! Events that are reported in the same moment share a script, and each is taken as if it had come alone.

use futures_util::future::join_all;
use quorate_plane::tasks::{Place, Report, Taken};
use quorate_plane::{Outcome, Plane, invariants};
use quorate_store::{Clock, Options, Store, Target, invariant::Scope};
use quorate_testkit::chaos::Proxy;
use quorate_testkit::{Bench, check};
use serde_json::json;

use super::order::at;
use super::support::{accept, code, dump, event, plane, statuses, task, text, texts};

const MANY: usize = 40;

async fn report_all(plane: &Plane, reports: &[Report]) -> Vec<Outcome<Taken>> {
    let calls = reports.iter().map(async |report| plane.tasks().report(report).await.unwrap());
    join_all(calls).await
}

/// Events of forty tasks that are simply next, some of them of one task; with an id, with a time, with a line break between.
fn rounds() -> Vec<Vec<Report>> {
    let named = |round: usize, number: usize| {
        let id = format!("e {round}/{number}");
        event(
            &format!("t{number}"),
            json!({ "status": "Running on", "event_id": id, "meta": { "attempt": round } }),
        )
    };
    let timed = |number: usize| {
        let text =
            "{\"status\":\"x\",\n\"timestamp\":\"2026-04-06T10:00:00+02:00\",\"meta\":{\n\"attempt\":1}}";
        let object = quorate_plane::json::Object::parse(text).unwrap();
        Report::of(task(&format!("t{number}")), object).unwrap()
    };
    let end = |number: usize| {
        let status = if number.is_multiple_of(2) { "last step" } else { "FAILED" };
        event(&format!("t{}", number / 2), json!({ "status": status, "meta": { "retry_attempt": 2 } }))
    };
    let all = 0..MANY;
    vec![
        all.clone().map(|number| named(0, number)).collect(),
        all.clone().map(timed).collect(),
        all.clone().map(|number| named(2, number)).collect(),
        all.map(end).collect(),
    ]
}

/// Everything there is, with how long it lasts.
async fn left(bench: &Bench) -> Vec<(String, Vec<u8>, bool)> {
    let mut all = Vec::new();
    for (key, bytes) in dump(bench).await {
        let lasts = text(bench, &format!("TTL {key}")).await == "-1";
        all.push((key, bytes, lasts));
    }
    all
}

async fn scripts_run(bench: &Bench) -> u64 {
    let stats = text(bench, "INFO commandstats").await;
    let line = stats.lines().find(|line| line.starts_with("cmdstat_evalsha:")).unwrap_or_default();
    line.split(['=', ',']).nth(1).and_then(|calls| calls.parse().ok()).unwrap_or_default()
}

#[tokio::test]
async fn events_of_one_moment_leave_what_they_would_have_left_one_by_one() {
    check(&invariants(), async |bench| {
        let now = bench.scope.store.time().await.unwrap();
        let plane = at(bench, Clock::Fixed(now));
        let (before, mut answers) = (texts(bench, "KEYS *").await, Vec::new());
        for report in rounds().iter().flatten() {
            answers.push(plane.tasks().report(report).await.unwrap());
        }
        let one_by_one = left(bench).await;
        for (key, ..) in one_by_one.iter().filter(|(key, ..)| !before.contains(key)) {
            bench.scope.store.query::<u64>(quorate_store::cmd("DEL").arg(key)).await.unwrap();
        }
        let scripts = scripts_run(bench).await;
        let mut shared = Vec::new();
        for round in rounds() {
            shared.extend(report_all(&plane, &round).await);
        }
        assert!(scripts_run(bench).await - scripts <= 12, "they share scripts");
        assert_eq!(shared, answers);
        assert_eq!(left(bench).await, one_by_one);
    })
    .await;
}

#[tokio::test]
async fn what_is_out_of_the_ordinary_is_decided_alone_and_the_others_are_taken() {
    check(&[], async |bench| {
        let plane = plane(bench);
        let (seed, says) = (bench.scope.keys.relayna(), |status: &str| json!({ "status": status }));
        accept(&plane, "late", json!({ "status": "new", "timestamp": "2026-04-06T10:00:00Z" })).await;
        accept(&plane, "over", says("completed")).await;
        accept(&plane, "known", json!({ "status": "a", "event_id": "k" })).await;
        let theirs = seed.status_history(&task("theirs"));
        bench.cli(&format!("LPUSH {theirs} {{\"status\":\"failed\"}}")).await;
        bench.cli(&format!("SET {} x", seed.status_history(&task("spoiled")))).await;
        let reports = [
            event("late", json!({ "status": "old", "timestamp": "2026-04-06T09:00:00Z" })),
            event("over", says("running")),
            event("known", json!({ "status": "b", "event_id": "k" })),
            event("theirs", says("running")),
            event("spoiled", says("running")),
            event("twice", json!({ "status": "a", "event_id": "t" })),
            event("twice", json!({ "status": "a", "event_id": "t" })),
            event("other", json!({ "status": "a", "event_id": "t" })),
            event("child", json!({ "status": "a", "meta": { "parent_task_id": "plain" } })),
            event("plain", says("running")),
        ];
        let answers = report_all(&plane, &reports).await;
        let place = |at: usize| match &answers[at] {
            Outcome::Done(Taken::Accepted(accepted)) => Some((accepted.seq, accepted.place)),
            _ => None,
        };
        assert_eq!((place(0), place(1)), (Some((2, Place::OutOfOrder)), Some((2, Place::AfterEnd))));
        assert_eq!(answers[2], Outcome::Done(Taken::Duplicate(Some(1))));
        assert_eq!((place(3), code(&answers[4])), (Some((2, Place::AfterEnd)), "wrong_type"));
        assert_eq!(
            (place(5), &answers[6]),
            (Some((1, Place::Latest)), &Outcome::Done(Taken::Duplicate(Some(1))))
        );
        assert!((7..10).all(|at| place(at) == Some((1, Place::Latest))), "{answers:?}");
        assert_eq!(statuses(&plane, "over").await, ["completed", "running"]);
        assert_eq!(plane.tasks().children(&task("plain"), 9).await.unwrap().children, ["child"]);
        assert_eq!(
            text(bench, &format!("LLEN {}", seed.feed())).await,
            "10",
            "each event once, of every task"
        );
        bench.cli(&format!("DEL {}", seed.status_history(&task("spoiled")))).await;
    })
    .await;
}

#[tokio::test]
async fn a_wrong_typed_key_of_all_refuses_all_and_leaves_nothing() {
    check(&invariants(), async |bench| {
        let plane = plane(bench);
        let reports: Vec<Report> =
            (0..MANY).map(|number| event(&format!("t{number}"), json!({ "status": "x" }))).collect();
        let store = |name: &str| quorate_catalog::ids::TaskStore::parse(name).unwrap();
        let own = bench.scope.keys.quorate();
        let state = own.feed_state(&store("relayna-service-events"));
        for key in [bench.scope.keys.relayna().feed(), own.task_recent(&store("relayna")), state] {
            bench.cli(&format!("SET {key} poison")).await;
            let before = dump(bench).await;
            let answers = report_all(&plane, &reports).await;
            assert!(answers.iter().all(|answer| code(answer) == "wrong_type"), "{key}: {answers:?}");
            assert_eq!(dump(bench).await, before, "{key}");
            bench.cli(&format!("DEL {key}")).await;
        }
        let taken = report_all(&plane, &reports).await;
        assert!(taken.iter().all(|answer| matches!(answer, Outcome::Done(Taken::Accepted(_)))));
    })
    .await;
}

#[tokio::test]
async fn a_shared_report_whose_reply_is_lost_has_one_effect_for_each() {
    check(&invariants(), async |bench| {
        let proxy = Proxy::start(format!("127.0.0.1:{}", bench.node.port()).parse().unwrap()).await.unwrap();
        let target = Target::parse(&format!("redis://{}", proxy.address())).unwrap();
        let store = Store::connect(target, Options::default()).await.unwrap();
        let cut = Plane::new(Scope { store, keys: bench.scope.keys.clone() }).unwrap();
        let reports: Vec<Report> =
            (0..MANY).map(|number| event(&format!("t{number}"), json!({ "status": "x" }))).collect();
        proxy.drop_reply_after_forward(2, "EVALSHA");
        let answers = report_all(&cut, &reports).await;
        proxy.heal();
        for (number, answer) in answers.iter().enumerate() {
            let seq = match answer {
                Outcome::Done(Taken::Accepted(accepted)) => Some(accepted.seq),
                Outcome::Done(Taken::Duplicate(seq)) => *seq,
                Outcome::Refused(_) => None,
            };
            assert_eq!(seq, Some(1), "{answer:?}");
            assert_eq!(statuses(&cut, &format!("t{number}")).await, ["x"]);
        }
        let feed = bench.scope.keys.relayna().feed();
        assert_eq!(text(bench, &format!("LLEN {feed}")).await, MANY.to_string());
    })
    .await;
}
