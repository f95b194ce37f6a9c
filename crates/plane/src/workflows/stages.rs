//! The attempts of a stage: begun, kept alive, done, failed.

use quorate_catalog::Key;
use quorate_catalog::ids::{Signature, StageId, TaskId};
use quorate_store::{Arg, Micros, Result};
use serde_json::{Value, json};

use super::facts::{self, Facts, Work};
use super::topology::{LEASE_MS, OnFailure, action};
use super::{
    Attempt, Completed, Course, Enter, Entered, Failed, Next, Stage, Workflows, fits, hash, invalid, parsed,
    refused, short,
};
use crate::Outcome;
use crate::outcome::{Reply, undecodable};

/// Longest lease: a day.
const MAX_LEASE_MS: u64 = 86_400_000;
/// Most stages that one result leads to.
const MAX_NEXT: usize = 1_000;

/// Goes on with what was done, or gives the refusal away.
macro_rules! done {
    ($outcome:expr) => {
        match $outcome {
            Outcome::Done(value) => value,
            Outcome::Refused(refusal) => return Ok(Outcome::Refused(refusal)),
        }
    };
}
pub(super) use done;

impl Workflows<'_> {
    /// Begins an action of a stage that is ready. It is held until its lease ends, and done or given back before that.
    pub async fn enter(&self, enter: &Enter) -> Result<Outcome<Entered>> {
        let course = done!(self.course(&enter.task).await?);
        let Some(stage) = course.topology.stage(enter.stage.as_key()) else {
            return Ok(refused("no_stage", enter.stage.to_string()));
        };
        let wanted =
            enter.action.as_ref().map_or(Work::first(&enter.task, stage).action, |action| action.as_key());
        if !stage.accepted_actions.is_empty() && !stage.accepted_actions.iter().any(|own| own == wanted) {
            return Ok(refused("wrong_action", wanted));
        }
        let payload = parsed(&enter.payload)?;
        if let Err(why) = fits(stage, &payload) {
            return Ok(refused("bad_payload", why));
        }
        let signature = signature(&enter.task, wanted, stage, &payload);
        let lease = enter.lease.map_or(stage.timeout_ms.unwrap_or(LEASE_MS), millis);
        let lease = lease.clamp(1, stage.timeout_ms.unwrap_or(MAX_LEASE_MS));
        let about = json!({ "by": enter.by, "action": wanted }).to_string();
        let work = Work { task: &enter.task, action: wanted, payload: &enter.payload };
        let again = (stage.queue.is_some() && stage.max_retries > 0).then(|| work.item(&stage.name));
        let args = [
            Arg::from(self.request()),
            Arg::from(enter.task.as_key()),
            Arg::from(enter.stage.as_key()),
            Arg::from(signature.as_key()),
            Arg::from(&about[1..about.len() - 1]),
            Arg::from(course.digest.as_str()),
            Arg::from(stage.max_inflight.unwrap_or(0)),
            Arg::from(lease),
            Arg::from(self.plane.workflow_settings().await?.ttl_ms),
            Arg::from(again.unwrap_or_default()),
        ];
        let [run, dedup, inflight, running, agenda] =
            self.keys(&course, &enter.task, &enter.stage, &signature);
        let script = &self.plane.workflow_scripts().enter;
        let reply: Reply =
            self.plane.store().run(script, &[run, dedup, inflight, running, agenda], &args).await?;
        let words = done!(reply.expect("entered")?);
        let number = |at: usize| words.get(at).and_then(|word| word.parse::<u64>().ok());
        let (Some(number), Some(until)) = (number(0), number(1)) else { return Err(undecodable("entered")) };
        let attempt = Attempt { number, signature };
        Ok(Outcome::Done(Entered { attempt, until: Micros::from_millis(until) }))
    }

    /// Keeps an attempt alive, though never beyond the stage's timeout. Gives the new end.
    pub async fn extend(
        &self,
        task: &TaskId,
        stage: &StageId,
        attempt: &Attempt,
        lease: Option<std::time::Duration>,
    ) -> Result<Outcome<Micros>> {
        let course = done!(self.course(task).await?);
        let Some(found) = course.topology.stage(stage.as_key()) else {
            return Ok(refused("no_stage", stage.to_string()));
        };
        let lease = lease.map_or(found.timeout_ms.unwrap_or(LEASE_MS), millis);
        let args = [
            Arg::from(task.as_key()),
            Arg::from(stage.as_key()),
            Arg::from(attempt.signature.as_key()),
            Arg::from(attempt.number),
            Arg::from(lease.clamp(1, MAX_LEASE_MS)),
            Arg::from(found.timeout_ms.unwrap_or(0)),
            Arg::from(self.plane.workflow_settings().await?.ttl_ms),
        ];
        let [run, _, inflight, running, agenda] = self.keys(&course, task, stage, &attempt.signature);
        let script = &self.plane.workflow_scripts().extend;
        let keys = [run, inflight, running, agenda];
        let reply: Reply = self.plane.store().repeatable().run(script, &keys, &args).await?;
        let words = done!(self.plane.late(reply.expect("extended")?).await);
        let until = words.first().and_then(|word| word.parse().ok());
        Ok(Outcome::Done(Micros::from_millis(until.ok_or_else(|| undecodable("extended"))?)))
    }

    /// Records what an attempt gave, and brings the run to the next stages; to all that may follow, if none is named.
    pub async fn complete(
        &self,
        task: &TaskId,
        stage: &StageId,
        attempt: &Attempt,
        result: &str,
        next: &[Next],
    ) -> Result<Outcome<Completed>> {
        let course = done!(self.course(task).await?);
        let Some(from) = course.topology.stage(stage.as_key()) else {
            return Ok(refused("no_stage", stage.to_string()));
        };
        parsed(result)?;
        let next = match next {
            [] => all_of(from)?,
            next => next.to_vec(),
        };
        if next.len() > MAX_NEXT {
            return Err(invalid(format!("a result leads to at most {MAX_NEXT} stages")));
        }
        let ways = done!(ways(&course, task, from, &next, result)?);
        let mut args = vec![
            Arg::from(task.as_key()),
            Arg::from(stage.as_key()),
            Arg::from(attempt.signature.as_key()),
            Arg::from(attempt.number),
            Arg::from(course.digest.as_str()),
            Arg::from(if result == "null" { "" } else { result }),
            Arg::from(u32::from(from.terminal)),
            Arg::from(self.plane.workflow_settings().await?.ttl_ms),
            Arg::from(facts::text(&ways.facts)),
        ];
        args.extend(ways.payloads.iter().map(Arg::from));
        let mut keys = self.keys(&course, task, stage, &attempt.signature).to_vec();
        keys.extend(self.places(task, &ways.stages)?);
        let script = &self.plane.workflow_scripts().complete;
        let reply: Reply = self.plane.store().repeatable().run(script, &keys, &args).await?;
        let mut words = done!(self.plane.late(reply.expect("completed")?).await).into_iter();
        let state = words.next().unwrap_or_default();
        let split =
            |word: String| word.split_once(' ').map(|(name, said)| (name.to_owned(), said.to_owned()));
        Ok(Outcome::Done(Completed { state, next: words.filter_map(split).collect() }))
    }

    /// Ends an attempt that failed; the action is tried again, or given up.
    pub async fn fail(
        &self,
        task: &TaskId,
        stage: &StageId,
        attempt: &Attempt,
        error: &str,
    ) -> Result<Outcome<Failed>> {
        let course = done!(self.course(task).await?);
        let number = attempt.number.to_string();
        let outcome = self.give_up(&course, task, stage, (&number, &attempt.signature), error).await?;
        Ok(self.plane.late(outcome).await)
    }

    /// The same for one whose lease may have run out, if no number is given.
    pub(super) async fn give_up(
        &self,
        course: &Course,
        task: &TaskId,
        stage: &StageId,
        (number, signature): (&str, &Signature),
        error: &str,
    ) -> Result<Outcome<Failed>> {
        let Some(from) = course.topology.stage(stage.as_key()) else {
            return Ok(refused("no_stage", stage.to_string()));
        };
        let nexts = from.allowed_next_stages.iter().filter_map(|name| course.topology.stage(name));
        let joins: Vec<&Stage> = nexts.filter(|stage| stage.join.is_some()).collect();
        let behind =
            |stage: &&Stage| Facts::of(&course.topology, stage, Work::first(task, stage)).branch(&from.name);
        let known: Vec<Facts> = joins.iter().map(behind).collect();
        let error = short(error);
        let args = [
            Arg::from(task.as_key()),
            Arg::from(stage.as_key()),
            Arg::from(signature.as_key()),
            Arg::from(number),
            Arg::from(error.as_str()),
            Arg::from(from.max_retries),
            Arg::from(from.retry_delay_ms),
            Arg::from(u32::from(from.queue.is_some())),
            Arg::from(u32::from(from.on_failure == OnFailure::Continue)),
            Arg::from(facts::text(&known)),
            Arg::from(json!({ "failed": true, "error": error }).to_string()),
        ];
        let mut keys = self.keys(course, task, stage, signature).to_vec();
        keys.extend(self.places(task, &joins)?);
        let script = &self.plane.workflow_scripts().fail;
        let reply: Reply = self.plane.store().repeatable().run(script, &keys, &args).await?;
        Ok(match reply.split() {
            Err(refusal) => Outcome::Refused(refusal),
            Ok((word, words)) if word == "retry" => {
                let when = words.first().and_then(|when| when.parse().ok()).unwrap_or_default();
                Outcome::Done(Failed::Retry(Micros::from_millis(when)))
            }
            Ok((_, mut words)) => Outcome::Done(Failed::ForGood(words.pop().unwrap_or_default())),
        })
    }

    fn keys(&self, course: &Course, task: &TaskId, stage: &StageId, signature: &Signature) -> [Key; 5] {
        let (seed, own) = (self.plane.keys().relayna(), self.plane.keys().quorate());
        [
            seed.workflow_run(task),
            seed.stage_dedup(stage, task, signature),
            seed.stage_inflight(stage, task),
            own.workflow_running(&course.workflow, stage),
            own.workflow_agenda(),
        ]
    }
}

