//! Prepares the Studio's files for the binary: what is text is compressed once, here, and not at every request.
//!
//! `studio/dist` is made by `npm run build`. Where it is missing or empty the binary is built without the Studio and `/`
//! says how to get it.

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::write::GzEncoder;

/// What is worth compressing; pictures and fonts are so already.
const TEXT: [&str; 7] = ["html", "js", "css", "svg", "json", "txt", "webmanifest"];

fn main() -> io::Result<()> {
    let variable = |name: &str| std::env::var_os(name).map(PathBuf::from).unwrap_or_default();
    let dist = variable("CARGO_MANIFEST_DIR").join("../../studio/dist");
    // Cargo takes a folder that is not there for one that always changes. Where it cannot be made, that is all that happens.
    let _ = fs::create_dir_all(&dist);
    tell("rerun-if-changed=build.rs");
    tell(&format!("rerun-if-changed={}", dist.display()));
    let carried = variable("OUT_DIR").join("studio");
    if carried.exists() {
        fs::remove_dir_all(&carried)?;
    }
    fs::create_dir_all(&carried)?;
    // A folder without its first page is half a build.
    if dist.join("index.html").exists() { carry(&dist, &carried) } else { Ok(()) }
}

fn carry(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let (path, mut place) = (entry.path(), to.join(entry.file_name()));
        if path.is_dir() {
            carry(&path, &place)?;
        } else if path.extension().is_some_and(|end| TEXT.iter().any(|text| end == *text)) {
            place.as_mut_os_string().push(".gz");
            let mut packed = GzEncoder::new(fs::File::create(place)?, Compression::best());
            packed.write_all(&fs::read(path)?)?;
            packed.finish()?;
        } else {
            fs::copy(path, place)?;
        }
    }
    Ok(())
}

fn tell(line: &str) {
    println!("cargo::{line}");
}
