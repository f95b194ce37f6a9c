//! What can be locked, and the one spelling that each of it has.

use std::str::FromStr;

use icu_normalizer::ComposingNormalizerBorrowed;
use quorate_catalog::ids::{
    Area, FilePath, LockName, LockRef, ProjectId, ResourceId, ResourceTypeId, TaskId,
};
use quorate_catalog::rule::encode;
use quorate_catalog::{BadName, Key, Keys};

use super::Mode;

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

/// One spelling per file: no `.`, no `//`, no way up beyond the root, no leading or final slash, and letters with accents as
/// one character each, for one name may be written in two ways and mean one file.
fn normalised(path: &str) -> Result<String, String> {
    let path = &*ComposingNormalizerBorrowed::new_nfc().normalize(path);
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
        assert_eq!(spelled("file:re\u{301}sume\u{301}.md"), spelled("file:r\u{e9}sum\u{e9}.md"));
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
