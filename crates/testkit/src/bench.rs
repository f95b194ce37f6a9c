//! A server of the test's own, a namespace of its own, and a look at the whole keyspace when it ends.
//!
//! `check(async |bench| { … })` is the form of an integration test. When the body is done, every key it left must
//! belong to a family of the right kind and every invariant must hold: a test cannot pass and leave a mess.

use std::sync::atomic::{AtomicU32, Ordering};

use quorate_catalog::{Keys, Layout, Prefixes};
use quorate_engine::{Binary, Node, NodeOptions};
use quorate_store::invariant::{Invariant, Scope};
use quorate_store::{Options, Store, Target};

static COUNT: AtomicU32 = AtomicU32::new(0);

/// A server with a store on it.
#[derive(Debug)]
pub struct Bench {
    pub node: Node,
    pub scope: Scope,
}

/// The server the tests run on: the carried one, or the one `QUORATE_TEST_ENGINE` names.
pub fn binary() -> Binary {
    match std::env::var_os("QUORATE_TEST_ENGINE") {
        Some(path) => Binary::Named(path.into()),
        None => Binary::Carried,
    }
}

impl Bench {
    /// A server with a namespace that no other test has.
    pub async fn start() -> Self {
        let name = format!("test-{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        Self::with_namespace(&name).await
    }

    /// A server on which keys have the seeds' own names.
    pub async fn verbatim() -> Self {
        Self::with_namespace("").await
    }

    /// The same, reached by its Unix socket, as `quorate` reaches the carried server.
    pub async fn by_socket() -> Self {
        Self::started(options().socket(), "").await
    }

    async fn with_namespace(name: &str) -> Self {
        Self::started(options(), name).await
    }

    async fn started(options: NodeOptions, name: &str) -> Self {
        let node = Node::start(options).expect("a server starts");
        let keys = Keys::new(name.parse().expect("a namespace"), Layout::Plain, Prefixes::default());
        let store = connect(&node.socket_url().unwrap_or_else(|| node.url()).reveal()).await;
        Self { node, scope: Scope { store, keys } }
    }

    /// Another connection to the same server.
    pub async fn another_store(&self) -> Store {
        connect(&self.node.url().reveal()).await
    }

    /// Runs one command as a person with redis-cli would type it.
    pub async fn cli(&self, line: &str) -> quorate_store::Value {
        let words = words(line);
        let (first, rest) = words.split_first().expect("a command");
        let mut cmd = redis::cmd(first);
        rest.iter().for_each(|word| drop(cmd.arg(word.as_str()).to_owned()));
        self.scope.store.query(&cmd).await.unwrap_or_else(|error| panic!("{line}: {error}"))
    }

    /// For how many seconds the server was ready to run and did not: on a machine that is shared, a command that was interrupted
    /// is slow too. Nothing where the system does not tell.
    pub async fn waited_for_a_processor(&self) -> f64 {
        let server = self.scope.store.info("server").await.expect("INFO server");
        let pid = server.get("process_id").unwrap_or("self");
        let scheduled = std::fs::read_to_string(format!("/proc/{pid}/schedstat")).unwrap_or_default();
        scheduled.split(' ').nth(1).and_then(|text| text.parse::<f64>().ok()).unwrap_or_default() / 1e9
    }

    /// Everything that is wrong with the keyspace now, and every key that no family knows.
    pub async fn mess(&self, invariants: &[&dyn Invariant]) -> Vec<String> {
        let report = quorate_audit::run(&self.scope, invariants, false, &|_, _| {}).await.expect("fsck runs");
        let unknown = report.information.iter().filter(|finding| finding.family.is_none());
        report
            .findings
            .iter()
            .chain(unknown)
            .map(|found| format!("{} {} {}", found.code, found.key, found.message))
            .collect()
    }
}

/// Runs a test on a bench of its own and then looks at what it left behind.
pub async fn check(invariants: &[&dyn Invariant], test: impl AsyncFnOnce(&Bench)) {
    check_on(Bench::start().await, invariants, test).await;
}

/// The same with the seeds' own key names.
pub async fn check_verbatim(invariants: &[&dyn Invariant], test: impl AsyncFnOnce(&Bench)) {
    check_on(Bench::verbatim().await, invariants, test).await;
}

async fn check_on(bench: Bench, invariants: &[&dyn Invariant], test: impl AsyncFnOnce(&Bench)) {
    test(&bench).await;
    let mess = bench.mess(invariants).await;
    assert!(mess.is_empty(), "the test left a mess:\n  {}", mess.join("\n  "));
}

fn options() -> NodeOptions {
    NodeOptions::new(&binary()).expect("the engine unpacks").appendonly()
}

async fn connect(url: &str) -> Store {
    let target = Target::parse(url).expect("the node's own URL");
    Store::connect(target, Options::default()).await.expect("the node answers")
}

/// Splits a command line at spaces, with single and double quotes as redis-cli reads them.
fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut rest = line.trim_start();
    while let Some(first) = rest.chars().next() {
        let (word, after) = match first {
            '\'' | '"' => rest[1..].split_once(first).expect("a closing quote"),
            _ => rest.split_once(' ').unwrap_or((rest, "")),
        };
        words.push(word.to_owned());
        rest = after.trim_start();
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_line_is_read_as_redis_cli_reads_it() {
        assert_eq!(words("SET a 'b c' \"d\"  e"), ["SET", "a", "b c", "d", "e"]);
    }

    #[tokio::test]
    async fn a_test_that_leaves_a_mess_is_told_so() {
        let bench = Bench::verbatim().await;
        bench.cli("SET presence:a online").await;
        assert_eq!(bench.mess(&[]).await, Vec::<String>::new(), "a key of a family is no mess");
        bench.cli("SET sessions:index wrong").await;
        bench.cli("SET nobody:knows this").await;
        let mess = bench.mess(&[]).await.join("\n");
        assert!(mess.contains("FSCK001 sessions:index") && mess.contains("FSCK004 nobody:knows"), "{mess}");
    }
}
