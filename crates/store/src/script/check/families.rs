//! Rules on families: they exist, and on a cluster the keys of one script share a slot (DESIGN D8).

use quorate_catalog::Catalog;

use super::{Families, View};
use crate::script::header::{KeySpec, Layout};

/// What a script check must know of a family of keys.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct FamilyFacts {
    /// The hash tag its keys have in the tagged layout, as a pattern; `None` if they have none.
    pub tag: Option<String>,
}

/// What the built-in catalog says of a family, for checks over the repository's own scripts.
///
/// `foreign.key` stands for a key of the caller's own, which no catalog knows.
pub fn catalog_facts(name: &str) -> Option<FamilyFacts> {
    if name == "foreign.key" {
        return Some(FamilyFacts::default());
    }
    let family = Catalog::built_in().find(name).into_iter().next()?;
    Some(FamilyFacts { tag: family.tag_expression() })
}

impl View<'_> {
    pub(super) fn families(&mut self, families: Families<'_>) {
        let header = self.script.header();
        let keys: Vec<KeySpec> =
            header.keys.iter().chain(&header.keys_rest).chain(&header.reaches).cloned().collect();
        let mut tags = Vec::new();
        for key in &keys {
            match families(&key.family) {
                Some(facts) => tags.push(facts.tag),
                None => self.problem_at(1, format!("the catalog has no family `{}`", key.family)),
            }
        }
        let one_slot = keys.len() == 1 && header.keys_rest.is_none();
        let shared = tags.first().is_none_or(|first| first.is_some() && tags.iter().all(|tag| tag == first));
        if header.layout == Layout::Any && !one_slot && !shared {
            self.problem_at(
                1,
                "its keys do not share a hash tag; mark it plain-only and name its tagged counterpart",
            );
        }
    }
}
