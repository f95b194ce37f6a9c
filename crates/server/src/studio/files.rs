//! The files of the app, as the build has prepared them.

use std::collections::HashMap;
use std::io::Read as _;

use flate2::read::GzDecoder;
use include_dir::{Dir, DirEntry};
use sha2::{Digest, Sha256};

pub(super) const INDEX: &str = "index.html";

/// The files by their path.
pub(super) struct Files(HashMap<&'static str, File>);

pub(super) struct File {
    path: &'static str,
    pub(super) bytes: &'static [u8],
    /// Whether the bytes are compressed.
    pub(super) packed: bool,
    pub(super) kind: &'static str,
    /// Whether its name changes with its content.
    pub(super) lasting: bool,
    /// Of the bytes.
    pub(super) print: String,
}

impl Files {
    pub(super) fn of(dir: &'static Dir<'static>) -> Self {
        let mut all = Vec::new();
        gather(dir, &mut all);
        Self::from_iter(all)
    }

    pub(super) fn get(&self, path: &str) -> Option<&File> {
        self.0.get(path)
    }

    /// The page that is the app, if it is carried.
    pub(super) fn index(&self) -> Option<&File> {
        self.get(INDEX)
    }
}

impl FromIterator<File> for Files {
    fn from_iter<T: IntoIterator<Item = File>>(files: T) -> Self {
        Self(files.into_iter().map(|file| (file.path, file)).collect())
    }
}

fn gather(dir: &'static Dir<'static>, all: &mut Vec<File>) {
    for entry in dir.entries() {
        match entry {
            DirEntry::Dir(dir) => gather(dir, all),
            DirEntry::File(file) => {
                all.extend(file.path().to_str().and_then(|path| File::new(path, file.contents())));
            }
        }
    }
}

impl File {
    /// Of a path as it is carried: `.gz` at its end says how the bytes are.
    pub(super) fn new(carried: &'static str, bytes: &'static [u8]) -> Option<Self> {
        let (path, packed) = carried.strip_suffix(".gz").map_or((carried, false), |path| (path, true));
        let kind = kind(path.rsplit('.').next()?)?;
        let print = hex::encode(&Sha256::digest(bytes)[..12]);
        Some(Self { path, bytes, packed, kind, lasting: path.starts_with("assets/"), print })
    }

    /// The bytes as they were before they were packed.
    pub(super) fn plain(&self) -> Vec<u8> {
        let mut plain = Vec::new();
        // What our own build has packed can be unpacked, and memory is all that this writes to.
        let _ = GzDecoder::new(self.bytes).read_to_end(&mut plain);
        plain
    }
}

/// What a browser is told; a file of any other kind is not handed out.
fn kind(end: &str) -> Option<&'static str> {
    Some(match end {
        "html" => "text/html; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "svg" => "image/svg+xml",
        "json" => "application/json",
        "webmanifest" => "application/manifest+json",
        "txt" => "text/plain; charset=utf-8",
        "png" => "image/png",
        "ico" => "image/x-icon",
        "woff2" => "font/woff2",
        "woff" => "font/woff",
        _ => return None,
    })
}

#[cfg(test)]
pub(super) fn packed(bytes: &[u8]) -> Vec<u8> {
    use std::io::Write as _;
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    packed.write_all(bytes).unwrap();
    packed.finish().unwrap()
}
