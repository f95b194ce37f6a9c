//! The files as they are written: serde's view, with the spans that errors point at.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde::de::DeserializeOwned;
use toml::Spanned;

use super::{Problem, SourceFile};
use crate::model::{End, Field, Kind, Known, Prefix, Retention, Role, Score, Setting, ValueFormat};
use crate::rule::Grammar;

pub(super) type Ids = BTreeMap<String, Id>;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Id {
    #[serde(rename = "type")]
    pub(super) grammar: Grammar,
    #[serde(default)]
    pub(super) values: Vec<String>,
    #[serde(default)]
    pub(super) reserved: Vec<String>,
    #[serde(default)]
    pub(super) reserved_prefixes: Vec<String>,
    #[serde(default)]
    pub(super) empty_segments: bool,
    pub(super) doc: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct System {
    pub(super) format: FormatVersion,
    pub(super) title: String,
    pub(super) doc: String,
    #[serde(default)]
    pub(super) internal: bool,
    #[serde(default)]
    pub(super) prefix: BTreeMap<String, Prefix>,
    #[serde(default)]
    pub(super) setting: BTreeMap<String, Setting>,
}

/// Version 1 is the only one there is; another number must not be guessed at.
#[derive(Deserialize)]
#[serde(try_from = "u32")]
pub(super) struct FormatVersion;

impl TryFrom<u32> for FormatVersion {
    type Error = String;

    fn try_from(version: u32) -> Result<Self, String> {
        if version == 1 { Ok(Self) } else { Err(format!("format {version} is not known here, only 1")) }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Capability {
    #[serde(default)]
    pub(super) family: Vec<Family>,
}

#[derive(Deserialize)]
#[serde(untagged)]
pub(super) enum Kinds {
    One(Kind),
    Several(Vec<Kind>),
}

/// One word, or an array of them.
#[derive(Deserialize)]
#[serde(untagged)]
pub(super) enum Words {
    One(String),
    Several(Vec<String>),
}

impl Default for Words {
    fn default() -> Self {
        Self::Several(vec![])
    }
}

impl Words {
    pub(super) fn list(self) -> Vec<String> {
        match self {
            Self::One(word) => vec![word],
            Self::Several(words) => words,
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Family {
    pub(super) name: Spanned<String>,
    pub(super) pattern: String,
    pub(super) tagged: Option<String>,
    #[serde(default)]
    pub(super) also: Vec<Also>,
    #[serde(default)]
    pub(super) placeholders: BTreeMap<String, String>,
    pub(super) kind: Kinds,
    pub(super) role: Role,
    pub(super) purpose: String,
    pub(super) seed: Option<String>,
    pub(super) since: Option<String>,
    pub(super) sample: String,
    pub(super) value: Option<ValueFormat>,
    #[serde(default)]
    pub(super) value_of: Words,
    pub(super) size: Option<String>,
    #[serde(default)]
    pub(super) known: Vec<Known>,
    #[serde(default)]
    pub(super) values: Vec<String>,
    pub(super) score: Option<Score>,
    pub(super) score_doc: Option<String>,
    pub(super) newest: Option<End>,
    #[serde(default)]
    pub(super) groups: Vec<String>,
    pub(super) of: Option<String>,
    pub(super) writers: Vec<String>,
    pub(super) readers: Vec<String>,
    pub(super) retention: Retention,
    #[serde(default)]
    pub(super) field: Vec<Field>,
    #[serde(default)]
    pub(super) open_fields: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Also {
    pub(super) name: String,
    pub(super) pattern: String,
    pub(super) tagged: Option<String>,
    pub(super) sample: String,
}

/// Parses one file and hands it on, or notes the error with its line.
pub(super) fn read<T: DeserializeOwned>(
    file: &SourceFile,
    problems: &mut Vec<Problem>,
    take: impl FnOnce(T),
) {
    match toml::from_str(&file.text) {
        Ok(content) => take(content),
        Err(error) => problems.push(Problem {
            file: file.path.clone(),
            line: line_at(&file.text, error.span().map_or(0, |span| span.start)),
            message: error.message().to_owned(),
        }),
    }
}

pub(super) fn line_at(text: &str, offset: usize) -> usize {
    1 + text.bytes().take(offset).filter(|byte| *byte == b'\n').count()
}
