//! Reading back what was reported, by us or by the seed's own clients.

use std::cmp::Ordering;
use std::collections::HashMap;

use quorate_catalog::ids::TaskId;
use quorate_store::{Error, ErrorKind, Micros, Result, cmd, pipe};

use super::{Children, Event, History, Page, Task, Tasks};

/// Tasks read at once.
const AT_ONCE: usize = 200;

type Raw = (Vec<Vec<u8>>, HashMap<String, String>, u64);

impl Tasks<'_> {
    /// The event that counts, or for a task that only the seed's own clients reported, the newest.
    pub async fn latest(&self, task: &TaskId) -> Result<Option<Event>> {
        Ok(self.read(std::slice::from_ref(task)).await?.pop().flatten().and_then(|task| task.latest))
    }

    /// One task; nothing if nobody reported of it.
    pub async fn show(&self, task: &TaskId) -> Result<Option<Task>> {
        Ok(self.read(std::slice::from_ref(task)).await?.pop().flatten())
    }

    /// Several tasks in few calls, each in its place.
    pub async fn read(&self, tasks: &[TaskId]) -> Result<Vec<Option<Task>>> {
        let mut found = Vec::with_capacity(tasks.len());
        for few in tasks.chunks(AT_ONCE) {
            let mut all = pipe();
            for task in few {
                let seed = self.plane.keys().relayna();
                // A few, because a foreign client may have put something on top that nobody can read.
                all.cmd("LRANGE").arg(seed.status_history(task).as_str()).arg(0).arg(3);
                all.cmd("HGETALL").arg(self.record_key(task)?.as_str());
                all.cmd("SCARD").arg(seed.children(task).as_str());
            }
            let values: Vec<quorate_store::Value> = self.plane.store().pipeline(&all).await?;
            for (task, raw) in few.iter().zip(values.chunks(3)) {
                let raw: Raw = quorate_store::FromRedisValue::from_redis_value(quorate_store::Value::Array(
                    raw.to_vec(),
                ))
                .map_err(|_| crate::outcome::undecodable("a task"))?;
                found.push(shown(task, raw));
            }
        }
        Ok(found)
    }

    /// The last events of a task, newest first.
    pub async fn history(&self, task: &TaskId, limit: usize) -> Result<History> {
        let history = self.plane.keys().relayna().status_history(task);
        let mut both = pipe();
        both.cmd("LRANGE").arg(history.as_str()).arg(0).arg(limit as u64 - u64::from(limit > 0));
        both.cmd("LLEN").arg(history.as_str());
        both.cmd("HGET").arg(self.record_key(task)?.as_str()).arg("seq");
        let (items, length, ever): (Vec<Vec<u8>>, u64, Option<u64>) =
            self.plane.store().pipeline(&both).await?;
        let most = self.plane.task_settings().await?.status.maxlen;
        let items = &items[..items.len().min(limit)];
        let events: Vec<Event> = items.iter().filter_map(|item| Event::read(item)).collect();
        Ok(History {
            task_id: task.to_string(),
            truncated: ever.map_or(length >= most, |ever| ever > length),
            unreadable: items.len() - events.len(),
            events,
        })
    }

    /// The tasks that named this one as their parent.
    pub async fn children(&self, task: &TaskId, limit: usize) -> Result<Children> {
        let key = self.plane.keys().relayna().children(task);
        let mut children: Vec<String> = self.plane.store().query(cmd("SMEMBERS").arg(key.as_str())).await?;
        let total = children.len() as u64;
        children.sort_unstable();
        children.truncate(limit);
        let truncated = total > children.len() as u64 || total >= super::MOST_CHILDREN;
        Ok(Children { task_id: task.to_string(), children, total, truncated })
    }

    /// The tasks that reported, the last one first; `cursor` is where the page before ended.
    pub async fn list(&self, cursor: Option<&str>, limit: usize) -> Result<Page> {
        let begin = match cursor {
            None => None,
            Some(text) => Some(Page::place(text).ok_or_else(|| {
                Error::new(ErrorKind::InvalidArgument, "tasks", "the cursor is none that a page gave")
            })?),
        };
        let named = self.names(begin, limit + 1).await?;
        let ids: Vec<TaskId> = named.iter().map(|(id, _)| id.clone()).collect();
        let mut tasks: Vec<Task> = self.read(&ids).await?.into_iter().flatten().collect();
        let next = (named.len() > limit).then(|| named.get(limit.max(1) - 1)).flatten();
        tasks.retain(|task| named.iter().take(limit).any(|(id, _)| id.as_key() == task.task_id));
        Ok(Page { tasks, next_cursor: next.map(|(id, ms)| Page::cursor(*ms, id)) })
    }

    /// Names after a place, with when they last reported.
    async fn names(&self, begin: Option<(u64, &str)>, count: usize) -> Result<Vec<(TaskId, u64)>> {
        let key = self.plane.keys().quorate().task_recent(&self.store()?);
        let (mut found, mut offset) = (Vec::new(), 0);
        while found.len() < count {
            let mut range = cmd("ZRANGE");
            range.arg(key.as_str()).arg(begin.map_or_else(|| "+inf".to_owned(), |(ms, _)| ms.to_string()));
            range.arg("-inf").arg("BYSCORE").arg("REV").arg("LIMIT").arg(offset).arg(count).arg("WITHSCORES");
            let page: Vec<(String, f64)> = self.plane.store().query(&range).await?;
            offset += page.len();
            let done = page.len() < count;
            let after = |name: &str, ms: u64| begin.is_none_or(|(at, last)| ms < at || name < last);
            let sound =
                page.into_iter().map(|(name, ms)| (name, ms as u64)).filter(|(name, ms)| after(name, *ms));
            found.extend(sound.filter_map(|(name, ms)| Some((TaskId::parse(&name).ok()?, ms))));
            if done {
                break;
            }
        }
        found.truncate(count);
        Ok(found)
    }
}

