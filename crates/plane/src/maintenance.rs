//! What the plane does by itself, in every process that runs it: nothing here needs to be the only one.
//!
//! Each tick claims its work by scripts, so two processes at once do it once, and one that dies leaves it to the
//! others (DESIGN D13).

use std::time::Duration;

use quorate_catalog::ids::AgentId;
use quorate_store::Result;
use tokio::time::{MissedTickBehavior, interval};

use crate::Plane;

const EVERY: Duration = Duration::from_secs(1);
/// Jobs are looked at more often: one is queued less than a second after it was due.
const JOBS: Duration = Duration::from_millis(200);
/// A sample is taken soon after its moment, by whoever is first.
const SAMPLE: Duration = Duration::from_secs(5);
/// The plane's own jobs are there soon after somebody emptied the store.
const PROVIDE: Duration = Duration::from_secs(60);

/// Works until the future is dropped. `say` hears of a fault when it begins and when it is over, not every second.
pub async fn run(plane: &Plane, say: impl Fn(&str)) {
    let worker = AgentId::parse(&format!("maintenance-{}", &crate::random_id()[..12])).expect("an id");
    let (webhooks, services, notices) = (plane.webhooks(), plane.services(), plane.notices());
    tokio::join!(
        every(EVERY, "maintenance", &say, async || tick(plane).await),
        every(JOBS, "the schedule", &say, async || plane.jobs().tick().await.map(drop)),
        every(PROVIDE, "the schedule of the plane's own jobs", &say, async || plane.jobs().provide().await),
        every(EVERY, "the search of the plane's own tasks", &say, async || plane
            .search()
            .follow()
            .await
            .map(drop)),
        every(PROVIDE, "the search", &say, async || plane.search().tend_all().await.map(drop)),
        every(PROVIDE, "the lists of runs", &say, async || plane.workflows().prune().await),
        every(SAMPLE, "the series", &say, async || plane.overview().sample().await.map(drop)),
        every(EVERY, "the plane's own jobs", &say, async || plane.jobs().work_off(&worker).await.map(drop)),
        webhooks.dispatch(&say),
        services.tend(&say),
        notices.tend(&say),
    );
}

pub(crate) async fn every(
    pause: Duration,
    name: &str,
    say: &impl Fn(&str),
    work: impl AsyncFn() -> Result<()>,
) {
    let mut ticks = interval(pause);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut trouble: Option<String> = None;
    loop {
        ticks.tick().await;
        trouble = match (work().await, trouble) {
            (Ok(()), None) => None,
            (Ok(()), Some(_)) => {
                say(&format!("{name} goes on"));
                None
            }
            (Err(error), known) => {
                let what = error.to_string();
                if known.as_ref() != Some(&what) {
                    say(&format!("warning: {name}: {what}; it is tried again"));
                }
                Some(what)
            }
        };
    }
}

/// Everything once. The first fault is reported after every capability has had its turn.
pub async fn tick(plane: &Plane) -> Result<()> {
    let pass_on = async |agent: &AgentId| {
        let claims = plane.queues().release_agent(agent).await?.1;
        Ok(claims == 0 && plane.locks().release_agent(agent).await?.1 == 0)
    };
    let turns = [
        plane.agents().reap(pass_on).await.map(drop),
        plane.locks().upkeep().await,
        plane.queues().upkeep().await,
        plane.workflows().tick().await.map(drop),
        plane.messages().escalate().await.map(drop),
        plane.events().upkeep().await.map(drop),
        plane.logs().watch().await.map(drop),
        plane.sign_in().sweep().await.map(drop),
        plane.tasks().leases().recover().await.map(drop),
        plane.trail().settle(crate::trail::TAKES).await.map(drop),
        plane.trail().seal().await.map(drop),
    ];
    turns.into_iter().collect()
}
