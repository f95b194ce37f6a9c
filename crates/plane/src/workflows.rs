//! Where a task stands in its workflow, and what comes next.
//!
//! A workflow is a topology of stages, kept by version. The run of a task is one record of the seed, which counts what each
//! stage has ready, running, done and failed. An attempt of an action is held under a lease, with the seed's dedup marker and
//! inflight field beside it. Branches come together in the seed's fan-in record; the script that records the last one lets the
//! stage go, in the same step and once. Whatever a run waits for has an end: a lease, a retry, a join's deadline, its own.

mod explain;
mod facts;
mod fsck;
mod joins;
mod known;
mod model;
mod read;
mod schema;
mod script;
mod settings;
mod stages;
mod topology;
mod upkeep;

use std::collections::HashMap;

use quorate_catalog::ids::{TaskId, WorkflowId};
use quorate_store::{Arg, Error, ErrorKind, Result, cmd};
use sha2::{Digest, Sha256};

use crate::outcome::Reply;
use crate::{Outcome, Plane, Refusal};
use facts::{Facts, Work};
pub use fsck::invariants;
pub(crate) use known::Known;
pub use model::{
    Arrived, Attempt, Completed, Defined, Definition, Enter, Entered, Explanation, Failed, Held, JoinState,
    Next, Run, StageState, Start, Wait,
};
pub use read::State;
pub(crate) use script::Scripts;
pub(crate) use settings::Settings;
pub use topology::{Join, MAX_BRANCHES, MAX_STAGES, OnFailure, Rule, Stage, Topology};
pub use upkeep::Kept;

/// Most versions of one workflow.
const VERSIONS: usize = 1_000;

/// The verbs of the capability.
#[derive(Debug, Clone, Copy)]
pub struct Workflows<'p> {
    plane: &'p Plane,
    request: Option<&'p str>,
}

impl<'p> Workflows<'p> {
    pub(crate) fn new(plane: &'p Plane) -> Self {
        Self { plane, request: None }
    }

    /// The same for a call that has a name: however often it is made, it has one effect.
    #[must_use]
    pub fn asked(self, request: Option<&'p str>) -> Self {
        Self { request, ..self }
    }

    /// A name of the call that may stand in any record.
    fn request(&self) -> String {
        let name = self.request.map_or_else(crate::random_id, str::to_owned);
        hash(name.as_bytes())[..32].to_owned()
    }

    /// Keeps a topology as the current version of a workflow. What is wrong with it is told, all of it.
    pub async fn define(
        &self,
        name: &WorkflowId,
        topology: &Topology,
        who: &str,
    ) -> Result<Outcome<Defined>> {
        let faults = topology.faults();
        if !faults.is_empty() {
            return Err(invalid(faults.join("; ")));
        }
        let text = serde_json::to_string(topology).map_err(|error| invalid(error.to_string()))?;
        crate::json::check(&text).map_err(invalid)?;
        let digest = hash(text.as_bytes());
        let own = self.plane.keys().quorate();
        let mut args = vec![
            Arg::from(name.as_key()),
            Arg::from(digest.as_str()),
            Arg::from(text.as_str()),
            Arg::from(who),
            Arg::from(VERSIONS),
        ];
        let queues = topology.stages.iter().filter_map(|stage| stage.queue.as_ref());
        args.extend(queues.map(|queue| Arg::from(format!("job:{queue}"))));
        let script = &self.plane.workflow_scripts().define;
        let keys = [own.workflow(name), own.workflow_names(), own.queue_names()];
        let reply: Reply = self.plane.store().repeatable().run(script, &keys, &args).await?;
        Ok(match reply.split() {
            Ok((word, words)) => Outcome::Done(Defined {
                version: words.first().and_then(|number| number.parse().ok()).unwrap_or_default(),
                known: word == "known",
            }),
            Err(refusal) => Outcome::Refused(refusal),
        })
    }

    /// Every workflow with its current version, by name.
    pub async fn ls(&self) -> Result<Vec<Definition>> {
        let mut names: Vec<String> = self
            .plane
            .store()
            .query(cmd("SMEMBERS").arg(self.plane.keys().quorate().workflow_names().as_str()))
            .await?;
        names.sort();
        let mut all = Vec::new();
        for name in names.iter().filter_map(|name| WorkflowId::parse(name).ok()) {
            all.extend(self.show(&name, None).await?);
        }
        Ok(all)
    }

    /// One version of a workflow; the current one, if none is named.
    pub async fn show(&self, name: &WorkflowId, version: Option<u64>) -> Result<Option<Definition>> {
        let key = self.plane.keys().quorate().workflow(name);
        let fields: HashMap<String, String> =
            self.plane.store().query(cmd("HGETALL").arg(key.as_str())).await?;
        let digest = match version {
            None => fields.get("current").cloned(),
            Some(number) => fields
                .iter()
                .find(|(field, value)| field.starts_with("v:") && **value == number.to_string())
                .map(|(field, _)| field[2..].to_owned()),
        };
        let Some(digest) = digest else { return Ok(None) };
        let field = |kind: &str| fields.get(&format!("{kind}:{digest}")).cloned();
        let Some(topology) = field("t").and_then(|text| serde_json::from_str(&text).ok()) else {
            return Ok(None);
        };
        Ok(Some(Definition {
            workflow: name.to_string(),
            version: field("v").and_then(|number| number.parse().ok()).unwrap_or_default(),
            defined_by: field("by").unwrap_or_default(),
            defined_at: field("at").unwrap_or_default(),
            topology,
            digest,
        }))
    }

