//! The pages about the API: the OpenAPI document, and a page to browse it that needs no script.

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
         <a href=\"/api/openapi.json\">openapi.json</a>.</p><nav>",
    );
    let mut nouns: Vec<&str> = app.entries.iter().map(|entry| entry.about.noun).collect();
    nouns.dedup();
    for noun in &nouns {
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
    html + "</main></html>"
}

fn section(html: &mut String, entry: &Entry) {
    let about = &entry.about;
    let text = entry.input.get("description").and_then(Value::as_str).unwrap_or_default();
    let method = super::openapi::method(about.method);
    let _ = write!(
        html,
        "<details id=\"{noun}-{verb}\"><summary><b class=\"{method}\">{method}</b> <code>/api/v1{path}</code> <span>{text}</span></summary>\
         <p>Scope <code>{scope}</code> · <code>quorate {noun} {verb}</code></p><table><tr><th>field<th>type<th>what</tr>",
        noun = about.noun,
        verb = about.verb,
        path = safe(about.path),
        scope = about.scope(),
        text = safe(text),
    );
    for (name, schema) in entry.input.get("properties").and_then(Value::as_object).into_iter().flatten() {
        let kind = schema.get("type").map(Value::to_string).unwrap_or_default().replace('"', "");
        let what = schema.get("description").and_then(Value::as_str).unwrap_or_default();
        let _ = write!(html, "<tr><td><code>{}</code><td>{}<td>{}</tr>", safe(name), safe(&kind), safe(what));
    }
    let example = safe(&format!("{:#}", entry.example));
    let _ = write!(html, "</table><pre>{example}</pre></details>");
}

fn safe(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
