//! OpenAPI 3.1, made from the verbs: what is served is what is written here, and there is no second list.

use quorate_verbs::{Entry, Method};
use serde_json::{Map, Value, json};

/// The whole document.
pub(crate) fn document(entries: &[Entry]) -> Value {
    let mut paths = Map::new();
    for entry in entries {
        let path = format!("/api/v1{}", entry.about.path);
        let item = paths.entry(path).or_insert_with(|| json!({}));
        let mut operation = operation(entry);
        if let Some(Value::Array(all)) =
            operation.get_mut("parameters").filter(|_| super::condition::has(entries, entry))
        {
            all.push(json!({ "name": "If-Match", "in": "header", "required": false, "schema": { "type": "string" },
                "description": "The ETag of what the caller has read; if it has changed since, nothing is done." }));
        }
        item[method(entry.about.method)] = operation;
    }
    for more in [crate::sign_in::operations(), crate::live::routes::operations()] {
        paths.extend(more.as_object().cloned().unwrap_or_default());
    }
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Quorate",
            "version": env!("CARGO_PKG_VERSION"),
            "description": "The plane on which fleets of agents and workers coordinate. Every operation is a verb of the command line too, with the same names, answers and codes.",
            "license": { "name": "MIT OR Apache-2.0", "identifier": "MIT OR Apache-2.0" },
        },
        "servers": [{ "url": "/" }],
        "security": [{ "bearer": [] }, { "cookie": [] }],
        "tags": tags(entries),
        "paths": paths,
        "components": {
            "securitySchemes": {
                "bearer": { "type": "http", "scheme": "bearer", "description": "A token of `quorate tokens create`." },
                "cookie": { "type": "apiKey", "in": "cookie", "name": crate::auth::COOKIE, "description": "A signed-in person; changes need an Origin of this server." },
            },
            "schemas": { "Problem": problem() },
        },
    })
}

pub(crate) fn method(method: Method) -> &'static str {
    match method {
        Method::Get => "get",
        Method::Post => "post",
        Method::Put => "put",
        Method::Patch => "patch",
        Method::Delete => "delete",
    }
}

/// The fields in braces of a path.
pub(crate) fn in_path(path: &str) -> Vec<&str> {
    quorate_verbs::in_path(path).collect()
}

fn tags(entries: &[Entry]) -> Value {
    let mut nouns: Vec<&str> = entries.iter().map(|entry| entry.about.noun).collect();
    nouns.dedup();
    nouns.extend(["sign-in", "live"]);
    nouns.iter().map(|noun| json!({ "name": noun })).collect()
}

fn operation(entry: &Entry) -> Value {
    let about = &entry.about;
    let text = entry.input.get("description").and_then(Value::as_str).unwrap_or_default();
    let (summary, _) = text.split_once("\n").unwrap_or((text, ""));
    let mut operation = json!({
        "operationId": format!("{}_{}", about.noun.replace('-', "_"), about.verb.replace('-', "_")),
        "summary": summary,
        "description": text,
        "tags": [about.noun],
        "x-scope": about.scope(),
        "x-cli": format!("quorate {}", about.line()),
        "parameters": parameters(entry),
        "responses": responses(entry),
    });
    if has_body(about.method) {
        operation["requestBody"] = json!({ "required": needs_body(entry), "content": { "application/json": {
            "schema": body(entry), "example": example(entry),
        } } });
    }
    operation
}

fn has_body(method: Method) -> bool {
    matches!(method, Method::Post | Method::Put | Method::Patch)
}

fn required(entry: &Entry) -> Vec<&str> {
    let all = entry.input.get("required").and_then(Value::as_array);
    all.into_iter().flatten().filter_map(Value::as_str).collect()
}

fn needs_body(entry: &Entry) -> bool {
    let path = in_path(entry.about.path);
    required(entry).iter().any(|name| !path.contains(name))
}

