//! What fsck finds in the studio's keys, and puts right.

use quorate_plane::invariants;
use quorate_testkit::{Bench, check};

use super::support::{event, id, ingest, plane, register, task};

async fn found(bench: &Bench, code: &str) -> Vec<String> {
    let mut all = Vec::new();
    for invariant in invariants().into_iter().filter(|own| own.code() == code) {
        let findings = invariant.check(&bench.scope).await.unwrap();
        all.extend(findings.iter().map(|finding| finding.message.clone()));
        for finding in &findings {
            invariant.repair(&bench.scope, finding).await.unwrap();
        }
    }
    all
}

#[tokio::test]
async fn a_registry_that_disagrees_with_itself_is_found_and_put_right() {
    check(&invariants(), async |bench| {
        let (plane, seed) = (plane(bench), bench.scope.keys.relayna());
        for name in ["a", "b", "c"] {
            register(&plane, name, &format!("http://example.com/{name}")).await;
        }
        let place = |name: &str| {
            seed.service_by_url(
                &"dev".parse().unwrap(),
                &format!("http://example.com/{name}").parse().unwrap(),
            )
        };
        bench.cli(&format!("SREM {} a", seed.service_index())).await;
        bench.cli(&format!("SADD {} ghost", seed.service_index())).await;
        bench.cli(&format!("DEL {}", place("b"))).await;
        bench.cli(&format!("SET {} c", place("old"))).await;
        let mut words = found(bench, "FSCK112").await;
        words.sort();
        assert_eq!(
            words,
            [
                "is in the list, and there is no such service",
                "is not in the index of URLs, so another could take its place",
                "is registered and not in the list",
                "names a service that is not at this URL",
            ]
        );
        assert_eq!(found(bench, "FSCK112").await, Vec::<String>::new());
        // Two that another client put at one place are for a person.
        bench.cli(&format!("SET {} c", place("a"))).await;
        assert_eq!(
            found(bench, "FSCK112").await.len(),
            2,
            "one is displaced, and the index names one that is elsewhere"
        );
        assert_eq!(
            found(bench, "FSCK112").await,
            ["is not in the index of URLs, so another could take its place"]
        );
    })
    .await;
}

/// What a client leaves that writes the event first and dies.
#[tokio::test]
async fn an_event_that_no_history_names_is_found_and_named_again() {
    check(&invariants(), async |bench| {
        let (plane, seed) = (plane(bench), bench.scope.keys.relayna());
        register(&plane, "pay", "http://example.com").await;
        for number in 0..4 {
            ingest(&plane, "pay", event(number)).await;
        }
        bench.cli(&format!("LREM {} 1 pay:status:e1", seed.service_history(&id("pay")))).await;
        bench.cli(&format!("DEL {}", seed.service_task_history(&id("pay"), &task("t2")))).await;
        assert_eq!(found(bench, "FSCK113").await.len(), 2);
        assert_eq!(found(bench, "FSCK113").await, Vec::<String>::new());
    })
    .await;
}

#[tokio::test]
async fn what_is_left_of_a_service_that_is_gone_is_found_and_deleted() {
    check(&invariants(), async |bench| {
        let (plane, seed) = (plane(bench), bench.scope.keys.relayna());
        register(&plane, "pay", "http://example.com").await;
        bench.cli(&format!("SET {} x", seed.pull_cursor(&id("ghost")))).await;
        bench.cli(&format!("SET {} '{{\"service_id\":\"ghost\",\"registry_status\":\"healthy\",\"overall_status\":\"healthy\"}}'", seed.service_health(&id("ghost")))).await;
        let store = quorate_catalog::ids::TaskStore::parse("studio:services").unwrap();
        bench.cli(&format!("ZADD {} 1 pay", bench.scope.keys.quorate().services_leaving(&store))).await;
        assert_eq!(found(bench, "FSCK114").await.len(), 2);
        assert_eq!(found(bench, "FSCK114").await, Vec::<String>::new());
    })
    .await;
}
