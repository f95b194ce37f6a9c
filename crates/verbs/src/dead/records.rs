//! `dead records`, `dead record`, `dead sums`: relayna's dead letters, read.

use quorate_catalog::ids::{DeadLetterId, TaskId};
use quorate_plane::Outcome;
use quorate_plane::dead_letters::{Page, QueueSum, Record, RecordFilter};

use crate::prelude::*;

/// Lists dead letters of relayna's store, the newest first.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
pub struct Records {
    /// Only those of this queue.
    #[serde(default)]
    pub queue_name: Option<String>,
    /// Only those of this task.
    #[serde(default)]
    pub task_id: Option<String>,
    /// Only those with exactly this reason.
    #[serde(default)]
    pub reason: Option<String>,
    /// Only those that came from this queue.
    #[serde(default)]
    pub source_queue_name: Option<String>,
    /// Only those in this state.
    #[serde(default)]
    pub state: Option<RecordState>,
    /// Only those that somebody has looked into, or only those that nobody has.
    #[serde(default)]
    pub investigated: Option<bool>,
    /// Where the last page ended.
    #[serde(default)]
    pub cursor: Option<String>,
    /// Most to list; 50 if it is not said.
    #[serde(default)]
    pub limit: Option<Within<1, 200>>,
}

/// What has become of a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum RecordState {
    /// Nothing yet.
    DeadLettered,
    /// It was put into its queue again.
    Replayed,
}

impl RecordState {
    const fn as_str(self) -> &'static str {
        match self {
            Self::DeadLettered => "dead_lettered",
            Self::Replayed => "replayed",
        }
    }
}

impl Verb for Records {
    const ABOUT: About =
        About::new("dead", "records", Method::Get, "/dead/records", Level::Read, Effect::None);
    type Answer = Page;

    fn example() -> Value {
        json!({ "queue_name": "tasks.dlq", "state": "dead_lettered", "limit": 20 })
    }

    async fn run(&self, call: &Call) -> Result<Verdict<Page>, Fault> {
        let filter = RecordFilter {
            queue_name: self.queue_name.clone(),
            task_id: self.task_id.clone(),
            reason: self.reason.clone(),
            source_queue_name: self.source_queue_name.clone(),
            state: self.state.map(|state| state.as_str().to_owned()),
            investigated: self.investigated,
            ..RecordFilter::default()
        };
        let limit = self.limit.map_or(50, Within::count);
        let records = call.plane.dead_letters().records();
        Ok(records.list(&filter, self.cursor.as_deref(), limit).await?.into())
    }
}

/// Shows one dead letter of relayna's store, with what was reported of its task.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct RecordOne {
    /// The dead letter.
    pub dlq_id: Said<DeadLetterId>,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Detail {
    #[serde(flatten)]
    pub record: Record,
    /// The status of its task that counts, if anybody reported one.
    pub latest_status: Option<Value>,
    /// The last ones, newest first.
    pub status_history: Vec<Value>,
}

impl Verb for RecordOne {
    const ABOUT: About =
        About::new("dead", "record", Method::Get, "/dead/records/{dlq_id}", Level::Read, Effect::None)
            .also(&[("id", "dlq_id")]);
    type Answer = Detail;

    fn example() -> Value {
        json!({ "dlq_id": "8c1f0e2ab4" })
    }

    fn watched(&self, keys: &Keys) -> Option<Watched> {
        Some(Watched::new(keys.relayna().dead_letter(&self.dlq_id), &[]))
    }

    async fn run(&self, call: &Call) -> Result<Verdict<Detail>, Fault> {
        let record = match call.plane.dead_letters().records().get(&self.dlq_id).await? {
            Outcome::Done(record) => record,
            Outcome::Refused(why) => return Ok(Verdict::Refused(why.into())),
        };
        let (latest_status, status_history) = status_of(call, &record).await?;
        Ok(Verdict::Done(Detail { record, latest_status, status_history }))
    }
}

/// What was reported of the task of a record: what counts, and the last events.
pub(super) async fn status_of(call: &Call, record: &Record) -> Result<(Option<Value>, Vec<Value>), Fault> {
    let Some(task) = record.task_id.as_deref().and_then(|task| TaskId::parse(task).ok()) else {
        return Ok((None, Vec::new()));
    };
    let latest = call.plane.tasks().latest(&task).await?.map(|event| Value::Object(event.0));
    let events = call.plane.tasks().history(&task, 50).await?.events;
    Ok((latest, events.into_iter().map(|event| Value::Object(event.0)).collect()))
}

/// Counts the dead letters of each queue of relayna's store.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Sums {}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Summed {
    pub queues: Vec<QueueSum>,
}

impl Verb for Sums {
    const ABOUT: About = About::new("dead", "sums", Method::Get, "/dead/sums", Level::Read, Effect::None);
    type Answer = Summed;

    fn example() -> Value {
        json!({})
    }

    async fn run(&self, call: &Call) -> Result<Verdict<Summed>, Fault> {
        Ok(Verdict::Done(Summed { queues: call.plane.dead_letters().records().queues().await? }))
    }
}
