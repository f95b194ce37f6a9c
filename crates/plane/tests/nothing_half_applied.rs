//! With a key of another type anywhere in the family, nothing is half applied: every change of tasks, workflows, dead letters,
//! services, search and notices, with each key that it touches poisoned in turn.
//!
//! A row is a change and what must be there before it. What it touches is found by making it once: every key that is there before
//! or after. Then, for each of those, the store is put back, the key gets another type, and the change is made again. It is
//! either done, because that key is none of its business, or it fails and the store is as it was, byte for byte.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::time::Duration;

use futures_util::future::LocalBoxFuture;
use quorate_catalog::ids::{DeadLetterId, ServiceId, StageId, TaskId, WorkflowId};
use quorate_plane::dead_letters::{Again, Replay};
use quorate_plane::json::Object;
use quorate_plane::notices::Post;
use quorate_plane::queues::{Claim, Nack, Nacked, Push, Queue};
use quorate_plane::services::Change;
use quorate_plane::tasks::{Observation, Recovery, Wish};
use quorate_plane::workflows::{Attempt, Enter, Start};
use quorate_plane::{Outcome, Plane};
use quorate_store::invariant::Scope;
use quorate_store::{Clock, Result, cmd, pipe};
use quorate_testkit::Bench;
use serde_json::json;

use crate::search::support::{seen, service as document};
use crate::services::support::{pushed, wanted};
use crate::support::agent;
use crate::tasks::support::event;

type Step = for<'p> fn(&'p Plane) -> LocalBoxFuture<'p, Result<bool>>;

struct Row {
    name: &'static str,
    /// How many seconds later the change is made.
    later: i64,
    before: &'static [Step],
    change: Step,
}

macro_rules! step {
    (|$plane:ident| $body:expr) => {
        |$plane: &Plane| Box::pin(async move { Ok(done($body)) })
    };
}

/// Whether it was done.
fn done<T>(outcome: impl Into<Ended<T>>) -> bool {
    matches!(outcome.into(), Ended::Done(_))
}

enum Ended<T> {
    Done(T),
    Refused,
}

impl<T> From<Outcome<T>> for Ended<T> {
    fn from(outcome: Outcome<T>) -> Self {
        match outcome {
            Outcome::Done(value) => Self::Done(value),
            Outcome::Refused(_) => Self::Refused,
        }
    }
}

fn task(name: &str) -> TaskId {
    TaskId::parse(name).unwrap()
}

fn stage(name: &str) -> StageId {
    StageId::parse(name).unwrap()
}

fn letter(name: &str) -> DeadLetterId {
    DeadLetterId::parse(name).unwrap()
}

fn pay() -> ServiceId {
    ServiceId::parse("pay").unwrap()
}

fn wish() -> Wish {
    let work = Some(("job:again".parse::<Queue>().unwrap(), "work".to_owned()));
    Wish { ttl: Duration::from_secs(5), recovery: Recovery::Retry, work, ..Wish::new(task("t"), "w1") }
}

/// What a step before a change was given and the change needs: a token, an attempt, a letter.
static GIVEN: Mutex<String> = Mutex::new(String::new());

fn give(text: impl ToString) {
    *GIVEN.lock().unwrap() = text.to_string();
}

fn given() -> String {
    GIVEN.lock().unwrap().clone()
}

fn attempt() -> Attempt {
    given().parse().unwrap()
}

const REPORT: Step = step!(|plane| plane
    .tasks()
    .report(&event("t", json!({ "status": "running", "event_id": "e", "meta": { "parent_task_id": "p" } })))
    .await?);
