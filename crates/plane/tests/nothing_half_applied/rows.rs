//! The changes, and what must be there before each.

use std::sync::Mutex;
use std::time::Duration;

use futures_util::future::LocalBoxFuture;
use quorate_catalog::ids::{DeadLetterId, ServiceId, StageId, TaskId, WorkflowId};
use quorate_plane::dead_letters::{Again, Replay};
use quorate_plane::json::Object;
use quorate_plane::queues::{Claim, Nack, Nacked, Push, Queue};
use quorate_plane::services::Change;
use quorate_plane::tasks::{Observation, Recovery, Wish};
use quorate_plane::workflows::{Attempt, Enter, Start};
use quorate_plane::{Outcome, Plane};
use quorate_store::Result;
use serde_json::json;

use crate::search::support::{seen, service as document};
use crate::services::support::{pushed, wanted};
use crate::support::agent;
use crate::tasks::support::event;

pub(super) type Step = for<'p> fn(&'p Plane) -> LocalBoxFuture<'p, Result<bool>>;

pub(super) struct Row {
    pub(super) name: &'static str,
    /// How many seconds later the change is made.
    pub(super) later: i64,
    pub(super) before: &'static [Step],
    pub(super) change: Step,
}

macro_rules! step {
    (|$plane:ident| $body:expr) => {
        |$plane: &Plane| Box::pin(async move { Ok(done($body)) })
    };
}

pub(super) use step;

/// Whether it was done.
pub(super) fn done<T>(outcome: impl Into<Ended<T>>) -> bool {
    matches!(outcome.into(), Ended::Done(_))
}

pub(super) enum Ended<T> {
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

pub(super) fn give(text: impl ToString) {
    *GIVEN.lock().unwrap() = text.to_string();
}

pub(super) fn given() -> String {
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
    let record = json!({ "dlq_id": "d1", "queue_name": "q.dlq", "retry_queue_name": "q", "reason": "x", "body": 1, "task_id": "t",
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
pub(super) const JOIN: Step = |plane| {
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

/// Failures are told of, a minute after the first.
const TELL: Step =
    |plane| Box::pin(async move { Ok(plane.notices().set(Some(true), Some(60)).await?.wanted.enabled) });
const GATHER: Step = |plane| Box::pin(async move { Ok(plane.notices().turn().await?.waiting == 1) });

pub(super) const ROWS: &[Row] = &[
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
    Row { name: "notices.set", later: 0, before: &[], change: TELL },
    Row { name: "notices.set again", later: 0, before: &[TELL], change: TELL },
    Row { name: "notices.turn that gathers", later: 0, before: &[KEEP, TELL], change: GATHER },
    Row {
        name: "notices.turn that sends",
        later: 61,
        before: &[KEEP, TELL, GATHER],
        change: |plane| Box::pin(async move { Ok(plane.notices().turn().await?.sent == 1) }),
    },
];
