//! Work in motion: queues, messages, streams, jobs, limits, dedupe and counters.

use std::time::Duration;

use quorate_catalog::ids::{JobId, MessageId, MetricId, QueueNameId};
use quorate_plane::dedupe::content_hash;
use quorate_plane::events::{Event, Note, Observation, Read, Stream, Wake};
use quorate_plane::jobs::{Plan, When};
use quorate_plane::messages::Outgoing;
use quorate_plane::queues::{Nack, Push, Queue, Token};
use quorate_plane::{Outcome, Plane};

use super::rows::{JOIN, Row, Step, done, give, given, step};
use crate::support::agent;
use crate::support::queues::wanted;

fn normal() -> Queue {
    "normal".parse().unwrap()
}

fn value<T>(outcome: Outcome<T>) -> Option<T> {
    match outcome {
        Outcome::Done(value) => Some(value),
        Outcome::Refused(_) => None,
    }
}

fn token() -> Token {
    given().parse().unwrap()
}

fn plan(after: u64) -> Plan {
    let queue = QueueNameId::parse("archive").unwrap();
    Plan { id: Some(job()), ..Plan::new(queue, "{}", When::In(Duration::from_secs(after))) }
}

fn job() -> JobId {
    JobId::parse("j").unwrap()
}

fn observation() -> Observation {
    Observation { topic: "t".into(), content: "seen".into(), source: "s".into() }
}

fn failed() -> Nack {
    Nack { error: "boom".into(), delay: None }
}

fn reading() -> Read {
    Read::new(Stream::All, "g", "c")
}

const PUSH: Step = step!(|plane| plane.queues().push(&normal(), &Push::new("x")).await?);
const PUSH_ONCE: Step = step!(|plane| {
    let push = Push { max_attempts: Some(1), ..Push::new("x") };
    plane.queues().push(&normal(), &push).await?
});
const PUSH_GROUP: Step = step!(|plane| {
    let push = Push { group: Some("g".into()), key: Some("k".into()), ..Push::new("x") };
    plane.queues().push(&normal(), &push).await?
});
const PUSH_LATER: Step = step!(|plane| {
    let push = Push { delay: Duration::from_secs(5), key: Some("k".into()), ..Push::new("x") };
    plane.queues().push(&normal(), &push).await?
});
const CLAIM: Step = |plane| {
    Box::pin(async move {
        let claimed = plane.queues().claim(&wanted("a", &["normal"], 1)).await?;
        let items = value(claimed).map(|claimed| claimed.items).unwrap_or_default();
        if let Some(item) = items.first() {
            give(&item.token);
        }
        Ok(!items.is_empty())
    })
};
const CLAIM_ANY: Step = |plane| {
    Box::pin(async move {
        let claimed = plane.queues().claim(&wanted("a", &["high", "normal", "low"], 2)).await?;
        Ok(value(claimed).is_some_and(|claimed| !claimed.items.is_empty()))
    })
};
const ACK: Step = |plane| {
    Box::pin(async move {
        let late = plane.queues().ack(&agent("a"), None, &[token()]).await?;
        Ok(value(late).is_some_and(|late| late.is_empty()))
    })
};
const SWEEP: Step = |plane| Box::pin(async move { plane.queues().upkeep().await.map(|()| true) });
const SEND: Step = step!(|plane| {
    let message = Outgoing { ack_within: Some(Duration::from_secs(5)), ..Outgoing::new(agent("a"), "x") };
    plane.messages().send(&agent("a"), &message).await?.map(|sent| give(sent.id))
});
const PUBLISH: Step = step!(|plane| {
    let event = Event { event: "e".into(), payload: "{}".into(), source: "s".into() };
    plane.events().publish(Stream::All, &[event]).await?
});
const READ: Step = |plane| {
    Box::pin(async move {
        let batch = plane.events().read(&reading()).await?;
        let entries = value(batch).map(|batch| batch.entries).unwrap_or_default();
        if let Some(entry) = entries.first() {
            give(&entry.id);
        }
        Ok(!entries.is_empty())
    })
};
const SUBMIT: Step = step!(|plane| plane.observations().submit(&observation()).await?);
const LOOK: Step = |plane| {
    Box::pin(async move {
        let batch = plane.observations().read("g", "c", 1, Duration::ZERO).await?;
        let entries = value(batch).map(|batch| batch.entries).unwrap_or_default();
        if let Some(entry) = entries.first() {
            give(&entry.id);
        }
        Ok(!entries.is_empty())
    })
};
const REJECT: Step = step!(|plane| plane.observations().reject("g", "c", &given(), "no").await?.map(give));
const SCHEDULE: Step = step!(|plane| plane.jobs().schedule(&plan(5)).await?);

