//! The pages about the API: the OpenAPI document, and a page to browse it that needs no script.

mod others;

use std::fmt::Write as _;

use axum::Router;
use axum::extract::State;
use axum::http::{HeaderName, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use quorate_verbs::Entry;
use serde_json::Value;

use crate::app::App;

/// Nothing of the page may load or run anything.
const POLICY: &str = "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

pub(super) fn routes() -> Router<App> {
    Router::new()
        .route("/api/openapi.json", get(document))
        .route("/api/docs", get(browse))
        .route("/api/docs.css", get(style))
}

async fn document(State(app): State<App>) -> Response {
    ([(header::CONTENT_TYPE, "application/json")], app.openapi.clone()).into_response()
}

async fn style() -> Response {
    ([(header::CONTENT_TYPE, "text/css")], include_str!("page.css")).into_response()
}

async fn browse(State(app): State<App>) -> Response {
    let headers = [
        (header::CONTENT_TYPE, "text/html; charset=utf-8"),
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (HeaderName::from_static("referrer-policy"), "no-referrer"),
    ];
    (headers, page(&app)).into_response()
}

fn page(app: &App) -> String {
    let mut html = String::from(
        "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\">\
         <title>Quorate API</title><link rel=\"stylesheet\" href=\"/api/docs.css\"><main><h1>Quorate API</h1>\
         <p>Every operation is a verb of the command line too, with the same names, answers and codes. Send a token of \
         <code>quorate tokens create</code> as <code>Authorization: Bearer …</code>. For programs: \
         <a href=\"/api/openapi.json\">openapi.json</a>.</p><p>A change that is repeated with the same <code>Idempotency-Key</code> \
         has one effect. With <code>If-Match</code> and the <code>ETag</code> of what was read it is made only if that is still so. \
         The <code>Link</code> header of a list names its next page, <code>RateLimit</code> says how much is left. A refusal is a \
         document with a <code>code</code>, whose page its <code>type</code> names.</p><nav>",
    );
    let mut nouns: Vec<&str> = app.entries.iter().map(|entry| entry.about.noun).collect();
    nouns.dedup();
    let others = others::all();
    for noun in nouns.iter().chain(others.iter().map(|(name, _)| name)) {
        let _ = write!(html, "<a href=\"#{noun}\">{noun}</a> ");
    }
    html.push_str("</nav>");
    for noun in nouns {
        let _ = write!(html, "<h2 id=\"{noun}\">{noun}</h2>");
        app.entries
            .iter()
            .filter(|entry| entry.about.noun == noun)
            .for_each(|entry| section(&mut html, entry));
    }
    others.iter().for_each(|(name, operations)| others::section(&mut html, name, operations));
    html + "</main></html>"
}

fn section(html: &mut String, entry: &Entry) {
    let about = &entry.about;
    let text = entry.input.get("description").and_then(Value::as_str).unwrap_or_default();
    let (first, rest) = text.split_once("\n\n").unwrap_or((text, ""));
    let method = super::openapi::method(about.method);
    let _ = write!(
        html,
        "<details id=\"{noun}-{verb}\"><summary><b class=\"{method}\">{method}</b> <code>/api/v1{path}</code> <span>{first}</span></summary>\
         <p>{rest}</p><p>Scope <code>{scope}</code> · at a terminal <code>quorate {line}</code></p>",
        noun = about.noun,
        verb = about.verb,
        path = safe(about.path),
        scope = about.scope(),
        line = about.line(),
        first = worded(first),
        rest = worded(rest),
    );
    fields(html, "asks for", entry.input.as_value());
    let _ = write!(html, "<pre>{}</pre>", safe(&format!("{:#}", entry.example)));
    fields(html, "answers", entry.answer.as_value().get("items").unwrap_or(entry.answer.as_value()));
    html.push_str("</details>");
}

/// What a document has, field by field; nothing where it has none.
fn fields(html: &mut String, title: &str, schema: &Value) {
    let Some(all) = schema.get("properties").and_then(Value::as_object).filter(|all| !all.is_empty()) else {
        return;
    };
    let _ = write!(html, "<table><tr><th>{title}<th>type<th>what</tr>");
    for (name, schema) in all {
        let what = schema.get("description").and_then(Value::as_str).unwrap_or_default();
        let _ = write!(
            html,
            "<tr><td><code>{}</code><td>{}<td>{}</tr>",
            safe(name),
            safe(&kind(schema)),
            worded(what)
        );
    }
    html.push_str("</table>");
}

/// `string`, or `string or null` where it may be missing.
fn kind(schema: &Value) -> String {
    match schema.get("type") {
        Some(Value::String(one)) => one.clone(),
        Some(Value::Array(several)) => {
            several.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(" or ")
        }
        _ => String::new(),
    }
}

/// Prose with its `words in backticks` set as code.
fn worded(text: &str) -> String {
    let mut html = String::new();
    for (place, part) in text.split('`').enumerate() {
        let code = place % 2 == 1;
        let _ =
            if code { write!(html, "<code>{}</code>", safe(part)) } else { write!(html, "{}", safe(part)) };
    }
    html
}

fn safe(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
