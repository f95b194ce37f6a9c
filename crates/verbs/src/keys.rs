//! The catalog: what keys there are, how they are spelled, whose a key is. Only the counts ask the store.

mod counts;
mod ls;
mod show;
mod which;

use quorate_catalog::{Catalog, Family, Keys, Layout};

use crate::prelude::*;

pub use counts::{Counted, Counts, Share};
pub use ls::Ls;
pub use show::{Show, Shown};
pub use which::{Found, Which, which};

pub(crate) fn all() -> Vec<Entry> {
    vec![Entry::of::<Ls>(), Entry::of::<Counts>(), Entry::of::<Show>(), Entry::of::<Which>()]
}

/// A family of keys at a glance.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Summary {
    pub system: String,
    pub family: String,
    pub pattern: String,
    pub kind: String,
    pub retention: String,
    pub capability: String,
    #[schemars(with = "Value")]
    pub role: Value,
    pub purpose: String,
    /// Whether it is the plane's own.
    pub internal: bool,
}

impl Summary {
    fn of(catalog: &Catalog, keys: &Keys, family: &Family) -> Self {
        Self {
            system: family.system.clone(),
            family: family.name.clone(),
            pattern: keys.pattern(catalog, family).to_string(),
            kind: family.kind_text(),
            retention: family.retention.to_string(),
            capability: family.capability.clone(),
            role: json!(family.role),
            purpose: family.purpose.clone(),
            internal: family.internal,
        }
    }
}

/// The builders of the same deployment in another layout.
fn spelled(keys: &Keys, layout: Layout) -> Result<Keys, Fault> {
    let namespace = keys.namespace_text().trim_end_matches(':').parse();
    let namespace = namespace.map_err(|why| Fault::NotFound(format!("the namespace: {why}")))?;
    Ok(Keys::new(namespace, layout, keys.prefixes().clone()))
}
