//! What the capability speaks of.

use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use super::redact;

/// A change to be written down.
#[derive(Debug, Clone, Default)]
pub struct Record {
    /// Who did it.
    pub who: String,
    /// By which way: `cli`, `http` or `mcp`.
    pub via: String,
    /// `noun.verb`.
    pub action: String,
    /// To what.
    pub target: String,
    /// What it was, where that is known.
    pub before: Option<Value>,
    /// What it is now.
    pub after: Option<Value>,
    /// The id of the request; a second record of the same is not written.
    pub request: String,
    /// `ok`, `refused:CODE` or `fault`.
    pub result: String,
}

/// The longest text of a field, in bytes; a target may be four times as long.
const TEXT_MAX: usize = 256;

impl Record {
    /// The arguments of the script, in its order.
    pub(super) fn texts(&self) -> Vec<String> {
        let json = |value: &Option<Value>| value.as_ref().map(redact::shown).unwrap_or_default();
        let request = if self.request.len() > TEXT_MAX {
            // Two long ids that begin alike are still two.
            redact::digest(self.request.as_bytes())
        } else {
            self.request.clone()
        };
        vec![
            request,
            cut(&self.who, TEXT_MAX),
            cut(&self.via, TEXT_MAX),
            cut(&self.action, TEXT_MAX),
            cut(&self.target, 4 * TEXT_MAX),
            cut(&self.result, TEXT_MAX),
            json(&self.before),
            json(&self.after),
        ]
    }
}

/// The beginning of a text, whole characters only.
fn cut(text: &str, most: usize) -> String {
    if text.len() <= most {
        return text.to_owned();
    }
    let end = (0..=most - 3).rev().find(|end| text.is_char_boundary(*end)).unwrap_or(0);
    format!("{}…", &text[..end])
}

/// A record as it was written.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Entry {
    /// Where it is in the stream.
    pub id: String,
    pub n: u64,
    pub at: String,
    pub who: String,
    pub via: String,
    pub action: String,
    pub target: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub before: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after: Option<Value>,
    pub request: String,
    pub result: String,
}

impl Entry {
    pub(super) fn read(id: String, fields: &[(Vec<u8>, Vec<u8>)]) -> Self {
        let text = |name: &str| {
            let found = fields.iter().find(|(own, _)| own == name.as_bytes());
            found.map(|(_, value)| String::from_utf8_lossy(value).into_owned()).unwrap_or_default()
        };
        let json = |name: &str| serde_json::from_str(&text(name)).ok();
        Self {
            id,
            n: text("n").parse().unwrap_or_default(),
            at: text("at"),
            who: text("who"),
            via: text("via"),
            action: text("action"),
            target: text("target"),
            before: json("before"),
            after: json("after"),
            request: text("request"),
            result: text("result"),
        }
    }
}

/// What one run of a sealer did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Sealed {
    pub batches: u64,
    pub records: u64,
}

/// A head of the chain: its last batch and the hash of that. Whoever keeps one elsewhere can tell later whether the trail
/// still has it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Anchor {
    pub batch: u64,
    pub hash: String,
}

impl fmt::Display for Anchor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.batch, self.hash)
    }
}

impl FromStr for Anchor {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let bad = || "an anchor is BATCH:HASH, as `quorate audit verify` shows it".to_owned();
        let (batch, hash) = text.split_once(':').ok_or_else(bad)?;
        let is_hash = hash.len() == 64 && hash.bytes().all(|byte| byte.is_ascii_hexdigit());
        let batch = batch.parse().ok().filter(|batch| *batch > 0 && is_hash).ok_or_else(bad)?;
        Ok(Self { batch, hash: hash.to_ascii_lowercase() })
    }
}

/// What an inspection of the whole trail found.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, JsonSchema)]
pub struct Verified {
    pub records: u64,
    pub batches: u64,
    /// Records that no seal covers yet.
    pub unsealed: u64,
    /// When the oldest of them was written; Unix milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unsealed_since: Option<u64>,
    /// The end of the chain, to be noted elsewhere.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub head: Option<Anchor>,
    /// The first hundred.
    pub findings: Vec<Fault>,
    /// How many there are.
    pub faults: u64,
}

impl Verified {
    /// Most findings that are told one by one.
    const TOLD: usize = 100;

    pub(super) fn fault(&mut self, kind: &'static str, batch: Option<u64>, message: String) {
        self.faults += 1;
        if self.findings.len() < Self::TOLD {
            self.findings.push(Fault { kind, batch, message });
        }
    }
}

/// Something that is wrong with the trail.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Fault {
    /// `edited`, `deleted`, `inserted`, `moved`, `cut` or `seal`.
    pub kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub batch: Option<u64>,
    pub message: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_anchor_is_a_batch_and_a_hash() {
        let text = format!("7:{}", "ab".repeat(32));
        assert_eq!(text.parse::<Anchor>().unwrap().to_string(), text);
        for bad in
            ["", "7", "7:xyz", "0:", &format!("0:{}", "ab".repeat(32)), &format!("x:{}", "ab".repeat(32))]
        {
            assert!(bad.parse::<Anchor>().is_err(), "{bad}");
        }
    }

    #[test]
    fn long_texts_are_cut_and_long_requests_stay_different() {
        let long = |end: &str| Record {
            request: "r".repeat(300) + end,
            target: "é".repeat(2_000),
            ..Record::default()
        };
        let (one, two) = (long("1").texts(), long("2").texts());
        assert!(one[0] != two[0] && one[0].len() == 64);
        assert!(one[4].len() <= 1_024 && one[4].ends_with('…'));
    }
}
