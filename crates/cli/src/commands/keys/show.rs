//! `quorate keys show FAMILY`.

use quorate_catalog::{Catalog, Family, Keys, Layout};
use serde_json::{Value, json};

use super::summary;
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
    let catalog = Catalog::built_in();
    let family = find(catalog, &args.family)?;
    let keys = settings::keys(global, Layout::Plain)?;
    let json = document(catalog, &keys, family);
    let text = text(&json);
    Ok(Answer::new(json, View::Text(text)))
}

fn find<'c>(catalog: &'c Catalog, name: &str) -> Result<&'c Family, Failure> {
    match catalog.find(name)[..] {
        [family] => Ok(family),
        [] => {
            Err(Failure::not_found(format!("there is no family \"{}\"", quorate_catalog::rule::show(name)))
                .advise("`quorate keys ls` lists them; `quorate keys which KEY` finds the family of a key"))
        }
        ref several => {
            let names: Vec<String> = several.iter().map(|family| family.full_name()).collect();
            Err(Failure::bad_input(format!(
                "several systems have a family {name}; name one of {}",
                names.join(", ")
            )))
        }
    }
}

fn document(catalog: &Catalog, keys: &Keys, family: &Family) -> Value {
    let mut document = summary(catalog, keys, family);
    let form = family.main_form();
    let placeholders: Vec<Value> = form
        .rules
        .iter()
        .map(|(name, rule)| json!({ "name": name, "is": rule.name, "type": rule.grammar, "values": rule.values, "reserved": rule.reserved }))
        .collect();
    let prefix = form.plain.prefix().and_then(|name| catalog.system(&family.system)?.prefixes.get(name));
    let also: Vec<Value> = family.forms[1..]
        .iter()
        .map(|form| json!({ "name": form.name, "pattern": form.plain.to_string() }))
        .collect();
    let more = json!({
        "sample": form.sample, "tagged": form.tagged.to_string(), "tag": form.tagged.tag(), "also": also,
        "prefix": prefix, "placeholders": placeholders, "retention_detail": family.retention, "seed": family.seed,
        "value": family.value, "value_of": family.value_of, "values": family.values, "score": family.score,
        "score_doc": family.score_doc, "newest": family.newest, "groups": family.groups, "of": family.of,
        "size": family.size, "known": family.known, "writers": family.writers, "readers": family.readers,
        "fields": family.fields, "open_fields": family.open_fields,
        "declared_in": format!("{}:{}", family.source.file, family.source.line),
    });
    if let (Value::Object(all), Value::Object(more)) = (&mut document, more) {
        all.extend(more.into_iter().filter(|(_, value)| !is_empty(value)));
    }
    document
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
