//! How long a key, or what is in it, is kept.

use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The facts of a family's retention; several may hold at once.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Retention {
    #[serde(skip_serializing_if = "is_false")]
    pub none: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ttl: Option<Ttl>,
    #[serde(skip_serializing_if = "is_false")]
    pub refresh: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ttl_setting: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ttl_of: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub maxlen: Option<u64>,
    #[serde(skip_serializing_if = "is_false")]
    pub approximate: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub maxlen_setting: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub keep_last: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prune_below: Option<Ttl>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cleanup: Option<String>,
    #[serde(skip_serializing_if = "is_false")]
    pub lossy: bool,
}

fn is_false(flag: &bool) -> bool {
    !flag
}

impl Retention {
    /// Whether the declaration says anything at all; saying nothing is a mistake in the catalog.
    pub fn is_stated(&self) -> bool {
        self.none
            || self.ttl.is_some()
            || self.ttl_of.is_some()
            || self.ttl_setting.is_some()
            || self.maxlen.is_some()
            || self.maxlen_setting.is_some()
            || self.keep_last.is_some()
            || self.prune_below.is_some()
    }

    fn parts(&self) -> Vec<String> {
        let refreshed = if self.refresh { ", refreshed" } else { "" };
        let about = if self.approximate { "~" } else { "" };
        let mut parts = Vec::new();
        parts.extend(self.ttl.as_ref().map(|ttl| format!("ttl {ttl}{refreshed}")));
        parts.extend(self.ttl_of.as_ref().map(|of| format!("ttl of {of}")));
        parts.extend(self.maxlen.map(|length| format!("maxlen {about}{length}")));
        parts.extend(self.keep_last.map(|count| format!("last {count} kept")));
        parts.extend(self.prune_below.as_ref().map(|age| format!("pruned after {age}")));
        parts
    }
}

impl fmt::Display for Retention {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = self.parts();
        if parts.is_empty() { f.write_str("none") } else { f.write_str(&parts.join(", ")) }
    }
}

/// A duration with the unit its author wrote: `600s`, `5m`, `24h`, `90d`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ttl {
    text: String,
    seconds: u64,
}

impl Ttl {
    pub fn parse(text: &str) -> Option<Self> {
        let unit = match text.as_bytes().last()? {
            b's' => 1,
            b'm' => 60,
            b'h' => 3_600,
            b'd' => 86_400,
            _ => return None,
        };
        let number: u64 = text[..text.len() - 1].parse().ok().filter(|number| *number > 0)?;
        Some(Self { text: text.to_owned(), seconds: number.checked_mul(unit)? })
    }

    pub const fn duration(&self) -> Duration {
        Duration::from_secs(self.seconds)
    }
}

impl fmt::Display for Ttl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl Serialize for Ttl {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.text)
    }
}

impl<'de> Deserialize<'de> for Ttl {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Self::parse(&text).ok_or_else(|| {
            serde::de::Error::custom(format!("\"{text}\" is not a duration like 600s, 5m, 24h or 90d"))
        })
    }
}