fn parameters(entry: &Entry) -> Vec<Value> {
    let (path, required) = (in_path(entry.about.path), required(entry));
    let fields = entry.input.get("properties").and_then(Value::as_object);
    let mut all: Vec<Value> = fields
        .into_iter()
        .flatten()
        .filter(|(name, _)| path.contains(&name.as_str()) || !has_body(entry.about.method))
        .map(|(name, schema)| {
            let inside = if path.contains(&name.as_str()) { "path" } else { "query" };
            let must = inside == "path" || required.contains(&name.as_str());
            let mut one = json!({ "name": name, "in": inside, "required": must, "schema": schema,
                "description": schema.get("description").cloned().unwrap_or_default() });
            if let Some(value) = entry.example.get(name) {
                one["example"] = value.clone();
            }
            one
        })
        .collect();
    if super::paging::has(entry) {
        all.extend(super::paging::parameters(entry));
    }
    if entry.about.changes() {
        all.push(json!({ "name": "Idempotency-Key", "in": "header", "required": false,
            "schema": { "type": "string", "minLength": 1, "maxLength": 255 },
            "description": "A repetition with the same key has one effect and gets the first answer, for 24 hours." }));
    }
    all
}

fn body(entry: &Entry) -> Value {
    let path = in_path(entry.about.path);
    let mut schema = serde_json::to_value(&entry.input).unwrap_or_default();
    if let Some(all) = schema.as_object_mut() {
        all.remove("$schema");
        all.remove("title");
        all.insert("additionalProperties".to_owned(), false.into());
        if let Some(fields) = all.get_mut("properties").and_then(Value::as_object_mut) {
            fields.retain(|name, _| !path.contains(&name.as_str()));
        }
        if let Some(Value::Array(names)) = all.get_mut("required") {
            names.retain(|name| name.as_str().is_none_or(|name| !path.contains(&name)));
        }
    }
    schema
}

fn example(entry: &Entry) -> Value {
    let path = in_path(entry.about.path);
    let mut example = entry.example.clone();
    if let Some(all) = example.as_object_mut() {
        all.retain(|name, _| !path.contains(&name.as_str()));
    }
    example
}

fn responses(entry: &Entry) -> Value {
    let mut schema = serde_json::to_value(&entry.answer).unwrap_or_default();
    if let Some(all) = schema.as_object_mut() {
        all.remove("$schema");
    }
    let problem = |text: &str| {
        json!({ "description": text, "content": { "application/problem+json": {
            "schema": { "$ref": "#/components/schemas/Problem" } } } })
    };
    let mut all = json!({
        "200": { "description": "Done.", "content": { "application/json": { "schema": &schema } } },
        "400": problem("What was asked can never be done; `field` is the one that is wrong."),
        "401": problem("No token, or none that counts."),
        "403": problem("The token does not have the scope, or acts for another agent."),
        "404": problem("It is not there."),
        "409": problem("Refused: `code` says why, `next` what to do."),
        "422": problem("It is understood and cannot be done as it is, or its Idempotency-Key was used for another request."),
        "429": problem("A limit is reached; `Retry-After` says when to come back."),
        "503": problem("The store does not answer, or takes nothing new."),
    });
    if entry.about.changes() {
        all["412"] = problem("It has changed since the caller read what `If-Match` names.");
    }
    if has_body(entry.about.method) {
        all["408"] = problem("The body took too long to arrive.");
        all["413"] = problem("The body is too long.");
        all["415"] = problem("The body is not application/json.");
    }
    if entry.about.later {
        all["202"] = json!({ "description": "It is yet to come.", "content": { "application/json": { "schema": schema } } });
    }
    // These ask a service elsewhere.
    if entry.about.noun == "services" {
        all["424"] = problem("The service did not answer as it should, or is not set up for this.");
    }
    all
}

fn problem() -> Value {
    json!({ "type": "object", "required": ["type", "title", "status", "code", "detail", "request_id"], "properties": {
        "type": { "type": "string", "description": "The page of the code." },
        "title": { "type": "string" },
        "status": { "type": "integer" },
        "code": { "type": "string", "description": "Stable, for programs." },
        "detail": { "type": "string", "description": "For people." },
        "message": { "type": "string", "description": "The same as detail." },
        "request_id": { "type": "string", "description": "Under this id it stands in logs and in the trail." },
        "field": { "type": "string", "description": "The field that is wrong." },
        "outcome": { "type": "string", "description": "Of a refusal, as the command line says it." },
        "reason": { "type": "string" },
        "next": { "type": "string", "description": "What to do." },
    } })
}
