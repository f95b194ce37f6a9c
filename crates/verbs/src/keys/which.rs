//! `keys which`.

use quorate_catalog::ids::AgentId;
use quorate_catalog::{Catalog, Keys, Layout, Match, Matcher};
use serde_json::Map;

use super::spelled;
use crate::prelude::*;

/// Says which family a key belongs to.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Which {
    /// A key as it stands in the store, in either layout.
    pub key: String,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Found {
    pub system: String,
    pub family: String,
    #[schemars(with = "Value")]
    pub form: Value,
    pub kind: String,
    /// What stands in its placeholders.
    pub bindings: Map<String, Value>,
    /// `plain` or `tagged`.
    #[schemars(with = "String")]
    pub layout: Layout,
    pub pattern: String,
    pub capability: String,
    pub internal: bool,
    pub purpose: String,
}

/// The family of a key, whatever its bytes are.
pub fn which(keys: &Keys, key: &[u8]) -> Result<Found, Fault> {
    let catalog = Catalog::built_in();
    for layout in [Layout::Plain, Layout::Tagged] {
        let matcher = Matcher::new(catalog, &spelled(keys, layout)?);
        if let Some(found) = matcher.find(key) {
            return Ok(answer(catalog, layout, &found));
        }
    }
    let shown = quorate_catalog::rule::show(&String::from_utf8_lossy(key));
    Err(Fault::NotFound(format!("\"{shown}\" fits no family of the catalog")))
}

fn answer(catalog: &Catalog, layout: Layout, found: &Match<'_>) -> Found {
    let family = &catalog.families[found.family];
    let form = &family.forms[found.form];
    let bindings = Matcher::bindings(catalog, found);
    Found {
        system: family.system.clone(),
        family: family.name.clone(),
        form: json!(form.name),
        kind: family.kind_text(),
        bindings: bindings.into_iter().map(|(name, value)| (name, value.into())).collect(),
        layout,
        pattern: form.pattern(layout).to_string(),
        capability: family.capability.clone(),
        internal: family.internal,
        purpose: family.purpose.clone(),
    }
}

impl Verb for Which {
    const ABOUT: About = About::new("keys", "which", Method::Get, "/keys/which", Level::Read, Effect::None);
    type Answer = Found;

    fn example() -> Value {
        let agent = AgentId::parse("worker-1").expect("a name");
        json!({ "key": Keys::default().ade().agent_capacity(&agent).as_str() })
    }

    async fn run(&self, call: &Call) -> Result<Verdict<Found>, Fault> {
        Ok(Verdict::Done(which(call.plane.keys(), self.key.as_bytes())?))
    }
}
