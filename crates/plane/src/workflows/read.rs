//! Runs as they stand in the store, also those that another client wrote.

use std::collections::{BTreeMap, HashMap};

use quorate_catalog::ids::{StageId, TaskId, WorkflowView};
use quorate_store::{Micros, Result, cmd, pipe};
use serde_json::Value;

use super::{Held, JoinState, Run, StageState, Workflows};
use crate::Outcome;

/// The states of a run.
pub type State = WorkflowView;

/// Runs read at once.
const PAGE: usize = 200;

impl Workflows<'_> {
    /// The run of a task.
    pub async fn run(&self, task: &TaskId) -> Result<Option<Run>> {
        let key = self.plane.keys().relayna().workflow_run(task);
        let fields: HashMap<String, String> =
            self.plane.store().query(cmd("HGETALL").arg(key.as_str())).await?;
        let Some(mut run) = run_of(task, &fields) else { return Ok(None) };
        let mut names: Vec<String> = run.stages.iter().map(|stage| stage.stage.clone()).collect();
        if let Outcome::Done(course) = self.course(task).await? {
            let order = |name: &str| course.topology.stages.iter().position(|stage| stage.name == name);
            run.stages.sort_by_key(|stage| order(&stage.stage));
            let joins = course.topology.stages.iter().filter(|stage| stage.join.is_some());
            names = joins.map(|stage| stage.name.clone()).collect();
        }
        run.joins = self.joins(task, &names).await?;
        for stage in &mut run.stages {
            stage.attempts = self.attempts(task, &stage.stage).await?;
        }
        Ok(Some(run))
    }

    /// Runs in a state, the latest first, without what their stages have.
    pub async fn runs(&self, state: State, workflow: Option<&str>, limit: usize) -> Result<Vec<Run>> {
        let view = self.plane.keys().quorate().workflow_view(state);
        let (mut found, mut from) = (Vec::new(), 0);
        while found.len() < limit {
            let mut range = cmd("ZRANGE");
            range.arg(view.as_str()).arg(from).arg(from + PAGE - 1).arg("REV");
            let names: Vec<String> = self.plane.store().query(&range).await?;
            from += names.len();
            let tasks: Vec<TaskId> = names.iter().filter_map(|name| TaskId::parse(name).ok()).collect();
            let mut all = pipe();
            for task in &tasks {
                all.cmd("HGETALL").arg(self.plane.keys().relayna().workflow_run(task).as_str());
            }
            let records: Vec<HashMap<String, String>> =
                if tasks.is_empty() { vec![] } else { self.plane.store().pipeline(&all).await? };
            let runs = tasks.iter().zip(&records).filter_map(|(task, fields)| run_of(task, fields));
            found.extend(runs.filter(|run| workflow.is_none_or(|name| name == run.workflow)));
            if names.len() < PAGE {
                break;
            }
        }
        found.truncate(limit);
        Ok(found)
    }

    async fn joins(&self, task: &TaskId, stages: &[String]) -> Result<Vec<JoinState>> {
        let ids: Vec<StageId> = stages.iter().filter_map(|name| StageId::parse(name).ok()).collect();
        if ids.is_empty() {
            return Ok(vec![]);
        }
        let mut all = pipe();
        for stage in &ids {
            all.cmd("HGETALL").arg(self.plane.keys().relayna().fan_in(task, stage).as_str());
        }
        let found: Vec<HashMap<String, String>> = self.plane.store().pipeline(&all).await?;
        Ok(ids
            .iter()
            .zip(found)
            .filter(|(_, fields)| !fields.is_empty())
            .map(|(stage, fields)| join_of(stage, &fields))
            .collect())
    }

    async fn attempts(&self, task: &TaskId, stage: &str) -> Result<Vec<Held>> {
        let Ok(stage) = StageId::parse(stage) else { return Ok(vec![]) };
        let key = self.plane.keys().relayna().stage_inflight(&stage, task);
        let fields: BTreeMap<String, String> =
            self.plane.store().query(cmd("HGETALL").arg(key.as_str())).await?;
        let mut held: Vec<Held> = fields.values().map(|text| held_of(text)).collect();
        held.sort_by_key(|held| held.attempt);
        Ok(held)
    }
}

