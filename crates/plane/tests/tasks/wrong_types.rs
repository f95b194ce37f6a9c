//! D1: a key of another type than it should be, anywhere: a refusal, and nothing half applied; then it converges.

use quorate_catalog::Key;
use quorate_catalog::ids::{TaskRecord, TaskStore};
use quorate_plane::invariants;
use quorate_store::cmd;
use quorate_testkit::{Bench, check};
use serde_json::json;

use super::support::{accept, code, dump, event, plane, task};

fn keys(bench: &Bench) -> Vec<(Key, &'static str)> {
    let (seed, own) = (bench.scope.keys.relayna(), bench.scope.keys.quorate());
    let store = |name: &str| TaskStore::parse(name).unwrap();
    vec![
        (seed.status_history(&task("t")), "list"),
        (seed.children(&task("p")), "set"),
        (seed.feed(), "list"),
        (own.task_report(&TaskRecord::parse("relayna:t").unwrap()), "hash"),
        (own.task_recent(&store("relayna")), "zset"),
        (own.feed_state(&store("relayna-service-events")), "hash"),
    ]
}

#[tokio::test]
async fn a_status_with_a_wrong_typed_key_anywhere_is_refused_whole_and_taken_later() {
    check(&invariants(), async |bench| {
        let plane = plane(bench);
        let document = json!({ "status": "running", "event_id": "e", "meta": { "parent_task_id": "p" } });
        for (key, kind) in keys(bench) {
            let mut poison = cmd(if kind == "list" { "SADD" } else { "LPUSH" });
            poison.arg(key.as_str()).arg("poison");
            bench.scope.store.query::<u64>(&poison).await.unwrap();
            let before = dump(bench).await;
            let refused = plane.tasks().report(&event("t", document.clone())).await.unwrap();
            assert_eq!(code(&refused), "wrong_type", "{key}");
            assert_eq!(dump(bench).await, before, "{key}");
            bench.scope.store.query::<u64>(cmd("DEL").arg(key.as_str())).await.unwrap();
        }
        assert_eq!(accept(&plane, "t", document).await.seq, 1, "nothing was remembered of what was refused");
    })
    .await;
}
