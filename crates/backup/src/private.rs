//! A server of our own that has loaded a copy: the proof that it can be read, and the way to its keys.
//!
//! It listens on loopback with a password nobody knows, saves nothing, and ends with this value.

use std::path::Path;

use quorate_engine::{Binary, Node, NodeOptions};
use quorate_store::{Options, Store, Target};

use crate::side::Side;
use crate::{Error, Result};

/// More databases than anybody uses: a snapshot with a higher number than the server allows is refused by it.
const DATABASES: u32 = 4096;

pub(crate) struct Private {
    pub(crate) side: Side,
    // Last, so that the connection goes first.
    _node: Node,
}

impl Private {
    /// Loads an RDB file; `server` is where it came from, for the message if that fails.
    pub(crate) async fn load(rdb: &Path, db: i64, server: &str, binary: Option<Binary>) -> Result<Self> {
        // The server changes its directory, so a relative name would be lost.
        let rdb = std::path::absolute(rdb).map_err(|source| Error::read(rdb, source))?;
        let (folder, name) = (rdb.parent().unwrap_or(&rdb).to_owned(), file_name(&rdb));
        let started = tokio::task::spawn_blocking(move || start(&folder, &name, binary)).await;
        let node =
            started.map_err(|error| broken(server, error.to_string()))?.map_err(|error| match error {
                quorate_engine::Error::NotStarted { reason, .. } => broken(server, reason),
                other => other.into(),
            })?;
        let target = Target::parse(&format!("{}{db}", node.url().reveal()))?;
        let store = Store::connect(target, Options::default()).await?;
        Ok(Self { side: Side::new(&store, Vec::new()).await?, _node: node })
    }

    /// Keys in all databases.
    pub(crate) async fn all_keys(&self) -> Result<u64> {
        let info = self.side.store.info("keyspace").await?;
        let counts = info
            .iter()
            .filter_map(|(_, line)| line.strip_prefix("keys=")?.split(',').next()?.parse::<u64>().ok());
        Ok(counts.sum())
    }

    /// The same engine with keys that are no part of the copy.
    pub(crate) async fn without(mut self, left_out: Vec<Vec<u8>>) -> Result<Self> {
        self.side = Side::new(&self.side.store, left_out).await?;
        Ok(self)
    }
}

fn start(folder: &Path, name: &str, binary: Option<Binary>) -> quorate_engine::Result<Node> {
    let binary = binary.map_or_else(Binary::choose, Ok)?;
    let mut options = NodeOptions::new(&binary)?
        .password(password())
        .config(format!("dir \"{}\"\ndbfilename {name}\ndatabases {DATABASES}", quoted(folder)));
    // Snapshots of Redis 7.4 and newer have a number that Valkey does not know, and mostly nothing else that is new.
    if binary == Binary::Carried {
        options = options.config("rdb-version-check relaxed");
    }
    Node::start(options)
}

fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

fn quoted(folder: &Path) -> String {
    folder.to_string_lossy().replace('\\', "\\\\").replace('"', "\\\"")
}

fn password() -> String {
    let mut bytes = [0_u8; 32];
    getrandom::fill(&mut bytes).expect("the system has a source of randomness");
    hex::encode(bytes)
}

fn broken(server: &str, reason: String) -> Error {
    Error::Incompatible { server: server.to_owned(), reason }
}
