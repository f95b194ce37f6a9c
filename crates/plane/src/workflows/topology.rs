//! What a workflow is: its stages, what each takes and gives, and how branches come together.

use std::collections::BTreeSet;

use quorate_catalog::ids::{AgentId, QueueNameId, StageId, WordId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Most stages of a workflow.
pub const MAX_STAGES: usize = 200;
/// Most branches of one join.
pub const MAX_BRANCHES: usize = 1_000;
/// How long a join waits that does not say: a day.
pub(super) const JOIN_DEADLINE_MS: u64 = 86_400_000;
/// How long a run may take that does not say: a week.
pub(super) const RUN_TIMEOUT_MS: u64 = 7 * 86_400_000;
/// How long an attempt is held that does not say: a minute.
pub(super) const LEASE_MS: u64 = 60_000;
/// The action of a stage that names none.
pub(super) const ACTION: &str = "run";

/// A workflow: where it begins, and its stages.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Topology {
    /// The stages that are ready when a run begins.
    pub entry: Vec<String>,
    /// Its stages.
    pub stages: Vec<Stage>,
    /// How long a run may take before it has failed; 7 days if it is not said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timeout_ms: Option<u64>,
}

/// A stage and its contract.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Stage {
    /// Its name.
    pub name: String,
    /// The actions it takes; any if none is named.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub accepted_actions: Vec<String>,
    /// The actions it may ask of the next stages; any if none is named.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub produced_actions: Vec<String>,
    /// The stages that may follow.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub allowed_next_stages: Vec<String>,
    /// Whether a run may end here.
    #[serde(default)]
    pub terminal: bool,
    /// Most of one attempt in all; without it an attempt lives as long as it is extended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timeout_ms: Option<u64>,
    /// How often a failed action is tried again.
    #[serde(default)]
    pub max_retries: u32,
    /// How long until then.
    #[serde(default)]
    pub retry_delay_ms: u64,
    /// Most attempts at once, over all runs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_inflight: Option<u32>,
    /// How long the stage may have work in one run before that is noted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sla_ms: Option<u64>,
    /// The members of a payload that make two actions different; if none is named, only the action does.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub dedup_key_fields: Vec<String>,
    /// Who looks after it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub owner: Option<String>,
    /// Words to find it by.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
    /// A JSON Schema that every payload of the stage must satisfy.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub payload_schema: Option<Value>,
    /// The job queue that gets an item for each action that is ready.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub queue: Option<String>,
    /// What becomes of the run when an action has failed for good.
    #[serde(default)]
    pub on_failure: OnFailure,
    /// How branches come together here; without it each arrival is an action of its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub join: Option<Join>,
}

/// What becomes of a run whose action has failed for good.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum OnFailure {
    /// The run has failed too.
    #[default]
    Fail,
    /// The run goes on; joins behind the stage count the branch as lost.
    Continue,
}

/// How branches come together.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Join {
    /// When the stage is let go.
    #[serde(default)]
    pub rule: Rule,
    /// How many branches `at_least` needs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at_least: Option<u32>,
    /// The branches; where none is named, `workflows expect` says them in each run.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub branches: Vec<String>,
    /// How long it waits after the first branch; a day if it is not said. Then `deadline` is let go with what has come, and a run
    /// with any other rule has failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deadline_ms: Option<u64>,
}

/// When a join is met.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Rule {
    /// All branches have come, or were lost where the run goes on without them.
    #[default]
    All,
    /// One has come.
    Any,
    /// So many have come.
    AtLeast,
    /// All have come, or the deadline is over.
    Deadline,
}

impl Rule {
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::All => "all",
            Self::Any => "any",
            Self::AtLeast => "at_least",
            Self::Deadline => "deadline",
        }
    }
}

impl Topology {
    pub fn stage(&self, name: &str) -> Option<&Stage> {
        self.stages.iter().find(|stage| stage.name == name)
    }

