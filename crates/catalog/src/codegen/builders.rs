//! The typed builders: one function per form of a family, for both layouts.

use std::fmt::Write;

use super::{camel, type_name};
use crate::load::Catalog;
use crate::model::{Family, Form, System};
use crate::pattern::{Pattern, Token};
use crate::rule::Grammar;

pub(super) fn family_ids(catalog: &Catalog) -> String {
    let mut out = String::from(
        "//! Every family by name, in the catalog's order.\n\n/// A key family; its number is its place in the catalog.\n\
         #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]\n#[repr(u16)]\npub enum FamilyId {\n",
    );
    for family in &catalog.families {
        let _ = writeln!(out, "    {},", variant(family));
    }
    out.push_str("}\n\nimpl FamilyId {\n    pub const ALL: &'static [Self] = &[\n");
    for family in &catalog.families {
        let _ = writeln!(out, "        Self::{},", variant(family));
    }
    out.push_str("    ];\n\n    /// `reverie.session`\n    pub const fn name(self) -> &'static str {\n        match self {\n");
    for family in &catalog.families {
        let _ = writeln!(out, "            Self::{} => {:?},", variant(family), family.full_name());
    }
    out.push_str("        }\n    }\n}\n");
    out
}

fn variant(family: &Family) -> String {
    format!("{}{}", camel(&family.system), camel(&family.name))
}

pub(super) fn text(catalog: &Catalog, system: &System) -> String {
    let families: Vec<&Family> =
        catalog.families.iter().filter(|family| family.system == system.name).collect();
    let name = camel(&system.name);
    let mut out = format!("//! Keys of {}.\n\n", system.title);
    let types = types(&families);
    if !types.is_empty() {
        let _ = writeln!(out, "use super::ids::{{{}}};", types.join(", "));
    }
    let _ = write!(
        out,
        "use super::FamilyId;\nuse crate::space::{{Key, Keys}};\n\n/// {}\n#[derive(Debug, Clone, Copy)]\n\
         pub struct {name}<'k>(&'k Keys);\n\nimpl Keys {{\n    /// {}\n    pub const fn {}(&self) -> {name}<'_> {{\n        \
         {name}(self)\n    }}\n}}\n\nimpl {name}<'_> {{\n",
        system.doc, system.doc, system.name,
    );
    let functions: Vec<String> =
        families.iter().flat_map(|family| family.forms.iter().map(|form| function(family, form))).collect();
    out.push_str(&functions.join("\n"));
    out.push_str("}\n");
    out
}

fn types(families: &[&Family]) -> Vec<String> {
    let forms = families.iter().flat_map(|family| &family.forms);
    let mut types: Vec<String> =
        forms.flat_map(|form| form.rules.iter().map(|(_, rule)| type_name(rule))).collect();
    types.sort();
    types.dedup();
    types
}

fn function(family: &Family, form: &Form) -> String {
    let argument = |(name, rule): &(String, crate::rule::Rule)| match rule.grammar {
        Grammar::Enum => format!(", {name}: {}", type_name(rule)),
        _ => format!(", {name}: &{}", type_name(rule)),
    };
    format!(
        "    /// `{}` · {} · {}: {}\n    pub fn {}(&self{}) -> Key {{\n        self.0.join(\n            FamilyId::{},\n            \
         &[{}],\n            &[{}],\n        )\n    }}\n",
        form.plain,
        family.kind_text(),
        family.retention,
        family.purpose,
        form.name,
        form.rules.iter().map(argument).collect::<String>(),
        variant(family),
        parts(family, &form.plain),
        parts(family, &form.tagged),
    )
}

fn parts(family: &Family, pattern: &Pattern) -> String {
    let part = |token: &Token| match token {
        Token::Literal(text) => format!("{text:?}"),
        Token::Placeholder(name) => format!("{name}.as_key()"),
        Token::Prefix(name) => format!("&self.0.prefixes().{}_{name}", family.system),
    };
    pattern.tokens().iter().map(part).collect::<Vec<_>>().join(", ")
}
