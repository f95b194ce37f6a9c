//! A copy under load is of one moment, and a writer in a target that is being restored is noticed.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use quorate_backup::{Error, Options, Phase};
use quorate_store::invariant::Scope;
use quorate_store::pipe;

use crate::support::{Shelf, bench, say, valkey};

const PAIRS: usize = 50;

/// Two keys that are always written together.
async fn write(scope: &Scope, stop: &AtomicBool) {
    for round in 0_u64.. {
        if stop.load(Ordering::Relaxed) {
            return;
        }
        let mut both = pipe();
        both.atomic();
        for pair in 0..PAIRS {
            both.cmd("SET").arg(format!("left{pair}")).arg(round).ignore();
            both.cmd("SET").arg(format!("right{pair}")).arg(round).ignore();
        }
        scope.store.pipeline::<()>(&both).await.unwrap();
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_backup_under_load_is_of_one_moment() {
    let (source, target) = (bench(&valkey()).await, bench(&valkey()).await);
    let stop = Arc::new(AtomicBool::new(false));
    let (scope, flag) = (source.scope.clone(), stop.clone());
    let writer = tokio::spawn(async move { write(&scope, &flag).await });
    let mut rounds = Vec::new();
    for _ in 0..3 {
        let shelf = Shelf::new();
        shelf.backup(&source.scope).await.unwrap();
        shelf.replace(&target.scope).await.unwrap();
        let one: u64 = say(&target.scope, "GET left0").await;
        for pair in 0..PAIRS {
            let (left, right) = (format!("GET left{pair}"), format!("GET right{pair}"));
            assert_eq!(
                (say::<u64>(&target.scope, &left).await, say::<u64>(&target.scope, &right).await),
                (one, one)
            );
        }
        rounds.push(one);
    }
    stop.store(true, Ordering::Relaxed);
    writer.await.unwrap();
    assert!(rounds.is_sorted() && rounds[0] < rounds[2], "the writer did not write: {rounds:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_target_that_somebody_else_writes_to_is_noticed_and_the_keys_are_named() {
    let (source, target, shelf) = (bench(&valkey()).await, bench(&valkey()).await, Shelf::new());
    for number in 0..20 {
        say::<()>(&source.scope, &format!("SET key{number} 1")).await;
    }
    shelf.backup(&source.scope).await.unwrap();
    let meddler = target.node.client().unwrap();
    let meddler = std::sync::Mutex::new(meddler);
    let meddle = |phase: Phase, done: u64, total: u64| {
        if phase == Phase::Restoring && done == total {
            let mut client = meddler.lock().unwrap();
            client.call(&["SET", "key7", "changed"]).unwrap();
            client.call(&["DEL", "key8"]).unwrap();
            client.call(&["SET", "foreign", "1"]).unwrap();
        }
    };
    let refusal = quorate_backup::restore(&target.scope, &shelf.file(), &Options::default(), &meddle)
        .await
        .unwrap_err();
    let Error::Differs { total: 3, mut keys } = refusal else { panic!("{refusal}") };
    keys.sort();
    assert_eq!(keys, ["foreign", "key7", "key8"]);
    assert!(say::<bool>(&target.scope, "EXISTS ~q:quorate:restore").await);
}
