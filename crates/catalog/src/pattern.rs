//! How a key is spelled: literals, placeholders, configurable prefixes, and in the tagged layout one hash tag.

use std::fmt;

/// One piece of a pattern, in order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Token {
    Literal(String),
    Placeholder(String),
    Prefix(String),
}

/// A parsed pattern.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pattern {
    text: String,
    tokens: Vec<Token>,
}

impl Pattern {
    /// Parses `sessions:<pid>`. `braces` says whether a hash tag may stand in it.
    pub fn parse(text: &str, braces: bool) -> Result<Self, String> {
        let mut tokens = Vec::new();
        let mut rest = text;
        while !rest.is_empty() {
            let (token, after) = next_token(rest)?;
            tokens.push(token);
            rest = after;
        }
        let pattern = Self { text: text.to_owned(), tokens };
        pattern.check(braces)?;
        Ok(pattern)
    }

    pub fn tokens(&self) -> &[Token] {
        &self.tokens
    }

    pub fn placeholders(&self) -> impl Iterator<Item = &str> {
        self.tokens.iter().filter_map(|token| match token {
            Token::Placeholder(name) => Some(name.as_str()),
            _ => None,
        })
    }

    pub fn prefix(&self) -> Option<&str> {
        self.tokens.iter().find_map(|token| match token {
            Token::Prefix(name) => Some(name.as_str()),
            _ => None,
        })
    }

    /// What stands between the braces: all keys whose tag reads the same share a cluster slot.
    pub fn tag(&self) -> Option<&str> {
        let (_, after) = self.text.split_once('{')?;
        after.split_once('}').map(|(tag, _)| tag)
    }

    /// The pattern with its prefix filled in, as people see it.
    pub fn with_prefix(&self, value: &str) -> Self {
        let fill = |token: &Token| match token {
            Token::Prefix(_) => Token::Literal(value.to_owned()),
            other => other.clone(),
        };
        let tokens: Vec<Token> = self.tokens.iter().map(fill).collect();
        Self { text: tokens.iter().map(ToString::to_string).collect(), tokens }
    }

    fn check(&self, braces: bool) -> Result<(), String> {
        let opening = self.text.matches('{').count();
        if opening != self.text.matches('}').count() || opening > usize::from(braces) {
            return Err("a pattern has braces only in `tagged`, and there one pair: the hash tag".into());
        }
        let names: Vec<&str> = self.placeholders().collect();
        let twice = names.iter().enumerate().find(|(at, name)| names[..*at].contains(name));
        if let Some((_, name)) = twice {
            return Err(format!("<{name}> stands twice in the pattern"));
        }
        let adjacent = |pair: &[Token]| !pair.iter().any(|token| matches!(token, Token::Literal(_)));
        if self.tokens.windows(2).any(adjacent) {
            return Err("two placeholders touch, so that a key could be read in two ways".into());
        }
        let ends = self.text.starts_with(':') || self.text.ends_with(':') || self.text.contains("::");
        if ends || self.text.is_empty() { Err("a part of the pattern is empty".into()) } else { Ok(()) }
    }
}

fn next_token(rest: &str) -> Result<(Token, &str), String> {
    let Some(after) = rest.strip_prefix('<') else {
        let end = rest.find('<').unwrap_or(rest.len());
        return Ok((Token::Literal(rest[..end].to_owned()), &rest[end..]));
    };
    let (name, after) = after.split_once('>').ok_or("a placeholder is not closed with >")?;
    let (is_prefix, name) = name.strip_prefix("prefix:").map_or((false, name), |name| (true, name));
    if name.is_empty() || !name.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_') {
        return Err(format!("<{name}> is not a placeholder name: use lower-case letters, digits and _"));
    }
    let name = name.to_owned();
    Ok((if is_prefix { Token::Prefix(name) } else { Token::Placeholder(name) }, after))
}

impl fmt::Display for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Literal(text) => f.write_str(text),
            Self::Placeholder(name) => write!(f, "<{name}>"),
            Self::Prefix(name) => write!(f, "<prefix:{name}>"),
        }
    }
}

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_knows_its_placeholders_and_its_tag() {
        let pattern = Pattern::parse("ade:{task:<task_id>}:state", true).unwrap();
        assert_eq!(pattern.placeholders().collect::<Vec<_>>(), ["task_id"]);
        assert_eq!(pattern.tag(), Some("task:<task_id>"));
        let prefixed = Pattern::parse("<prefix:status>:history:<task_id>", false).unwrap();
        assert_eq!(prefixed.with_prefix("relayna").to_string(), "relayna:history:<task_id>");
    }

    #[test]
    fn ambiguous_or_broken_patterns_are_refused() {
        for (text, braces) in [
            ("", false),
            ("a:", false),
            (":a", false),
            ("a::b", false),
            ("a:<b", false),
            ("a:<B>", false),
            ("a:<b><c>", false),
            ("a:<b>:<b>", false),
            ("a:{b}", false),
            ("a:{b}:{c}", true),
            ("a:{b", true),
        ] {
            assert!(Pattern::parse(text, braces).is_err(), "{text}");
        }
    }
}