const LEASE: Step = step!(|plane| plane.tasks().leases().take(&wish()).await?.map(|lease| give(lease.token)));
const DEFINE: Step = step!(|plane| {
    let topology = json!({ "entry": ["fetch"], "stages": [
        { "name": "fetch", "allowed_next_stages": ["left", "right"], "max_retries": 1 },
        { "name": "left", "allowed_next_stages": ["merge"] }, { "name": "right", "allowed_next_stages": ["merge"] },
        { "name": "merge", "terminal": true, "queue": "merges", "join": {} } ] });
    let topology = serde_json::from_value(topology).unwrap();
    plane.workflows().define(&WorkflowId::parse("w").unwrap(), &topology, "ann").await?
});
const START: Step = step!(|plane| {
    let workflow = WorkflowId::parse("w").unwrap();
    plane
        .workflows()
        .start(&Start { workflow, task: task("t"), payload: "{}".into(), who: "ann".into() })
        .await?
});
const ENTER: Step = step!(|plane| plane
    .workflows()
    .enter(&Enter::new(task("t"), stage("fetch"), "w1"))
    .await?
    .map(|entered| give(entered.attempt)));
const KEEP: Step = step!(|plane| {
    let record = json!({ "dlq_id": "d1", "queue_name": "q.dlq", "retry_queue_name": "q", "reason": "x", "body": 1,
        "dead_lettered_at": "2026-11-16T12:00:00Z" });
    plane.dead_letters().records().keep(&record.to_string()).await?
});
const REGISTER: Step = step!(|plane| plane.services().register(&wanted("pay", "http://example.com")).await?);
const INGEST: Step = step!(|plane| plane
    .services()
    .ingest(&pushed(
        "pay",
        &json!({ "cursor": "c", "task_id": "t", "event_type": "status.running", "source_kind": "status",
        "event_id": "e", "timestamp": "2026-04-06T10:00:00Z", "payload": {} })
    ))
    .await?);
const NOTE: Step = step!(|plane| plane.search().note(&seen("pay", "t", "running")).await?);
const PLACE: Step = step!(|plane| plane.search().place(&pay(), &document("pay")).await?);
const JOIN: Step = |plane| {
    Box::pin(async move {
        plane.agents().register(&quorate_plane::agents::Registration::new(agent("a"))).await?.unwrap();
        Ok(true)
    })
};
/// A letter whose only attempt failed.
const BURY: Step = |plane| {
    Box::pin(async move {
        let normal: Queue = "normal".parse().unwrap();
        let push = Push { max_attempts: Some(1), ..Push::new("{}".to_owned()) };
        plane.queues().push_many(&normal, &[push]).await?.unwrap();
        let items = plane.queues().claim(&Claim::new(normal, agent("a"))).await?.unwrap().items;
        let why = Nack { error: "boom".into(), delay: Some(Duration::ZERO) };
        let dead = plane.queues().nack(&agent("a"), None, &items[0].token, &why).await?.unwrap();
        let Nacked::Dead(letter) = dead else { return Ok(false) };
        give(letter);
        Ok(true)
    })
};

