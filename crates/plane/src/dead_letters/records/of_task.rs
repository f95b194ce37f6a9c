//! The dead letters of one task, by an index of their own: nothing of any other task is read for them.

use quorate_catalog::Key;
use quorate_catalog::ids::{DeadLetterId, TaskId};
use quorate_store::{Result, cmd};

use super::{Record, Records, bad};

/// A name of the index, and its record where there is one that is of this task.
type Named = (DeadLetterId, Option<String>);

impl Records<'_> {
    /// The dead letters of a task, the newest first, and whether there are more.
    pub(crate) async fn of_task(&self, task: &TaskId, limit: usize) -> Result<(Vec<Record>, bool)> {
        let names = self.named(task, Some(limit + 1)).await?;
        let more = names.len() > limit;
        let mut found = Vec::new();
        for (id, text) in self.read(&names[..names.len().min(limit)]).await? {
            match text {
                Some(text) => found.extend(own(&id, &text, task).map(Record::short)),
                None => self.expired(&id, Some(task)).await?,
            }
        }
        Ok((found, more))
    }

    /// Names in the index of a task that are of no record of it.
    pub(super) async fn strays(&self, task: &TaskId) -> Result<Vec<DeadLetterId>> {
        let all = self.read(&self.named(task, None).await?).await?;
        let stray = |(id, text): Named| match text.and_then(|text| own(&id, &text, task)) {
            Some(_) => None,
            None => Some(id),
        };
        Ok(all.into_iter().filter_map(stray).collect())
    }

    /// Takes names out of the index of a task.
    pub(super) async fn unname(&self, task: &TaskId, ids: &[DeadLetterId]) -> Result<()> {
        for id in ids {
            let mut remove = cmd("ZREM");
            remove.arg(self.of(Some(task))?.as_str()).arg(id.as_key());
            self.plane.store().query::<u64>(&remove).await?;
        }
        Ok(())
    }

    /// The index of a task. Where there is no task, one that no script touches.
    pub(super) fn of(&self, task: Option<&TaskId>) -> Result<Key> {
        let none = TaskId::parse("none").map_err(|error| bad(error.to_string()))?;
        Ok(self.plane.keys().quorate().dlq_task(task.unwrap_or(&none)))
    }

    async fn named(&self, task: &TaskId, limit: Option<usize>) -> Result<Vec<(u64, String)>> {
        let last = limit.map_or("-1".to_owned(), |limit| limit.saturating_sub(1).to_string());
        let mut range = cmd("ZRANGE");
        range.arg(self.of(Some(task))?.as_str()).arg(0).arg(last).arg("REV").arg("WITHSCORES");
        let found: Vec<(String, f64)> = self.plane.store().query(&range).await?;
        let sound = found.into_iter().filter(|(name, _)| DeadLetterId::parse(name).is_ok());
        Ok(sound.map(|(name, score)| (score as u64, name)).collect())
    }

    async fn read(&self, names: &[(u64, String)]) -> Result<Vec<Named>> {
        let mut all = Vec::new();
        for some in names.chunks(super::list::CHUNK) {
            let ids = some.iter().filter_map(|(_, name)| DeadLetterId::parse(name).ok());
            all.extend(ids.zip(self.texts(some).await?));
        }
        Ok(all)
    }
}

/// The record of this name, if it is one of this task: another client may have written it anew.
fn own(id: &DeadLetterId, text: &str, task: &TaskId) -> Option<Record> {
    Record::of(id, text).filter(|record| record.task().as_ref() == Some(task))
}
