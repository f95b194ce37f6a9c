//! The engine's configuration file, its password and its socket.
//!
//! The password is in two files of mode 0600 and nowhere else: not in the arguments, which every user of the machine
//! can read, and not in a log. The file is written anew at every start, so it always says what this version means.

use std::fs;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use crate::layout::Layout;
use crate::{Error, Result, Url, files};

/// A socket's path has room for 104 to 108 bytes, by system, with the final zero.
const SOCKET_PATH_LIMIT: usize = 100;

/// Without `Debug`, because of the password.
#[derive(Clone)]
pub(crate) struct Config {
    pub(crate) file: PathBuf,
    pub(crate) socket: PathBuf,
    pub(crate) port: Option<u16>,
    pub(crate) password: String,
    fsync: Fsync,
}

/// When a write reaches the disk. The crash of the machine is one matter, `kill -9` of the engine another: the server
/// writes to its file before it answers, except while a sync is under way, when it holds writes back for up to two
/// seconds. On a disk that syncs in a millisecond nothing is lost by `kill -9`; on one that takes half a second, a
/// kill at that moment loses what was acknowledged since the sync began.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Fsync {
    /// Once a second. Losing power costs the last second or two.
    #[default]
    EverySecond,
    /// Before each answer. Nothing acknowledged is ever lost; writes take as long as the disk does.
    Always,
}

impl Config {
    pub(crate) fn write(layout: &Layout, port: Option<u16>, fsync: Fsync) -> Result<Self> {
        let socket = socket_path(layout)?;
        let password = password(layout)?;
        let config = Self { file: layout.conf(), socket, port, password, fsync };
        let failed = |source| Error::DataDir { path: layout.conf(), source };
        files::write(&layout.conf(), &config.lines(layout), 0o600).map_err(failed)?;
        Ok(config)
    }

    pub(crate) fn socket_url(&self) -> Url {
        Url::socket(self.socket.clone(), Some(self.password.clone()))
    }

    fn lines(&self, layout: &Layout) -> Vec<u8> {
        let text = [
            "# Written by quorate at every start; changes are lost.\n".to_owned(),
            self.listening(),
            format!("requirepass {}\n", self.password),
            format!("dir {}\nlogfile {}\n", quoted(&layout.store()), quoted(&layout.log())),
            DURABILITY.to_owned(),
            format!("appendfsync {}\n", if self.fsync == Fsync::Always { "always" } else { "everysec" }),
            PRIVACY.to_owned(),
        ];
        text.concat().into_bytes()
    }

    fn listening(&self) -> String {
        let socket = format!("unixsocket {}\nunixsocketperm 700\n", quoted(&self.socket));
        // Loopback only: other machines reach Quorate through its own interfaces, which know who they are.
        socket + &format!("port {}\nbind 127.0.0.1\n", self.port.unwrap_or(0))
    }
}

/// Coordination data must not be evicted: at the memory limit a writer is refused instead. A tail that a crash cut off
/// is repaired, and the supervisor reports it.
const DURABILITY: &str = "\
appendonly yes
aof-load-truncated yes
save \"\"
maxmemory-policy noeviction
shutdown-timeout 3
";

const PRIVACY: &str = "\
daemonize no
protected-mode yes
enable-debug-command no
enable-module-command no
always-show-logo no
";

/// The password of this data directory, made once. A file that does not hold one (empty after a full disk, say) is
/// replaced: clients read it anew at each start, so nothing depends on the old one.
fn password(layout: &Layout) -> Result<String> {
    if let Some(password) = stored_password(layout) {
        return Ok(password);
    }
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes)
        .map_err(|e| Error::System { what: "random bytes", source: io::Error::other(e.to_string()) })?;
    let password = hex::encode(bytes);
    let failed = |source| Error::DataDir { path: layout.password(), source };
    files::write(&layout.password(), password.as_bytes(), 0o600).map_err(failed)?;
    Ok(password)
}

pub(crate) fn stored_password(layout: &Layout) -> Option<String> {
    let text = fs::read_to_string(layout.password()).ok()?;
    let text = text.trim();
    (text.len() == 64 && text.bytes().all(|b| b.is_ascii_hexdigit())).then(|| text.to_owned())
}

/// Beside the data, or in a private temporary directory when the data directory is too deep for a socket.
fn socket_path(layout: &Layout) -> Result<PathBuf> {
    let beside = layout.socket();
    if beside.as_os_str().len() <= SOCKET_PATH_LIMIT {
        return Ok(beside);
    }
    let hash = hex::encode(Sha256::digest(layout.root().as_os_str().as_bytes()));
    Ok(files::private_temp_dir(&hash[..12])?.join("engine.sock"))
}

/// A path as the server's configuration parser reads it: any byte is possible in a path.
fn quoted(path: &Path) -> String {
    let mut text = String::from("\"");
    for &byte in path.as_os_str().as_bytes() {
        match byte {
            b'"' | b'\\' => text.extend(['\\', byte as char]),
            b' '..=b'~' => text.push(byte as char),
            _ => text.push_str(&format!("\\x{byte:02x}")),
        }
    }
    text + "\""
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_cannot_add_a_line_to_the_configuration() {
        assert_eq!(quoted(Path::new("/a b/\"c\"\nport 1")), r#""/a b/\"c\"\x0aport 1""#);
    }

    #[test]
    fn the_password_is_made_once_and_a_broken_one_is_replaced() {
        let dir = tempfile::tempdir().unwrap();
        let layout = Layout::create(dir.path()).unwrap();
        let first = password(&layout).unwrap();
        assert_eq!(password(&layout).unwrap(), first);
        fs::write(layout.password(), "").unwrap();
        let second = password(&layout).unwrap();
        assert!(second.len() == 64 && second != first);
    }

    #[test]
    fn a_deep_directory_gets_a_short_socket() {
        let dir = tempfile::tempdir().unwrap();
        let layout = Layout::create(&dir.path().join("deep/".repeat(30))).unwrap();
        let socket = socket_path(&layout).unwrap();
        fs::remove_dir(socket.parent().unwrap()).unwrap();
        assert!(socket.as_os_str().len() <= SOCKET_PATH_LIMIT, "{}", socket.display());
    }
}