const ROWS: &[Row] = &[
    Row { name: "tasks.report", later: 0, before: &[], change: REPORT },
    Row {
        name: "tasks.report again",
        later: 2,
        before: &[REPORT],
        change: step!(|plane| plane
            .tasks()
            .report(&event("t", json!({ "status": "completed", "event_id": "e2" })))
            .await?),
    },
    Row {
        name: "tasks.observe",
        later: 0,
        before: &[REPORT],
        change: step!(|plane| {
            let document = Object::parse("{\"event_type\":\"TaskSeen\",\"component\":\"c\"}").unwrap();
            plane.tasks().observe(&Observation::of(task("t"), document).unwrap()).await?
        }),
    },
    Row { name: "leases.take", later: 0, before: &[], change: LEASE },
    Row {
        name: "leases.beat",
        later: 0,
        before: &[LEASE],
        change: step!(|plane| plane
            .tasks()
            .leases()
            .beat(&task("t"), "w1", &given(), Duration::from_secs(9))
            .await?),
    },
    Row {
        name: "leases.release",
        later: 0,
        before: &[LEASE],
        change: step!(|plane| plane.tasks().leases().release(&task("t"), "w1", &given()).await?),
    },
    Row { name: "workflows.define", later: 0, before: &[], change: DEFINE },
    Row { name: "workflows.start", later: 0, before: &[DEFINE], change: START },
    Row { name: "workflows.enter", later: 0, before: &[DEFINE, START], change: ENTER },
    Row {
        name: "workflows.extend",
        later: 0,
        before: &[DEFINE, START, ENTER],
        change: step!(|plane| plane
            .workflows()
            .extend(&task("t"), &stage("fetch"), &attempt(), None)
            .await?),
    },
    Row {
        name: "workflows.complete",
        later: 0,
        before: &[DEFINE, START, ENTER],
        change: step!(|plane| plane
            .workflows()
            .complete(&task("t"), &stage("fetch"), &attempt(), "{}", &[])
            .await?),
    },
    Row {
        name: "workflows.fail",
        later: 0,
        before: &[DEFINE, START, ENTER],
        change: step!(|plane| plane
            .workflows()
            .fail(&task("t"), &stage("fetch"), &attempt(), "boom")
            .await?),
    },
    Row {
        name: "workflows.arrive",
        later: 0,
        before: &[DEFINE, START],
        change: step!(|plane| plane
            .workflows()
            .arrive(&task("t"), &stage("merge"), &stage("left"), "{}")
            .await?),
    },
    Row {
        name: "workflows.expect",
        later: 0,
        before: &[DEFINE, START],
        change: step!(|plane| plane
            .workflows()
            .expect(&task("t"), &stage("merge"), &[stage("left"), stage("right")])
            .await?),
    },
    Row {
        name: "workflows.cancel",
        later: 0,
        before: &[DEFINE, START, ENTER],
        change: step!(|plane| plane.workflows().cancel(&task("t"), "ann", "a test").await?),
    },
    Row { name: "records.keep", later: 0, before: &[], change: KEEP },
    Row {
        name: "records.review",
        later: 0,
        before: &[KEEP],
        change: step!(|plane| plane
            .dead_letters()
            .records()
            .review(&letter("d1"), "ann", Some("seen"))
            .await?),
    },
    Row {
        name: "records.replay",
        later: 0,
        before: &[KEEP],
        change: step!(|plane| {
            let how = Again { request: "r".into(), who: "ann".into(), ..Again::default() };
            plane.dead_letters().records().replay(&letter("d1"), &how).await?
        }),
    },
    Row {
        name: "records.drop",
        later: 0,
        before: &[KEEP],
        change: step!(|plane| plane.dead_letters().records().drop(&letter("d1"), "ann", "a test").await?),
    },
    Row {
        name: "dead.investigate",
        later: 0,
        before: &[JOIN, BURY],
        change: step!(|plane| plane.dead_letters().investigate(&letter(&given()), "ann", "seen").await?),
    },
    Row {
        name: "dead.replay",
        later: 0,
        before: &[JOIN, BURY],
        change: step!(|plane| plane
            .dead_letters()
            .replay(&letter(&given()), &Replay { request: "r".into(), ..Replay::by("ann") })
            .await?),
    },
    Row {
        name: "dead.drop",
        later: 0,
        before: &[JOIN, BURY],
        change: step!(|plane| plane.dead_letters().drop(&letter(&given()), "ann", "a test").await?),
    },
    Row { name: "services.register", later: 0, before: &[], change: REGISTER },
    Row {
        name: "services.update",
        later: 0,
        before: &[REGISTER],
        change: step!(|plane| plane
            .services()
            .update(&pay(), &Change { name: Some("Pay".into()), ..Change::default() })
            .await?),
    },
    Row { name: "services.ingest", later: 0, before: &[REGISTER], change: INGEST },
    Row {
        name: "services.delete",
        later: 0,
        before: &[REGISTER],
        change: step!(|plane| plane.services().delete(&pay()).await?),
    },
    Row { name: "search.note", later: 0, before: &[], change: NOTE },
    Row {
        name: "search.note again",
        later: 0,
        before: &[NOTE],
        change: step!(|plane| plane.search().note(&seen("pay", "t", "failed")).await?),
    },
    Row { name: "search.place", later: 0, before: &[], change: PLACE },
    Row {
        name: "search.remove",
        later: 0,
        before: &[PLACE, NOTE],
        change: step!(|plane| plane.search().remove(&pay()).await?),
    },
];

