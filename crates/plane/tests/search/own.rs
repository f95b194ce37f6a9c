//! The plane's own tasks are found too, by the status that counts.

use futures_util::future::join_all;
use quorate_plane::Plane;
use quorate_plane::invariants;
use quorate_plane::json::Object;
use quorate_plane::search::{SERVICE, TaskQuery};
use quorate_plane::tasks::Report;
use quorate_testkit::check;

use super::support::{by_status, found, later, plane};

async fn report(plane: &Plane, task: &str, status: &str) {
    let document = format!(
        "{{\"status\":\"{status}\",\"correlation_id\":\"order-7\",\"meta\":{{\"stage\":\"fetch\"}}}}"
    );
    let task = quorate_catalog::ids::TaskId::parse(task).unwrap();
    let event = Report::of(task, Object::parse(&document).unwrap()).unwrap();
    plane.tasks().report(&event).await.unwrap().unwrap();
}

#[tokio::test]
async fn what_the_planes_own_tasks_report_is_found_whatever_was_missed_in_between() {
    check(&invariants(), async |bench| {
        let plane = plane(bench);
        let names: Vec<String> = (0..1_100).map(|number| format!("t{number}")).collect();
        join_all(names.iter().map(|name| report(&plane, name, "running"))).await;
        // Within the second in which its place in the list is not renewed.
        report(&plane, "t7", "completed").await;
        assert_eq!(plane.search().follow().await.unwrap(), 0, "the last second may still change");
        let soon = later(bench, 20);
        assert_eq!(soon.search().follow().await.unwrap(), 1_100);
        assert_eq!(found(&soon, &by_status("completed")).await.0, ["t7"]);
        assert_eq!(soon.search().follow().await.unwrap(), 0, "nothing is new");
        report(&soon, "t8", "failed").await;
        let then = later(bench, 40);
        assert_eq!(then.search().follow().await.unwrap(), 1);
        let query = TaskQuery {
            service_id: Some(SERVICE.into()),
            stage: Some("fetch".into()),
            correlation_id: Some("order-7".into()),
            ..by_status("failed")
        };
        assert_eq!(found(&then, &query).await.0, ["t8"]);
    })
    .await;
}
