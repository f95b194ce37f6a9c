//! What a request asks: the fields of its path, its query and its body, as one object whose names the verb knows.

use axum::body::Bytes;
use axum::http::{HeaderMap, StatusCode, Uri, header};
use quorate_verbs::{Entry, Kind, Method};
use serde_json::{Map, Value};

use crate::json;
use crate::problem::Problem;

/// The query of an address; one that is no text would be read as another.
pub(super) fn query(uri: &Uri) -> Result<&str, Problem> {
    let query = uri.query().unwrap_or_default();
    match percent_encoding::percent_decode_str(query).decode_utf8() {
        Ok(_) => Ok(query),
        Err(_) => Err(Problem::bad(None, "the query is not UTF-8")),
    }
}

/// Puts path, query and body together. A field that is named in two places, or that the verb does not have, is refused.
pub(super) fn gather(
    entry: &Entry,
    path: &[(String, String)],
    query: &str,
    headers: &HeaderMap,
    body: &Bytes,
) -> Result<Map<String, Value>, Problem> {
    let mut input = named(entry, body_fields(entry, headers, body)?)?;
    for (name, text) in form_urlencoded::parse(query.as_bytes()) {
        add(entry, &mut input, &name, &text)?;
    }
    for (name, text) in path {
        let value = typed(entry, name, text)?;
        put(entry, &mut input, name, value)?;
    }
    Ok(input)
}

/// Fields that came by another way than HTTP, under the verb's own names.
pub(super) fn named(entry: &Entry, fields: Map<String, Value>) -> Result<Map<String, Value>, Problem> {
    let by_alias = |name: &String| entry.about.aliases.iter().any(|(alias, _)| alias == name);
    if !fields.keys().any(by_alias) {
        // As nearly always: what came is what is asked, and need not be written anew.
        fields.keys().try_for_each(|name| known(entry, name).map(drop))?;
        return Ok(fields);
    }
    let mut input = Map::new();
    for (name, value) in fields {
        put(entry, &mut input, &name, value)?;
    }
    Ok(input)
}

fn body_fields(entry: &Entry, headers: &HeaderMap, body: &Bytes) -> Result<Map<String, Value>, Problem> {
    if body.is_empty() {
        return Ok(Map::new());
    }
    if entry.about.method == Method::Get {
        return Err(Problem::bad(None, "a GET has no body; put the fields in the query"));
    }
    object(headers, body)
}

/// A body as a JSON object; nothing said is an empty one.
pub(crate) fn object(headers: &HeaderMap, body: &Bytes) -> Result<Map<String, Value>, Problem> {
    if body.is_empty() {
        return Ok(Map::new());
    }
    let kind = headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    let kind = kind.split(';').next().unwrap_or_default().trim();
    if !kind.eq_ignore_ascii_case("application/json") || headers.contains_key(header::CONTENT_ENCODING) {
        let message = "send application/json, not encoded in any other way";
        return Err(Problem::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "media_type", message));
    }
    match json::parse(body).map_err(|why| Problem::bad(None, why))? {
        Value::Object(fields) => Ok(fields),
        _ => Err(Problem::bad(None, "the body is not a JSON object")),
    }
}

/// Adds a field of the query; a list may be said by saying its name again.
fn add(entry: &Entry, input: &mut Map<String, Value>, name: &str, text: &str) -> Result<(), Problem> {
    let name = known(entry, name)?;
    if is(entry, name, Kind::List)
        && let Some(Value::Array(items)) = input.get_mut(name)
    {
        items.push(text.into());
        return Ok(());
    }
    let value = typed(entry, name, text)?;
    put(entry, input, name, value)
}

fn put(entry: &Entry, input: &mut Map<String, Value>, name: &str, value: Value) -> Result<(), Problem> {
    let name = known(entry, name)?;
    if input.insert(name.to_owned(), value).is_some() {
        return Err(Problem::bad(Some(name), format!("{name} is said twice")));
    }
    Ok(())
}

/// The verb's own name of a field.
fn known<'n>(entry: &'n Entry, name: &'n str) -> Result<&'n str, Problem> {
    let own = entry.about.aliases.iter().find(|(alias, _)| *alias == name).map_or(name, |(_, own)| own);
    if entry.kinds(own).is_some() {
        return Ok(own);
    }
    let shown: String = name.chars().take(60).collect();
    let names: Vec<&str> = entry.names().collect();
    let has = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
    let (noun, verb) = (entry.about.noun, entry.about.verb);
    Err(Problem::bad(Some(&shown), format!("{noun} {verb} has no field of this name; its fields: {has}")))
}

/// A text of a path or query in the type that the verb expects.
fn typed(entry: &Entry, name: &str, text: &str) -> Result<Value, Problem> {
    let wrong = |what: &str| Problem::bad(Some(name), format!("{name} is not {what}"));
    if is(entry, name, Kind::Text) {
        Ok(text.into())
    } else if is(entry, name, Kind::Integer) {
        let number = text.parse::<u64>().map(Value::from).or_else(|_| text.parse::<i64>().map(Value::from));
        number.map_err(|_| wrong("a whole number"))
    } else if is(entry, name, Kind::Boolean) {
        match text {
            "true" | "" => Ok(true.into()),
            "false" => Ok(false.into()),
            _ => Err(wrong("true or false")),
        }
    } else if is(entry, name, Kind::List) {
        Ok(vec![Value::from(text)].into())
    } else {
        Ok(text.into())
    }
}

/// Whether a field may be of a JSON type.
fn is(entry: &Entry, name: &str, kind: Kind) -> bool {
    entry.kinds(name).is_some_and(|kinds| kinds.contains(&kind))
}
