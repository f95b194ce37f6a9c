//! `/events/{task_id}`: the status of a task as it changes, as Relayna's own clients know it, until the task has ended.

use std::sync::Arc;

use quorate_catalog::ids::TaskId;
use quorate_plane::Plane;
use quorate_plane::channels::{self, Channels};
use quorate_plane::tasks::{Event, Seen};

use super::followed::{Followed, Heard, Kind, Viewer};
use super::sse;
use super::viewer::{Ended, Line};

/// Most events of a history that are shown.
const HISTORY: usize = 1_000;

/// Every task that is followed in this process.
pub(crate) type Tasks = Followed<Task>;

/// The status of a task.
pub(crate) struct Task;

impl Kind for Task {
    type Place = TaskId;
    type Said = Arc<Vec<u8>>;
    type Head = u64;
    type Channels = Channels;
    type Viewer = Watching;
    const RING: usize = 256;

    async fn channels(plane: &Plane) -> quorate_store::Result<Channels> {
        plane.tasks().channels().await
    }

    async fn next(channels: &mut Channels) -> Heard<Self> {
        match channels.next().await {
            channels::Heard::Event { of: task, payload } => {
                Heard::Said(TaskId::parse(&task).into_iter().collect(), Arc::new(payload))
            }
            channels::Heard::Missed => Heard::Missed,
        }
    }

    async fn heads(plane: &Plane, places: &[TaskId]) -> quorate_store::Result<Vec<Option<u64>>> {
        plane.tasks().heads(places).await
    }

    fn viewer(plane: Plane, task: TaskId, line: Line) -> Watching {
        Watching { plane, task, line, seen: Seen::default() }
    }
}

pub(crate) struct Watching {
    plane: Plane,
    task: TaskId,
    line: Line,
    seen: Seen,
}

impl Viewer<Task> for Watching {
    /// The end of an attempt that another one followed is not the end.
    async fn replay(&mut self, last: Option<&str>) -> Result<bool, Ended> {
        let mut events = self.plane.tasks().history(&self.task, HISTORY).await.map_err(|_| Ended)?.events;
        events.reverse();
        let known = last.and_then(|last| events.iter().position(|event| event.event_id() == Some(last)));
        if let Some(last) = last.filter(|_| known.is_none()) {
            self.line.send(sse::gap(last, events.first().and_then(Event::event_id))).await?;
        }
        let newest = events.iter().map(Event::attempt).max().unwrap_or_default();
        for (place, event) in events.iter().enumerate() {
            let bytes = serde_json::to_vec(event).unwrap_or_default();
            let over = if known.is_some_and(|known| place <= known) {
                self.seen.note(event);
                event.ends()
            } else {
                self.show(event, &bytes).await?
            };
            if over && event.attempt() >= newest {
                return Ok(true);
            }
        }
        Ok(false)
    }

    async fn said(&mut self, bytes: Arc<Vec<u8>>) -> Result<bool, Ended> {
        match Event::read(&bytes) {
            Some(event) => self.show(&event, &bytes).await,
            None => Ok(false),
        }
    }
}

impl Watching {
    /// Shows an event unless it was shown before; whether it ends the task.
    async fn show(&mut self, event: &Event, bytes: &[u8]) -> Result<bool, Ended> {
        if !self.seen.note(event) {
            return Ok(false);
        }
        let data = String::from_utf8_lossy(bytes);
        self.line.send(sse::event(event.event_id(), "status", &data)).await?;
        Ok(event.ends())
    }
}

#[cfg(test)]
mod tests {
    use quorate_plane::tasks::Report;

    use super::super::followed::tests::goes_on_after_a_keep_alive;
    use super::*;

    #[tokio::test]
    async fn a_stream_goes_on_after_a_keep_alive() {
        quorate_testkit::check(&[], async |bench| {
            let plane = Plane::new(bench.scope.clone()).unwrap();
            let task = TaskId::parse("t").unwrap();
            let report = async |round: usize| {
                let report = Report::new(task.clone(), &format!("step-{round}")).unwrap();
                plane.tasks().report(&report).await.unwrap().unwrap();
            };
            let told = |round: usize, said: &str| said.contains(&format!("step-{round}"));
            goes_on_after_a_keep_alive::<Task>(&plane, task.clone(), report, told).await;
        })
        .await;
    }
}
