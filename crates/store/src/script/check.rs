//! Holding a script's header and body together. Tests run this over every script of the repository.
//!
//! Each rule is a way in which a script has gone wrong somewhere: an argument that nobody read, a key that no cluster
//! could route, a number that lost its digits, a script that filled a full server.

mod calls;
mod families;

use std::fmt;
use std::path::Path;

use super::Script;
use super::tokens::{Kind, Token, Tokens, tokens};

pub use families::{FamilyFacts, catalog_facts};

/// What Lua itself gives, and its words that may stand before a parenthesis.
const BUILT_IN: &[&str] = &[
    "and",
    "elseif",
    "error",
    "function",
    "if",
    "in",
    "ipairs",
    "loadstring",
    "next",
    "not",
    "or",
    "pairs",
    "pcall",
    "rawget",
    "return",
    "select",
    "setmetatable",
    "tonumber",
    "tostring",
    "type",
    "unpack",
    "until",
    "while",
];

/// A script longer than this does too much at once.
const MAX_LINES: usize = 120;

/// What the checks know of a family of keys; `None` if the catalog has no such family.
pub type Families<'a> = &'a dyn Fn(&str) -> Option<FamilyFacts>;

/// Something a script must not do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The script.
    pub script: String,
    /// The line of its file.
    pub line: usize,
    /// What is wrong.
    pub what: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.lua:{}: {}", self.script, self.line, self.what)
    }
}

/// Everything that is wrong with a script, in the order of its lines.
pub fn check(script: &Script, families: Families<'_>) -> Vec<Problem> {
    let (first, body) = script.body();
    let found = tokens(body);
    let mut view = View { script, first, body: &found, problems: Vec::new() };
    view.size();
    view.names();
    view.words();
    view.givers();
    view.reached();
    view.calls();
    view.families(families);
    view.problems.sort_by_key(|problem| problem.line);
    view.problems
}

/// As [`check`], for every script below a folder. A file that cannot be read as a script is a problem too; a Lua file
/// without `#!` is a fragment and is left to the scripts that use it.
pub fn check_all(folder: &Path, families: Families<'_>) -> std::io::Result<Vec<Problem>> {
    let mut problems = Vec::new();
    let mut entries: Vec<_> = std::fs::read_dir(folder)?.collect::<Result<_, _>>()?;
    entries.sort_by_key(std::fs::DirEntry::path);
    for path in entries.iter().map(std::fs::DirEntry::path) {
        if path.is_dir() {
            problems.extend(check_all(&path, families)?);
        } else if path.extension().is_some_and(|extension| extension == "lua") {
            problems.extend(check_file(&path, families)?);
        }
    }
    Ok(problems)
}

fn check_file(path: &Path, families: Families<'_>) -> std::io::Result<Vec<Problem>> {
    let source = std::fs::read_to_string(path)?;
    let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    if !source.starts_with("#!") {
        return Ok(Vec::new());
    }
    Ok(match Script::parse_with(&name, &source, &siblings(path)?) {
        Ok(script) => check(&script, families),
        Err(error) => vec![Problem { script: name, line: 1, what: error.detail().to_owned() }],
    })
}

/// The fragments that lie beside a script.
fn siblings(path: &Path) -> std::io::Result<Vec<super::Fragment>> {
    let mut own = Vec::new();
    for entry in std::fs::read_dir(path.parent().unwrap_or(path))? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "lua") {
            let source = std::fs::read_to_string(&path)?;
            if !source.starts_with("#!") {
                own.push(super::Fragment::new(
                    path.file_stem().unwrap_or_default().to_string_lossy(),
                    source,
                ));
            }
        }
    }
    Ok(own)
}

/// A script under examination.
struct View<'a> {
    script: &'a Script,
    first: usize,
    body: &'a Tokens<'a>,
    problems: Vec<Problem>,
}

impl<'a> View<'a> {
    /// `line` counts from the start of the body.
    fn problem(&mut self, line: usize, what: impl Into<String>) {
        self.problem_at(self.first + line - 1, what);
    }

    fn problem_at(&mut self, line: usize, what: impl Into<String>) {
        self.problems.push(Problem { script: self.script.name().to_owned(), line, what: what.into() });
    }

    fn word(&self, word: &str) -> Option<&'a Token<'a>> {
        self.body.tokens.iter().find(|token| token.kind == Kind::Word && token.text == word)
    }

