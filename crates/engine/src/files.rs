//! Private files and directories: what this crate writes can be read by its owner only.
//!
//! A file appears under its name complete or not at all (written beside it, then renamed), because a reader or a
//! crash may come at any moment.

use std::fs::{self, DirBuilder, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

use crate::{Error, Result};

/// Creates the directory, and those above it, with mode 0700. One that exists is left as it is.
pub(crate) fn private_dir(path: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(0o700).create(path)
}

/// Replaces the file by these bytes in one step.
pub(crate) fn write(path: &Path, bytes: &[u8], mode: u32) -> io::Result<()> {
    let dir = path.parent().unwrap_or(Path::new("."));
    // The temporary file has mode 0600 from its creation on, so there is no moment at which others can open it.
    let mut file = tempfile::NamedTempFile::new_in(dir)?;
    file.write_all(bytes)?;
    file.as_file().set_permissions(Permissions::from_mode(mode))?;
    file.persist(path)?;
    Ok(())
}

/// A directory of this user under the temporary directory, the same at every call with this name.
///
/// The temporary directory is shared, so somebody else may have made the name first: such a directory is refused,
/// because what is put into it could be read or exchanged.
pub(crate) fn private_temp_dir(name: &str) -> Result<PathBuf> {
    let user = rustix::process::geteuid().as_raw();
    let path = std::env::temp_dir().join(format!("quorate-{user}-{name}"));
    let failed = |source| Error::DataDir { path: path.clone(), source };
    match DirBuilder::new().mode(0o700).create(&path) {
        Err(e) if e.kind() != io::ErrorKind::AlreadyExists => return Err(failed(e)),
        _ => {}
    }
    // Not `metadata`: a symbolic link must not pass as the directory that it points to.
    let found = fs::symlink_metadata(&path).map_err(failed)?;
    if found.is_dir() && found.uid() == user && found.mode() & 0o077 == 0 {
        return Ok(path);
    }
    Err(Error::UnsafeDir { path })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_written_file_is_private_and_whole() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("secret");
        write(&path, b"first", 0o600).unwrap();
        write(&path, b"second", 0o600).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"second");
        assert_eq!(fs::metadata(&path).unwrap().mode() & 0o777, 0o600);
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1, "a temporary file was left behind");
    }

    #[test]
    fn a_temporary_directory_open_to_others_is_refused() {
        let name = format!("test-{}", std::process::id());
        let path = private_temp_dir(&name).unwrap();
        fs::set_permissions(&path, Permissions::from_mode(0o777)).unwrap();
        let refusal = private_temp_dir(&name);
        fs::remove_dir(&path).unwrap();
        assert!(matches!(refusal, Err(Error::UnsafeDir { .. })), "{refusal:?}");
    }

    #[test]
    fn a_link_in_place_of_the_temporary_directory_is_refused() {
        let elsewhere = tempfile::tempdir().unwrap();
        let name = format!("link-{}", std::process::id());
        let path = private_temp_dir(&name).unwrap();
        fs::remove_dir(&path).unwrap();
        std::os::unix::fs::symlink(elsewhere.path(), &path).unwrap();
        let refusal = private_temp_dir(&name);
        fs::remove_file(&path).unwrap();
        assert!(matches!(refusal, Err(Error::UnsafeDir { .. })), "{refusal:?}");
    }
}
