//! The index of a task's dead letters: it goes with the records, as long as they, and fsck sets it right.

use super::*;
use quorate_catalog::ids::TaskId;
use quorate_plane::dead_letters;

fn index(plane: &Plane, task: &str) -> String {
    plane.keys().quorate().dlq_task(&TaskId::parse(task).unwrap()).to_string()
}

async fn named(plane: &Plane, task: &str) -> Vec<String> {
    plane.store().query(cmd("ZRANGE").arg(index(plane, task)).arg(0).arg(-1)).await.unwrap()
}

async fn lives(plane: &Plane, task: &str) -> i64 {
    plane.store().query(cmd("TTL").arg(index(plane, task))).await.unwrap()
}

fn of(name: &str, task: &str) -> Value {
    let mut record = record(name, "a.dlq", 1);
    record["task_id"] = task.into();
    record
}

#[tokio::test]
async fn a_task_has_its_letters_as_long_as_the_last_of_them() {
    check(&invariants(), async |bench| {
        let plane = plane(bench, &[]).await;
        let records = plane.dead_letters().records();
        let name = quorate_catalog::ids::ConfigName::parse("dlq_store_ttl_seconds").unwrap();
        let setting = plane.keys().ade().config(&name).to_string();
        bench.cli(&format!("SET {setting} 1000")).await;
        keep(&plane, of("d1", "t")).await;
        let first = lives(&plane, "t").await;
        assert!((900..=1_000).contains(&first), "{first}");
        bench.cli(&format!("SET {setting} 5000")).await;
        let plane_of_later = super::plane(bench, &[]).await;
        keep(&plane_of_later, of("d2", "t")).await;
        let longer = lives(&plane, "t").await;
        assert!((4_900..=5_000).contains(&longer), "{longer}");
        // A change of the one that goes sooner shortens nothing, and brings back what was lost.
        bench.cli(&format!("ZREM {} d1", index(&plane, "t"))).await;
        records.review(&id("d1"), "ann", Some("seen")).await.unwrap().unwrap();
        assert_eq!(named(&plane, "t").await, ["d1", "d2"]);
        assert!(lives(&plane, "t").await > 4_900);
        bench.cli(&format!("DEL {setting}")).await;
        keep(&super::plane(bench, &[]).await, of("d3", "t")).await;
        assert_eq!(lives(&plane, "t").await, -1, "one of them is kept for ever");
        for name in ["d1", "d2", "d3"] {
            records.drop(&id(name), "ann", "a test").await.unwrap().unwrap();
        }
        assert!(named(&plane, "t").await.is_empty());
    })
    .await;
}

#[tokio::test]
async fn fsck_names_a_letter_of_its_task_again_and_takes_others_out() {
    let bench = Bench::verbatim().await;
    let plane = plane(&bench, &[]).await;
    keep(&plane, of("d1", "t")).await;
    keep(&plane, of("d2", "u")).await;
    let (t, u) = (index(&plane, "t"), index(&plane, "u"));
    bench.cli(&format!("DEL {t}")).await;
    bench.cli(&format!("ZADD {u} 5 d1 6 nobody")).await;
    let all = dead_letters::invariants();
    let invariant = all.iter().find(|own| own.code() == "FSCK111").unwrap();
    let findings = invariant.check(&bench.scope).await.unwrap();
    assert_eq!(findings.len(), 2, "{findings:?}");
    for finding in &findings {
        assert!(invariant.repair(&bench.scope, finding).await.unwrap(), "{finding:?}");
    }
    assert!(invariant.check(&bench.scope).await.unwrap().is_empty());
    assert_eq!((named(&plane, "t").await, named(&plane, "u").await), (vec!["d1".into()], vec!["d2".into()]));
}
