//! From a file to what the server gets: locals for keys and arguments, fragments, and the keys that a script reaches.
//!
//! A body may have short ways out, each before a line `-- later`. What only comes after such a line is declared there, so
//! that a short way never pays for what it does not use. All that is generated stands on one line, in the place of the
//! header or of the `-- later`, so that a line number in an error of the server is a line number of the file.

use std::collections::HashSet;

use super::Script;
use super::header::KeySpec;
use super::preamble;
use super::tokens::{Kind, Token, tokens};

/// The line of a body at which later fragments come in.
const LATER: &str = "\n-- later\n";

/// The whole text of a script.
pub(super) fn code(script: &Script) -> String {
    let header = &script.header;
    let shebang = script.source.lines().next().unwrap_or_default();
    let padding = "\n".repeat(header.lines.saturating_sub(1));
    let stages = stages(script);
    let mut code = format!("{shebang}\n");
    let said: Vec<HashSet<&str>> = stages.iter().map(|(fragments, body)| words(fragments, body)).collect();
    // Where a name first stands; one that stands nowhere is checked with the rest.
    let first = |name: &str| said.iter().position(|words| words.contains(name)).unwrap_or(0);
    for (number, (fragments, body)) in stages.iter().enumerate() {
        let locals = preamble::of(header, &|name| first(name) == number);
        let reach: Vec<_> = header.reaches.iter().zip(&script.reach).collect();
        let (fragments, body) = (spell(fragments, &reach), spell(body, &reach));
        code.push_str(&match number {
            0 => format!("{locals} {fragments}{padding}{body}"),
            _ => format!("\n{locals} {fragments}\n{body}"),
        });
    }
    code
}

/// The fragments and the piece of the body of each stage.
fn stages(script: &Script) -> Vec<(String, &str)> {
    let groups = std::iter::once(&script.header.uses).chain(&script.header.later);
    let mut fragments = script.fragments.iter();
    let flat = groups.map(|group| {
        let own: Vec<String> = fragments.by_ref().take(group.len()).map(super::Fragment::flat).collect();
        own.join(" ")
    });
    flat.zip(script.body().1.split(LATER)).collect()
}

/// How many pieces the body has.
pub(super) fn pieces(body: &str) -> usize {
    body.split(LATER).count()
}

/// The words of a stage, read once: a script has many names to look for.
fn words<'s>(fragments: &'s str, body: &'s str) -> HashSet<&'s str> {
    let both = [tokens(fragments).tokens, tokens(body).tokens].concat();
    both.into_iter().filter(|token| token.kind == Kind::Word).map(|token| token.text).collect()
}

/// `holds(agent)` becomes the key itself: what stands around the name is the same for every call of a deployment, and a
/// function would have to be made for each call. A family of one key is called with nothing: `registry()`.
fn spell(source: &str, reach: &[(&KeySpec, &(String, String))]) -> String {
    let all = tokens(source).tokens;
    let mut edits: Vec<(usize, usize, String)> = Vec::new();
    for (at, token) in all.iter().enumerate() {
        let known = reach.iter().find(|(key, _)| token.kind == Kind::Word && key.name == token.text);
        let (Some((_, (before, after))), Some(close)) = (known, closing(&all, at + 1)) else { continue };
        let (open, end) = (offset(source, &all[at + 1]) + 1, offset(source, &all[close]));
        if close == at + 2 {
            edits.push((offset(source, token), end + 1, format!("'{before}{after}'")));
            continue;
        }
        edits.push((offset(source, token), open, format!("('{before}' .. (")));
        let tail = if after.is_empty() { "))".to_owned() } else { format!(") .. '{after}')") };
        edits.push((end, end + 1, tail));
    }
    edits.sort_unstable();
    let mut spelled = String::with_capacity(source.len());
    let mut done = 0;
    for (from, to, text) in edits {
        spelled.push_str(&source[done..from]);
        spelled.push_str(&text);
        done = to;
    }
    spelled.push_str(&source[done..]);
    spelled
}

/// Where the parenthesis that opens at `open` is closed.
fn closing(all: &[Token<'_>], open: usize) -> Option<usize> {
    all.get(open).filter(|token| token.text == "(")?;
    let mut depth = 0_usize;
    all.iter().enumerate().skip(open).find_map(|(at, token)| {
        match token.text {
            "(" => depth += 1,
            ")" => depth -= 1,
            _ => {}
        }
        (depth == 0).then_some(at)
    })
}

/// A token is a piece of the source it was read from.
fn offset(source: &str, token: &Token<'_>) -> usize {
    token.text.as_ptr() as usize - source.as_ptr() as usize
}
