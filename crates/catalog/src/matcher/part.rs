//! One part of a pattern between two `:`.

use memchr::memmem;

use super::Values;
use crate::pattern::{Pattern, Token};
use crate::rule::Rule;

/// Literal text, then names each with the literal text that follows it: `logs.<service>.<level>`, `<id>}`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Part {
    before: Box<[u8]>,
    names: Vec<(Rule, Box<[u8]>)>,
}

impl Part {
    pub(super) fn literal(&self) -> Option<&[u8]> {
        self.names.is_empty().then_some(&*self.before)
    }

    pub(super) fn is_wide(&self) -> bool {
        self.names.iter().any(|(rule, _)| rule.grammar.may_contain_separator())
    }

    pub(super) fn matches<'k>(&self, segment: &'k [u8], values: &mut Values<'k>) -> bool {
        let Some(mut rest) = segment.strip_prefix(&*self.before) else { return false };
        let Some(((rule, after), others)) = self.names.split_first() else { return rest.is_empty() };
        if others.is_empty() {
            return take(rule, rest.strip_suffix(&**after), values);
        }
        // From the right: only the first name of a part may contain the text that separates it from the next.
        let at = values.len();
        for (later, (rule, after)) in others.iter().enumerate().rev() {
            let Some(body) = rest.strip_suffix(&**after) else { return false };
            let before = &*self.names[later].1;
            let Some(cut) = memmem::rfind(body, before) else { return false };
            let value = &body[cut + before.len()..];
            if !rule.accepts(value) || values.try_insert(at, value).is_err() {
                return false;
            }
            rest = &body[..cut];
        }
        rule.accepts(rest) && values.try_insert(at, rest).is_ok()
    }
}

fn take<'k>(rule: &Rule, value: Option<&'k [u8]>, values: &mut Values<'k>) -> bool {
    value.is_some_and(|value| rule.accepts(value) && values.try_push(value).is_ok())
}

/// Cuts a pattern whose prefix is filled in at its separators.
pub(super) fn split(pattern: &Pattern, rules: &[(String, Rule)]) -> Vec<Part> {
    let mut parts = vec![Part { before: Box::default(), names: vec![] }];
    for token in pattern.tokens() {
        match token {
            Token::Placeholder(name) => {
                let rule = rules.iter().find(|(bound, _)| bound == name).expect("bound at load").1.clone();
                last(&mut parts).names.push((rule, Box::default()));
            }
            Token::Literal(text) | Token::Prefix(text) => {
                for (at, piece) in text.split(':').enumerate() {
                    if at > 0 {
                        parts.push(Part { before: Box::default(), names: vec![] });
                    }
                    append(last(&mut parts), piece);
                }
            }
        }
    }
    parts
}

fn last(parts: &mut [Part]) -> &mut Part {
    parts.last_mut().expect("a pattern has at least one part")
}

fn append(part: &mut Part, piece: &str) {
    let place = part.names.last_mut().map_or(&mut part.before, |(_, after)| after);
    *place = [&**place, piece.as_bytes()].concat().into();
}