fn plane(bench: &Bench, later: i64) -> Plane {
    let store = bench.scope.store.with_clock(Clock::Offset(later * 1_000_000));
    Plane::new(Scope { store, keys: bench.scope.keys.clone() }).unwrap().telling(Post::default())
}

/// Each key with its bytes and its time to live.
type Store = Vec<(String, Vec<u8>, i64)>;

async fn look(bench: &Bench) -> Store {
    let store = &bench.scope.store;
    let mut keys: Vec<String> = store.query(cmd("KEYS").arg("*")).await.unwrap();
    keys.sort();
    let mut all = pipe();
    for key in &keys {
        all.cmd("DUMP").arg(key);
        all.cmd("PTTL").arg(key);
    }
    if keys.is_empty() {
        return vec![];
    }
    let found: Vec<(Vec<u8>, i64)> = store.pipeline(&all).await.unwrap();
    keys.into_iter().zip(found).map(|(key, (bytes, ttl))| (key, bytes, ttl)).collect()
}

fn bytes(store: &Store) -> Vec<(&str, &[u8])> {
    store.iter().map(|(key, bytes, _)| (key.as_str(), bytes.as_slice())).collect()
}

async fn put_back(bench: &Bench, state: &Store) {
    let mut all = pipe();
    all.cmd("FLUSHALL");
    for (key, bytes, ttl) in state {
        all.cmd("RESTORE").arg(key).arg((*ttl).max(0)).arg(bytes);
    }
    bench.scope.store.pipeline::<Vec<String>>(&all).await.unwrap();
}

async fn kind(bench: &Bench, key: &str) -> String {
    bench.scope.store.query(cmd("TYPE").arg(key)).await.unwrap()
}

/// Another type than the key has.
async fn poison(bench: &Bench, key: &str, kind: &str) {
    let mut both = pipe();
    both.cmd("DEL").arg(key);
    both.cmd(if kind == "list" { "SADD" } else { "RPUSH" }).arg(key).arg("poison");
    bench.scope.store.pipeline::<(u64, u64)>(&both).await.unwrap();
}

async fn try_row(bench: &Bench, row: &Row) -> usize {
    bench.cli("FLUSHALL").await;
    for step in row.before {
        assert!(step(&plane(bench, 0)).await.unwrap(), "{}: what must be there before it", row.name);
    }
    let before = look(bench).await;
    let mut kinds = BTreeMap::new();
    for (key, ..) in &before {
        kinds.insert(key.clone(), kind(bench, key).await);
    }
    assert!((row.change)(&plane(bench, row.later)).await.unwrap(), "{} itself", row.name);
    for (key, ..) in look(bench).await {
        let kind = kind(bench, &key).await;
        kinds.entry(key).or_insert(kind);
    }
    let mut refused = 0;
    for (key, kind) in &kinds {
        put_back(bench, &before).await;
        poison(bench, key, kind).await;
        let poisoned = look(bench).await;
        let ended = (row.change)(&plane(bench, row.later)).await;
        if !ended.as_ref().is_ok_and(|done| *done) {
            refused += 1;
            let found = look(bench).await;
            assert_eq!(bytes(&found), bytes(&poisoned), "{} with a wrong {key}: {ended:?}", row.name);
        }
    }
    refused
}

#[tokio::test]
async fn with_a_wrong_typed_key_anywhere_nothing_is_half_applied() {
    let bench = Bench::verbatim().await;
    for row in ROWS {
        assert!(try_row(&bench, row).await > 0, "{}: no key of it was ever in the way", row.name);
    }
}
