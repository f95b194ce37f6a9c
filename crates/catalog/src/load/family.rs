//! Raw declarations become families: patterns parsed, placeholders bound to their rules.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::{Catalog, Problem, SourceFile, raw};
use crate::model::{Family, Form, Source, System};
use crate::pattern::Pattern;
use crate::rule::Rule;

pub(super) fn add_rules(catalog: &mut Catalog, ids: raw::Ids) {
    for (name, id) in ids {
        catalog.rule_docs.insert(name.clone(), id.doc);
        let rule = Rule {
            name: name.clone().into(),
            grammar: id.grammar,
            values: owned(id.values),
            reserved: owned(id.reserved),
            reserved_prefixes: owned(id.reserved_prefixes),
            empty_segments: id.empty_segments,
        };
        catalog.rules.insert(name, rule);
    }
}

fn owned(words: Vec<String>) -> Cow<'static, [Cow<'static, str>]> {
    Cow::Owned(words.into_iter().map(Cow::Owned).collect())
}

pub(super) fn add_system(catalog: &mut Catalog, file: &SourceFile, raw: raw::System) {
    let raw::FormatVersion = raw.format;
    catalog.systems.push(System {
        name: folder(&file.path),
        title: raw.title,
        doc: raw.doc,
        internal: raw.internal,
        prefixes: raw.prefix,
        settings: raw.setting,
    });
}

pub(super) fn add_families(
    catalog: &mut Catalog,
    file: &SourceFile,
    content: raw::Capability,
    faults: &mut Vec<Problem>,
) {
    let system = folder(&file.path);
    let internal = catalog.system(&system).is_some_and(|found| found.internal);
    let capability = file.path.rsplit('/').next().unwrap_or_default().trim_end_matches(".toml").to_owned();
    for raw in content.family {
        let source =
            Source { file: file.path.clone(), line: raw::line_at(&file.text, raw.name.span().start) };
        match forms(&raw, &catalog.rules) {
            Ok(forms) => {
                let place = Place { system: &system, capability: &capability, internal };
                catalog.families.push(family(raw, forms, &place, source));
            }
            Err(message) => faults.push(Problem { file: source.file, line: source.line, message }),
        }
    }
}

fn folder(path: &str) -> String {
    path.rsplit_once('/').map_or("", |(folder, _)| folder).rsplit('/').next().unwrap_or_default().to_owned()
}

struct Place<'a> {
    system: &'a str,
    capability: &'a str,
    internal: bool,
}

fn family(raw: raw::Family, forms: Vec<Form>, place: &Place<'_>, source: Source) -> Family {
    Family {
        system: place.system.to_owned(),
        name: raw.name.into_inner(),
        capability: place.capability.to_owned(),
        internal: place.internal,
        forms,
        kinds: match raw.kind {
            raw::Kinds::One(kind) => vec![kind],
            raw::Kinds::Several(kinds) => kinds,
        },
        role: raw.role,
        purpose: raw.purpose,
        seed: raw.seed,
        since: raw.since,
        value: raw.value,
        value_of: raw.value_of.list(),
        size: raw.size,
        known: raw.known,
        values: raw.values,
        score: raw.score,
        score_doc: raw.score_doc,
        newest: raw.newest,
        groups: raw.groups,
        of: raw.of,
        writers: raw.writers,
        readers: raw.readers,
        retention: raw.retention,
        fields: raw.field,
        open_fields: raw.open_fields,
        source,
    }
}

fn forms(raw: &raw::Family, rules: &BTreeMap<String, Rule>) -> Result<Vec<Form>, String> {
    let bind = |name: &str, pattern: &str, tagged: Option<&str>, sample: &str| {
        let plain = Pattern::parse(pattern, false).map_err(|fault| format!("pattern {pattern}: {fault}"))?;
        let text = tagged.unwrap_or(pattern);
        let tagged = Pattern::parse(text, true).map_err(|fault| format!("tagged {text}: {fault}"))?;
        same_placeholders(&plain, &tagged)?;
        let rules = bind_rules(&plain, &raw.placeholders, rules)?;
        Ok::<_, String>(Form { name: name.to_owned(), plain, tagged, rules, sample: sample.to_owned() })
    };
    let mut forms = vec![bind(raw.name.get_ref(), &raw.pattern, raw.tagged.as_deref(), &raw.sample)?];
    for also in &raw.also {
        forms.push(bind(&also.name, &also.pattern, also.tagged.as_deref(), &also.sample)?);
    }
    match raw.placeholders.keys().find(|name| !forms.iter().any(|form| uses(form, name))) {
        Some(name) => Err(format!("`placeholders` names <{name}>, which stands in no pattern")),
        None => Ok(forms),
    }
}

fn uses(form: &Form, name: &str) -> bool {
    form.plain.placeholders().any(|placeholder| placeholder == name)
}

fn same_placeholders(plain: &Pattern, tagged: &Pattern) -> Result<(), String> {
    let (a, b): (Vec<_>, Vec<_>) = (plain.placeholders().collect(), tagged.placeholders().collect());
    if a == b {
        Ok(())
    } else {
        Err(format!("{plain} and {tagged} do not have the same placeholders in order"))
    }
}

fn bind_rules(
    pattern: &Pattern,
    named: &BTreeMap<String, String>,
    rules: &BTreeMap<String, Rule>,
) -> Result<Vec<(String, Rule)>, String> {
    let mut bound = Vec::new();
    for placeholder in pattern.placeholders() {
        let kind = named.get(placeholder).map_or(placeholder, String::as_str);
        let rule =
            rules.get(kind).ok_or_else(|| format!("<{placeholder}>: ids.toml has no entry `{kind}`"))?;
        bound.push((placeholder.to_owned(), rule.clone()));
    }
    let wide = bound.iter().filter(|(_, rule)| rule.grammar.may_contain_separator()).count();
    if wide > 1 {
        return Err(format!("{pattern} has {wide} placeholders that may contain `:`; one is the most"));
    }
    Ok(bound)
}