pub(super) const WORK: &[Row] = &[
    Row { name: "queues.push", later: 0, before: &[], change: PUSH },
    Row { name: "queues.push to a group", later: 0, before: &[], change: PUSH_GROUP },
    Row { name: "queues.push for later", later: 0, before: &[], change: PUSH_LATER },
    Row { name: "queues.claim", later: 0, before: &[JOIN, PUSH], change: CLAIM },
    Row { name: "queues.claim of several", later: 0, before: &[JOIN, PUSH], change: CLAIM_ANY },
    Row { name: "queues.claim of a group", later: 0, before: &[JOIN, PUSH_GROUP], change: CLAIM },
    Row { name: "queues.claim of what is due", later: 6, before: &[JOIN, PUSH_LATER], change: CLAIM },
    Row { name: "queues.claim of what lapsed", later: 11, before: &[JOIN, PUSH, CLAIM], change: CLAIM },
    Row {
        name: "queues.upkeep that buries",
        later: 11,
        // The first look also notes how fast the queue goes, which is no part of the burial.
        before: &[JOIN, PUSH_ONCE, CLAIM, SWEEP],
        change: |plane| {
            Box::pin(async move {
                plane.queues().upkeep().await?;
                Ok(plane.queues().show(&normal(), 0).await.is_ok_and(|shown| shown.dead == 1))
            })
        },
    },
    Row { name: "queues.ack", later: 0, before: &[JOIN, PUSH, CLAIM], change: ACK },
    Row { name: "queues.ack in a group", later: 0, before: &[JOIN, PUSH_GROUP, CLAIM], change: ACK },
    Row {
        name: "queues.complete and claim",
        later: 0,
        before: &[JOIN, PUSH, CLAIM, PUSH],
        change: |plane| {
            Box::pin(async move {
                let wanted = wanted("a", &["normal"], 1);
                let both = plane.queues().complete_and_claim(&[token()], &wanted).await?;
                // What was acknowledged stays so, also where nothing could be claimed.
                Ok(value(both).is_some_and(|(late, _)| late.is_empty()))
            })
        },
    },
    Row {
        name: "queues.nack",
        later: 0,
        before: &[JOIN, PUSH, CLAIM],
        change: step!(|plane| plane.queues().nack(&agent("a"), None, &token(), &failed()).await?),
    },
    Row {
        name: "queues.nack that buries",
        later: 0,
        before: &[JOIN, PUSH_ONCE, CLAIM],
        change: step!(|plane| plane.queues().nack(&agent("a"), None, &token(), &failed()).await?),
    },
    Row {
        name: "queues.extend",
        later: 0,
        before: &[JOIN, PUSH, CLAIM],
        change: step!(|plane| plane
            .queues()
            .extend(&agent("a"), None, &[token()], Duration::from_secs(20))
            .await?),
    },
    Row {
        name: "queues.give back",
        later: 0,
        before: &[JOIN, PUSH_GROUP, CLAIM],
        change: step!(|plane| plane.queues().give_back(&agent("a"), None, &[token()]).await?),
    },
    Row {
        name: "queues.pause",
        later: 0,
        before: &[JOIN, PUSH],
        change: |plane| Box::pin(async move { plane.queues().pause(&normal(), "ann").await.map(|_| true) }),
    },
    Row { name: "messages.send", later: 0, before: &[JOIN], change: SEND },
    Row {
        name: "messages.read",
        later: 0,
        before: &[JOIN, SEND],
        change: step!(|plane| plane.messages().read(&agent("a"), None, 5, false).await?),
    },
    Row {
        name: "messages.ack",
        later: 0,
        before: &[JOIN, SEND],
        change: |plane| {
            Box::pin(async move {
                let ids = [MessageId::parse(&given()).unwrap()];
                let acked = plane.messages().ack(&agent("a"), None, &ids, Some("did it")).await?;
                Ok(value(acked).is_some_and(|acked| value(acked[0].outcome.clone()).is_some()))
            })
        },
    },
    Row {
        name: "messages.escalate",
        later: 6,
        before: &[JOIN, SEND],
        change: |plane| Box::pin(async move { Ok(plane.messages().escalate().await? == 1) }),
    },
    Row { name: "events.publish", later: 0, before: &[], change: PUBLISH },
    Row { name: "events.read", later: 0, before: &[PUBLISH], change: READ },
    Row {
        name: "events.ack",
        later: 0,
        before: &[PUBLISH, READ],
        change: step!(|plane| plane.events().ack(Stream::All, "g", Some("c"), &[given()]).await?),
    },
    Row {
        name: "events.nack",
        later: 0,
        before: &[PUBLISH, READ],
        change: step!(|plane| plane.events().nack(Stream::All, "g", "c", &[given()]).await?),
    },
    Row {
        name: "events.wake",
        later: 0,
        before: &[],
        change: step!(|plane| {
            let wake = Wake {
                waker: "w".into(),
                target: "t".into(),
                method: "http_post".into(),
                fence: None,
                payload: vec![],
                reason: "r".into(),
                pseudoagent: false,
            };
            plane.events().wake(&wake, async |_| ()).await?
        }),
    },
    Row {
        name: "events.note",
        later: 0,
        before: &[],
        change: step!(|plane| {
            let note = Note { level: "info", event: "e".into(), msg: "m".into(), fields: String::new() };
            plane.events().note(&note).await?
        }),
    },
    Row { name: "observations.submit", later: 0, before: &[], change: SUBMIT },
    Row { name: "observations.read", later: 0, before: &[SUBMIT], change: LOOK },
    Row { name: "observations.reject", later: 0, before: &[SUBMIT, LOOK], change: REJECT },
    Row {
        name: "observations.revive",
        later: 0,
        before: &[SUBMIT, LOOK, REJECT],
        change: step!(|plane| plane.observations().revive(&given()).await?),
    },
    Row { name: "jobs.schedule", later: 0, before: &[], change: SCHEDULE },
    Row {
        name: "jobs.cancel",
        later: 0,
        before: &[SCHEDULE],
        change: step!(|plane| plane.jobs().cancel(&job()).await?),
    },
    Row {
        name: "jobs.run",
        later: 0,
        before: &[SCHEDULE],
        change: step!(|plane| plane.jobs().run(&job()).await?),
    },
    Row {
        name: "jobs.tick",
        later: 6,
        before: &[SCHEDULE],
        change: |plane| Box::pin(async move { Ok(plane.jobs().tick().await?.queued == 1) }),
    },
    Row {
        name: "limits.check",
        later: 0,
        before: &[],
        change: step!(|plane| plane.limits().check(&["tasks:create/ann".parse().unwrap()]).await?),
    },
    Row {
        name: "dedupe.check",
        later: 0,
        before: &[],
        change: step!(|plane| plane
            .dedupe()
            .check(&content_hash(b"scope"), &content_hash(b"content"), Duration::from_secs(60))
            .await?),
    },
    Row {
        name: "metrics.incr",
        later: 0,
        before: &[],
        change: step!(|plane| plane.metrics().incr(&MetricId::parse("m").unwrap(), 1).await?),
    },
];
