//! `tasks ls`.

use quorate_catalog::ids::TaskId;
use quorate_plane::tasks::Page;

use crate::prelude::*;

/// Lists tasks, the one that reported last first, or shows those that are named.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Ls {
    /// Only these, each in its place; up to 1,000.
    #[serde(default)]
    pub task: Vec<Said<TaskId>>,
    /// Where to go on: `next_cursor` of the page before.
    #[serde(default)]
    pub cursor: Option<String>,
    /// Most tasks of a page; 100 if it is not said.
    #[serde(default)]
    pub limit: Option<Within<1, 1_000>>,
}

impl Verb for Ls {
    const ABOUT: About = About::new("tasks", "ls", Method::Get, "/tasks", Level::Read, Effect::None);
    type Answer = Page;

    fn example() -> Value {
        json!({ "limit": 20 })
    }

    async fn run(&self, call: &Call) -> Result<Verdict<Page>, Fault> {
        if self.task.len() > 1_000 {
            return Err(Fault::bad("task", "name up to 1,000 tasks"));
        }
        let tasks = call.plane.tasks();
        if self.task.is_empty() {
            let limit = self.limit.map_or(100, Within::count);
            return Ok(Verdict::Done(tasks.list(self.cursor.as_deref(), limit).await?));
        }
        let named: Vec<TaskId> = self.task.iter().map(|task| task.0.clone()).collect();
        let found = tasks.read(&named).await?.into_iter().flatten().collect();
        Ok(Verdict::Done(Page { tasks: found, next_cursor: None }))
    }
}
