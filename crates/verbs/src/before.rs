//! What a change is about, as it stands before it is made: the `before` of its record in the trail.
//!
//! It is what anybody would have been shown a moment earlier, by the verb that shows the thing. A change whose own script says
//! what was there knows better, and its answer counts.

use quorate_plane::Plane;
use serde_json::{Map, Value};

use crate::{Call, Entry, Method, Verdict};

/// The GET that shows what a change is about: at the same address, at the one that it is a part of, or where it says.
pub fn shown_by<'e>(entries: impl Iterator<Item = &'e Entry> + Clone, entry: &Entry) -> Option<&'e Entry> {
    let parent = entry.about.path.rsplit_once('/').map_or("", |(parent, _)| parent);
    let at = |address: &str| {
        entries.clone().find(|get| get.about.method == Method::Get && get.about.path == address)
    };
    match entry.about.listed {
        Some((address, _)) => at(address),
        None => at(entry.about.path).or_else(|| at(parent)),
    }
}

/// What a change of this input is about, if it is there.
pub async fn before<'e>(
    entries: impl Iterator<Item = &'e Entry> + Clone,
    entry: &Entry,
    plane: &Plane,
    input: &Map<String, Value>,
) -> Option<Value> {
    let get = shown_by(entries, entry)?;
    // What a guarded write changes is another key than the lock; a failed task of a service is not here, and nobody out there is
    // asked for a record.
    if entry.about.verb == "guard" || get.about.path.contains("/failed/{") {
        return None;
    }
    let names: Vec<&str> = in_path(entry.about.path).collect();
    let known = names.iter().filter(|name| get.field(name).is_some());
    let mut asked: Map<String, Value> =
        known.filter_map(|name| Some(((*name).to_owned(), input.get(*name)?.clone()))).collect();
    if let Some(most) = get.field("limit").and_then(|limit| limit.get("maximum")) {
        asked.insert("limit".to_owned(), most.clone());
    }
    if let Some((_, flag)) = entry.about.listed {
        asked.insert(flag.to_owned(), true.into());
    }
    let shown = match Box::pin(get.run(Call::new(plane.clone(), "trail"), asked)).await {
        Ok(Verdict::Done(shown)) => shown,
        // It is not there, or the change will say itself what is wrong.
        _ => return None,
    };
    match names.last() {
        _ if get.about.path.contains('{') => Some(shown),
        Some(name) => of_list(shown, name, input.get(*name)?),
        // What there is one of; a POST there makes one more of many.
        None => {
            Some(shown).filter(|_| entry.about.method != Method::Post && get.about.path == entry.about.path)
        }
    }
}

/// Those of a list that have this name.
fn of_list(list: Value, name: &str, value: &Value) -> Option<Value> {
    let Value::Array(all) = list else { return None };
    let mut own: Vec<Value> = all.into_iter().filter(|one| one.get(name) == Some(value)).collect();
    match own.len() {
        0 => None,
        1 => own.pop(),
        _ => Some(Value::Array(own)),
    }
}

/// The names in a path, from left to right.
pub fn in_path(path: &str) -> impl Iterator<Item = &str> {
    path.split('/').filter_map(|part| part.strip_prefix('{')?.strip_suffix('}'))
}
