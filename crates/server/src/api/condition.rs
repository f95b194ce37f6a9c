//! Changes under the condition that what the caller has read is still what is there.
//!
//! The tag of a GET has two parts: the version of what decides, and a digest of the document. A client that asks whether
//! anything is new compares both; a change compares the version, in the very script that makes it, so that of two who saw
//! the same one succeeds.

use axum::http::{HeaderMap, header};
use quorate_catalog::Keys;
use quorate_store::{Error, ErrorKind, Seen, Watched};
use quorate_verbs::{Entry, Method, shown_by};
use serde_json::{Map, Value};

use crate::app::App;
use crate::problem::Problem;

/// What the caller of a change has seen.
#[derive(Clone)]
pub(super) struct Condition {
    watched: Watched,
    /// One of these versions; nothing in it says that it must only be there.
    versions: Option<Vec<String>>,
}

impl Condition {
    /// As the script that makes the change compares it.
    pub(super) fn seen(&self) -> Seen {
        match &self.versions {
            None => Seen::anything(self.watched.clone()),
            Some(versions) => Seen::any_of(self.watched.clone(), versions.iter().map(String::as_str)),
        }
    }

    /// Looks before anything is done. The script decides; but what a verb does before its first script, or elsewhere, or
    /// not at all, would else be done for a caller who has seen something else.
    pub(super) async fn look(&self, app: &App) -> quorate_store::Result<()> {
        let now = app.plane.store().version(&self.watched).await?;
        let known = |now: &String| self.versions.as_ref().is_none_or(|versions| versions.contains(now));
        if now.as_ref().is_some_and(known) {
            return Ok(());
        }
        Err(Error::new(ErrorKind::Changed, "if-match", now.unwrap_or_default()))
    }
}

/// What the caller of a change has seen, by `If-Match`: the tags of a GET of the same address, or of the one that the change
/// is a part of.
pub(super) fn of(
    app: &App,
    entry: &Entry,
    headers: &HeaderMap,
    path: &[(String, String)],
) -> Result<Option<Condition>, Problem> {
    let mut wanted = headers.get_all(header::IF_MATCH).iter().peekable();
    if wanted.peek().is_none() || !entry.about.changes() {
        return Ok(None);
    }
    let nothing = || Problem::bad(Some("If-Match"), "this address has no version that could be matched");
    let get = shown_by(app.entries.iter().map(AsRef::as_ref), entry).ok_or_else(nothing)?;
    let input = path.iter().map(|(name, value)| (name.clone(), Value::from(value.as_str())));
    let input: Map<String, Value> = input.filter(|(name, _)| get.field(name).is_some()).collect();
    let watched = get.watched(app.plane.keys(), input).map_err(Problem::from)?.ok_or_else(nothing)?;
    let texts: Vec<&str> =
        wanted.filter_map(|text| text.to_str().ok()).flat_map(|text| text.split(',')).collect();
    if texts.iter().any(|text| text.trim() == "*") {
        return Ok(Some(Condition { watched, versions: None }));
    }
    let versions = texts.iter().filter_map(|text| version_in(text)).map(str::to_owned).collect();
    Ok(Some(Condition { watched, versions: Some(versions) }))
}

/// Whether a change can be made dependent on what was seen.
pub(super) fn has(entries: &[Entry], entry: &Entry) -> bool {
    let Some(get) = shown_by(entries.iter(), entry).filter(|_| entry.about.changes()) else { return false };
    let input = get.example.as_object().cloned().unwrap_or_default();
    get.watched(&Keys::default(), input).is_ok_and(|watched| watched.is_some())
}

/// The version in a tag; what is no tag of ours matches nothing.
fn version_in(tag: &str) -> Option<&str> {
    let (version, _) = tag.trim().strip_prefix('"')?.strip_suffix('"')?.split_once('.')?;
    version.bytes().all(|byte| byte.is_ascii_hexdigit()).then_some(version)
}

/// The version of what a GET is about to read. It is read first, so that it is never newer than the document.
pub(super) async fn version(
    app: &App,
    entry: &Entry,
    input: &Map<String, Value>,
) -> Result<Option<String>, Problem> {
    if entry.about.method != Method::Get {
        return Ok(None);
    }
    let Some(watched) = entry.watched(app.plane.keys(), input.clone()).map_err(Problem::from)? else {
        return Ok(None);
    };
    Box::pin(app.plane.store().version(&watched)).await.map_err(|error| Problem::from(&error))
}

#[cfg(test)]
mod tests {
    use super::version_in;

    #[test]
    fn only_a_tag_of_ours_has_a_version() {
        assert_eq!(version_in(" \"00ff.abc\" "), Some("00ff"));
        for bad in ["", "*", "00ff.abc", "\"00ff\"", "W/\"00ff.abc\"", "\"zz z.abc\""] {
            assert_eq!(version_in(bad), None, "{bad}");
        }
    }
}
