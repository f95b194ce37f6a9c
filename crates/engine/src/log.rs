//! The engine's own log: kept bounded, and read for what the engine can only say there.
//!
//! A server reports a repaired or damaged store and a taken port in its log and nowhere else, so this file knows the
//! wording of Redis 7.0 and Valkey 7.2 to 9.1. The tests provoke each of them on a real server.

use std::fs::{self, File};
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

/// A log that is larger than this at a start becomes `engine.log.1`: at most two of them are kept.
const LIMIT: u64 = 5 * 1024 * 1024;
/// The most that is read back of one start.
const READ_LIMIT: u64 = 64 * 1024;

#[derive(Debug)]
pub(crate) struct Log {
    path: PathBuf,
}

/// The place in the log at which a start began.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Mark(u64);

/// What the engine wrote about one start.
#[derive(Debug, Default)]
pub(crate) struct Said(String);

impl Log {
    pub(crate) fn new(path: PathBuf) -> Self {
        Self { path }
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Puts a large log aside and notes where the next start begins.
    pub(crate) fn begin(&self) -> Mark {
        if self.len() > LIMIT {
            let _ = fs::rename(&self.path, self.path.with_extension("log.1"));
        }
        Mark(self.len())
    }

    fn len(&self) -> u64 {
        fs::metadata(&self.path).map_or(0, |file| file.len())
    }

    /// The text since the mark, or its end if it is long, without the secret.
    pub(crate) fn since(&self, mark: Mark, secret: &str) -> Said {
        let from = mark.0.max(self.len().saturating_sub(READ_LIMIT));
        let mut bytes = Vec::new();
        let read = File::open(&self.path).and_then(|mut file| {
            file.seek(SeekFrom::Start(from))?;
            file.take(READ_LIMIT).read_to_end(&mut bytes)
        });
        let text = read.map(|_| String::from_utf8_lossy(&bytes).into_owned()).unwrap_or_default();
        Said(if secret.is_empty() { text } else { text.replace(secret, "[hidden]") })
    }
}

impl Said {
    /// The file that was cut and the offset at which it now ends, if the engine repaired an incomplete tail.
    pub(crate) fn repaired_tail(&self) -> Option<(String, u64)> {
        let (_, rest) = self.0.split_once("Truncating the AOF ")?;
        let (file, rest) = rest.split_once(" at offset ")?;
        let offset = rest.split_whitespace().next()?.parse().ok()?;
        Some((file.trim().to_owned(), offset))
    }

    /// The file that the engine could not read because of a damaged record.
    pub(crate) fn damaged_file(&self) -> Option<String> {
        let (_, rest) = self.0.split_once("Bad file format reading the append only file ")?;
        rest.split([':', ' ']).next().map(str::to_owned)
    }

    pub(crate) fn port_in_use(&self) -> bool {
        self.0.contains("Address already in use")
    }

    /// The last lines that tell something, as one line of text.
    pub(crate) fn summary(&self) -> String {
        let lines: Vec<&str> = self.0.lines().map(message).filter(|line| is_telling(line)).collect();
        let last = lines[lines.len().saturating_sub(3)..].join("; ");
        if last.is_empty() { "it wrote nothing to its log".to_owned() } else { last }
    }
}

/// A line without process number, role and time: `12:M 01 Jan 2026 10:00:00.000 # text`.
fn message(line: &str) -> &str {
    line.split_once(" # ").or_else(|| line.split_once(" * ")).map_or(line, |(_, text)| text).trim()
}

/// The banner and a remark about a kernel setting come with every start and explain none that failed.
fn is_telling(line: &str) -> bool {
    !line.is_empty() && !line.starts_with("WARNING Memory overcommit") && !line.contains("oO0OoO0OoO0Oo")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_large_log_is_put_aside_and_reading_starts_at_the_mark() {
        let dir = tempfile::tempdir().unwrap();
        let log = Log::new(dir.path().join("engine.log"));
        fs::write(log.path(), vec![b'x'; LIMIT as usize + 1]).unwrap();
        let mark = log.begin();
        assert!(dir.path().join("engine.log.1").exists());
        fs::write(log.path(), "1:M 01 Jan # the secret is sesame\n").unwrap();
        assert_eq!(log.since(mark, "sesame").summary(), "the secret is [hidden]");
    }
}
