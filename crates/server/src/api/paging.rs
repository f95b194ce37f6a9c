//! Pages of lists: the `Link` header of a part of one has the address of the next. Some verbs have a cursor of their own; the
//! lists of the others are cut here.
//!
//! With `limit` or `cursor` the answer is a part of the list. A cursor
//! names the last item of a page by what it is called, so what comes and goes elsewhere in the list moves nothing; if that
//! item itself has gone, the caller is told to begin again.

use std::borrow::Cow;

use axum::http::{HeaderMap, HeaderValue, Uri, header};
use quorate_verbs::{Entry, Method};
use serde_json::Value;

use crate::problem::Problem;

/// Most items of a page.
pub(super) const MOST: u64 = 1_000;
/// What names an item, as far as it has it.
const NAMES: [&str; 16] = [
    "id",
    "name",
    "queue",
    "counter",
    "endpoint",
    "service_id",
    "service",
    "family",
    "user",
    "workflow",
    "task_id",
    "lock",
    "agent",
    "stream",
    "group",
    "fingerprint",
];

/// Which part of a list is wanted.
pub(super) struct Paging {
    limit: usize,
    after: Option<String>,
}

/// Whether the verb gives a list that has pages, and has no cursor itself. The end of a stream has none: a page cut off its
/// front would be the oldest of it.
pub(super) fn has(entry: &Entry) -> bool {
    let list = entry.answer.get("type").is_some_and(|kind| kind == "array");
    list && !entry.about.tail && entry.about.method == Method::Get && entry.field("cursor").is_none()
}

/// Whether the verb gives pages by itself.
pub(super) fn is_own(entry: &Entry) -> bool {
    entry.about.method == Method::Get && entry.kinds("cursor").is_some()
}

/// Where a verb that gives pages by itself says that the next one begins.
pub(super) fn next(body: &Value) -> Option<String> {
    let said = body.get("cursor").or_else(|| body.get("next_cursor"));
    said?.as_str().map(str::to_owned)
}

/// Takes `limit` and `cursor` out of a query.
pub(super) fn of<'q>(entry: &Entry, query: &'q str) -> Result<(Option<Paging>, Cow<'q, str>), Problem> {
    let wanted = |name: &str| name == "limit" || name == "cursor";
    if !has(entry) || !form_urlencoded::parse(query.as_bytes()).any(|(name, _)| wanted(&name)) {
        return Ok((None, query.into()));
    }
    let (mut paging, mut said) = (Paging { limit: 100, after: None }, Vec::new());
    let mut rest = form_urlencoded::Serializer::new(String::new());
    for (name, text) in form_urlencoded::parse(query.as_bytes()) {
        if !wanted(&name) {
            rest.append_pair(&name, &text);
            continue;
        }
        if said.contains(&name) {
            return Err(Problem::bad(Some(&name), format!("{name} is said twice")));
        }
        match &*name {
            "limit" => paging.limit = size(&text)?,
            _ => paging.after = Some(name_in(&text).ok_or_else(bad_cursor)?),
        }
        said.push(name);
    }
    // A list that has a limit of its own is asked for all it gives; the page is cut out of that.
    if let Some(most) = entry.field("limit").and_then(most) {
        rest.append_pair("limit", &most.to_string());
    }
    Ok((Some(paging), rest.finish().into()))
}

fn size(text: &str) -> Result<usize, Problem> {
    let limit = text.parse::<u64>().ok().filter(|limit| (1..=MOST).contains(limit));
    let limit = limit.and_then(|limit| usize::try_from(limit).ok());
    limit.ok_or_else(|| Problem::bad(Some("limit"), format!("limit is a whole number from 1 to {MOST}")))
}

fn name_in(cursor: &str) -> Option<String> {
    String::from_utf8(hex::decode(cursor).ok()?).ok().filter(|name| !name.is_empty())
}

fn bad_cursor() -> Problem {
    Problem::bad(Some("cursor"), "this cursor names no place in the list; begin again without one")
}

/// The largest limit that a verb takes.
fn most(schema: &Value) -> Option<u64> {
    let own = schema.get("maximum").and_then(Value::as_u64);
    own.or_else(|| schema.get("anyOf")?.as_array()?.iter().find_map(most))
}

impl Paging {
    /// Cuts the page out of the list; gives the cursor of the next one.
    pub(super) fn cut(&self, list: &mut Value) -> Result<Option<String>, Problem> {
        let Value::Array(items) = list else { return Ok(None) };
        let from = match &self.after {
            None => 0,
            Some(after) => 1 + items.iter().position(|item| called(item) == *after).ok_or_else(bad_cursor)?,
        };
        items.drain(..from);
        let more = items.len() > self.limit;
        items.truncate(self.limit);
        Ok(items.last().filter(|_| more).map(|last| hex::encode(called(last))))
    }
}

fn called(item: &Value) -> String {
    let text = |name: &&str| item.get(*name)?.as_str().map(|text| format!("{name}={text}"));
    let names: Vec<String> = NAMES.iter().filter_map(text).collect();
    if names.is_empty() { item.to_string() } else { names.join("\n") }
}

/// Says where the next page is.
pub(super) fn link(headers: &mut HeaderMap, uri: &Uri, next: &str) {
    let mut query = form_urlencoded::Serializer::new(String::new());
    let known = form_urlencoded::parse(uri.query().unwrap_or_default().as_bytes());
    query.extend_pairs(known.filter(|(name, _)| name != "cursor"));
    query.append_pair("cursor", next);
    let link = format!("<{}?{}>; rel=\"next\"", uri.path(), query.finish());
    if let Ok(link) = HeaderValue::from_str(&link) {
        headers.insert(header::LINK, link);
    }
}

/// The two fields as OpenAPI has them.
pub(super) fn parameters(entry: &Entry) -> Vec<Value> {
    let one = |name: &str, schema: Value, description: &str| serde_json::json!({ "name": name, "in": "query", "required": false, "schema": schema, "description": description });
    let mut all = vec![one(
        "cursor",
        serde_json::json!({ "type": "string" }),
        "Where the page before ended; the `Link` header of an answer has it.",
    )];
    if entry.field("limit").is_none() {
        let schema = serde_json::json!({ "type": "integer", "minimum": 1, "maximum": MOST });
        all.push(one(
            "limit",
            schema,
            "Most items of a page; without `limit` and `cursor` the whole list is given.",
        ));
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn pages_follow_each_other_and_a_cursor_that_is_gone_is_refused() {
        let all = || json!([{ "name": "a" }, { "name": "b" }, { "name": "c" }]);
        let page = |limit: usize, after: Option<&str>| {
            let mut list = all();
            let after = after.map(|cursor| name_in(cursor).unwrap());
            let next = Paging { limit, after }.cut(&mut list).map_err(|_| ())?;
            Ok::<_, ()>((list, next))
        };
        let (first, next) = page(2, None).unwrap();
        assert_eq!(first, json!([{ "name": "a" }, { "name": "b" }]));
        assert_eq!(page(2, next.as_deref()).unwrap(), (json!([{ "name": "c" }]), None));
        assert_eq!(page(3, None).unwrap().1, None, "there is no page after the last one");
        assert!(page(2, Some(&hex::encode("name=x"))).is_err());
        assert!(name_in("zz").is_none() && name_in("").is_none() && name_in("ff").is_none());
    }
}
