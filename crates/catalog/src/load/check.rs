//! What must hold of each family once it is read.

use std::collections::BTreeSet;

use super::{Catalog, Problem};
use crate::matcher::Matcher;
use crate::model::{Family, FieldType, Kind, Known, ValueFormat};
use crate::space::{INTERNAL_ROOT, Keys};

pub(super) fn families(catalog: &Catalog, problems: &mut Vec<Problem>) {
    let matcher = Matcher::new(catalog, &Keys::default());
    let mut names = BTreeSet::new();
    for family in &catalog.families {
        let mut faults: Vec<String> =
            [text, kinds, references].iter().flat_map(|check| check(catalog, family)).collect();
        faults.extend(samples(&matcher, catalog, family));
        for form in &family.forms {
            if !names.insert(format!("{}.{}", family.system, form.name)) {
                faults.push(format!("`{}` is declared twice in {}", form.name, family.system));
            }
        }
        problems.extend(faults.into_iter().map(|fault| problem(family, fault)));
    }
}

pub(crate) fn problem(family: &Family, message: String) -> Problem {
    Problem {
        file: family.source.file.clone(),
        line: family.source.line,
        message: format!("{}: {message}", family.name),
    }
}

fn text(catalog: &Catalog, family: &Family) -> Vec<String> {
    let mut faults = Vec::new();
    if !family.purpose.ends_with('.') || family.purpose.len() < 10 {
        faults.push("`purpose` must be a sentence that ends with a full stop".into());
    }
    if catalog.system(&family.system).is_none() {
        faults.push(format!("there is no {}/system.toml", family.system));
    }
    if family.seed.is_none() && !family.internal {
        faults.push("`seed` must name the section of the seed".into());
    }
    if family.internal != family.main_form().plain.to_string().starts_with(INTERNAL_ROOT) {
        faults.push("internal keys, and only they, live under `~q:`".into());
    }
    let stored = family.kinds.iter().any(|kind| kind.is_stored());
    if stored && !family.retention.is_stated() {
        faults.push("`retention` says nothing; write `none = true` where a key is kept until deleted".into());
    }
    faults
}

fn kinds(_: &Catalog, family: &Family) -> Vec<String> {
    let has = |kind| family.kinds.contains(&kind);
    let mut faults = Vec::new();
    if family.kinds.is_empty() {
        faults.push("`kind` is empty".into());
    }
    if family.kinds == [Kind::Zset] && family.score.is_none() {
        faults.push("a zset says in `score` what its scores are".into());
    }
    if has(Kind::Group) && family.of.is_none() {
        faults.push("a group says in `of` whose stream it reads".into());
    }
    if !family.groups.is_empty() && !has(Kind::Stream) && !has(Kind::Group) {
        faults.push("`groups` belongs to streams".into());
    }
    if family.retention.approximate && !has(Kind::Stream) {
        faults.push("only a stream can be trimmed approximately".into());
    }
    faults
}

fn references(catalog: &Catalog, family: &Family) -> Vec<String> {
    let rule = |what: &str, name: &str| {
        let missing = !catalog.rules.contains_key(name);
        missing.then(|| format!("{what}: ids.toml has no entry `{name}`"))
    };
    let in_system = |what: &str, name: &str| {
        let missing = catalog.find(&format!("{}.{name}", family.system)).is_empty();
        missing.then(|| format!("{what} names {name}, which is no family of {}", family.system))
    };
    let mut faults = Vec::new();
    for name in &family.value_of {
        let is_key = family.value == Some(ValueFormat::Key);
        faults.extend(if is_key { in_system("`value_of`", name) } else { rule("`value_of`", name) });
    }
    faults.extend(family.of.as_ref().and_then(|of| in_system("`of`", of)));
    for field in &family.fields {
        let is_key = field.field_type == FieldType::Key;
        faults.extend(
            field.of.as_ref().filter(|_| !is_key).and_then(|of| rule(&format!("field {}", field.name), of)),
        );
        if field.field_type == FieldType::Enum && field.values.is_empty() && field.of.is_none() {
            faults.push(format!("field {} is an enum without values", field.name));
        }
    }
    faults.extend(family.known.iter().filter_map(|known| known_fault(family, known)));
    faults
}

fn known_fault(family: &Family, known: &Known) -> Option<String> {
    let rules = family.forms.iter().flat_map(|form| &form.rules);
    let fits = rules
        .into_iter()
        .any(|(name, rule)| *name == known.placeholder && rule.accepts(known.value.as_bytes()));
    (!fits).then(|| format!("known name {} does not fit <{}>", known.value, known.placeholder))
}

fn samples(matcher: &Matcher, catalog: &Catalog, family: &Family) -> Vec<String> {
    let fault = |form: &crate::model::Form| match matcher.find(form.sample.as_bytes()) {
        Some(found) if catalog.families[found.family].full_name() == family.full_name() => None,
        Some(found) => {
            Some(format!("sample {} is read as {}", form.sample, catalog.families[found.family].full_name()))
        }
        None => Some(format!("sample {} does not fit {}", form.sample, form.plain)),
    };
    family.forms.iter().filter_map(fault).collect()
}
