//! The plane's own tasks in the search, under the service `quorate`.
//!
//! A report is a hot path and has no part in this. The list of tasks has when each last reported, and a turn reads on from where
//! the last one ended: whatever happened in between, the status that counts is what is taken in. A task's place in that list is
//! renewed once a second at most, so the last second is left to the next turn; what was reported is found two to three seconds later.

use quorate_catalog::ids::{ServiceId, TaskId};
use quorate_store::{Result, cmd};

use super::{Search, Sighting};
use crate::tasks::Task;

/// The service and the environment under which the plane's own tasks are found.
pub const SERVICE: &str = "quorate";
pub const ENVIRONMENT: &str = "local";

/// How long after a report everything of that second has been written, in milliseconds.
const SETTLED: u64 = 1_500;
const FEW: usize = 500;
/// Tasks of one turn.
const MOST: usize = 10_000;

impl Search<'_> {
    /// Takes in what the plane's own tasks have reported; how many tasks that were.
    pub async fn follow(&self) -> Result<usize> {
        if !self.plane.search_settings().await?.own {
            return Ok(0);
        }
        let store = self.plane.tasks().store()?;
        let own = self.plane.keys().quorate();
        let (list, place) = (own.task_recent(&store), own.search_follow(&store));
        let known: Option<u64> = self.plane.store().query(cmd("GET").arg(place.as_str())).await?;
        let until = self.plane.store().time().await?.millis().saturating_sub(SETTLED);
        let (mut from, mut taken) = (known.unwrap_or_default(), 0);
        while taken < MOST {
            let mut range = cmd("ZRANGE");
            range.arg(list.as_str()).arg(format!("({from}")).arg(until).arg("BYSCORE");
            range.arg("LIMIT").arg(0).arg(FEW).arg("WITHSCORES");
            let mut found: Vec<(String, f64)> = self.plane.store().query(&range).await?;
            let Some(last) = found.last().map(|(_, ms)| *ms as u64) else { break };
            if found.len() == FEW {
                // Those of the last millisecond may go on; all of them at once, however many there are.
                let mut rest = cmd("ZRANGE");
                rest.arg(list.as_str()).arg(last).arg(last).arg("BYSCORE").arg("WITHSCORES");
                found.retain(|(_, ms)| (*ms as u64) < last);
                found.extend(self.plane.store().query::<Vec<(String, f64)>>(&rest).await?);
            }
            let tasks: Vec<TaskId> = found.iter().filter_map(|(name, _)| TaskId::parse(name).ok()).collect();
            for task in self.plane.tasks().read(&tasks).await?.into_iter().flatten() {
                taken += usize::from(self.note(&sighting(&task)).await?.refusal().is_none());
            }
            from = last;
            let mut keep = cmd("SET");
            keep.arg(place.as_str()).arg(from);
            self.plane.store().repeatable().query::<()>(&keep).await?;
        }
        Ok(taken)
    }
}

fn sighting(task: &Task) -> Sighting {
    let event = task.latest.as_ref();
    let text = |name: &str| event.and_then(|event| event.text(name)).map(str::to_owned);
    let stage = || event?.0.get("meta")?.get("stage")?.as_str().map(str::to_owned);
    Sighting {
        service: ServiceId::parse(SERVICE).expect("a name"),
        service_name: "Quorate".to_owned(),
        environment: ENVIRONMENT.to_owned(),
        task: TaskId::parse(&task.task_id).expect("it was read under this name"),
        correlation_id: text("correlation_id"),
        status: task.status.clone(),
        stage: text("stage").or_else(stage),
        event_type: format!("status.{}", task.status.as_deref().unwrap_or("unknown").to_lowercase()),
        at: task.at.as_deref().and_then(crate::tasks::moment),
    }
}
