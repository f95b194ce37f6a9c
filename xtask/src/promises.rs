//! `docs/GUARANTEES.md` names the test and the mutant behind each promise, and they are there.

use std::fs;
use std::path::{Path, PathBuf};

use crate::workspace::root;

/// Where the paths of the page may begin.
const FOLDERS: [&str; 3] = ["crates", "crates/plane/tests/proofs", "."];

/// Reads the page from one piece of code to the next. A name without a file is in the file that was named last.
#[derive(Default)]
struct Reader {
    file: Option<PathBuf>,
    function: String,
    in_mutants: bool,
    missing: Vec<String>,
}

impl Reader {
    fn read(&mut self, before: &str, code: &str) {
        let before = before.trim();
        let goes_on = self.in_mutants && matches!(before, "," | "and" | ", and");
        self.in_mutants = goes_on || before.ends_with("mutant") || before.ends_with("mutants");
        match code.split_once(" :: ") {
            _ if self.in_mutants => self.mutant(code),
            Some((path, function)) if path.ends_with(".rs") => {
                self.open(path);
                self.find(function.to_owned());
            }
            None if code.ends_with(".rs") => self.open(code),
            None if code.starts_with('_') => self.find(format!("{}{code}", self.function)),
            None if is_test(code) => self.find(code.to_owned()),
            _ => {}
        }
    }

    fn mutant(&mut self, name: &str) {
        if !root().join("mutants").join(format!("{name}.toml")).is_file() {
            self.missing.push(format!("the mutant {name}"));
        }
    }

    fn open(&mut self, path: &str) {
        let beside = self.file.as_deref().and_then(Path::parent).map(|folder| folder.join(path));
        let known = FOLDERS.map(|folder| root().join(folder).join(path));
        self.file = known.into_iter().chain(beside).find(|file| file.is_file());
        if self.file.is_none() {
            self.missing.push(format!("the file {path}"));
        }
    }

    fn find(&mut self, function: String) {
        let text = self.file.as_ref().and_then(|file| fs::read_to_string(file).ok()).unwrap_or_default();
        let name = format!("fn {function}");
        let ends = |after: Option<char>| !after.is_some_and(|next| next.is_alphanumeric() || next == '_');
        if !text.match_indices(&name).any(|(at, _)| ends(text[at + name.len()..].chars().next())) {
            self.missing.push(format!("{function} in {:?}", self.file));
        }
        self.function = function;
    }
}

/// The name of a test says what holds, so it is long; other words in code are not.
fn is_test(code: &str) -> bool {
    let letters = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_';
    code.bytes().all(letters) && code.matches('_').count() >= 3
}

fn missing(page: &str) -> Vec<String> {
    let pieces: Vec<&str> = page.split('`').collect();
    let mut reader = Reader::default();
    for pair in pieces.chunks_exact(2) {
        reader.read(pair[0], pair[1]);
    }
    reader.missing
}

#[test]
fn every_test_and_every_mutant_that_a_guarantee_names_is_there() {
    let page = fs::read_to_string(root().join("docs/GUARANTEES.md")).expect("the page");
    assert_eq!(missing(&page), Vec::<String>::new());
}

#[test]
fn what_is_not_there_is_named() {
    let page = "- `xtask/src/promises.rs :: what_is_not_there_is_named`, `what_is_really_not_there`; mutants `catalog-overlap`,\n  `no-such`";
    let found = missing(page);
    assert_eq!(found.len(), 2, "{found:?}");
    assert!(
        found[0].starts_with("what_is_really_not_there in") && found[1] == "the mutant no-such",
        "{found:?}"
    );
}
