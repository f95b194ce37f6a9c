//! Agents that ask each other, in threads; most answers come in time.

use std::time::Duration;

use futures_util::future::BoxFuture;
use serde_json::{Value, json};

use crate::demo::Scene;
use crate::demo::crew::Crew;
use crate::demo::stage::{Stage, Trouble, about, chance, fresh, pick};

const NAMES: &[&str] = &["demo-planner", "demo-author", "demo-reviewer"];
const QUESTIONS: [(&str, &str); 4] = [
    ("review please", "the importer is ready for a second pair of eyes"),
    ("which index?", "do we keep the old index while the new one is built?"),
    ("blocked", "I need the staging credentials to go on"),
    ("done", "the migration ran on a copy in 42 seconds"),
];

pub(super) struct Talk {
    crew: Crew,
    thread: String,
}

impl Talk {
    pub(super) fn new() -> Self {
        Self { crew: Crew::new("talk", NAMES), thread: fresh("thread") }
    }

    async fn play(&mut self, stage: &Stage) -> Result<Duration, Trouble> {
        self.crew.beat(stage).await?;
        if chance(25) {
            self.thread = fresh("thread");
        }
        let from = *pick(NAMES);
        let to = *pick(&NAMES.iter().filter(|name| **name != from).collect::<Vec<_>>());
        let (subject, text) = pick(&QUESTIONS);
        let letter = json!({ "to": to, "from": from, "text": text, "subject": subject, "kind": "question",
            "thread": self.thread, "ack_by": "2m" });
        stage.post("/messages", letter).await?;
        self.answer(stage, to).await?;
        Ok(about(7))
    }

    /// The receiver reads what it has, and says of most of it that it was done.
    async fn answer(&self, stage: &Stage, who: &str) -> Result<(), Trouble> {
        if chance(20) {
            return Ok(());
        }
        let read = stage.post(&format!("/messages/inbox/{who}/read"), json!({ "limit": 10 })).await?;
        let read = read.unwrap_or_default();
        let ids: Vec<&Value> =
            read["messages"].as_array().into_iter().flatten().map(|one| &one["id"]).collect();
        if !ids.is_empty() && chance(85) {
            let done = json!({ "messages": ids, "acted_on": "answered in the thread" });
            stage.post(&format!("/messages/inbox/{who}/ack"), done).await?;
        }
        Ok(())
    }
}

impl Scene for Talk {
    fn name(&self) -> &'static str {
        "talk"
    }

    fn about(&self) -> &'static str {
        "agents write to each other in threads, with deadlines"
    }

    fn turn<'a>(&'a mut self, stage: &'a Stage) -> BoxFuture<'a, Result<Duration, Trouble>> {
        Box::pin(self.play(stage))
    }
}
