//! A log of effects outside the store.
//!
//! Workers append a line when they have done something for real; a test reads it afterwards and compares with what
//! the store promised. A line is one `write` on a file opened for appending, so lines of killed and competing
//! processes never mix, and a worker that is killed has either written its line or not.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

/// The writing side; every process opens its own.
#[derive(Debug)]
pub struct EffectLog {
    file: File,
    path: PathBuf,
}

impl EffectLog {
    /// Opens the log, making it if need be.
    pub fn open(path: impl AsRef<Path>) -> std::io::Result<Self> {
        let path = path.as_ref().to_owned();
        let file = OpenOptions::new().create(true).append(true).open(&path)?;
        Ok(Self { file, path })
    }

    /// Where it is, for another process.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Records that `who` has done `effect`. Neither may contain a tab or a line break; they are replaced by blanks.
    pub fn record(&self, effect: &str, who: &str) -> std::io::Result<()> {
        let plain = |text: &str| text.replace(['\t', '\n', '\r'], " ");
        (&self.file).write_all(format!("{}\t{}\n", plain(effect), plain(who)).as_bytes())
    }

    /// Everything recorded so far, by all processes.
    pub fn read(&self) -> std::io::Result<Effects> {
        let mut text = String::new();
        File::open(&self.path)?.read_to_string(&mut text)?;
        Ok(Effects::parse(&text))
    }
}

/// What was done, in the order in which it was recorded.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Effects {
    /// Pairs of effect and doer.
    pub lines: Vec<(String, String)>,
    /// Whether the last line lacks its end, which no kill of a process explains.
    pub torn: bool,
}

impl Effects {
    fn parse(text: &str) -> Self {
        let pair =
            |line: &str| line.split_once('\t').map(|(effect, who)| (effect.to_owned(), who.to_owned()));
        Self {
            lines: text.lines().filter_map(pair).collect(),
            torn: !text.is_empty() && !text.ends_with('\n'),
        }
    }

    /// How often each effect happened.
    pub fn counts(&self) -> BTreeMap<&str, usize> {
        let mut counts = BTreeMap::new();
        for (effect, _) in &self.lines {
            *counts.entry(effect.as_str()).or_default() += 1;
        }
        counts
    }

    /// The effects that happened more than once.
    pub fn duplicates(&self) -> BTreeMap<&str, usize> {
        let mut counts = self.counts();
        counts.retain(|_, count| *count > 1);
        counts
    }

    /// Those of `expected` that never happened.
    pub fn missing<'a>(&self, expected: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
        let counts = self.counts();
        expected.into_iter().filter(|effect| !counts.contains_key(effect)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn duplicates_and_gaps_are_found() {
        let folder = tempfile::tempdir().unwrap();
        let log = EffectLog::open(folder.path().join("effects")).unwrap();
        let other = EffectLog::open(log.path()).unwrap();
        log.record("job:1", "a").unwrap();
        other.record("job:1", "b\nx").unwrap();
        log.record("job:2", "a").unwrap();
        let effects = log.read().unwrap();
        assert_eq!(effects.duplicates(), BTreeMap::from([("job:1", 2)]));
        assert_eq!(effects.missing(["job:1", "job:2", "job:3"]), ["job:3"]);
        assert_eq!(effects.lines[1], ("job:1".to_owned(), "b x".to_owned()));
    }

    #[test]
    fn lines_of_many_writers_never_mix() {
        let folder = tempfile::tempdir().unwrap();
        let log = EffectLog::open(folder.path().join("effects")).unwrap();
        let long = "x".repeat(500);
        std::thread::scope(|scope| {
            for writer in 0..8 {
                let (own, long) = (EffectLog::open(log.path()).unwrap(), &long);
                scope.spawn(move || {
                    (0..200).for_each(|n| own.record(&format!("{writer}:{n}"), long).unwrap());
                });
            }
        });
        let effects = log.read().unwrap();
        assert_eq!((effects.lines.len(), effects.counts().len(), effects.torn), (1600, 1600, false));
        assert!(effects.lines.iter().all(|(_, who)| *who == long));
    }

    #[test]
    fn a_torn_line_is_noticed() {
        let folder = tempfile::tempdir().unwrap();
        let log = EffectLog::open(folder.path().join("effects")).unwrap();
        log.record("a", "w").unwrap();
        (&log.file).write_all(b"half").unwrap();
        assert!(log.read().unwrap().torn);
    }
}
