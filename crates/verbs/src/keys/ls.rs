//! `keys ls`.

use quorate_catalog::{Catalog, Family, Keys, Kind, Layout};

use super::{Summary, spelled};
use crate::prelude::*;

/// Lists the key families.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Ls {
    /// Only families of this system.
    #[serde(default)]
    pub system: Option<String>,
    /// Only families of this capability.
    #[serde(default)]
    pub capability: Option<String>,
    /// Only families of this kind: string, hash, list, set, zset, stream, channel or group.
    #[serde(default)]
    pub kind: Option<String>,
    /// The spelling of this layout: plain or tagged; plain if it is not said.
    #[serde(default)]
    pub layout: Option<Said<Layout>>,
    /// Add the plane's own families to the seeds', and those of later versions of their systems.
    #[serde(default)]
    pub internal: bool,
}

impl Ls {
    /// The answer of a deployment whose keys are these.
    pub fn of(&self, keys: &Keys) -> Result<Vec<Summary>, Fault> {
        let catalog = Catalog::built_in();
        self.check(catalog)?;
        let keys = spelled(keys, self.layout.as_ref().map(|layout| layout.0).unwrap_or_default())?;
        let wanted = catalog.families.iter().filter(|family| self.wants(family));
        Ok(wanted.map(|family| Summary::of(catalog, &keys, family)).collect())
    }

    /// A filter that can match nothing is a mistake, not an empty answer.
    fn check(&self, catalog: &Catalog) -> Result<(), Fault> {
        let known = |what: &str, given: &Option<String>, has: &dyn Fn(&Family, &str) -> bool| match given {
            Some(value) if !catalog.families.iter().any(|family| has(family, value)) => {
                let shown = quorate_catalog::rule::show(value);
                Err(Fault::bad(what, format!("no family has the {what} \"{shown}\"")))
            }
            _ => Ok(()),
        };
        known("system", &self.system, &|family, value| family.system == value)?;
        known("capability", &self.capability, &|family, value| family.capability == value)?;
        known("kind", &self.kind, &|family, value| has_kind(family, value))
    }

    fn wants(&self, family: &Family) -> bool {
        let same = |given: &Option<String>, own: &str| given.as_ref().is_none_or(|given| given == own);
        (self.internal || family.of_the_seed())
            && same(&self.system, &family.system)
            && same(&self.capability, &family.capability)
            && self.kind.as_ref().is_none_or(|kind| has_kind(family, kind))
    }
}

fn has_kind(family: &Family, kind: &str) -> bool {
    family.kinds.iter().any(|own: &Kind| own.as_str() == kind)
}

impl Verb for Ls {
    const ABOUT: About = About::new("keys", "ls", Method::Get, "/keys", Level::Read, Effect::None);
    type Answer = Vec<Summary>;

    fn example() -> Value {
        json!({ "system": "ade", "kind": "hash" })
    }

    async fn run(&self, call: &Call) -> Result<Verdict<Vec<Summary>>, Fault> {
        Ok(Verdict::Done(self.of(call.plane.keys())?))
    }
}
