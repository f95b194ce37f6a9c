//! Whether two families could claim one key.
//!
//! The check is exact on the shapes of the patterns: a literal meets a placeholder only where the placeholder's
//! rule accepts it, so an overlap goes away by reserving the word. Families that pass are disjoint, and the
//! matcher's answer does not depend on the order in which it looks.

use crate::load::{Catalog, Problem};
use crate::model::{Family, Form};
use crate::pattern::{Pattern, Token};
use crate::rule::{Grammar, Rule};
use crate::space::Keys;

/// All pairs of families that share a key in either layout.
pub fn find(catalog: &Catalog) -> Vec<Problem> {
    let shapes: Vec<(&Family, Vec<Vec<Piece>>)> =
        catalog.families.iter().map(|family| (family, family_shapes(catalog, family))).collect();
    let mut problems = Vec::new();
    for (at, (family, own)) in shapes.iter().enumerate() {
        for (other, theirs) in &shapes[..at] {
            if own.iter().any(|a| theirs.iter().any(|b| meet(a, b))) {
                problems.push(Problem {
                    file: family.source.file.clone(),
                    line: family.source.line,
                    message: format!(
                        "{} ({}) and {} ({}) could claim the same key; reserve a word in ids.toml",
                        family.name,
                        family.main_form().plain,
                        other.full_name(),
                        other.main_form().plain,
                    ),
                });
            }
        }
    }
    problems
}

impl Keys {
    /// Two families that share a key because of the prefixes that this deployment was given: with those of the seeds none do.
    pub fn clash(&self, catalog: &Catalog) -> Option<String> {
        let shapes: Vec<(&Family, Vec<Vec<Piece>>)> =
            catalog.families.iter().map(|family| (family, self.shapes(catalog, family))).collect();
        let both = shapes.iter().enumerate().find_map(|(at, (family, own))| {
            let meets = |theirs: &[Vec<Piece>]| own.iter().any(|a| theirs.iter().any(|b| meet(a, b)));
            shapes[..at].iter().find(|(_, theirs)| meets(theirs)).map(|(other, _)| (*other, *family))
        });
        both.map(|(one, two)| {
            let spelled =
                |family: &Family| format!("{} ({})", family.full_name(), self.pattern(catalog, family));
            format!("{} and {} could claim the same key", spelled(one), spelled(two))
        })
    }

    fn shapes(&self, catalog: &Catalog, family: &Family) -> Vec<Vec<Piece>> {
        let of = |form: &Form| {
            let spelled = self.spellings(catalog, family, form.pattern(self.layout()));
            spelled.iter().map(|pattern| pieces(pattern, form)).collect::<Vec<_>>()
        };
        family.forms.iter().flat_map(of).collect()
    }
}

/// A segment between two `:`, or the one placeholder that may contain `:`.
#[derive(Debug, Clone)]
enum Piece {
    Literal(String),
    /// A name with literal text around it: `<id>`, or `<id>}` inside a hash tag.
    Name {
        before: String,
        rule: Rule,
        after: String,
    },
    /// Several names in one segment: `logs.<service>.<level>`. Compared by its leading literal alone.
    Mixed(String),
}

fn family_shapes(catalog: &Catalog, family: &Family) -> Vec<Vec<Piece>> {
    family.forms.iter().flat_map(|form| form_shapes(catalog, family, form)).collect()
}

fn form_shapes(catalog: &Catalog, family: &Family, form: &Form) -> Vec<Vec<Piece>> {
    let mut shapes = Vec::new();
    for pattern in [&form.plain, &form.tagged] {
        for filled in with_each_prefix(catalog, family, pattern) {
            shapes.push(pieces(&filled, form));
        }
    }
    shapes
}

fn with_each_prefix(catalog: &Catalog, family: &Family, pattern: &Pattern) -> Vec<Pattern> {
    let prefix = pattern.prefix().and_then(|name| catalog.system(&family.system)?.prefixes.get(name));
    match prefix {
        None => vec![pattern.clone()],
        Some(prefix) => {
            std::iter::once(&prefix.default).chain(&prefix.also).map(|p| pattern.with_prefix(p)).collect()
        }
    }
}

fn pieces(pattern: &Pattern, form: &Form) -> Vec<Piece> {
    let mut segments: Vec<Vec<Token>> = vec![vec![]];
    for token in pattern.tokens() {
        let Token::Literal(text) = token else {
            segments.last_mut().expect("never empty").push(token.clone());
            continue;
        };
        for (at, part) in text.split(':').enumerate() {
            if at > 0 {
                segments.push(vec![]);
            }
            if !part.is_empty() {
                segments.last_mut().expect("never empty").push(Token::Literal(part.to_owned()));
            }
        }
    }
    segments.iter().map(|segment| piece(segment, form)).collect()
}

