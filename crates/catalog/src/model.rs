//! What a key family says about itself. `catalog/README.md` explains each field for people.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::pattern::Pattern;
use crate::rule::Rule;
use crate::space::Layout;

pub mod retention;

pub use retention::Retention;

/// One of the five seeds' systems, or our own (`internal`).
#[derive(Debug, Clone)]
pub struct System {
    pub name: String,
    pub title: String,
    pub doc: String,
    pub internal: bool,
    pub prefixes: BTreeMap<String, Prefix>,
    pub settings: BTreeMap<String, Setting>,
}

/// A part of a key that a deployment may choose.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Prefix {
    pub default: String,
    #[serde(default)]
    pub also: Vec<String>,
    pub setting: Option<String>,
    pub env: Option<String>,
    pub doc: String,
}

/// A figure the seed lets its users set, which is no key.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Setting {
    pub default: toml::Value,
    pub unit: Option<String>,
    pub doc: String,
}

/// What a server calls the value, and the two things of a schema that are no values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    String,
    Hash,
    List,
    Set,
    Zset,
    Stream,
    Channel,
    Group,
}

impl Kind {
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::String => "string",
            Self::Hash => "hash",
            Self::List => "list",
            Self::Set => "set",
            Self::Zset => "zset",
            Self::Stream => "stream",
            Self::Channel => "channel",
            Self::Group => "group",
        }
    }

    /// Whether a family of this kind is found in the keyspace at all.
    pub const fn is_stored(self) -> bool {
        !matches!(self, Self::Channel | Self::Group)
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// What a family is for in its capability.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    Authority,
    Index,
    Mirror,
    Marker,
    History,
    Queue,
    Counter,
    Event,
    Hint,
    Setting,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ValueFormat {
    Text,
    Json,
    Integer,
    Float,
    Iso8601,
    Id,
    Key,
    Enum,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FieldType {
    String,
    Text,
    Integer,
    Float,
    Boolean,
    Json,
    Iso8601,
    Date,
    UnixSeconds,
    Id,
    Enum,
    Key,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Score {
    UnixSeconds,
    UnixMs,
    Priority,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum End {
    Head,
    Tail,
}

/// A hash field, a stream entry's field, or a member of a JSON value.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Field {
    pub name: String,
    #[serde(rename = "type")]
    pub field_type: FieldType,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub values: Vec<String>,
    #[serde(default)]
    pub required: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub of: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max: Option<f64>,
    pub doc: String,
}

/// A name the seed lists for a placeholder that is not closed, and what the key then holds.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Known {
    pub placeholder: String,
    pub value: String,
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    pub field_type: Option<FieldType>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unit: Option<String>,
    pub doc: String,
}

/// One spelling of a family: its main one, or one under `also`.
#[derive(Debug, Clone)]
pub struct Form {
    /// The builder's name: the family's own for its main form.
    pub name: String,
    pub plain: Pattern,
    pub tagged: Pattern,
    /// One rule per placeholder, in the order of the plain pattern.
    pub rules: Vec<(String, Rule)>,
    pub sample: String,
}

impl Form {
    /// How a layout spells it.
    pub const fn pattern(&self, layout: Layout) -> &Pattern {
        match layout {
            Layout::Plain => &self.plain,
            Layout::Tagged => &self.tagged,
        }
    }
}

/// A key family.
#[derive(Debug, Clone)]
pub struct Family {
    pub system: String,
    pub name: String,
    pub capability: String,
    pub internal: bool,
    pub forms: Vec<Form>,
    pub kinds: Vec<Kind>,
    pub role: Role,
    pub purpose: String,
    pub seed: Option<String>,
    /// The version of its system that brought it, where that is later than the seed.
    pub since: Option<String>,
    pub value: Option<ValueFormat>,
    /// What an `id`, `enum` or `key` value is one of; several where the seed allows several.
    pub value_of: Vec<String>,
    pub values: Vec<String>,
    pub size: Option<String>,
    pub known: Vec<Known>,
    pub score: Option<Score>,
    pub score_doc: Option<String>,
    pub newest: Option<End>,
    pub groups: Vec<String>,
    pub of: Option<String>,
    pub writers: Vec<String>,
    pub readers: Vec<String>,
    pub retention: Retention,
    pub fields: Vec<Field>,
    pub open_fields: bool,
    pub source: Source,
}

/// Where a family is declared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    pub file: String,
    pub line: usize,
}

impl Family {
    /// `reverie.session`: the name used in script headers, findings and commands.
    pub fn full_name(&self) -> String {
        format!("{}.{}", self.system, self.name)
    }

    /// Whether the seed has it: neither our own nor of a later version of its system.
    pub fn of_the_seed(&self) -> bool {
        !self.internal && self.since.is_none()
    }

    pub fn main_form(&self) -> &Form {
        &self.forms[0]
    }

    /// `list|zset` where the seed allows several.
    pub fn kind_text(&self) -> String {
        self.kinds.iter().map(|kind| kind.as_str()).collect::<Vec<_>>().join("|")
    }

    /// The hash tag with the kinds of its placeholders instead of their names, so that `{agent:<pid>}` and
    /// `{agent:<agent_id>}` are seen to be one slot.
    pub fn tag_expression(&self) -> Option<String> {
        let form = self.main_form();
        let mut tag = form.tagged.tag()?.to_owned();
        for (placeholder, rule) in &form.rules {
            tag = tag.replace(&format!("<{placeholder}>"), &format!("<{}>", rule.name));
        }
        Some(tag)
    }
}
