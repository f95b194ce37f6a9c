//! `quorate keys show FAMILY`.

use quorate_catalog::Layout;
use quorate_verbs::keys::Show;
use serde_json::Value;

use super::{advised, answer};
use crate::args::Global;
use crate::failure::Failure;
use crate::out::{Answer, View};
use crate::settings;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// A family, as `session` or `reverie.session`.
    family: String,
}

pub(crate) fn run(global: &Global, args: &Args) -> Result<Answer, Failure> {
    let verb = Show { family: args.family.clone() };
    let advice = "`quorate keys ls` lists them; `quorate keys which KEY` finds the family of a key";
    let found = verb.of(&settings::keys(global, Layout::Plain)?).map_err(|fault| advised(fault, advice))?;
    let answer = answer(&found, View::Nothing);
    Ok(Answer { view: View::Text(text(&answer.json)), ..answer })
}

fn is_empty(value: &Value) -> bool {
    value.is_null() || value.as_array().is_some_and(Vec::is_empty)
}

/// The document as a page: one fact a line, lists below each other.
fn text(document: &Value) -> String {
    let Value::Object(facts) = document else { return String::new() };
    let shown = facts.iter().filter(|(name, _)| *name != "retention_detail");
    shown.map(|(name, value)| format!("{name:<13} {}", fact(value))).collect::<Vec<_>>().join("\n")
}

fn fact(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(items) => items.iter().map(item).collect::<Vec<_>>().join(&format!("\n{:14}", "")),
        Value::Object(_) => item(value),
        other => other.to_string(),
    }
}

fn item(value: &Value) -> String {
    let Value::Object(parts) = value else { return fact(value) };
    let part = |(name, value): (&String, &Value)| match value {
        Value::Bool(true) => name.clone(),
        Value::Array(items) => format!("{name}: {}", items.iter().map(fact).collect::<Vec<_>>().join(", ")),
        Value::String(text) if name == "name" => text.clone(),
        other => format!("{name}: {}", fact(other)),
    };
    let has_content = |(_, value): &(&String, &Value)| !is_empty(value) && **value != Value::Bool(false);
    parts.iter().filter(has_content).map(part).collect::<Vec<_>>().join(" · ")
}
