//! The typed names: one newtype or enum per entry of `ids.toml`.

use std::fmt::Write;

use super::{camel, type_name};
use crate::load::Catalog;
use crate::rule::{Grammar, Rule};

pub(super) fn text(catalog: &Catalog) -> String {
    let mut out = String::from(
        "//! The names that stand in keys, each parsed once at the edge.\n\n\
         use std::borrow::Cow;\n\nuse crate::id::{name_type, value_type};\nuse crate::rule::{Grammar, Rule};\n",
    );
    for rule in catalog.rules.values() {
        let doc = &catalog.rule_docs[&*rule.name];
        let _ = match rule.grammar {
            Grammar::Enum => write!(
                out,
                "\nvalue_type! {{\n    /// {doc}\n    {}, {}, {{ {} }}\n}}\n",
                type_name(rule),
                literal(rule),
                variants(rule)
            ),
            _ => write!(
                out,
                "\nname_type! {{\n    /// {doc}\n    {}, {}\n}}\n",
                type_name(rule),
                literal(rule)
            ),
        };
    }
    out
}

fn variants(rule: &Rule) -> String {
    rule.values.iter().map(|value| format!("{} = {value:?}", camel(value))).collect::<Vec<_>>().join(", ")
}

fn literal(rule: &Rule) -> String {
    format!(
        "Rule {{\n        name: Cow::Borrowed({:?}),\n        grammar: Grammar::{:?},\n        values: {},\n        \
         reserved: {},\n        reserved_prefixes: {},\n        empty_segments: {},\n    }}",
        rule.name,
        rule.grammar,
        words(&rule.values),
        words(&rule.reserved),
        words(&rule.reserved_prefixes),
        rule.empty_segments,
    )
}

fn words(words: &[std::borrow::Cow<'static, str>]) -> String {
    let list: Vec<String> = words.iter().map(|word| format!("Cow::Borrowed({word:?})")).collect();
    format!("Cow::Borrowed(&[{}])", list.join(", "))
}
