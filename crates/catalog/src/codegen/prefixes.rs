//! The configurable prefixes: one field each, with the seed's default and environment name.

use std::fmt::Write;

use crate::load::Catalog;
use crate::model::{Prefix, System};

pub(super) fn text(catalog: &Catalog) -> String {
    let all: Vec<(&System, &String, &Prefix)> = catalog
        .systems
        .iter()
        .flat_map(|system| system.prefixes.iter().map(move |(name, prefix)| (system, name, prefix)))
        .collect();
    let field = |system: &System, name: &str| format!("{}_{name}", system.name);
    let mut out = String::from(
        "//! The parts of a key that a deployment may choose.\n\n/// One prefix per store that has its own.\n\
         #[derive(Debug, Clone, PartialEq, Eq, Hash)]\npub struct Prefixes {\n",
    );
    for (system, name, prefix) in &all {
        let env = prefix.env.as_ref().map(|env| format!(" Environment: `{env}`.")).unwrap_or_default();
        let _ = writeln!(out, "    /// {}{env}\n    pub {}: String,", prefix.doc, field(system, name));
    }
    out.push_str("}\n\nimpl Default for Prefixes {\n    fn default() -> Self {\n        Self {\n");
    for (system, name, prefix) in &all {
        let _ = writeln!(out, "            {}: {:?}.to_owned(),", field(system, name), prefix.default);
    }
    out.push_str("        }\n    }\n}\n\nimpl Prefixes {\n    /// Field, environment name and value of each, for reading settings and for showing them.\n    pub fn entries_mut(&mut self) -> Vec<(&'static str, Option<&'static str>, &mut String)> {\n        vec![\n");
    for (system, name, prefix) in &all {
        let _ = writeln!(
            out,
            "            ({:?}, {:?}, &mut self.{}),",
            field(system, name),
            prefix.env,
            field(system, name)
        );
    }
    out.push_str("        ]\n    }\n\n    /// The value of a prefix by its system and name in the catalog.\n    pub fn get(&self, system: &str, name: &str) -> Option<&str> {\n        match (system, name) {\n");
    for (system, name, _) in &all {
        let _ = writeln!(
            out,
            "            ({:?}, {name:?}) => Some(&self.{}),",
            system.name,
            field(system, name)
        );
    }
    out.push_str("            _ => None,\n        }\n    }\n}\n");
    out
}