fn piece(segment: &[Token], form: &Form) -> Piece {
    let literal = |token: Option<&Token>| match token {
        Some(Token::Literal(text)) => text.clone(),
        _ => String::new(),
    };
    let names: Vec<usize> =
        (0..segment.len()).filter(|at| matches!(segment[*at], Token::Placeholder(_))).collect();
    match names[..] {
        [] => Piece::Literal(literal(segment.first())),
        [at] => {
            let Token::Placeholder(name) = &segment[at] else { unreachable!("filtered above") };
            let rule = form.rules.iter().find(|(bound, _)| bound == name).expect("bound at load").1.clone();
            let before = if at > 0 { literal(segment.first()) } else { String::new() };
            Piece::Name { before, rule, after: literal(segment.get(at + 1)) }
        }
        _ => Piece::Mixed(literal(segment.first())),
    }
}

fn is_wide(piece: &Piece) -> bool {
    matches!(piece, Piece::Name { rule, .. } if rule.grammar.may_contain_separator())
}

fn meet(a: &[Piece], b: &[Piece]) -> bool {
    match (a.iter().position(is_wide), b.iter().position(is_wide)) {
        (None, None) => a.len() == b.len() && a.iter().zip(b).all(|(x, y)| pieces_meet(x, y)),
        (Some(at), None) => wide_meets(a, at, b),
        (None, Some(at)) => wide_meets(b, at, a),
        // Two wide ones: whatever precedes the earlier of them must differ, or they are taken to meet.
        (Some(x), Some(y)) => {
            a.iter().zip(b).take(x.min(y)).all(|(x, y)| pieces_meet(x, y)) && both_wide(a, x, b, y)
        }
    }
}

/// `wide[at]` may swallow several pieces of `narrow`; everything around it must meet one to one.
fn wide_meets(wide: &[Piece], at: usize, narrow: &[Piece]) -> bool {
    let tail = wide.len() - at - 1;
    if narrow.len() < at + 1 + tail {
        return false;
    }
    let (head, rest) = narrow.split_at(at);
    let (middle, end) = rest.split_at(rest.len() - tail);
    let Piece::Name { before, rule, after } = &wide[at] else { return false };
    let swallowed = middle.iter().map(witness).collect::<Vec<_>>().join(":");
    let inner = swallowed.strip_prefix(before.as_str()).and_then(|text| text.strip_suffix(after.as_str()));
    wide[..at].iter().zip(head).all(|(x, y)| pieces_meet(x, y))
        && wide[at + 1..].iter().zip(end).all(|(x, y)| pieces_meet(x, y))
        && inner.is_some_and(|text| rule.accepts(text.as_bytes()))
}

/// Two wide placeholders meet unless one has a longer literal path that the other's rule refuses.
fn both_wide(a: &[Piece], x: usize, b: &[Piece], y: usize) -> bool {
    let (short, at, long, to) = if x <= y { (a, x, b, y) } else { (b, y, a, x) };
    let Piece::Name { rule, before, .. } = &short[at] else { return false };
    let text = long[at..to].iter().map(witness).chain([witness(&long[to])]).collect::<Vec<_>>().join(":");
    text.strip_prefix(before.as_str()).is_some_and(|inner| rule.accepts(inner.as_bytes()))
}

fn pieces_meet(a: &Piece, b: &Piece) -> bool {
    match (a, b) {
        (Piece::Literal(x), Piece::Literal(y)) => x == y,
        (Piece::Literal(text), Piece::Name { before, rule, after })
        | (Piece::Name { before, rule, after }, Piece::Literal(text)) => text
            .strip_prefix(before.as_str())
            .and_then(|inner| inner.strip_suffix(after.as_str()))
            .is_some_and(|inner| rule.accepts(inner.as_bytes())),
        (Piece::Name { before, after, .. }, Piece::Name { before: b2, after: a2, .. }) => {
            (before.starts_with(b2.as_str()) || b2.starts_with(before.as_str()))
                && (after.ends_with(a2.as_str()) || a2.ends_with(after.as_str()))
                && names_meet(a, b)
        }
        (Piece::Mixed(start), other) | (other, Piece::Mixed(start)) => {
            witness(other).starts_with(start.as_str())
        }
    }
}

fn names_meet(a: &Piece, b: &Piece) -> bool {
    let (Piece::Name { rule: x, before: b1, after: a1 }, Piece::Name { rule: y, before: b2, after: a2 }) =
        (a, b)
    else {
        return false;
    };
    if b1 != b2 || a1 != a2 {
        // A brace can only be matched by a brace: ids never contain one.
        return !(a1.contains('}') || a2.contains('}') || b1.contains('{') || b2.contains('{'));
    }
    match (x.grammar, y.grammar) {
        (Grammar::Enum, _) => x.values.iter().any(|value| y.accepts(value.as_bytes())),
        (_, Grammar::Enum) => y.values.iter().any(|value| x.accepts(value.as_bytes())),
        _ => true,
    }
}

/// A text that the piece stands for.
fn witness(piece: &Piece) -> String {
    match piece {
        Piece::Literal(text) => text.clone(),
        Piece::Mixed(start) => format!("{start}x.x"),
        Piece::Name { before, rule, after } => {
            let value = match rule.grammar {
                Grammar::Enum => rule.values.first().map_or("x", |value| value),
                Grammar::Timestamp => "2025-11-19T12:34:56Z",
                Grammar::Url => "http://x",
                _ => "x1",
            };
            format!("{before}{value}{after}")
        }
    }
}
