//! What may stand in a placeholder.
//!
//! Building a key is injective because every rule keeps its value inside its place: no value contains a
//! separator it could forge, a brace that would choose a cluster slot, or a glob that would widen a pattern.
//! Values are refused, never repaired; only [`Grammar::Encoded`] rewrites, and it does so reversibly.

use std::borrow::Cow;
use std::fmt;

mod encoded;
mod shape;

pub use encoded::{decode, encode};

/// Longest value of a plain name, in bytes.
pub const NAME_MAX: usize = 128;
/// Longest value that may contain separators, in bytes.
pub const PATH_MAX: usize = 1024;

/// The shape of a name. `catalog/README.md` defines each for people.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Grammar {
    Id,
    Slug,
    Enum,
    Hash,
    Timestamp,
    Url,
    Path,
    Encoded,
    Base64,
}

impl Grammar {
    /// Whether a value may contain `:`, so that what follows it is matched from the right.
    pub const fn may_contain_separator(self) -> bool {
        matches!(self, Self::Timestamp | Self::Url | Self::Path)
    }

    const fn wants(self) -> &'static str {
        match self {
            Self::Id => "use letters, digits and . _ @ + -, starting with a letter or digit, at most 128",
            Self::Slug => {
                "use lower-case letters, digits, _ and -, starting with a letter or digit, at most 128"
            }
            Self::Enum => "use one of the listed values",
            Self::Hash => "use letters, digits, _ = and -, starting with a letter or digit, at most 128",
            Self::Timestamp => "use ISO 8601 in UTC, as in 2025-11-19T12:34:56.789Z",
            Self::Url => {
                "use a normalised http(s) URL: lower case, no credentials, query, fragment or final /"
            }
            Self::Path => {
                "use words of letters, digits and . _ @ + % - joined by :, starting with a letter or digit"
            }
            Self::Encoded => "use UTF-8 text of 1 to 512 bytes",
            Self::Base64 => "use base64 in its URL-safe alphabet, at most 512",
        }
    }
}

/// A grammar with its reserved words: one entry of `ids.toml`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rule {
    pub name: Cow<'static, str>,
    pub grammar: Grammar,
    pub values: Cow<'static, [Cow<'static, str>]>,
    pub reserved: Cow<'static, [Cow<'static, str>]>,
    pub reserved_prefixes: Cow<'static, [Cow<'static, str>]>,
    pub empty_segments: bool,
}

impl Rule {
    /// Whether `value`, as it stands in a key, obeys this rule.
    pub fn accepts(&self, value: &[u8]) -> bool {
        self.fault(value).is_none()
    }

    /// Turns what a person or a program typed into what stands in the key.
    pub fn parse(&self, text: &str) -> Result<Box<str>, BadName> {
        let key_form = match self.grammar {
            Grammar::Encoded => encode(text),
            _ => Cow::Borrowed(text),
        };
        match self.fault(key_form.as_bytes()) {
            None => Ok(key_form.into()),
            Some(reason) => Err(BadName::new(self, text, reason)),
        }
    }

    fn fault(&self, value: &[u8]) -> Option<&'static str> {
        if value.is_empty() {
            return Some("it is empty");
        }
        if let Some(fault) = self.shape_fault(value) {
            return Some(fault);
        }
        if self.reserved.iter().any(|word| word.as_bytes() == value) {
            return Some("it is reserved");
        }
        let reserved = |prefix: &Cow<'static, str>| value.starts_with(prefix.as_bytes());
        self.reserved_prefixes.iter().any(reserved).then_some("its beginning is reserved")
    }

    fn shape_fault(&self, value: &[u8]) -> Option<&'static str> {
        match self.grammar {
            Grammar::Id => shape::id(value),
            Grammar::Slug => shape::slug(value),
            Grammar::Hash => shape::hash(value),
            Grammar::Base64 => shape::base64(value),
            Grammar::Timestamp => shape::timestamp(value),
            Grammar::Url => shape::url(value),
            Grammar::Path => shape::path(value, self.empty_segments),
            Grammar::Encoded => encoded::fault(value),
            Grammar::Enum => {
                let known = self.values.iter().any(|known| known.as_bytes() == value);
                (!known).then_some("it is not one of the allowed values")
            }
        }
    }
}

/// A name that was refused. Its text shows the value escaped and shortened: it may be hostile.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BadName {
    pub of: String,
    pub shown: String,
    pub reason: &'static str,
    pub wants: String,
}

impl BadName {
    fn new(rule: &Rule, text: &str, reason: &'static str) -> Self {
        let wants = match rule.grammar {
            Grammar::Enum => format!("use one of {}", rule.values.join(", ")),
            other => other.wants().to_owned(),
        };
        Self { of: rule.name.replace('_', " "), shown: show(text), reason, wants }
    }
}

