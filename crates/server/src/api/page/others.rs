//! The addresses that are no verbs, as OpenAPI has them: signing in, and following what happens.

use std::fmt::Write as _;

use serde_json::Value;

use super::{kind, safe, worded};

/// Their heading on the page, and what is said of them in OpenAPI.
pub(super) fn all() -> [(&'static str, Value); 2] {
    [("sign-in", crate::sign_in::operations()), ("live", crate::live::routes::operations())]
}

pub(super) fn section(html: &mut String, name: &str, operations: &Value) {
    let _ = write!(html, "<h2 id=\"{name}\">{name}</h2>");
    for (path, item) in operations.as_object().into_iter().flatten() {
        for (method, operation) in item.as_object().into_iter().flatten() {
            one(html, path, method, operation);
        }
    }
}

fn one(html: &mut String, path: &str, method: &str, operation: &Value) {
    let text = |name: &str| operation.get(name).and_then(Value::as_str).unwrap_or_default();
    let _ = write!(
        html,
        "<details id=\"{}\"><summary><b class=\"{method}\">{method}</b> <code>{}</code> <span>{}</span></summary><p>{}</p>",
        safe(text("operationId")),
        safe(path),
        worded(text("summary")),
        worded(text("description")),
    );
    if text("x-scope") != "none" {
        let _ = write!(html, "<p>Scope <code>{}</code></p>", safe(text("x-scope")));
    }
    parameters(html, operation);
    html.push_str("</details>");
}

fn parameters(html: &mut String, operation: &Value) {
    let all = operation.get("parameters").and_then(Value::as_array).filter(|all| !all.is_empty());
    let Some(all) = all else { return };
    html.push_str("<table><tr><th>asks for<th>type<th>what</tr>");
    for one in all {
        let text = |name: &str| one.get(name).and_then(Value::as_str).unwrap_or_default();
        let kind = one.get("schema").map(kind).unwrap_or_default();
        let (name, kind, what) = (safe(text("name")), safe(&kind), worded(text("description")));
        let _ = write!(html, "<tr><td><code>{name}</code><td>{kind}<td>{what}</tr>");
    }
    html.push_str("</table>");
}