    /// Begins the run of a task; its entry stages are ready. Gives the version it runs by.
    pub async fn start(&self, start: &Start) -> Result<Outcome<u64>> {
        let Some(definition) = self.show(&start.workflow, None).await? else {
            return Ok(refused("no_workflow", start.workflow.to_string()));
        };
        let payload = parsed(&start.payload)?;
        let topology = &definition.topology;
        let entries: Vec<&Stage> = topology.entry.iter().filter_map(|name| topology.stage(name)).collect();
        for stage in &entries {
            if let Err(why) = fits(stage, &payload) {
                return Ok(refused("bad_payload", why));
            }
        }
        let entry = |stage: &&Stage| {
            let work = Work { payload: &start.payload, ..Work::first(&start.task, stage) };
            Facts::of(topology, stage, work)
        };
        let facts: Vec<Facts> = entries.iter().map(entry).collect();
        let mut keys = vec![
            self.plane.keys().relayna().workflow_run(&start.task),
            self.plane.keys().quorate().workflow_agenda(),
        ];
        keys.extend(self.places(&start.task, &entries)?);
        let args = [
            Arg::from(self.request()),
            Arg::from(start.task.as_key()),
            Arg::from(start.workflow.as_key()),
            Arg::from(definition.version),
            Arg::from(definition.digest.as_str()),
            Arg::from(start.who.as_str()),
            Arg::from(start.payload.as_str()),
            Arg::from(topology.timeout_ms.unwrap_or(topology::RUN_TIMEOUT_MS)),
            Arg::from(facts::text(&facts)),
        ];
        let script = &self.plane.workflow_scripts().start;
        let reply: Reply = self.plane.store().run(script, &keys, &args).await?;
        Ok(reply.expect("started")?.map(|_| definition.version))
    }

    /// Ends a run because somebody decided so. What is under way is not interrupted; its result no longer counts.
    pub async fn cancel(&self, task: &TaskId, who: &str, why: &str) -> Result<Outcome<()>> {
        let keys =
            [self.plane.keys().relayna().workflow_run(task), self.plane.keys().quorate().workflow_agenda()];
        let why =
            if why.is_empty() { format!("cancelled by {who}") } else { format!("cancelled by {who}: {why}") };
        let args = [Arg::from(task.as_key()), Arg::from(short(&why))];
        let script = &self.plane.workflow_scripts().cancel;
        let reply: Reply = self.plane.store().repeatable().run(script, &keys, &args).await?;
        Ok(reply.expect("cancelled")?.map(drop))
    }

    /// The version by which a run goes, or why there is none.
    async fn course(&self, task: &TaskId) -> Result<Outcome<Course>> {
        let key = self.plane.keys().relayna().workflow_run(task);
        let mut get = cmd("HMGET");
        get.arg(key.as_str()).arg("workflow").arg("digest");
        let (name, digest): (Option<String>, Option<String>) = self.plane.store().query(&get).await?;
        let (Some(name), Some(digest)) = (name, digest) else {
            return Ok(refused("no_run", task.to_string()));
        };
        let Ok(name) = WorkflowId::parse(&name) else { return Ok(refused("no_workflow", name)) };
        let known = &self.plane.workflows.known;
        let topology = match known.get(&digest) {
            Some(topology) => topology,
            None => {
                let mut get = cmd("HGET");
                get.arg(self.plane.keys().quorate().workflow(&name).as_str()).arg(format!("t:{digest}"));
                let text: Option<String> = self.plane.store().query(&get).await?;
                let Some(found) = text.and_then(|text| serde_json::from_str::<Topology>(&text).ok()) else {
                    return Ok(refused("no_workflow", name.to_string()));
                };
                known.keep(&digest, found)
            }
        };
        Ok(Outcome::Done(Course { workflow: name, digest, topology }))
    }
}

/// How a run goes: a version of a workflow, which never changes.
#[derive(Debug, Clone)]
struct Course {
    workflow: WorkflowId,
    digest: String,
    topology: std::sync::Arc<Topology>,
}

/// Whether a payload is one the stage takes.
fn fits(stage: &Stage, payload: &serde_json::Value) -> std::result::Result<(), String> {
    match &stage.payload_schema {
        Some(schema) => schema::check(schema, payload).map_err(|why| format!("{}: {why}", stage.name)),
        None => Ok(()),
    }
}

fn parsed(payload: &str) -> Result<serde_json::Value> {
    crate::json::check(payload).map_err(|why| invalid(format!("the payload: {why}")))?;
    serde_json::from_str(payload).map_err(|error| invalid(format!("the payload: {error}")))
}

fn hash(bytes: &[u8]) -> String {
    hex::encode(Sha256::digest(bytes))
}

/// Texts of people, as long as a record wants them.
fn short(text: &str) -> String {
    text.chars().take(1_000).collect()
}

fn refused<T>(code: &str, detail: impl Into<String>) -> Outcome<T> {
    Outcome::Refused(Refusal::new(code, Some(detail.into())))
}

fn invalid(why: impl Into<String>) -> Error {
    Error::new(ErrorKind::InvalidArgument, "workflows", why.into())
}
