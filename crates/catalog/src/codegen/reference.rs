//! The key reference for people: one page per system.

use std::fmt::Write;

use crate::load::Catalog;
use crate::model::{Family, Field, System};

pub(super) fn text(catalog: &Catalog, system: &System) -> String {
    let families: Vec<&Family> =
        catalog.families.iter().filter(|family| family.system == system.name).collect();
    let mut out = format!(
        "<!-- Generated from the catalog by `cargo xtask codegen`. Do not edit. -->\n\n# Keys of {}\n\n{}\n\n{} families.\n",
        system.title,
        system.doc,
        families.len()
    );
    prefixes(&mut out, system);
    settings(&mut out, system);
    out.push_str("\n| family | pattern | kind | retention | capability |\n|---|---|---|---|---|\n");
    for family in &families {
        let _ = writeln!(
            out,
            "| [`{}`](#{}) | `{}` | {} | {} | {} |",
            family.name,
            family.name,
            family.main_form().plain,
            family.kind_text().replace('|', " or "),
            family.retention,
            family.capability
        );
    }
    families.iter().for_each(|family| section(&mut out, family));
    out
}

fn prefixes(out: &mut String, system: &System) {
    if system.prefixes.is_empty() {
        return;
    }
    out.push_str(
        "\n## Prefixes\n\n| prefix | default | also read | set by | meaning |\n|---|---|---|---|---|\n",
    );
    for (name, prefix) in &system.prefixes {
        let also = prefix.also.iter().map(|also| format!("`{also}`")).collect::<Vec<_>>().join(", ");
        let set_by = [&prefix.env, &prefix.setting]
            .into_iter()
            .flatten()
            .map(|set| format!("`{set}`"))
            .collect::<Vec<_>>();
        let _ = writeln!(
            out,
            "| `<prefix:{name}>` | `{}` | {also} | {} | {} |",
            prefix.default,
            set_by.join(", "),
            prefix.doc
        );
    }
}

fn settings(out: &mut String, system: &System) {
    if system.settings.is_empty() {
        return;
    }
    out.push_str("\n## Settings\n\n| setting | default | meaning |\n|---|---|---|\n");
    for (name, setting) in &system.settings {
        let unit = setting.unit.as_deref().unwrap_or_default();
        let _ = writeln!(out, "| `{name}` | {} {unit} | {} |", setting.default, setting.doc);
    }
}

fn section(out: &mut String, family: &Family) {
    let form = family.main_form();
    let _ = write!(out, "\n## {}\n\n{}\n\n", family.name, family.purpose);
    let mut fact = |name: &str, value: String| {
        if !value.is_empty() {
            let _ = writeln!(out, "- {name}: {value}");
        }
    };
    fact("key", format!("`{}`, for example `{}`", form.plain, form.sample));
    let others: Vec<String> = family.forms[1..].iter().map(|form| format!("`{}`", form.plain)).collect();
    fact("also", others.join(", "));
    if form.tagged != form.plain {
        fact("tagged layout", format!("`{}`", form.tagged));
    }
    fact("kind", family.kind_text().replace('|', " or "));
    fact("value", value(family));
    fact("score", family.score_doc.clone().unwrap_or_default());
    fact("retention", retention(family));
    fact("size", family.size.clone().unwrap_or_default());
    fact("consumer groups", family.groups.join(", "));
    fact("written by", family.writers.join(", "));
    fact("read by", family.readers.join(", "));
    fact("seed section", family.seed.clone().unwrap_or_default());
    fact("since version", family.since.clone().unwrap_or_default());
    known(out, family);
    fields(out, &family.fields, family.open_fields);
}

fn known(out: &mut String, family: &Family) {
    if family.known.is_empty() {
        return;
    }
    out.push_str("\n| known name | holds | meaning |\n|---|---|---|\n");
    for known in &family.known {
        let holds = known.field_type.map(|kind| format!("{kind:?}").to_lowercase()).unwrap_or_default();
        let unit = known.unit.as_ref().map(|unit| format!(", {unit}")).unwrap_or_default();
        let _ = writeln!(out, "| `{}` | {holds}{unit} | {} |", known.value, known.doc);
    }
}

fn value(family: &Family) -> String {
    let format = family.value.map(|format| format!("{format:?}").to_lowercase()).unwrap_or_default();
    let of: Vec<String> = family.value_of.iter().map(|of| format!("`{of}`")).collect();
    let of = if of.is_empty() { String::new() } else { format!(" of {}", of.join(" or ")) };
    let values: Vec<String> = family.values.iter().map(|value| format!("`{value}`")).collect();
    let listed = if values.is_empty() { String::new() } else { format!(": {}", values.join(", ")) };
    format!("{format}{of}{listed}")
}

fn retention(family: &Family) -> String {
    let settings: Vec<String> = [&family.retention.ttl_setting, &family.retention.maxlen_setting]
        .into_iter()
        .flatten()
        .map(|name| format!("; set by `{name}`"))
        .collect();
    let cleanup = family.retention.cleanup.as_ref().map(|how| format!("; {how}")).unwrap_or_default();
    let lossy = if family.retention.lossy { "; may drop what nobody read" } else { "" };
    format!("{}{}{cleanup}{lossy}", family.retention, settings.concat())
}

fn fields(out: &mut String, fields: &[Field], open: bool) {
    if fields.is_empty() {
        return;
    }
    out.push_str("\n| field | type | required | meaning |\n|---|---|---|---|\n");
    for field in fields {
        let kind = format!("{:?}", field.field_type).to_lowercase();
        let values = field.values.iter().map(|value| format!(" `{value}`")).collect::<String>();
        let required = if field.required { "yes" } else { "" };
        let _ = writeln!(out, "| `{}` | {kind}{values} | {required} | {} |", field.name, field.doc);
    }
    if open {
        out.push_str("\nFurther fields are allowed.\n");
    }
}
