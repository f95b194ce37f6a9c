//! The dead letters of relayna's store in a graph, and what their replays became.

use quorate_catalog::ids::TaskId;
use quorate_store::Micros;
use serde_json::{Map, Value as Json, json};

use super::build::{Builder, task_node};
use crate::dead_letters::Record;
use crate::tasks::moment;

/// How far the moments may be apart at which a record was written and an observation that does not name it was made.
const SAME_MS: u64 = 5_000;

impl Builder {
    /// Adds a dead letter; one that an observation has told of is the same node.
    pub(super) fn letter(&mut self, task: &TaskId, letter: &Record) {
        let source = self.ended(task, letter);
        let id = self.known(task, letter, &source).unwrap_or_else(|| named(task, letter));
        let at = Some(letter.dead_lettered_at.clone());
        let label = if letter.reason.is_empty() { "dead letter" } else { &letter.reason };
        self.node(id.clone(), "dlq_record", task, label.to_owned(), at.clone(), Map::new());
        if let Some(place) = self.places.get(&id) {
            let node = &mut self.nodes[*place];
            node.state = Some(letter.state.clone());
            node.annotations.extend(facts(letter));
        }
        if !self.edges.iter().any(|edge| edge.kind == "dead_lettered_to" && edge.target == id) {
            self.edge(source, id.clone(), "dead_lettered_to", at);
        }
        let replays = replays(letter);
        // A record remembers its last replays only, and other clients but the very last.
        self.cut((replays.len() as u64) < letter.replay_count);
        replays.iter().for_each(|replay| self.replay(task, letter, &id, replay));
    }

    /// The attempt that a letter ended, or else its task.
    fn ended(&self, task: &TaskId, letter: &Record) -> String {
        let at = moment(&letter.dead_lettered_at);
        let said = u32::try_from(letter.retry_attempt).map(|number| self.attempt_id(task, number));
        let began = |id: &String| {
            let node = self.places.get(id).map(|place| &self.nodes[*place]);
            let began = node.map(|node| node.timestamp.as_deref().and_then(moment));
            began.is_some_and(|began| began.zip(at).is_none_or(|(began, at)| began <= at))
        };
        said.ok().filter(began).or_else(|| self.at(task, at)).unwrap_or_else(|| task_node(task))
    }

    /// The node that an observation made for a letter: by its name, or else from the same attempt, for the same reason and at
    /// about the same moment.
    fn known(&self, task: &TaskId, letter: &Record, source: &str) -> Option<String> {
        let id = named(task, letter);
        if self.places.contains_key(&id) {
            return Some(id);
        }
        let at = moment(&letter.dead_lettered_at)?;
        let from = self.edges.iter().filter(|edge| edge.kind == "dead_lettered_to" && edge.source == source);
        let nodes = from.filter_map(|edge| self.places.get(&edge.target)).map(|place| &self.nodes[*place]);
        let mut nameless = nodes.filter(|node| !node.annotations.contains_key("dlq_id"));
        let same = |seen: Micros| seen.millis().abs_diff(at.millis()) <= SAME_MS;
        let found = nameless.find(|node| {
            node.label == letter.reason && node.timestamp.as_deref().and_then(moment).is_some_and(same)
        });
        found.map(|node| node.id.clone())
    }

    /// Adds a replay of a letter, and leads to what it became: an attempt that began since, or else the task.
    fn replay(&mut self, task: &TaskId, letter: &Record, from: &str, replay: &Json) {
        let at = replay["at"].as_str().map(str::to_owned);
        let number = replay["n"].as_u64().unwrap_or_default();
        let id = format!("replay:{task}:{}:{number}", letter.dlq_id);
        let told = [
            ("replay_count", "n"),
            ("replayed_at", "at"),
            ("retried_task_id", "task_id"),
            ("queue_name", "target"),
            ("job_id", "job_id"),
            ("by", "by"),
        ];
        let told = told.iter().filter(|(_, field)| !replay[*field].is_null());
        let told = told.map(|(name, field)| ((*name).to_owned(), replay[*field].clone())).collect();
        self.node(id.clone(), "retry", task, format!("replay {number}"), at.clone(), told);
        self.edge(from.to_owned(), id.clone(), "manual_retry_to", at.clone());
        let Some(became) = replay["task_id"].as_str().and_then(|name| TaskId::parse(name).ok()) else {
            return;
        };
        match self.since(&became, at.as_deref()) {
            Some(attempt) => self.edge(id, attempt, "received_by", at),
            None => {
                let target = self.task(&became);
                self.edge(id, target, "manual_retry_to", at);
            }
        }
    }

    /// The first attempt of a task that began at a moment or later.
    fn since(&self, task: &TaskId, at: Option<&str>) -> Option<String> {
        let at = at.and_then(moment)?;
        let began = |text: Option<&str>| text.and_then(moment).filter(|began| *began >= at);
        let later = self.attempts(task).filter_map(|node| Some((began(node.timestamp.as_deref())?, node)));
        later.min_by_key(|(began, _)| *began).map(|(_, node)| node.id.clone())
    }
}

fn named(task: &TaskId, letter: &Record) -> String {
    format!("dlq:{task}:{}", letter.dlq_id)
}

/// What a record says that helps whoever looks at it.
fn facts(letter: &Record) -> Map<String, Json> {
    let all = json!({ "dlq_id": letter.dlq_id, "reason": letter.reason, "queue_name": letter.queue_name,
        "source_queue_name": letter.source_queue_name, "exception_type": letter.exception_type,
        "retry_attempt": letter.retry_attempt, "max_retries": letter.max_retries, "state": letter.state,
        "replay_count": letter.replay_count });
    let Json::Object(all) = all else { return Map::new() };
    all.into_iter().filter(|(_, value)| !value.is_null() && value != "").collect()
}

/// The replays that a record remembers; of one that another client replayed, the last.
fn replays(letter: &Record) -> Vec<Json> {
    if !letter.replays.is_empty() || letter.replay_count == 0 {
        return letter.replays.clone();
    }
    let at = letter.replayed_at.as_ref().or(letter.retried_at.as_ref());
    vec![json!({ "n": letter.replay_count, "at": at, "target": letter.replay_target_queue_name,
        "by": letter.retried_by, "task_id": letter.retried_task_id.as_ref().or(letter.task_id.as_ref()) })]
}
