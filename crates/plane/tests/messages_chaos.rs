//! Messages under faults: senders and readers that are killed at any moment, and replies that are lost.

use std::collections::{BTreeMap, BTreeSet};
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::support::agent;
use quorate_catalog::ids::MessageId;
use quorate_plane::messages::{Outgoing, Place, State};
use quorate_plane::{Plane, invariants};
use quorate_testkit::chaos::{EffectLog, Proxy, Worker};
use quorate_testkit::{Bench, check};

const WORKER: &str = env!("CARGO_BIN_EXE_mail-worker");

fn worker(bench: &Bench, role: &str, name: &str, log: &EffectLog) -> Worker {
    let namespace = bench.scope.keys.namespace_text();
    let mut command = Command::new(WORKER);
    command.arg(bench.node.url().reveal()).arg(namespace.trim_end_matches(':')).arg(role).arg(name);
    command.arg(log.path()).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    Worker::spawn(&mut command).expect("the worker starts")
}

/// Five senders and three readers are killed again and again: what the store said it has is acknowledged or still there.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_is_lost_and_nothing_is_acknowledged_twice_differently() {
    let kills = if std::env::var_os("QUORATE_SOAK").is_some() { 200 } else { 24 };
    check(&invariants(), async |bench| {
        let folder = tempfile::tempdir().unwrap();
        let log = EffectLog::open(folder.path().join("effects")).unwrap();
        let role = |n: usize| if n < 5 { "send" } else { "read" };
        let mut workers: Vec<Worker> =
            (0..8).map(|n| worker(bench, role(n), &format!("w{n}"), &log)).collect();
        for kill in 0..kills {
            progress(&log).await;
            let at = kill % 8;
            workers[at].kill9().unwrap();
            workers[at] = worker(bench, role(at), &format!("w{at}k{kill}"), &log);
        }
        drop(workers);
        let lines = log.read().unwrap().lines;
        let plane = Plane::new(bench.scope.clone()).unwrap();
        let mut acked: BTreeMap<&str, &str> = BTreeMap::new();
        let mut sent: BTreeMap<&str, &str> = BTreeMap::new();
        for (effect, detail) in &lines {
            match effect.split_once(' ').unwrap() {
                ("sent", body) => assert_eq!(sent.insert(detail, body), None, "one id, two messages"),
                (_, id) => {
                    let before = acked.insert(id, detail);
                    assert!(
                        before.is_none_or(|when| when == detail),
                        "{id} was acknowledged at {before:?} and {detail}"
                    );
                }
            }
        }
        let waiting: BTreeSet<String> = waiting(&plane).await;
        assert!(
            waiting.iter().all(|id| !acked.contains_key(id.as_str())),
            "an acknowledged message is still there"
        );
        for (id, body) in &sent {
            if !waiting.contains(*id) {
                let place = Place::One(MessageId::parse(id).unwrap());
                let found = plane.messages().history(&place, 1).await.unwrap();
                let one = found.first().unwrap_or_else(|| panic!("{body} is lost"));
                assert_eq!((one.body.as_str(), one.state), (*body, State::Acknowledged), "{id}");
            }
        }
        assert!(sent.len() > 500 && acked.len() > 200, "{} sent, {} acknowledged", sent.len(), acked.len());
    })
    .await;
}

/// Waits until the processes have got somewhere: one that is killed before it began proves nothing.
async fn progress(log: &EffectLog) {
    let lines = || log.read().unwrap().lines.len();
    let before = lines();
    for _ in 0..40 {
        tokio::time::sleep(Duration::from_millis(50)).await;
        if lines() > before + 60 {
            return;
        }
    }
}

async fn waiting(plane: &Plane) -> BTreeSet<String> {
    let inbox = plane.keys().reverie().inbox(&agent("box"));
    let mut range = quorate_store::cmd("LRANGE");
    let elements: Vec<String> = plane.store().query(range.arg(inbox.as_str()).arg(0).arg(-1)).await.unwrap();
    let id = |element: &String| {
        serde_json::from_str::<serde_json::Value>(element).unwrap()["id"].as_str().unwrap().to_owned()
    };
    let ids: BTreeSet<String> = elements.iter().map(id).collect();
    assert_eq!(ids.len(), elements.len(), "a message stands twice in the inbox");
    ids
}

/// A send whose reply was lost is asked for again and is one message.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_lost_reply_is_one_message() {
    check(&invariants(), async |bench| {
        let proxy = Proxy::start(format!("127.0.0.1:{}", bench.node.port()).parse().unwrap()).await.unwrap();
        let target = quorate_store::Target::parse(&format!("redis://{}", proxy.address())).unwrap();
        let store = quorate_store::Store::connect(target, quorate_store::Options::default()).await.unwrap();
        let keys = bench.scope.keys.clone();
        let plane = Plane::new(quorate_store::invariant::Scope { store, keys }).unwrap();
        let out = Outgoing::new(agent("a"), "text");
        plane.messages().send(&agent("b"), &out).await.unwrap().unwrap();
        proxy.drop_reply_after_forward(1, "EVALSHA");
        plane.messages().send(&agent("b"), &out).await.unwrap().unwrap();
        assert_eq!(proxy.still_to_drop(), 0);
        let inbox = plane.messages().inbox(&agent("b"), 10, false).await.unwrap().unwrap();
        assert_eq!(inbox.messages.len(), 2);
    })
    .await;
}
