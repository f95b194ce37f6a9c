//! What must hold of the queues' own keys: nothing that was accepted is where nobody would find it.

use futures_util::future::BoxFuture;
use quorate_catalog::ids::AgentId;
use quorate_store::invariant::{Finding, Invariant, Level, Scope};
use quorate_store::{Result, cmd};

use super::Queue;
use crate::Plane;

/// The invariants of this capability.
pub fn invariants() -> Vec<&'static dyn Invariant> {
    vec![&Leased, &Held, &Due, &Lanes]
}

/// What is wrong: which queue, what kind of thing, its name, and a sentence.
type Fault = (Queue, &'static str, String, String);

macro_rules! invariant {
    ($name:ident, $code:literal, $promise:literal, $family:literal, $look:ident) => {
        #[derive(Debug)]
        struct $name;

        impl Invariant for $name {
            fn code(&self) -> &'static str {
                $code
            }

            fn promise(&self) -> &'static str {
                $promise
            }

            fn check<'a>(&'a self, scope: &'a Scope) -> BoxFuture<'a, Result<Vec<Finding>>> {
                Box::pin(async move {
                    let Ok(plane) = Plane::new(scope.clone()) else { return Ok(vec![]) };
                    let mut findings = Vec::new();
                    for queue in plane.queues().known().await? {
                        for (queue, what, name, message) in $look(&plane, &queue).await? {
                            findings.push(Finding {
                                code: $code,
                                level: Level::Finding,
                                family: Some($family.into()),
                                key: format!("{queue} {what} {name}"),
                                message,
                                advice: Some("`quorate fsck --repair` puts it right".into()),
                            });
                        }
                    }
                    Ok(findings)
                })
            }

            fn repair<'a>(&'a self, scope: &'a Scope, finding: &'a Finding) -> BoxFuture<'a, Result<bool>> {
                Box::pin(repair(scope, finding))
            }
        }
    };
}

invariant!(
    Leased,
    "FSCK040",
    "every claim has a lease and every lease a claim",
    "quorate.queue_claims",
    leased
);
invariant!(Held, "FSCK041", "what an agent is said to have claimed is claimed", "quorate.queue_held", held);
invariant!(Due, "FSCK042", "the first item that is due later is on the agenda", "quorate.queue_delayed", due);
invariant!(
    Lanes,
    "FSCK043",
    "every lane with items is ready or its group is busy, and its items are counted",
    "quorate.queue_lane",
    lanes
);

async fn repair(scope: &Scope, finding: &Finding) -> Result<bool> {
    let mut words = finding.key.splitn(3, ' ');
    let (Some(queue), Some(what), Some(name)) = (words.next(), words.next(), words.next()) else {
        return Ok(false);
    };
    let (Ok(plane), Ok(queue)) = (Plane::new(scope.clone()), queue.parse::<Queue>()) else {
        return Ok(false);
    };
    plane.queues().mend(&queue, what, name).await?;
    Ok(true)
}

/// The leases of a queue: the mark, the claim in it and its agent.
async fn leases(plane: &Plane, queue: &Queue) -> Result<Vec<(String, String, String)>> {
    let agenda = plane.keys().quorate().queue_agenda(&queue.as_ref());
    let marks: Vec<Vec<u8>> = plane.store().query(cmd("ZRANGE").arg(agenda.as_str()).arg(0).arg(-1)).await?;
    let marks = marks.into_iter().map(|mark| String::from_utf8_lossy(&mark).into_owned());
    Ok(marks
        .filter(|mark| !mark.starts_with('!'))
        .map(|mark| {
            let mut parts = mark.splitn(4, '.').skip(1);
            let (salt, place) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
            let agent = parts.next().unwrap_or_default().to_owned();
            (format!("{salt}.{place}"), agent, mark)
        })
        .map(|(claim, agent, mark)| (mark, claim, agent))
        .collect())
}

async fn leased(plane: &Plane, queue: &Queue) -> Result<Vec<Fault>> {
    let claims = plane.keys().quorate().queue_claims(&queue.as_ref());
    let known: Vec<Vec<u8>> = plane.store().query(cmd("HKEYS").arg(claims.as_str())).await?;
    let known: Vec<String> =
        known.into_iter().map(|name| String::from_utf8_lossy(&name).into_owned()).collect();
    let leases = leases(plane, queue).await?;
    let mut faults = Vec::new();
    for (mark, claim, _) in &leases {
        if !known.contains(claim) {
            faults.push((queue.clone(), "lease", mark.clone(), "a lease without an item".to_owned()));
        }
    }
    for claim in known {
        if !leases.iter().any(|(_, own, _)| *own == claim) {
            let message = "an item is claimed and has no lease, so it would never come back".to_owned();
            faults.push((queue.clone(), "claim", claim, message));
        }
    }
    Ok(faults)
}

