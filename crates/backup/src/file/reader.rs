//! Reading a file: the head says whether it can be used, and every byte is checked before any of it is believed.

use std::fs::File;
use std::io::{BufReader, Read, Write};
use std::path::{Path, PathBuf};

use super::draft::Meter;
use super::{FORMAT, MAGIC, Manifest, SEAL_LENGTH, seal};
use crate::{Error, Phase, Progress, Result};

/// More than a manifest can be; a longer second line is no manifest.
const LONGEST_LINE: u64 = 16 * 1024 * 1024;
const CHUNK: usize = 256 * 1024;

/// A file whose head was read and found sound.
pub(crate) struct Opened {
    path: PathBuf,
    file: BufReader<File>,
    head: Vec<u8>,
    pub(crate) manifest: Manifest,
}

/// Reads the head and compares the length of the file with it.
pub(crate) fn open(path: &Path) -> Result<Opened> {
    let failed = |source| Error::read(path, source);
    let file = File::open(path).map_err(failed)?;
    let length = file.metadata().map_err(failed)?.len();
    let mut file = BufReader::with_capacity(CHUNK, file);
    let mut head = Vec::new();
    (&mut file).take(SEAL_LENGTH as u64).read_to_end(&mut head).map_err(failed)?;
    check_magic(path, &head)?;
    let line = read_line(path, &mut file)?;
    if seal(&line).as_bytes() != head {
        return Err(Error::damaged(path, "its manifest was changed"));
    }
    let manifest: Manifest =
        serde_json::from_slice(&line).map_err(|e| Error::damaged(path, e.to_string()))?;
    head.extend(line);
    let whole = head.len() as u64 + manifest.bytes();
    match length {
        length if length == whole => Ok(Opened { path: path.to_owned(), file, head, manifest }),
        length if length < whole => {
            Err(Error::damaged(path, format!("{} bytes are missing", whole - length)))
        }
        length => Err(Error::damaged(path, format!("there are {} bytes too many", length - whole))),
    }
}

fn check_magic(path: &Path, head: &[u8]) -> Result<()> {
    let none = || Error::NotABackup { path: path.to_owned() };
    let format = head.strip_prefix(MAGIC.as_bytes()).ok_or_else(none)?;
    let format = String::from_utf8_lossy(format.split(|byte| *byte == b' ').next().unwrap_or_default());
    match &*format {
        FORMAT => Ok(()),
        other if other.bytes().all(|byte| byte.is_ascii_digit()) && other.len() < 10 && !other.is_empty() => {
            Err(Error::Newer { path: path.to_owned(), format: format.into_owned() })
        }
        _ => Err(none()),
    }
}

fn read_line(path: &Path, file: &mut BufReader<File>) -> Result<Vec<u8>> {
    let mut line = Vec::new();
    let read = std::io::BufRead::read_until(&mut file.take(LONGEST_LINE), b'\n', &mut line);
    read.map_err(|source| Error::read(path, source))?;
    if line.last() == Some(&b'\n') { Ok(line) } else { Err(Error::damaged(path, "it ends in its manifest")) }
}

impl Opened {
    /// Reads the file to its end, writes each shard to a file of its own in `folder`, and gives the sha256 of all.
    pub(crate) fn unpack(self, folder: &Path, progress: Progress<'_>) -> Result<(Vec<PathBuf>, String)> {
        let place = |index| folder.join(format!("{index}.rdb"));
        let paths = (0..self.manifest.shards.len()).map(place).collect();
        Ok((paths, self.walk(|index| File::create(place(index)), folder, progress)?))
    }

    /// Reads the file to its end, and gives the sha256 of all.
    pub(crate) fn sha256(self, progress: Progress<'_>) -> Result<String> {
        self.walk(|_| Ok(std::io::sink()), Path::new(""), progress)
    }

    /// Passes each shard on, and believes it only when it matches its checksum.
    fn walk<W: Write>(
        mut self,
        mut open: impl FnMut(usize) -> std::io::Result<W>,
        folder: &Path,
        progress: Progress<'_>,
    ) -> Result<String> {
        let mut whole = Meter::default();
        whole.add(&self.head);
        let total = whole.bytes + self.manifest.bytes();
        for index in 0..self.manifest.shards.len() {
            let mut out = open(index).map_err(|source| Error::workplace(folder, source))?;
            let sha256 = self.pass(self.manifest.shards[index].bytes, |bytes| {
                whole.add(bytes);
                progress(Phase::Checking, whole.bytes, total);
                out.write_all(bytes).map_err(|source| Error::workplace(folder, source))
            })?;
            if sha256 != self.manifest.shards[index].sha256 {
                return Err(Error::damaged(&self.path, "its content does not match its checksum"));
            }
        }
        Ok(whole.sha256())
    }

    /// Hands out the next bytes in pieces, and gives their sha256.
    fn pass(&mut self, bytes: u64, mut out: impl FnMut(&[u8]) -> Result<()>) -> Result<String> {
        let mut meter = Meter::default();
        let mut buffer = vec![0; CHUNK];
        while meter.bytes < bytes {
            let most = usize::try_from(bytes - meter.bytes).unwrap_or(CHUNK).min(CHUNK);
            let read =
                self.file.read(&mut buffer[..most]).map_err(|source| Error::read(&self.path, source))?;
            if read == 0 {
                return Err(Error::damaged(&self.path, "it became shorter while it was read"));
            }
            meter.add(&buffer[..read]);
            out(&buffer[..read])?;
        }
        Ok(meter.sha256())
    }
}
