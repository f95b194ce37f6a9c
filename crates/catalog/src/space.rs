//! How one deployment spells its keys: namespace, layout and prefixes.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::generated::FamilyId;
use crate::generated::prefixes::Prefixes;
use crate::load::Catalog;
use crate::model::{Family, Form};
use crate::pattern::{Pattern, Token};
use crate::rule::{BadName, Grammar, Rule};

/// Where the plane keeps what the seeds have no key for. No seed's scan or access pattern reaches it.
pub const INTERNAL_ROOT: &str = "~q:";

/// `plain` names are the seeds' own; `tagged` ones put the entity in a hash tag, for Cluster.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Layout {
    #[default]
    Plain,
    Tagged,
}

impl Layout {
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Plain => "plain",
            Self::Tagged => "tagged",
        }
    }
}

impl fmt::Display for Layout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for Layout {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "plain" => Ok(Self::Plain),
            "tagged" => Ok(Self::Tagged),
            other => Err(format!("\"{}\" is no layout; use plain or tagged", crate::rule::show(other))),
        }
    }
}

/// What stands before every key of a deployment, `QUORATE_NAMESPACE`; empty by default.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Namespace(String);

const NAMESPACE_RULE: Rule = Rule {
    name: std::borrow::Cow::Borrowed("namespace"),
    grammar: Grammar::Id,
    values: std::borrow::Cow::Borrowed(&[]),
    reserved: std::borrow::Cow::Borrowed(&[]),
    reserved_prefixes: std::borrow::Cow::Borrowed(&[]),
    empty_segments: false,
};

const PREFIX_RULE: Rule =
    Rule { name: std::borrow::Cow::Borrowed("prefix"), grammar: Grammar::Path, ..NAMESPACE_RULE };

impl FromStr for Namespace {
    type Err = BadName;

    fn from_str(text: &str) -> Result<Self, BadName> {
        if text.is_empty() {
            return Ok(Self::default());
        }
        NAMESPACE_RULE.parse(text).map(|name| Self(format!("{name}:")))
    }
}

/// A key of a known family. Only builders make one.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Key {
    text: String,
    family: FamilyId,
}

impl Key {
    pub fn as_str(&self) -> &str {
        &self.text
    }

    pub const fn family(&self) -> FamilyId {
        self.family
    }
}

impl AsRef<[u8]> for Key {
    fn as_ref(&self) -> &[u8] {
        self.text.as_bytes()
    }
}

impl AsRef<str> for Key {
    fn as_ref(&self) -> &str {
        &self.text
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// The builders of a deployment: `keys.reverie().session(&agent)`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Keys {
    namespace: Namespace,
    layout: Layout,
    prefixes: Prefixes,
}

impl Keys {
    pub const fn new(namespace: Namespace, layout: Layout, prefixes: Prefixes) -> Self {
        Self { namespace, layout, prefixes }
    }

    pub const fn layout(&self) -> Layout {
        self.layout
    }

    pub const fn prefixes(&self) -> &Prefixes {
        &self.prefixes
    }

    /// The namespace with its separator, as it stands before every key.
    pub fn namespace_text(&self) -> &str {
        &self.namespace.0
    }

    /// A pattern with each prefix it may be found under: the deployment's, and what the seed's clients also use.
    pub(crate) fn spellings(&self, catalog: &Catalog, family: &Family, pattern: &Pattern) -> Vec<Pattern> {
        let Some(name) = pattern.prefix() else { return vec![pattern.clone()] };
        let own = self.prefixes.get(&family.system, name);
        let declared = catalog.system(&family.system).and_then(|system| system.prefixes.get(name));
        let default = declared.map_or("", |prefix| prefix.default.as_str());
        let also = declared.into_iter().flat_map(|prefix| prefix.also.iter().map(String::as_str));
        std::iter::once(own.unwrap_or(default)).chain(also).map(|value| pattern.with_prefix(value)).collect()
    }

    /// The pattern of a family's main form as this deployment spells it.
    pub fn pattern(&self, catalog: &Catalog, family: &Family) -> Pattern {
        let form = family.main_form();
        let pattern = form.pattern(self.layout);
        self.spellings(catalog, family, pattern).swap_remove(0)
    }

    /// What stands before and after the name in a family's keys, in the plain layout; several names with `:` between them
    /// count as one.
    pub fn around(&self, catalog: &Catalog, family: &Family) -> Option<(String, String)> {
        let pattern = self.spellings(catalog, family, &family.main_form().plain).swap_remove(0);
        let text = pattern.to_string();
        let Some((before, rest)) = text.split_once('<') else {
            return Some((format!("{}{text}", self.namespace.0), String::new()));
        };
        let (names, after) = rest.rsplit_once('>')?;
        let joined = names.split('>').skip(1).all(|next| next.starts_with(":<"));
        joined.then(|| (format!("{}{before}", self.namespace.0), after.to_owned()))
    }

    /// Builds a key from texts, for tools that learn the family at run time; typed code uses the builders.
    pub fn build(
        &self,
        catalog: &Catalog,
        family: &Family,
        form: &Form,
        texts: &[&str],
    ) -> Result<String, BadName> {
        let pattern = form.pattern(self.layout);
        let pattern = self.spellings(catalog, family, pattern).swap_remove(0);
        let mut values = form.rules.iter().zip(texts);
        let mut key = self.namespace.0.clone();
        for token in pattern.tokens() {
            match token {
                Token::Literal(text) | Token::Prefix(text) => key.push_str(text),
                Token::Placeholder(_) => {
                    let ((_, rule), text) = values.next().expect("one text per placeholder");
                    key.push_str(&rule.parse(text)?);
                }
            }
        }
        Ok(key)
    }

    pub(crate) fn join(&self, family: FamilyId, plain: &[&str], tagged: &[&str]) -> Key {
        let parts = if self.layout == Layout::Plain { plain } else { tagged };
        let length = self.namespace.0.len() + parts.iter().map(|part| part.len()).sum::<usize>();
        let mut text = String::with_capacity(length);
        text.push_str(&self.namespace.0);
        parts.iter().for_each(|part| text.push_str(part));
        Key { text, family }
    }
}

impl Prefixes {
    /// A prefix is words joined by `:`, like the path of a key.
    pub fn check(text: &str) -> Result<String, BadName> {
        PREFIX_RULE.parse(text).map(String::from)
    }
}
