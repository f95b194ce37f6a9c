//! What the capability speaks of.

use std::str::FromStr;
use std::time::Duration;

use quorate_catalog::ids::{
    AgentId, Area, FilePath, LockName, LockRef, ProjectId, ResourceId, ResourceTypeId, TaskId,
};
use quorate_catalog::rule::encode;
use quorate_catalog::{BadName, Key, Keys};
use quorate_store::{FromRedisValue, Micros, Value};
use serde::Serialize;

/// Something that can be locked, as `task:ID`, `resource:TYPE:ID`, `name:NAME`, `project:P[:AREA]` or `file:PATH`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Resource {
    Task(TaskId),
    Resource(ResourceTypeId, ResourceId),
    Name(LockName),
    Project(ProjectId),
    Area(ProjectId, Area),
    File(FilePath),
}

/// Alone, or with other readers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    #[default]
    Exclusive,
    Shared,
}

impl Resource {
    /// A hold is kept as `LOCK MODE`; a part of a project has its area in the mode.
    pub(super) fn of_hold(member: &str) -> Option<Self> {
        let (lock, mode) = member.split_once(' ')?;
        match mode.strip_prefix("a:") {
            Some(area) => format!("{lock}:{area}").parse().ok(),
            None if lock.starts_with("file:") => {
                let path = quorate_catalog::rule::decode(lock.trim_start_matches("file:"))?;
                format!("file:{path}").parse().ok()
            }
            None => lock.parse().ok(),
        }
    }

    /// The lock's name in the plane. The areas of a project share their project's lock, which they hold in part.
    pub fn lock_ref(&self) -> String {
        match self {
            Self::Task(task) => format!("task:{}", task.as_key()),
            Self::Resource(kind, id) => format!("resource:{}:{}", kind.as_key(), id.as_key()),
            Self::Name(name) => format!("name:{}", name.as_key()),
            Self::Project(project) | Self::Area(project, _) => format!("project:{}", project.as_key()),
            Self::File(path) => format!("file:{}", path.as_key()),
        }
    }

    pub(super) fn mode_text(&self, mode: Mode) -> String {
        match (self, mode) {
            (Self::Area(_, area), _) => format!("a:{}", area.as_key()),
            (_, Mode::Exclusive) => "x".to_owned(),
            (_, Mode::Shared) => "s".to_owned(),
        }
    }

    /// The key under which the seed's readers find it.
    pub(super) fn seed_key(&self, keys: &Keys) -> Key {
        match self {
            Self::Task(task) => keys.ade().task_lock(task),
            Self::Resource(kind, id) => keys.ade().resource_lock(kind, id),
            Self::Name(name) => keys.reverie().lock(name),
            Self::Project(project) => keys.reverie().whole_project_lock(project),
            Self::Area(project, area) => keys.reverie().project_lock(project, area),
            Self::File(path) => keys.reverie().file_lock(path),
        }
    }

    pub(super) fn state_key(&self, keys: &Keys) -> Key {
        let name = LockRef::parse(&self.lock_ref()).expect("a lock's name is made of names");
        keys.quorate().lock_state(&name)
    }

    /// Whether readers may share it.
    pub fn can_be_shared(&self) -> bool {
        matches!(self, Self::Resource(..))
    }
}

impl std::fmt::Display for Resource {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Area(project, area) => write!(f, "project:{project}:{area}"),
            Self::File(path) => write!(f, "file:{path}"),
            other => f.write_str(&other.lock_ref()),
        }
    }
}