/// At most 40 characters of a foreign text, every unusual one escaped.
pub fn show(text: &str) -> String {
    let mut shown: String = text.chars().take(40).flat_map(char::escape_default).collect();
    if text.chars().nth(40).is_some() {
        shown.push('…');
    }
    shown
}

impl fmt::Display for BadName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\"{}\" cannot be a name of kind {}: {}; {}", self.shown, self.of, self.reason, self.wants)
    }
}

impl std::error::Error for BadName {}

#[cfg(test)]
mod tests {
    use super::*;

    fn rule(grammar: Grammar) -> Rule {
        Rule {
            name: "test".into(),
            grammar,
            values: Cow::Borrowed(&[Cow::Borrowed("high")]),
            reserved: Cow::Borrowed(&[Cow::Borrowed("index")]),
            reserved_prefixes: Cow::Borrowed(&[Cow::Borrowed("project:")]),
            empty_segments: false,
        }
    }

    fn check(grammar: Grammar, good: &[&str], bad: &[&str]) {
        let rule = rule(grammar);
        for text in good {
            assert!(rule.parse(text).is_ok(), "{grammar:?} should accept {text:?}");
        }
        for text in bad {
            assert!(rule.parse(text).is_err(), "{grammar:?} should refuse {text:?}");
        }
    }

    #[test]
    fn ids_refuse_everything_that_could_leave_their_place() {
        let long = "a".repeat(129);
        let hostile = [
            "",
            "index",
            "__global__",
            ".",
            "..",
            "a:b",
            "a::b",
            "a:",
            "~fence",
            "{x}",
            "{}",
            "a{b",
            "*",
            "?",
            "[a-z]",
            "\\",
            "a b",
            "a\tb",
            "a\r\n",
            "a\0",
            "a\x7f",
            "a\u{202e}b",
            "a\u{200b}b",
            "é",
            "e\u{301}",
            "аgent",
            "%3A",
            "-rf",
            "--help",
            "$(id)",
            "`id`",
            ";DROP",
            "😀",
            &long,
        ];
        check(Grammar::Id, &["a", "4711", "EX-001", "user@host", "a.b_c+d", &long[..128]], &hostile);
    }

    #[test]
    fn each_grammar_has_its_edges() {
        check(Grammar::Slug, &["auto_approve_low_risk", "a-1"], &["A", "_a", "a.b", ""]);
        check(Grammar::Enum, &["high"], &["High", "", "low "]);
        check(Grammar::Hash, &["deadbeef", "AbC_="], &["a:b", "a/b", ""]);
        check(
            Grammar::Base64,
            &["eyJzIjoiYSJ9", "eyJz-_==", &"e".repeat(512)],
            &["a:b", "a+b", "", &"e".repeat(513)],
        );
        check(
            Grammar::Timestamp,
            &["2025-11-19T12:34:56.789Z", "2025-11-19T12:34:56Z", "2025-11-19T12:34:56.789Z-2"],
            &["2025-11-19", "2025-13-19T12:34:56Z", "2025-11-19T24:34:56Z", "2025-11-19T12:34:56", "x"],
        );
        check(
            Grammar::Url,
            &["http://127.0.0.1:8000", "https://api.example.com/v1"],
            &["HTTP://A", "http://a/", "http://u:p@a", "http://a?x", "http://a#x", "ftp://a", "http://"],
        );
        check(
            Grammar::Path,
            &["deploy", "tasks:create", "file:src%2Fmain.rs", "a:-b"],
            &["project:x", ":a", "a:", "a::b", "~q:x", "a b", "a{b}"],
        );
    }

    #[test]
    fn encoded_text_round_trips_and_has_one_spelling() {
        for text in ["plain", "a:b", "ünïcode 😀", "a%3Ab", "*?[]{}\\", "\0\r\n"] {
            let key = rule(Grammar::Encoded).parse(text).expect(text);
            assert!(key.bytes().all(|b| b.is_ascii_alphanumeric() || b"._@+-%".contains(&b)), "{key}");
            assert_eq!(decode(&key).as_deref(), Some(text));
        }
        for other_spelling in ["%61", "%3a", "%", "%4", "%FF"] {
            assert!(!rule(Grammar::Encoded).accepts(other_spelling.as_bytes()), "{other_spelling}");
        }
    }

    #[test]
    fn a_refusal_shows_the_value_harmlessly() {
        let refused = rule(Grammar::Id).parse("\x1b[2Jevil\n").expect_err("hostile");
        assert_eq!(
            refused.to_string(),
            "\"\\u{1b}[2Jevil\\n\" cannot be a name of kind test: it has a character that is not allowed; \
             use letters, digits and . _ @ + -, starting with a letter or digit, at most 128"
        );
    }
}