fn millis(span: std::time::Duration) -> u64 {
    u64::try_from(span.as_millis()).unwrap_or(MAX_LEASE_MS)
}

/// Where a result leads to.
struct Ways<'t> {
    stages: Vec<&'t Stage>,
    facts: Vec<Facts>,
    payloads: Vec<String>,
}

fn all_of(from: &Stage) -> Result<Vec<Next>> {
    let names = from.allowed_next_stages.iter();
    names.map(|name| StageId::parse(name).map(Next::to).map_err(|bad| invalid(bad.to_string()))).collect()
}

fn ways<'t>(
    course: &'t Course,
    task: &TaskId,
    from: &'t Stage,
    next: &[Next],
    result: &str,
) -> Result<Outcome<Ways<'t>>> {
    let mut ways = Ways { stages: vec![], facts: vec![], payloads: vec![] };
    for one in next {
        let name = one.stage.as_key();
        let allowed = from.allowed_next_stages.iter().any(|own| own == name);
        let Some(stage) = course.topology.stage(name).filter(|_| allowed) else {
            return Ok(refused("wrong_next", name));
        };
        let wanted = one.action.as_ref().map(|action| action.as_key());
        let Some(action) = action(from, stage, wanted) else {
            return Ok(refused("wrong_action", wanted.unwrap_or_default()));
        };
        let payload = one.payload.as_deref().unwrap_or(result);
        let read = parsed(payload)?;
        if stage.join.is_none()
            && let Err(why) = fits(stage, &read)
        {
            return Ok(refused("bad_payload", why));
        }
        let branch = one.branch.as_ref().map_or(from.name.as_str(), |branch| branch.as_key());
        ways.stages.push(stage);
        ways.facts.push(Facts::of(&course.topology, stage, Work { task, action, payload }).branch(branch));
        ways.payloads.push(payload.to_owned());
    }
    Ok(Outcome::Done(ways))
}

/// SHA-256 of the task, the action and the members of the payload that make two actions different.
fn signature(task: &TaskId, action: &str, stage: &Stage, payload: &Value) -> Signature {
    let member = |name: &String| (name.clone(), payload.get(name).cloned().unwrap_or(Value::Null));
    let chosen: std::collections::BTreeMap<String, Value> =
        stage.dedup_key_fields.iter().map(member).collect();
    let text = json!({ "action": action, "payload": chosen, "task_id": task.as_key() }).to_string();
    Signature::parse(&hash(text.as_bytes())).expect("hexadecimal digits")
}