impl FromStr for Resource {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let why = |error: BadName| error.to_string();
        let (kind, rest) = text.split_once(':').unwrap_or((text, ""));
        match (kind, rest.split_once(':')) {
            ("task", _) => TaskId::parse(rest).map(Self::Task).map_err(why),
            ("resource", Some((kind, id))) => Ok(Self::Resource(
                ResourceTypeId::parse(kind).map_err(why)?,
                ResourceId::parse(id).map_err(why)?,
            )),
            ("name", _) => LockName::parse(rest).map(Self::Name).map_err(why),
            ("project", None) => ProjectId::parse(rest).map(Self::Project).map_err(why),
            ("project", Some((project, area))) => {
                Ok(Self::Area(ProjectId::parse(project).map_err(why)?, Area::parse(area).map_err(why)?))
            }
            ("file", _) => FilePath::parse(&normalised(rest)?).map(Self::File).map_err(why),
            _ => Err(format!(
                "\"{}\" is no lock; use task:ID, resource:TYPE:ID, name:NAME, project:P[:AREA] or file:PATH",
                quorate_catalog::rule::show(text)
            )),
        }
    }
}

/// One spelling per file: no `.`, no `//`, no way up beyond the root, no leading or final slash.
fn normalised(path: &str) -> Result<String, String> {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop().ok_or_else(|| {
                    format!("\"{}\" leads out of its root", quorate_catalog::rule::show(path))
                })?;
            }
            name => parts.push(name),
        }
    }
    let joined = parts.join("/");
    let fits = !joined.is_empty() && encode(&joined).len() <= 900;
    if fits { Ok(joined) } else { Err("a file path has 1 to about 500 characters".to_owned()) }
}

/// A request for a lock.
#[derive(Debug, Clone)]
pub struct Request {
    /// The same id asked twice is one request.
    pub request: String,
    pub on: Resource,
    pub agent: AgentId,
    pub epoch: Option<u64>,
    pub mode: Mode,
    /// `None` for the deployment's default.
    pub ttl: Option<Duration>,
    pub wait: Duration,
    pub priority: i64,
    pub purpose: String,
    /// Return at once with a place in the queue.
    pub detach: bool,
    /// How long nobody may have the lock if the hold ends without a release: with its agent, or by its own time.
    pub lock_delay: Duration,
    /// Grant only what a replica has acknowledged.
    pub durable: bool,
}

impl Request {
    pub fn new(on: Resource, agent: AgentId) -> Self {
        Self {
            request: crate::random_id(),
            on,
            agent,
            epoch: None,
            mode: Mode::Exclusive,
            ttl: None,
            wait: Duration::ZERO,
            priority: 0,
            purpose: String::new(),
            detach: false,
            lock_delay: Duration::ZERO,
            durable: false,
        }
    }
}

/// What became of a request that was not refused.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "outcome", rename_all = "snake_case")]
pub enum Acquire {
    Granted(Grant),
    Queued {
        request: String,
        position: u64,
    },
    TimedOut,
    /// Agents wait for each other in a ring, and this request was chosen to give way.
    Deadlock {
        cycle: Vec<String>,
    },
}

/// A hold.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Grant {
    /// Grows with every grant of the lock.
    #[serde(rename = "token")]
    pub fence: u64,
    pub expires_at: Micros,
    pub request: String,
    /// The agent had the lock already, and has the same hold now.
    #[serde(skip)]
    pub again: bool,
}

impl Grant {
    pub(super) fn read(words: &[String], request: &str) -> Option<Self> {
        let [fence, until, ..] = words else { return None };
        Some(Self {
            fence: fence.parse().ok()?,
            expires_at: Micros::from_millis(until.parse().ok()?),
            request: request.to_owned(),
            again: words.get(2).is_some_and(|word| word == "again"),
        })
    }
}

/// What an agent holds, as its own list has it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Hold {
    pub agent: String,
    /// `LOCK MODE`.
    pub member: String,
    pub acquired_at: Micros,
    pub expires_at: Micros,
}

impl Hold {
    pub(super) fn read((agent, member): &(String, String), term: &str) -> Option<Self> {
        let (since, until) = term.split_once(' ')?;
        Some(Self {
            agent: agent.clone(),
            member: member.clone(),
            acquired_at: Micros::new(since.parse().ok()?),
            expires_at: Micros::from_millis(until.parse().ok()?),
        })
    }
}

