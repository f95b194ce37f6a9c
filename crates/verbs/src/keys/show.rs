//! `keys show`.

use quorate_catalog::{Catalog, Family, Keys, Layout};
use serde_json::Map;

use super::{Summary, spelled};
use crate::prelude::*;

/// Shows everything the catalog says about one family.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Show {
    /// A family, as `session` or `reverie.session`.
    pub family: String,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Shown {
    #[serde(flatten)]
    pub summary: Summary,
    /// What else the catalog says; what it does not say is left out.
    #[serde(flatten)]
    pub more: Map<String, Value>,
}

impl Show {
    /// The answer of a deployment whose keys are these.
    pub fn of(&self, keys: &Keys) -> Result<Shown, Fault> {
        let catalog = Catalog::built_in();
        let family = find(catalog, &self.family)?;
        let keys = spelled(keys, Layout::Plain)?;
        Ok(Shown { summary: Summary::of(catalog, &keys, family), more: more(catalog, family) })
    }
}

fn find<'c>(catalog: &'c Catalog, name: &str) -> Result<&'c Family, Fault> {
    match catalog.find(name)[..] {
        [family] => Ok(family),
        [] => {
            let shown = quorate_catalog::rule::show(name);
            Err(Fault::NotFound(format!("there is no family \"{shown}\"")))
        }
        ref several => {
            let names: Vec<String> = several.iter().map(|family| family.full_name()).collect();
            let names = names.join(", ");
            Err(Fault::bad("family", format!("several systems have a family {name}; name one of {names}")))
        }
    }
}

fn more(catalog: &Catalog, family: &Family) -> Map<String, Value> {
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
        "prefix": prefix, "placeholders": placeholders, "retention_detail": family.retention, "seed": family.seed, "since": family.since,
        "value": family.value, "value_of": family.value_of, "values": family.values, "score": family.score,
        "score_doc": family.score_doc, "newest": family.newest, "groups": family.groups, "of": family.of,
        "size": family.size, "known": family.known, "writers": family.writers, "readers": family.readers,
        "fields": family.fields, "open_fields": family.open_fields,
        "declared_in": format!("{}:{}", family.source.file, family.source.line),
    });
    let Value::Object(all) = more else { return Map::new() };
    let said = |value: &Value| !value.is_null() && !value.as_array().is_some_and(Vec::is_empty);
    all.into_iter().filter(|(_, value)| said(value)).collect()
}

impl Verb for Show {
    const ABOUT: About = About::new("keys", "show", Method::Get, "/keys/{family}", Level::Read, Effect::None);
    type Answer = Shown;

    fn example() -> Value {
        json!({ "family": "reverie.session" })
    }

    async fn run(&self, call: &Call) -> Result<Verdict<Shown>, Fault> {
        Ok(Verdict::Done(self.of(call.plane.keys())?))
    }
}
