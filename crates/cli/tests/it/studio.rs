//! The command lines that the Studio says beside its actions can be typed: their verbs and flags are the binary's own, and nothing
//! that a verb asks for is missing.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::support::run;

/// A line of the Studio: its verb, such as `dead replay`, and the flags after it.
type Line = (String, Vec<String>);

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("the Studio's folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|end| end == "tsx") {
            found.push(path);
        }
    }
}

/// What stands in the brackets that `text` begins in.
fn bracketed(text: &str) -> &str {
    let mut depth = 1;
    for (at, letter) in text.char_indices() {
        depth += match letter {
            '(' | '{' | '[' => 1,
            ')' | '}' | ']' => -1,
            _ => 0,
        };
        if depth == 0 {
            return &text[..at];
        }
    }
    text
}

/// The names in `name: value, other`, whatever stands in the values.
fn names(object: &str) -> Vec<String> {
    let (mut depth, mut parts) = (0, vec![String::new()]);
    for letter in object.chars() {
        depth += i32::from("({[".contains(letter)) - i32::from(")}]".contains(letter));
        match letter {
            ',' if depth == 0 => parts.push(String::new()),
            _ => parts.last_mut().expect("a part").push(letter),
        }
    }
    let name =
        |part: &String| part.split(':').next().unwrap_or_default().trim().trim_matches('\'').to_owned();
    parts.iter().map(name).filter(|name| !name.is_empty()).collect()
}

/// `line('dead replay', id, { cluster, canary: x })`.
fn built(text: &str) -> impl Iterator<Item = Line> {
    text.split("line('").skip(1).map(|rest| {
        let call = bracketed(rest);
        let verb = call.split('\'').next().unwrap_or_default().to_owned();
        let flags = call.split_once("{ ").map(|(_, object)| names(bracketed(object))).unwrap_or_default();
        (verb, flags)
    })
}

/// `cli="quorate dead ls --clusters"`, where what comes after a bare `--` is somebody else's.
fn written(text: &str) -> impl Iterator<Item = Line> {
    text.split("cli=\"").skip(1).filter_map(|rest| {
        let (_, line) = rest.split('"').next()?.split_once("quorate ")?;
        let words: Vec<&str> = line.split_whitespace().take_while(|word| *word != "--").collect();
        let flags = words.iter().filter_map(|word| word.strip_prefix("--")).map(str::to_owned).collect();
        Some((words[..2].join(" "), flags))
    })
}

/// The flags without which the verb does nothing, as its usage says them: those outside of any bracket.
fn needed(usage: &str) -> Vec<String> {
    let words = usage.split_whitespace().filter_map(|word| word.strip_prefix("--"));
    words.filter(|word| !word.is_empty() && !word.contains([']', '['])).map(str::to_owned).collect()
}

fn wrong(verb: &str, flags: &[String], with_sign: &str) -> Option<String> {
    let help = run(&[&verb.split(' ').collect::<Vec<_>>()[..], &["--help"]].concat());
    let usage = help.out.lines().find(|line| line.starts_with("Usage:")).unwrap_or_default();
    if help.code != 0 || !usage.contains(verb) {
        return Some(format!("there is no `quorate {verb}`"));
    }
    let known = |flag: &String| {
        let words: Vec<&str> = help.out.split_whitespace().collect();
        words.iter().any(|word| {
            word.trim_end_matches(',') == format!("--{flag}") || word.starts_with(&format!("--{flag}["))
        })
    };
    if let Some(flag) = flags.iter().find(|flag| !known(flag)) {
        return Some(format!("`quorate {verb}` has no --{flag}"));
    }
    if let Some(flag) = needed(usage).iter().find(|flag| !flags.contains(flag)) {
        return Some(format!("`quorate {verb}` needs --{flag}"));
    }
    let alone = |flag: &&String| {
        help.out.contains(&format!("--{flag}[=")) && !with_sign.contains(&format!("'{flag}'"))
    };
    flags.iter().find(alone).map(|flag| format!("`quorate {verb} --{flag}` takes a value only after `=`"))
}

#[test]
fn every_command_line_of_the_studio_can_be_typed() {
    let studio = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../studio/src");
    let mut files = Vec::new();
    sources(&studio, &mut files);
    let mut lines: BTreeMap<Line, PathBuf> = BTreeMap::new();
    for file in files {
        let text = fs::read_to_string(&file).expect("a text");
        lines.extend(built(&text).chain(written(&text)).map(|line| (line, file.clone())));
    }
    assert!(lines.len() > 30, "the lines are found: {lines:?}");
    let cli = fs::read_to_string(studio.join("parts/cli.ts")).expect("how a line is built");
    let with_sign = cli.lines().find(|line| line.starts_with("const EQUALS")).unwrap_or_default();
    let all = lines.iter().filter_map(|((verb, flags), file)| {
        wrong(verb, flags, with_sign).map(|why| format!("{}: {why}", file.display()))
    });
    assert_eq!(all.collect::<Vec<_>>(), Vec::<String>::new());
}