/// A lock as others see it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Shown {
    pub lock: String,
    pub fence: u64,
    pub waiting: u64,
    /// Places that nobody asks for any more, of those that were looked at.
    #[serde(skip)]
    pub given_up: u64,
    pub holders: Vec<Holder>,
    pub waiters: Vec<Waiter>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Holder {
    pub agent: String,
    pub mode: String,
    #[serde(rename = "token")]
    pub fence: u64,
    pub expires_at: Micros,
    pub acquired_at: Micros,
    pub purpose: String,
    pub epoch: u64,
    /// Whether the holder's own lease still runs.
    pub living: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Waiter {
    pub request: String,
    pub agent: String,
    pub mode: String,
    pub since: Micros,
    pub deadline: Micros,
    pub priority: i64,
    pub purpose: String,
}

impl Shown {
    pub(super) fn read(on: &Resource, value: Value) -> Option<Self> {
        let Value::Array(items) = value else { return None };
        let text = |value: &Value| String::from_redis_value(value.clone()).ok();
        let number = |at: usize| text(items.get(at)?)?.parse::<u64>().ok();
        let given_up = number(3)?;
        let mut shown = Self {
            lock: on.lock_ref(),
            fence: number(1)?,
            waiting: number(2)?.saturating_sub(given_up),
            given_up,
            holders: Vec::new(),
            waiters: Vec::new(),
        };
        for item in items.get(4..)?.iter().filter(|item| matches!(item, Value::Array(_))) {
            // Other clients may have written what is no text.
            let words = Vec::<Vec<u8>>::from_redis_value(item.clone()).ok()?;
            let words: Vec<String> =
                words.iter().map(|word| String::from_utf8_lossy(word).into_owned()).collect();
            match words.len() {
                8 => shown.holders.push(Holder::read(&words)?),
                _ => shown.waiters.push(Waiter::read(&words)?),
            }
        }
        Some(shown)
    }
}

impl Holder {
    fn read(words: &[String]) -> Option<Self> {
        let [agent, mode, fence, until, since, purpose, epoch, living] = words else { return None };
        Some(Self {
            agent: agent.clone(),
            mode: mode_name(mode),
            fence: fence.parse().ok()?,
            expires_at: Micros::from_millis(until.parse().ok()?),
            acquired_at: Micros::new(since.parse().ok()?),
            purpose: purpose.clone(),
            epoch: epoch.parse().ok()?,
            living: living == "1",
        })
    }
}

impl Waiter {
    fn read(words: &[String]) -> Option<Self> {
        let [request, agent, mode, since, deadline, priority, purpose] = words else { return None };
        Some(Self {
            request: request.clone(),
            agent: agent.clone(),
            mode: mode_name(mode),
            since: Micros::new(since.parse().ok()?),
            deadline: Micros::from_millis(deadline.parse().ok()?),
            priority: priority.parse().ok()?,
            purpose: purpose.clone(),
        })
    }
}

fn mode_name(mode: &str) -> String {
    match mode {
        "x" => "exclusive".to_owned(),
        "s" => "shared".to_owned(),
        "foreign" => mode.to_owned(),
        area => format!("area {}", area.trim_start_matches("a:")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_spellings_of_a_file_are_one_lock() {
        let spelled = |text: &str| text.parse::<Resource>().unwrap().lock_ref();
        for other in [
            "file:./src/main.rs",
            "file:src//main.rs",
            "file:/src/main.rs",
            "file:src/x/../main.rs",
            "file:src/main.rs/",
        ] {
            assert_eq!(spelled(other), "file:src%2Fmain.rs", "{other}");
        }
        assert_ne!(spelled("file:src__main.rs"), spelled("file:src/main.rs"));
    }

    #[test]
    fn what_cannot_be_a_lock_is_refused_with_the_reason() {
        for text in [
            "",
            "task:",
            "task:a:b",
            "task:index",
            "resource:db",
            "resource:db:a b",
            "name:project:x",
            "name:file:x",
            "name:~q",
            "project:",
            "project:p:",
            "file:",
            "file:../x",
            "file:/",
            "task:{x}",
            "name:*",
            "lock:x",
        ] {
            assert!(text.parse::<Resource>().is_err(), "{text}");
        }
    }
}
