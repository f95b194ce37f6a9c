//! What the tests share: servers, stores on them, and a directory for files.

use std::path::PathBuf;

use quorate_audit::deployment::Deployment;
use quorate_audit::restore::Restore;
use quorate_backup::{Options, Restored, Result, Taken};
use quorate_catalog::{Keys, Layout, Namespace, Prefixes};
use quorate_engine::{Binary, Node, NodeOptions};
use quorate_store::invariant::{Invariant, Scope};
use quorate_store::{FromRedisValue, Store, Target, cmd};
use tempfile::TempDir;

/// The server that this build carries (or QUORATE_ENGINE_BIN).
pub(crate) fn valkey() -> Binary {
    Binary::choose().expect("the tests need an engine")
}

/// The oldest Redis that Quorate supports, as distributions have it.
pub(crate) fn redis() -> Binary {
    let path =
        std::env::var_os("QUORATE_TEST_REDIS").map_or_else(|| "/usr/bin/redis-server".into(), PathBuf::from);
    assert!(path.exists(), "{} is missing: install redis-server or set QUORATE_TEST_REDIS", path.display());
    Binary::Named(path)
}

/// A server and a store on it.
pub(crate) struct Bench {
    pub(crate) scope: Scope,
    pub(crate) node: Node,
}

pub(crate) async fn bench(binary: &Binary) -> Bench {
    let node = Node::start(NodeOptions::new(binary).unwrap().password("sesame")).unwrap();
    Bench { scope: scope(&node.url().reveal(), Layout::Plain).await, node }
}

pub(crate) async fn scope(url: &str, layout: Layout) -> Scope {
    let store = Store::connect(Target::parse(url).unwrap(), quorate_store::Options::default()).await.unwrap();
    Scope { store, keys: Keys::new(Namespace::default(), layout, Prefixes::default()) }
}

/// A directory with room for one backup.
pub(crate) struct Shelf(TempDir);

impl Shelf {
    pub(crate) fn new() -> Self {
        Self(TempDir::new().unwrap())
    }

    pub(crate) fn file(&self) -> PathBuf {
        self.0.path().join("store.qbak")
    }

    pub(crate) async fn backup(&self, scope: &Scope) -> Result<Taken> {
        quorate_backup::backup(scope, &self.file(), &Options::default(), &|_, _, _| {}).await
    }

    pub(crate) async fn restore(&self, scope: &Scope) -> Result<Restored> {
        quorate_backup::restore(scope, &self.file(), &Options::default(), &|_, _, _| {}).await
    }

    pub(crate) async fn replace(&self, scope: &Scope) -> Result<Restored> {
        quorate_backup::restore(scope, &self.file(), &Options::replace(true), &|_, _, _| {}).await
    }
}

/// Sends one command given as words.
pub(crate) async fn ask<T: FromRedisValue>(scope: &Scope, words: &[&[u8]]) -> T {
    let mut command = cmd(std::str::from_utf8(words[0]).unwrap());
    for word in &words[1..] {
        command.arg(*word);
    }
    scope.store.query(&command).await.unwrap_or_else(|error| panic!("{error}"))
}

/// The same, from a line of plain words.
pub(crate) async fn say<T: FromRedisValue>(scope: &Scope, line: &str) -> T {
    let words: Vec<&[u8]> = line.split(' ').map(str::as_bytes).collect();
    ask(scope, &words).await
}

pub(crate) async fn keys(scope: &Scope) -> u64 {
    scope.store.each_master::<u64>(&cmd("DBSIZE")).await.unwrap().iter().sum()
}

/// The codes that fsck finds.
pub(crate) async fn fsck(scope: &Scope) -> Vec<&'static str> {
    let invariants: [&dyn Invariant; 2] = [&Deployment, &Restore];
    let report = quorate_audit::run(scope, &invariants, false, &|_, _| {}).await.unwrap();
    report.findings.iter().map(|finding| finding.code).collect()
}