fn run_of(task: &TaskId, fields: &HashMap<String, String>) -> Option<Run> {
    let text = |name: &str| fields.get(name).cloned();
    let state = text("state")?;
    let mut stages: Vec<StageState> = fields
        .iter()
        .filter_map(|(name, counts)| stage_of(name.strip_prefix("stage:")?, counts, fields))
        .collect();
    stages.sort_by(|a, b| a.stage.cmp(&b.stage));
    Some(Run {
        task: task.to_string(),
        workflow: text("workflow").unwrap_or_default(),
        version: text("version").and_then(|number| number.parse().ok()).unwrap_or_default(),
        state,
        created_at: text("created_at").unwrap_or_default(),
        created_by: text("created_by").unwrap_or_default(),
        ended_at: text("ended_at"),
        error: text("error").filter(|why| !why.is_empty()),
        deadline: moment(text("deadline").as_deref()),
        payload: value(text("payload").as_deref().unwrap_or("null")),
        stages,
        joins: vec![],
    })
}

fn stage_of(name: &str, counts: &str, fields: &HashMap<String, String>) -> Option<StageState> {
    let mut words = counts.split(' ');
    let mut number = || words.next().and_then(|word| word.parse::<u64>().ok());
    let (ready, running, done, failed) = (number()?, number()?, number()?, number()?);
    let since = moment(counts.rsplit(' ').next());
    let of = |kind: &str| fields.get(&format!("{kind}:{name}"));
    Some(StageState {
        stage: name.to_owned(),
        ready,
        running,
        done,
        failed,
        since,
        sla_missed: of("sla").and_then(|count| count.parse().ok()).unwrap_or_default(),
        result: of("result").map(|text| value(text)),
        error: of("error").cloned(),
        attempts: vec![],
    })
}

fn join_of(stage: &StageId, fields: &HashMap<String, String>) -> JoinState {
    let number = |name: &str| fields.get(name).and_then(|count| count.parse::<u64>().ok());
    let branches = |kind: &str| {
        let own = fields.iter().filter_map(|(name, text)| Some((name.strip_prefix(kind)?.to_owned(), text)));
        own.collect::<BTreeMap<String, &String>>()
    };
    let came = branches("branch:");
    let missing = came.iter().filter(|(_, text)| text.is_empty()).map(|(name, _)| name.clone()).collect();
    let results: BTreeMap<String, Value> = came
        .iter()
        .filter(|(_, text)| !text.is_empty())
        .map(|(name, text)| (name.clone(), value(text)))
        .collect();
    JoinState {
        stage: stage.to_string(),
        rule: fields.get("rule").cloned().unwrap_or_default(),
        since: fields.get("since").cloned().unwrap_or_default(),
        deadline: moment(fields.get("deadline").map(String::as_str)),
        arrived: number("arrived").unwrap_or(results.len() as u64),
        lost: number("lost").unwrap_or_default(),
        expected: number("expected"),
        missing,
        results,
        late: branches("late:").into_iter().map(|(name, text)| (name, value(text))).collect(),
        fired: fields.get("fired").cloned(),
        fired_by: fields.get("fired_by").cloned(),
    }
}

/// A field of the seed's hash; another client may have written it in a form of its own.
fn held_of(text: &str) -> Held {
    let record: Value = serde_json::from_str(text).unwrap_or(Value::Null);
    let word = |name: &str| record.get(name).and_then(Value::as_str).unwrap_or("unknown").to_owned();
    let at = |name: &str| record.get(name).and_then(Value::as_u64).map(|ms| Micros::from_millis(ms).iso());
    Held {
        attempt: record.get("attempt").and_then(Value::as_u64).unwrap_or_default(),
        action: word("action"),
        by: word("by"),
        since: at("started").unwrap_or_default(),
        until: at("lease_until").unwrap_or_default(),
    }
}

fn value(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|_| Value::from(text))
}

fn moment(ms: Option<&str>) -> String {
    ms.and_then(|ms| ms.parse().ok()).map(|ms| Micros::from_millis(ms).iso()).unwrap_or_default()
}