fn shown(task: &TaskId, (newest, record, children): Raw) -> Option<Task> {
    let events: Vec<Event> = newest.iter().filter_map(|item| Event::read(item)).collect();
    if events.is_empty() && record.is_empty() {
        return None;
    }
    let number = |name: &str| record.get(name).and_then(|text| text.parse::<u64>().ok());
    let theirs = events.first().filter(|event| counts(event, &record));
    let own = || events.iter().find(|event| event.seq().is_some() && !event.is_flagged());
    let latest = theirs.or_else(own).or(events.first());
    let (status, at, attempt) = match theirs {
        Some(event) => (event.status().map(str::to_owned), event.at(), event.attempt()),
        None => (
            record.get("status").cloned(),
            number("at").map(Micros::new),
            number("attempt").and_then(|number| u32::try_from(number).ok()).unwrap_or_default(),
        ),
    };
    Some(Task {
        task_id: task.to_string(),
        ended: status.as_deref().is_some_and(super::is_terminal),
        status,
        at: at.map(Micros::iso),
        events: number("seq"),
        attempt,
        parent: record.get("parent").cloned(),
        children,
        latest: latest.cloned(),
    })
}

/// Whether what another client put on top counts, and not what our record says; `lua/reported.lua` decides in the same way.
fn counts(event: &Event, record: &HashMap<String, String>) -> bool {
    if event.seq().is_some() {
        return false;
    }
    let number = |name: &str| record.get(name).and_then(|text| text.parse::<u64>().ok());
    let Some(attempt) = number("attempt") else { return true };
    let (at, before) = (event.at().map_or(0, Micros::get), number("at").unwrap_or_default());
    match u64::from(event.attempt()).cmp(&attempt) {
        Ordering::Equal if number("ended") == Some(1) => {
            at == before && event.status() == record.get("status").map(String::as_str)
        }
        Ordering::Equal => event.is_terminal() || at >= before,
        newer => newer == Ordering::Greater,
    }
}
