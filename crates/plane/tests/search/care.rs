//! Documents go when their time is over or their service went, with every list, whoever dies on the way.

use std::process::{Command, Stdio};
use std::time::Duration;

use quorate_plane::invariants;
use quorate_plane::search::{Sighting, TaskQuery};
use quorate_store::{Micros, cmd};
use quorate_testkit::chaos::Worker;
use quorate_testkit::{Bench, check, check_verbatim};

use super::support::{by_status, found, id, later, note, note_all, plane, search, seen, service, texts};

#[tokio::test]
async fn a_document_goes_with_all_its_lists_when_its_time_is_over_and_one_that_was_renewed_stays() {
    check_verbatim(&invariants(), async |bench| {
        let plane = plane(bench);
        note(&plane, &Sighting { stage: Some("s".into()), ..seen("api", "old", "running") }).await;
        note(&plane, &seen("api", "renewed", "running")).await;
        let tomorrow = later(bench, 86_000);
        note(&tomorrow, &seen("api", "renewed", "completed")).await;
        assert_eq!(tomorrow.search().prune().await.unwrap(), 0, "not yet");
        let after = later(bench, 86_500);
        assert_eq!(after.search().prune().await.unwrap(), 1);
        assert_eq!(found(&after, &by_status("completed")).await.0, ["renewed"]);
        assert!(
            texts(bench, "KEYS *running*").await.is_empty() && texts(bench, "KEYS *stage*").await.is_empty()
        );
        assert_eq!(later(bench, 200_000).search().prune().await.unwrap(), 1);
        assert_eq!(texts(bench, "KEYS *").await, Vec::<String>::new());
    })
    .await;
}

#[tokio::test]
async fn when_a_service_goes_its_documents_follow_and_those_of_others_stay() {
    check(&invariants(), async |bench| {
        let plane = plane(bench);
        plane.search().place(&id("api"), &service("api")).await.unwrap().unwrap();
        let all: Vec<Sighting> = (0..250).map(|n| seen("api", &format!("t{n}"), "running")).collect();
        note_all(&plane, &all).await;
        note(&plane, &seen("mail", "stays", "running")).await;
        plane.search().remove(&id("api")).await.unwrap().unwrap();
        assert_eq!(plane.search().leave().await.unwrap(), 250);
        assert_eq!(found(&plane, &by_status("running")).await.0, ["stays"]);
        assert_eq!(plane.search().leave().await.unwrap(), 0);
        note(&plane, &seen("api", "again", "running")).await;
        assert_eq!(plane.search().leave().await.unwrap(), 0, "it went once");
    })
    .await;
}

/// Other clients write the same keys: what they renewed stays, and what they put under the wrong service is not its own.
#[tokio::test]
async fn what_another_client_renewed_or_put_elsewhere_stays() {
    check(&[], async |bench| {
        let plane = plane(bench);
        plane.search().place(&id("api"), &service("api")).await.unwrap().unwrap();
        note(&plane, &seen("mail", "stays", "running")).await;
        let task = quorate_catalog::ids::TaskId::parse("stays").unwrap();
        let member = quorate_plane::search::document(&id("mail"), &task);
        let space = bench.scope.keys.namespace_text();
        bench.cli(&format!("SADD {space}studio:search:task:service:api {member}")).await;
        plane.search().remove(&id("api")).await.unwrap().unwrap();
        plane.search().leave().await.unwrap();
        assert_eq!(found(&plane, &by_status("running")).await.0, ["stays"]);
        assert!(texts(bench, &format!("SMEMBERS {space}studio:search:task:service:api")).await.is_empty());

        let key = format!("{space}studio:search:task:doc:{member}");
        let text: String = bench.scope.store.query(cmd("GET").arg(&key)).await.unwrap();
        let mut renewed: serde_json::Value = serde_json::from_str(&text).unwrap();
        renewed["expires_at"] = "2099-01-01T00:00:00+00:00".into();
        let _: String = bench.scope.store.query(cmd("SET").arg(&key).arg(renewed.to_string())).await.unwrap();
        let after = later(bench, 86_500);
        assert_eq!(after.search().prune().await.unwrap(), 0);
        assert_eq!(found(&after, &by_status("running")).await.0, ["stays"]);
    })
    .await;
}

