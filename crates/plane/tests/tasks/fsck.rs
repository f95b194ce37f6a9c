//! What fsck finds among tasks, and what it puts right.

use quorate_plane::invariants;
use quorate_testkit::check;
use serde_json::json;

use super::support::{accept, plane, task};

#[tokio::test]
async fn a_task_that_left_the_list_is_found_and_listed_again() {
    check(&invariants(), async |bench| {
        let plane = plane(bench);
        accept(&plane, "t1", json!({ "status": "running" })).await;
        let foreign = bench.scope.keys.relayna().status_history(&task("t2"));
        bench.cli(&format!("LPUSH {foreign} '{{\"status\":\"x\"}}'")).await;
        bench.cli(&format!("EXPIRE {foreign} 100")).await;
        let store = quorate_catalog::ids::TaskStore::parse("relayna").unwrap();
        bench.cli(&format!("DEL {}", bench.scope.keys.quorate().task_recent(&store))).await;
        let look =
            async |repair| quorate_audit::run(&bench.scope, &invariants(), repair, &|_, _| {}).await.unwrap();
        let of = |list: &[quorate_store::invariant::Finding]| {
            list.iter().filter(|found| found.code == "FSCK090").count()
        };
        let found = look(false).await;
        assert_eq!((of(&found.findings), of(&found.information)), (1, 1), "another client's is information");
        assert_eq!(look(true).await.repaired, 1);
        assert_eq!(plane.tasks().list(None, 10).await.unwrap().tasks.len(), 1);
    })
    .await;
}