    fn size(&mut self) {
        let lines = self.script.body().1.lines().count();
        if lines > MAX_LINES {
            self.problem_at(self.first, format!("its body has {lines} lines, and {MAX_LINES} are enough"));
        }
    }

    /// What is declared is used, and what is used is declared.
    fn names(&mut self) {
        let header = self.script.header();
        for name in header.names() {
            let in_fragment = self.script.fragments().iter().any(|own| own.says(name));
            if self.word(name).is_none() && !in_fragment {
                self.problem_at(1, format!("`{name}` is declared and never used"));
            }
        }
        for fragment in self.script.fragments() {
            let others = self.script.fragments().iter().filter(|other| other.name() != fragment.name());
            let used =
                |given: &str| self.word(given).is_some() || others.clone().any(|other| other.says(given));
            if !fragment.gives().any(used) {
                self.problem_at(1, format!("the fragment `{}` is named and never used", fragment.name()));
            }
        }
    }

    /// A family that is reached is spelled where it is called; it is no value that could be passed on.
    fn reached(&mut self) {
        let names: Vec<&str> = self.script.header().reaches.iter().map(|key| key.name.as_str()).collect();
        let fragments: Vec<Tokens<'_>> = self.script.fragments().iter().map(|own| own.tokens()).collect();
        let sources = fragments.iter().chain([self.body]);
        let passed = sources
            .flat_map(|own| own.tokens.iter().zip(own.tokens.iter().skip(1)))
            .find(|(one, next)| one.kind == Kind::Word && names.contains(&one.text) && next.text != "(");
        if let Some(name) = passed.map(|(one, _)| one.text.to_owned()) {
            self.problem_at(1, format!("`{name}` is reached, and stands somewhere without being called"));
        }
    }

    fn words(&mut self) {
        for (at, token) in self.body.tokens.iter().enumerate().filter(|(_, token)| token.kind == Kind::Word) {
            let next = |n: usize| self.body.tokens.get(at + n).map_or("", |token| token.text);
            let what = match (token.text, next(1), next(2)) {
                ("KEYS" | "ARGV", ..) => "the body counts KEYS or ARGV itself; declare a key or an argument",
                ("cjson", ".", "encode") if !self.marked(token.line, "ours") => {
                    "cjson.encode changes what callers sent; say `-- ours` if it is not theirs"
                }
                ("os", ".", _) => "`os` is the server's machine; time comes from the `now` fragment",
                ("math", ".", "random" | "randomseed") => {
                    "chance has no place in a script; take it as an argument"
                }
                ("tostring", ..) => "tostring loses the digits of a large number; use the `digits` fragment",
                ("while", "true", _) => "the loop has no bound",
                _ => continue,
            };
            self.problem(token.line, what);
        }
    }

    /// Every function that the body or a fragment calls is given by somebody: Lua would find out only when it runs.
    fn givers(&mut self) {
        let fragments: Vec<Tokens<'_>> = self.script.fragments().iter().map(|own| own.tokens()).collect();
        let all = || fragments.iter().flat_map(|own| &own.tokens).chain(&self.body.tokens);
        // Whatever stands somewhere without being called may be a variable or a parameter that holds a function.
        let everything: Vec<&Token<'_>> = all().collect();
        let is_called = |at: usize| everything.get(at + 1).is_some_and(|next| next.text == "(");
        let before = |at: usize| at.checked_sub(1).map_or("", |at| everything[at].text);
        let words = || everything.iter().enumerate().filter(|(_, token)| token.kind == Kind::Word);
        let known: Vec<&str> = words()
            .filter(|(at, _)| !is_called(*at) || before(*at) == "function")
            .map(|(_, token)| token.text)
            .chain(self.script.header().names())
            .collect();
        let mut missing: Vec<String> = words()
            .filter(|(at, token)| {
                is_called(*at) && !matches!(before(*at), "." | ":") && !BUILT_IN.contains(&token.text)
            })
            .filter(|(_, token)| !known.contains(&token.text))
            .map(|(_, token)| token.text.to_owned())
            .collect();
        missing.sort();
        missing.dedup();
        for name in missing {
            self.problem_at(1, format!("`{name}` is called, and no fragment in `use` or `later` gives it"));
        }
    }

    /// Whether the line carries the comment `-- mark…`.
    fn marked(&self, line: usize, mark: &str) -> bool {
        let says = |text: &str| text.trim_start_matches('-').trim_start().starts_with(mark);
        self.body.comments.iter().any(|(at, text)| *at == line && says(text))
    }
}