#[tokio::test]
async fn a_service_that_comes_back_keeps_what_has_not_left_yet() {
    check(&invariants(), async |bench| {
        let plane = plane(bench);
        plane.search().place(&id("api"), &service("api")).await.unwrap().unwrap();
        note(&plane, &seen("api", "t1", "running")).await;
        plane.search().remove(&id("api")).await.unwrap().unwrap();
        plane.search().place(&id("api"), &service("api")).await.unwrap().unwrap();
        assert_eq!(plane.search().leave().await.unwrap(), 0);
        assert_eq!(found(&plane, &by_status("running")).await.0, ["t1"]);
    })
    .await;
}

fn carer(bench: &Bench) -> Worker {
    let mut command = Command::new(env!("CARGO_BIN_EXE_task-worker"));
    let namespace = bench.scope.keys.namespace_text();
    command.arg(bench.node.url().reveal()).arg(namespace.trim_end_matches(':')).arg("search").arg("care");
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    Worker::spawn(&mut command).expect("it starts")
}

/// Killed at any moment between the steps of pruning and of a service's leaving: no list is left that names what has gone.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn carers_that_are_killed_leave_nothing_half_done() {
    check(&invariants(), async |bench| {
        let plane = plane(bench);
        plane.search().place(&id("api"), &service("api")).await.unwrap().unwrap();
        let long_ago = later(bench, -90_000);
        let of = |service: &str| -> Vec<Sighting> {
            (0..300).map(|number| seen(service, &format!("t{number}"), "running")).collect()
        };
        note_all(&plane, &of("api")).await;
        note_all(&long_ago, &of("mail")).await;
        note(&plane, &seen("mail", "stays", "running")).await;
        plane.search().remove(&id("api")).await.unwrap().unwrap();
        for round in 0..6_u64 {
            let mut worker = carer(bench);
            tokio::time::sleep(Duration::from_millis(6 + round * 5)).await;
            worker.kill9().unwrap();
            let mess = bench.mess(&invariants()).await;
            assert!(mess.is_empty(), "after a kill: {mess:?}");
        }
        let ended = carer(bench).wait(Duration::from_secs(30)).unwrap().expect("it ends");
        assert!(ended.success());
        let left = TaskQuery { to: Some(Micros::new(u64::MAX >> 12)), limit: 200, ..TaskQuery::default() };
        assert_eq!(found(&plane, &left).await.0, ["stays"]);
    })
    .await;
}

#[tokio::test]
async fn a_list_that_lost_or_kept_a_document_is_found_and_put_right_by_fsck() {
    check(&invariants(), async |bench| {
        let plane = plane(bench);
        note(&plane, &seen("api", "t1", "running")).await;
        note(&plane, &seen("api", "t2", "completed")).await;
        let member =
            quorate_plane::search::document(&id("api"), &quorate_catalog::ids::TaskId::parse("t1").unwrap());
        let query = async |line: &str| {
            let mut words = line.split(' ');
            let mut command = cmd(words.next().unwrap());
            words.for_each(|word| {
                command.arg(word);
            });
            bench.scope.store.query::<u64>(&command).await.unwrap()
        };
        let space = bench.scope.keys.namespace_text();
        let set = |status: &str| format!("{space}studio:search:task:filter:status:{status}");
        let view = |status: &str| format!("{space}~q:relayna:search:studio:search:status:{status}");
        query(&format!("SREM {} {member}", set("running"))).await;
        query(&format!("ZADD {} 5 {member}", view("completed"))).await;
        query(&format!("SADD {} eyJnb25lIjoxfQ==", set("completed"))).await;
        let mut repaired = 0;
        for invariant in invariants() {
            for finding in invariant.check(&bench.scope).await.unwrap() {
                assert_eq!(finding.code, "FSCK115", "{finding:?}");
                assert!(invariant.repair(&bench.scope, &finding).await.unwrap(), "{finding:?}");
                repaired += 1;
            }
        }
        assert_eq!(repaired, 3);
        assert_eq!(search(&plane, &by_status("completed")).await.count, 1);
    })
    .await;
}
