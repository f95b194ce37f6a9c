//! What is due in any run, dealt with by whichever process looks first.

use quorate_catalog::ids::{Signature, StageId, TaskId};
use quorate_store::{Arg, Result, cmd};

use super::facts::{self, Facts, Work};
use super::{Course, Workflows};
use crate::Outcome;
use crate::outcome::Reply;

/// Entries of one look.
const BATCH: usize = 200;

/// What one look dealt with.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Kept {
    /// Attempts whose lease had run out.
    pub lapsed: usize,
    /// Deadlines of joins and of runs that were over, retries that were due, and service levels that were missed.
    pub due: usize,
}

impl Workflows<'_> {
    /// Looks at what is due. Any number of processes may: each entry is checked and taken away by a script.
    pub async fn tick(&self) -> Result<Kept> {
        let agenda = self.plane.keys().quorate().workflow_agenda();
        let now = self.plane.store().time().await?.millis();
        let mut range = cmd("ZRANGE");
        range.arg(agenda.as_str()).arg("-inf").arg(now).arg("BYSCORE").arg("LIMIT").arg(0).arg(BATCH);
        let members: Vec<String> = self.plane.store().query(&range).await?;
        let (mut kept, mut trouble) = (Kept::default(), None);
        for member in &members {
            match self.deal_with(member).await {
                Ok(Some("lapsed")) => kept.lapsed += 1,
                Ok(Some(_)) => kept.due += 1,
                Ok(None) => {}
                // A run whose keys are broken must not keep the others from being dealt with.
                Err(error) => trouble = trouble.or(Some(error)),
            }
        }
        trouble.map_or(Ok(kept), Err)
    }

    /// Takes runs out of the lists that ended long ago.
    pub async fn prune(&self) -> Result<()> {
        let none: [&str; 0] = [];
        for state in ["completed", "failed", "cancelled"] {
            let script = &self.plane.workflow_scripts().prune;
            self.plane.store().repeatable().run::<Reply>(script, &none, &[Arg::from(state)]).await?;
        }
        Ok(())
    }

    async fn deal_with(&self, member: &str) -> Result<Option<&'static str>> {
        let mut words = member.split(' ');
        let (kind, task) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
        let (stage, signature) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
        let Ok(task) = TaskId::parse(task) else { return self.forget(member).await };
        let course = match self.course(&task).await? {
            Outcome::Done(course) => course,
            // A record that is gone, or that another client wrote, has nothing that could be due.
            Outcome::Refused(_) => return self.forget(member).await,
        };
        if kind != "lease" {
            return self.due(&course, &task, member, kind, stage, signature).await;
        }
        let (Ok(stage), Ok(signature)) = (StageId::parse(stage), Signature::parse(signature)) else {
            return self.forget(member).await;
        };
        let error = "the lease of the attempt ran out";
        match self.give_up(&course, &task, &stage, ("", &signature), error).await? {
            Outcome::Done(_) => Ok(Some("lapsed")),
            Outcome::Refused(why) if why.is("no_stage") || why.is("wrong_type") => self.forget(member).await,
            Outcome::Refused(_) => Ok(None),
        }
    }

    async fn due(
        &self,
        course: &Course,
        task: &TaskId,
        member: &str,
        kind: &str,
        stage: &str,
        signature: &str,
    ) -> Result<Option<&'static str>> {
        let found = course.topology.stage(stage);
        let known: Vec<Facts> =
            found.iter().map(|stage| Facts::of(&course.topology, stage, Work::first(task, stage))).collect();
        let mut keys = vec![
            self.plane.keys().relayna().workflow_run(task),
            self.plane.keys().quorate().workflow_agenda(),
        ];
        keys.extend(self.places(task, &found.into_iter().collect::<Vec<_>>())?);
        let args = [
            Arg::from(task.as_key()),
            Arg::from(member),
            Arg::from(kind),
            Arg::from(facts::text(&known)),
            Arg::from(signature),
        ];
        let script = &self.plane.workflow_scripts().due;
        let reply: Reply = self.plane.store().repeatable().run(script, &keys, &args).await?;
        Ok(match reply.first() {
            "gone" | "early" | "refused" => None,
            _ => Some("due"),
        })
    }

    async fn forget(&self, member: &str) -> Result<Option<&'static str>> {
        let mut rem = cmd("ZREM");
        rem.arg(self.plane.keys().quorate().workflow_agenda().as_str()).arg(member);
        self.plane.store().query::<u64>(&rem).await?;
        Ok(None)
    }
}
