//! What derives from the catalog, as text. `cargo xtask codegen` writes it, a test fails when it is stale.

use crate::load::Catalog;

mod builders;
mod names;
mod prefixes;
mod reference;

/// A generated file: its path from the repository's root, and its content.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Output {
    pub path: String,
    pub text: String,
}

/// The first line of every generated Rust file.
const NOTICE: &str = "// Generated from the catalog by `cargo xtask codegen`. Do not edit.\n\n";

/// All files that derive from the catalog.
pub fn outputs(catalog: &Catalog) -> Vec<Output> {
    let mut outputs = vec![
        rust("ids.rs", names::text(catalog)),
        rust("prefixes.rs", prefixes::text(catalog)),
        rust("families.rs", builders::family_ids(catalog)),
    ];
    for system in &catalog.systems {
        outputs.push(rust(&format!("{}.rs", system.name), builders::text(catalog, system)));
        let path = format!("docs/reference/keys/{}.md", system.name);
        outputs.push(Output { path, text: reference::text(catalog, system) });
    }
    outputs
}

fn rust(name: &str, body: String) -> Output {
    Output { path: format!("crates/catalog/src/generated/{name}"), text: format!("{NOTICE}{body}") }
}

/// `lock_name` → `LockName`, `DRAFT` → `Draft`.
fn camel(text: &str) -> String {
    let word = |word: &str| {
        let mut letters = word.chars();
        let first = letters.next().map(|letter| letter.to_ascii_uppercase());
        first.into_iter().chain(letters.map(|letter| letter.to_ascii_lowercase())).collect::<String>()
    };
    text.split(['_', '-', '.']).map(word).collect()
}

/// The Rust type of a rule: ids end in `Id`, the rest are named as they are.
fn type_name(rule: &crate::rule::Rule) -> String {
    let name = camel(&rule.name);
    if rule.grammar == crate::rule::Grammar::Id { format!("{name}Id") } else { name }
}
