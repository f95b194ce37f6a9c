//! Branches that come together.

use quorate_catalog::Key;
use quorate_catalog::ids::{StageId, TaskId};
use quorate_store::{Arg, Result};

use super::facts::{self, Facts, Work};
use super::stages::done;
use super::{Arrived, Course, MAX_BRANCHES, Stage, Workflows, invalid, parsed, refused};
use crate::Outcome;
use crate::outcome::Reply;

impl Workflows<'_> {
    /// Brings a branch to the stage that joins it with others.
    pub async fn arrive(
        &self,
        task: &TaskId,
        stage: &StageId,
        branch: &StageId,
        result: &str,
    ) -> Result<Outcome<Arrived>> {
        let course = done!(self.course(task).await?);
        parsed(result)?;
        let found = done!(join(&course, stage));
        let args = [
            Arg::from(self.request()),
            Arg::from(task.as_key()),
            Arg::from(branch.as_key()),
            Arg::from(course.digest.as_str()),
            Arg::from(facts(&course, task, found)),
            Arg::from(result),
        ];
        let script = &self.plane.workflow_scripts().arrive;
        let reply: Reply = self.plane.store().run(script, &self.join_keys(task, found)?, &args).await?;
        Ok(read(reply))
    }

    /// Says which branches a join waits for, where the topology does not.
    pub async fn expect(
        &self,
        task: &TaskId,
        stage: &StageId,
        branches: &[StageId],
    ) -> Result<Outcome<Arrived>> {
        let mut names: Vec<&str> = branches.iter().map(|branch| branch.as_key()).collect();
        names.sort_unstable();
        names.dedup();
        if names.is_empty() || names.len() != branches.len() || names.len() > MAX_BRANCHES {
            return Err(invalid(format!("name 1 to {MAX_BRANCHES} branches, each once")));
        }
        let course = done!(self.course(task).await?);
        let found = done!(join(&course, stage));
        let need = found.join.as_ref().and_then(|join| join.at_least).unwrap_or(0);
        if need as usize > names.len() {
            return Err(invalid(format!("the join needs at least {need} branches")));
        }
        let mut args = vec![
            Arg::from(task.as_key()),
            Arg::from(course.digest.as_str()),
            Arg::from(facts(&course, task, found)),
        ];
        args.extend(names.into_iter().map(Arg::from));
        let script = &self.plane.workflow_scripts().expect;
        let keys = self.join_keys(task, found)?;
        let reply: Reply = self.plane.store().repeatable().run(script, &keys, &args).await?;
        Ok(read(reply))
    }

    fn join_keys(&self, task: &TaskId, stage: &Stage) -> Result<Vec<Key>> {
        let mut keys = vec![
            self.plane.keys().relayna().workflow_run(task),
            self.plane.keys().quorate().workflow_agenda(),
        ];
        keys.extend(self.places(task, &[stage])?);
        Ok(keys)
    }
}

fn join<'t>(course: &'t Course, stage: &StageId) -> Outcome<&'t Stage> {
    match course.topology.stage(stage.as_key()) {
        None => refused("no_stage", stage.to_string()),
        Some(found) if found.join.is_none() => refused("no_join", stage.to_string()),
        Some(found) => Outcome::Done(found),
    }
}

fn facts(course: &Course, task: &TaskId, stage: &Stage) -> String {
    facts::text(&[Facts::of(&course.topology, stage, Work::first(task, stage))])
}

fn read(reply: Reply) -> Outcome<Arrived> {
    match reply.split() {
        Err(refusal) => Outcome::Refused(refusal),
        Ok((outcome, words)) => Outcome::Done(Arrived {
            outcome,
            state: words.first().cloned().unwrap_or_default(),
            arrived: words.get(1).and_then(|number| number.parse().ok()).unwrap_or_default(),
            expected: words.get(2).and_then(|number| number.parse().ok()),
        }),
    }
}