    /// Everything that is wrong with it, a sentence each.
    pub fn faults(&self) -> Vec<String> {
        let mut faults = self.outline();
        if faults.is_empty() {
            self.stages.iter().for_each(|stage| faults.extend(self.edges(stage)));
            faults.extend(self.paths());
        }
        faults
    }

    fn outline(&self) -> Vec<String> {
        let mut faults = Vec::new();
        if self.stages.is_empty() || self.stages.len() > MAX_STAGES {
            faults.push(format!("it has {} stages, and 1 to {MAX_STAGES} are possible", self.stages.len()));
        }
        let mut names = BTreeSet::new();
        for stage in &self.stages {
            if !names.insert(stage.name.as_str()) {
                faults.push(format!("the stage {:?} is there twice", stage.name));
            }
            faults.extend(stage.faults().into_iter().map(|why| format!("stage {:?}: {why}", stage.name)));
        }
        if self.entry.is_empty() {
            faults.push("it has no entry".to_owned());
        }
        for name in &self.entry {
            match self.stage(name) {
                None => faults.push(format!("the entry {name:?} is no stage")),
                Some(stage) if stage.join.is_some() => {
                    faults.push(format!("the entry {name:?} waits for branches"));
                }
                Some(_) => {}
            }
        }
        if self.entry.iter().collect::<BTreeSet<_>>().len() != self.entry.len() {
            faults.push("an entry is there twice".to_owned());
        }
        if !within(self.timeout_ms, 1_000, 366 * 86_400_000) {
            faults.push("timeout_ms is not from a second to a year".to_owned());
        }
        faults
    }

    fn edges(&self, stage: &Stage) -> Vec<String> {
        let mut faults = Vec::new();
        let from = &stage.name;
        for name in &stage.allowed_next_stages {
            let Some(next) = self.stage(name) else {
                faults.push(format!("stage {from:?}: the next stage {name:?} is not there"));
                continue;
            };
            if action(stage, next, None).is_none() {
                faults.push(format!("stage {from:?}: none of its actions is accepted by {name:?}"));
            }
            if next.join.is_some() && self.after(name).contains(name.as_str()) {
                faults.push(format!("stage {name:?} joins branches and comes again after itself"));
            }
        }
        faults
    }

    /// Every stage is reached, and from every stage an end.
    fn paths(&self) -> Vec<String> {
        let mut reached: BTreeSet<&str> = self.entry.iter().map(String::as_str).collect();
        for name in &self.entry {
            reached.extend(self.after(name));
        }
        // Branches may come from outside, so a join is reached without an edge.
        for stage in self.stages.iter().filter(|stage| stage.join.is_some()) {
            reached.insert(&stage.name);
            reached.extend(self.after(&stage.name));
        }
        let mut faults = Vec::new();
        for stage in &self.stages {
            if !reached.contains(stage.name.as_str()) {
                faults.push(format!("stage {:?}: no entry leads to it", stage.name));
            }
            let ends = |name: &&str| self.stage(name).is_some_and(|stage| stage.terminal);
            if !stage.terminal && !self.after(&stage.name).iter().any(ends) {
                faults.push(format!("stage {:?}: no terminal stage can follow", stage.name));
            }
        }
        faults
    }

    /// The stages that can follow one, however much later.
    fn after<'a>(&'a self, name: &str) -> BTreeSet<&'a str> {
        let mut seen: BTreeSet<&str> = BTreeSet::new();
        let mut open: Vec<&Stage> = self.stage(name).into_iter().collect();
        while let Some(stage) = open.pop() {
            for next in &stage.allowed_next_stages {
                if seen.insert(next) {
                    open.extend(self.stage(next));
                }
            }
        }
        seen
    }
}

