//! D1 for services: a key of another type than it should be, anywhere: a refusal, and nothing half applied; then it converges.

use quorate_catalog::Key;
use quorate_catalog::ids::{ServiceTurn, TaskStore};
use quorate_plane::invariants;
use quorate_plane::services::Took;
use quorate_store::cmd;
use quorate_testkit::{Bench, check};

use super::support::{code, dump, event, id, ingest, plane, pushed, register, task, wanted};

async fn poison(bench: &Bench, key: &Key) {
    let mut poison = cmd("GEOADD");
    poison.arg(key.as_str()).arg(1).arg(1).arg("poison");
    let mut other = cmd("HSET");
    other.arg(key.as_str()).arg("poison").arg(1);
    let kind =
        if key.as_str().contains("turns") || key.as_str().contains("leaving") { &other } else { &poison };
    bench.scope.store.query::<u64>(kind).await.unwrap();
}

async fn heal(bench: &Bench, key: &Key) {
    bench.scope.store.query::<u64>(cmd("DEL").arg(key.as_str())).await.unwrap();
}

#[tokio::test]
async fn an_event_with_a_wrong_typed_key_anywhere_is_refused_whole_and_taken_later() {
    check(&invariants(), async |bench| {
        let (plane, seed) = (plane(bench), bench.scope.keys.relayna());
        register(&plane, "pay", "http://example.com").await;
        let keys = [
            seed.service_history(&id("pay")),
            seed.service_task_history(&id("pay"), &task("t0")),
            seed.service_task_latest(&id("pay"), &task("t0")),
            seed.service_latest_status(&id("pay")),
            seed.service_latest_ingested(&id("pay")),
            seed.studio_event(&"pay:status:e0".parse().unwrap()),
        ];
        for key in keys {
            poison(bench, &key).await;
            let before = dump(bench).await;
            let refused = plane.services().ingest(&pushed("pay", &event(0))).await.unwrap();
            assert_eq!(code(&refused), "wrong_type", "{key}");
            assert_eq!(dump(bench).await, before, "{key}");
            heal(bench, &key).await;
        }
        assert_eq!(
            ingest(&plane, "pay", event(0)).await,
            Took::Inserted,
            "nothing was remembered of what was refused"
        );
    })
    .await;
}

#[tokio::test]
async fn a_registration_and_a_deletion_with_a_wrong_typed_key_are_refused_whole() {
    check(&invariants(), async |bench| {
        let (plane, seed, own) = (plane(bench), bench.scope.keys.relayna(), bench.scope.keys.quorate());
        let store = TaskStore::parse("studio:services").unwrap();
        for key in [seed.service_index(), own.services_leaving(&store)] {
            poison(bench, &key).await;
            let before = dump(bench).await;
            let refused = plane.services().register(&wanted("pay", "http://example.com")).await.unwrap();
            assert_eq!(code(&refused), "wrong_type", "{key}");
            assert_eq!(dump(bench).await, before, "{key}");
            heal(bench, &key).await;
        }
        register(&plane, "pay", "http://example.com").await;
        for key in [own.service_turns(ServiceTurn::Pull, &store), own.services_leaving(&store)] {
            poison(bench, &key).await;
            let before = dump(bench).await;
            assert_eq!(code(&plane.services().delete(&id("pay")).await.unwrap()), "wrong_type", "{key}");
            assert_eq!(dump(bench).await, before, "{key}");
            heal(bench, &key).await;
        }
    })
    .await;
}
