//! From a concrete key to its family and bindings.
//!
//! A trie over the parts between `:`; literals are tried before names, and the one placeholder that may contain
//! `:` takes what is left, with its tail matched from the right. It runs over millions of keys in a scan, so it
//! borrows from the key, allocates nothing and never looks at a byte more than twice.

use arrayvec::ArrayVec;
use memchr::{memchr, memrchr};

use crate::load::Catalog;
use crate::rule::Rule;
use crate::space::Keys;

mod part;

use part::Part;

/// Most placeholders a pattern has.
const MOST_NAMES: usize = 4;

/// The values found in a key, in the order of the pattern's placeholders.
pub type Values<'k> = ArrayVec<&'k [u8], MOST_NAMES>;

/// A key that belongs to a family.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Match<'k> {
    /// Place in [`Catalog::families`].
    pub family: usize,
    /// Place in [`crate::Family::forms`].
    pub form: usize,
    pub values: Values<'k>,
}

/// All patterns of a catalog as one deployment spells them.
#[derive(Debug)]
pub struct Matcher {
    namespace: Vec<u8>,
    root: Node,
}

#[derive(Debug, Default)]
struct Node {
    literals: Vec<(Box<[u8]>, Node)>,
    names: Vec<(Part, Node)>,
    wide: Vec<Wide>,
    end: Option<Target>,
}

/// A placeholder that may contain `:`, the fixed parts that follow it, and where that ends.
#[derive(Debug)]
struct Wide {
    part: Part,
    tail: Vec<Part>,
    target: Target,
}

#[derive(Debug, Clone, Copy)]
struct Target {
    family: usize,
    form: usize,
}

impl Matcher {
    pub fn new(catalog: &Catalog, keys: &Keys) -> Self {
        let mut root = Node::default();
        for (at, family) in catalog.families.iter().enumerate() {
            for (form_at, form) in family.forms.iter().enumerate() {
                for filled in keys.spellings(catalog, family, form.pattern(keys.layout())) {
                    let target = Target { family: at, form: form_at };
                    root.insert(&part::split(&filled, &form.rules), target);
                }
            }
        }
        let namespace = keys.namespace_text().as_bytes().to_vec();
        Self { namespace, root }
    }

    /// The family a key belongs to, or `None` where it fits none.
    pub fn find<'k>(&self, key: &'k [u8]) -> Option<Match<'k>> {
        let bare = key.strip_prefix(self.namespace.as_slice())?;
        let mut values = Values::new();
        let target = self.root.walk(bare, &mut values)?;
        Some(Match { family: target.family, form: target.form, values })
    }
}

impl Node {
    fn insert(&mut self, parts: &[Part], target: Target) {
        let Some((first, rest)) = parts.split_first() else {
            self.end = Some(target);
            return;
        };
        if first.is_wide() {
            self.wide.push(Wide { part: first.clone(), tail: rest.to_vec(), target });
        } else if let Some(text) = first.literal() {
            child(&mut self.literals, |known| **known == *text, || text.into()).insert(rest, target);
        } else {
            child(&mut self.names, |known| known == first, || first.clone()).insert(rest, target);
        }
    }

    fn walk<'k>(&self, rest: &'k [u8], values: &mut Values<'k>) -> Option<Target> {
        let (segment, after) = match memchr(b':', rest) {
            Some(at) => (&rest[..at], Some(&rest[at + 1..])),
            None => (rest, None),
        };
        let depth = values.len();
        for (text, node) in &self.literals {
            if **text == *segment
                && let Some(target) = node.step(after, values)
            {
                return Some(target);
            }
        }
        for (part, node) in &self.names {
            values.truncate(depth);
            if part.matches(segment, values)
                && let Some(target) = node.step(after, values)
            {
                return Some(target);
            }
        }
        for wide in &self.wide {
            values.truncate(depth);
            if wide.matches(rest, values) {
                return Some(wide.target);
            }
        }
        values.truncate(depth);
        None
    }

    fn step<'k>(&self, after: Option<&'k [u8]>, values: &mut Values<'k>) -> Option<Target> {
        match after {
            None => self.end,
            Some(rest) => self.walk(rest, values),
        }
    }
}

fn child<K>(children: &mut Vec<(K, Node)>, same: impl Fn(&K) -> bool, key: impl FnOnce() -> K) -> &mut Node {
    let at = children.iter().position(|(known, _)| same(known)).unwrap_or_else(|| {
        children.push((key(), Node::default()));
        children.len() - 1
    });
    &mut children[at].1
}

impl Wide {
    fn matches<'k>(&self, rest: &'k [u8], values: &mut Values<'k>) -> bool {
        let mut head = rest;
        let mut tail: ArrayVec<&[u8], MOST_NAMES> = ArrayVec::new();
        for _ in &self.tail {
            let Some(at) = memrchr(b':', head) else { return false };
            if tail.try_push(&head[at + 1..]).is_err() {
                return false;
            }
            head = &head[..at];
        }
        self.part.matches(head, values)
            && self.tail.iter().zip(tail.iter().rev()).all(|(part, segment)| part.matches(segment, values))
    }
}

impl Matcher {
    /// Names the placeholders of a match, decoded where the family encodes them.
    pub fn bindings(catalog: &Catalog, found: &Match<'_>) -> Vec<(String, String)> {
        let rules: &[(String, Rule)] = &catalog.families[found.family].forms[found.form].rules;
        rules
            .iter()
            .zip(&found.values)
            .map(|((name, rule), value)| (name.clone(), shown(rule, value)))
            .collect()
    }
}

/// Matched values obey their rule, which admits only ASCII in the key.
fn shown(rule: &Rule, value: &[u8]) -> String {
    let text = String::from_utf8_lossy(value);
    match rule.grammar {
        crate::rule::Grammar::Encoded => {
            crate::rule::decode(&text).map_or_else(|| text.to_string(), |decoded| decoded.into_owned())
        }
        _ => text.into_owned(),
    }
}