impl Stage {
    fn faults(&self) -> Vec<String> {
        let mut faults = Vec::new();
        let mut wrong = |bad: bool, why: &str| {
            if bad {
                faults.push(why.to_owned());
            }
        };
        wrong(StageId::parse(&self.name).is_err(), "its name is none");
        let actions = || self.accepted_actions.iter().chain(&self.produced_actions);
        wrong(actions().any(|name| WordId::parse(name).is_err()), "the name of an action is none");
        wrong(self.tags.iter().any(|tag| WordId::parse(tag).is_err()), "a tag is no word");
        wrong(
            self.owner.as_ref().is_some_and(|owner| AgentId::parse(owner).is_err()),
            "its owner is no name",
        );
        wrong(
            self.queue.as_ref().is_some_and(|queue| QueueNameId::parse(queue).is_err()),
            "its queue is no name of a job queue",
        );
        wrong(
            self.terminal != self.allowed_next_stages.is_empty(),
            "a terminal stage has no next stages, and any other has some",
        );
        wrong(twice(&self.allowed_next_stages), "a next stage is there twice");
        wrong(self.max_retries > 1_000, "max_retries is at most 1,000");
        wrong(self.retry_delay_ms > 30 * 86_400_000, "retry_delay_ms is at most 30 days");
        wrong(self.max_inflight == Some(0), "max_inflight is at least 1");
        wrong(!within(self.timeout_ms, 1, 86_400_000), "timeout_ms is from 1 to 86,400,000");
        wrong(!within(self.sla_ms, 1, 366 * 86_400_000), "sla_ms is from 1 to a year");
        wrong(
            self.dedup_key_fields.len() > 32 || self.tags.len() > 32,
            "32 tags and dedup fields are the most",
        );
        if let Some(why) =
            self.payload_schema.as_ref().and_then(|schema| super::schema::compile(schema).err())
        {
            faults.push(format!("its payload_schema is none: {why}"));
        }
        faults.extend(self.join.as_ref().map(Join::faults).unwrap_or_default());
        faults
    }
}

impl Join {
    fn faults(&self) -> Vec<String> {
        let mut faults = Vec::new();
        let mut wrong = |bad: bool, why: &str| {
            if bad {
                faults.push(why.to_owned());
            }
        };
        wrong(self.branches.len() > MAX_BRANCHES, "a join has at most 1,000 branches");
        wrong(self.branches.iter().any(|name| StageId::parse(name).is_err()), "the name of a branch is none");
        wrong(twice(&self.branches), "a branch is there twice");
        wrong(
            (self.rule == Rule::AtLeast) != self.at_least.is_some(),
            "at_least goes with the rule at_least",
        );
        let most = if self.branches.is_empty() { MAX_BRANCHES } else { self.branches.len() };
        wrong(
            self.at_least.is_some_and(|need| need == 0 || need as usize > most),
            "at_least is from 1 to the number of branches",
        );
        wrong(!within(self.deadline_ms, 1, 366 * 86_400_000), "deadline_ms is from 1 to a year");
        faults
    }
}

/// The action that one stage asks of the next: the one that is wanted, or the first that both know.
pub(super) fn action<'a>(from: &'a Stage, to: &'a Stage, wanted: Option<&'a str>) -> Option<&'a str> {
    let made =
        |name: &str| from.produced_actions.is_empty() || from.produced_actions.iter().any(|own| own == name);
    let taken =
        |name: &str| to.accepted_actions.is_empty() || to.accepted_actions.iter().any(|own| own == name);
    if let Some(name) = wanted {
        return (made(name) && taken(name)).then_some(name);
    }
    let known = to.accepted_actions.iter().chain(&from.produced_actions).map(String::as_str);
    known.chain(std::iter::once(ACTION)).find(|name| made(name) && taken(name))
}

fn within(value: Option<u64>, least: u64, most: u64) -> bool {
    value.is_none_or(|value| (least..=most).contains(&value))
}

fn twice(names: &[String]) -> bool {
    names.iter().collect::<BTreeSet<_>>().len() != names.len()
}