async fn held(plane: &Plane, queue: &Queue) -> Result<Vec<Fault>> {
    let mut faults = Vec::new();
    let now = plane.store().time().await?.millis();
    for (mark, _, agent) in leases(plane, queue).await? {
        let Ok(id) = AgentId::parse(&agent) else { continue };
        let (held, agenda) =
            (plane.keys().quorate().queue_held(&id), plane.keys().quorate().queue_agenda(&queue.as_ref()));
        let mut both = redis::pipe();
        both.cmd("ZSCORE").arg(held.as_str()).arg(format!("{queue} {mark}"));
        both.cmd("ZSCORE").arg(agenda.as_str()).arg(&mark);
        let (said, ends): (Option<f64>, Option<f64>) = plane.store().pipeline(&both).await?;
        // A lease that has ended is nobody's any more.
        if said.is_none() && ends.is_some_and(|ends| ends > now as f64) {
            faults.push((
                queue.clone(),
                "held",
                format!("{agent} {mark}"),
                format!("{agent} is not said to hold it"),
            ));
        }
    }
    Ok(faults)
}

async fn due(plane: &Plane, queue: &Queue) -> Result<Vec<Fault>> {
    let own = plane.keys().quorate();
    let (delayed, agenda) = (own.queue_delayed(&queue.as_ref()), own.queue_agenda(&queue.as_ref()));
    let mut both = redis::pipe();
    both.cmd("ZRANGE").arg(delayed.as_str()).arg(0).arg(0).arg("WITHSCORES");
    both.cmd("ZSCORE").arg(agenda.as_str()).arg("!d");
    let (first, mark): (Vec<(Vec<u8>, f64)>, Option<f64>) = plane.store().pipeline(&both).await?;
    let late = match (first.first(), mark) {
        (Some((_, due)), Some(mark)) => mark > *due,
        (Some(_), None) => true,
        (None, _) => false,
    };
    let message = "an item is due, and the agenda does not say so".to_owned();
    Ok(late.then(|| (queue.clone(), "delayed", "-".to_owned(), message)).into_iter().collect())
}

async fn lanes(plane: &Plane, queue: &Queue) -> Result<Vec<Fault>> {
    let catalog = quorate_catalog::Catalog::built_in();
    let family = catalog.find("quorate.queue_lane").into_iter().next();
    let Some((before, _)) = family.and_then(|family| plane.keys().around(catalog, family)) else {
        return Ok(vec![]);
    };
    let own = plane.keys().quorate();
    let mut faults = Vec::new();
    let before_all = in_lanes(plane, queue).await?;
    let (mut cursor, mut items) = (0_u64, 0_u64);
    loop {
        let mut scan = cmd("SCAN");
        scan.arg(cursor).arg("MATCH").arg(format!("{before}{queue}:*")).arg("COUNT").arg(500);
        let (next, found): (u64, Vec<String>) = plane.store().query(&scan).await?;
        for name in found.iter().filter_map(|key| key.strip_prefix(&format!("{before}{queue}:"))) {
            let mut all = redis::pipe();
            all.cmd("LLEN").arg(format!("{before}{queue}:{name}"));
            all.cmd("SISMEMBER").arg(own.queue_busy(&queue.as_ref()).as_str()).arg(name);
            all.cmd("ZRANGE").arg(own.queue_classes(&queue.as_ref()).as_str()).arg(0).arg(-1);
            let (here, busy, classes): (u64, bool, Vec<String>) = plane.store().pipeline(&all).await?;
            items += here;
            let mut ready = busy;
            for class in classes {
                let lane = quorate_catalog::ids::QueueLane::parse(&format!("{queue}:{class}"));
                let Ok(lane) = lane else { continue };
                let score: Option<f64> =
                    plane.store().query(cmd("ZSCORE").arg(own.queue_ready(&lane).as_str()).arg(name)).await?;
                ready |= score.is_some();
            }
            if !ready {
                let message = "a lane has items and is neither ready nor busy".to_owned();
                faults.push((queue.clone(), "lane", name.to_owned(), message));
            }
        }
        cursor = next;
        if cursor == 0 {
            break;
        }
    }
    let counted = in_lanes(plane, queue).await?;
    // Where items went in or out meanwhile the two are of different moments.
    if counted == before_all && counted != items.to_string() {
        let message = format!("its lanes have {items} items, and {counted} are counted");
        faults.push((queue.clone(), "count", format!("{items} {counted}"), message));
    }
    Ok(faults)
}

/// How many items the queue counts in its lanes.
async fn in_lanes(plane: &Plane, queue: &Queue) -> Result<String> {
    let mut counted = cmd("HGET");
    counted.arg(plane.keys().quorate().queue_state(&queue.as_ref()).as_str()).arg("lanes");
    Ok(plane.store().query::<Option<String>>(&counted).await?.unwrap_or_else(|| "0".to_owned()))
}
