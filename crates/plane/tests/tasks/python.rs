//! A client in Relayna's shape, written with redis-py, reads what we write, and we read what it writes.

use quorate_plane::invariants;
use quorate_plane::tasks::{Part, Taken};
use quorate_testkit::{Bench, check_verbatim};
use serde_json::{Value, json};

use super::feed::seen;
use super::support::{accept, plane, take, task};
use crate::support::raw::python;

fn client(bench: &Bench, asked: &Value) -> Value {
    python(bench, "tasks/relayna_client.py", asked)
}

#[tokio::test]
async fn a_client_in_relaynas_shape_and_the_plane_read_each_other() {
    check_verbatim(&invariants(), async |bench| {
        let plane = plane(bench);
        let theirs = json!({ "task_id": "t1", "status": "queued", "message": "50 % ü", "meta": { "parent_task_id": "p", "n": 1.5 } });
        let ended = json!({ "task_id": "t1", "status": "Failed", "event_id": "e2", "timestamp": "2026-04-06T10:00:00" });
        let watched = json!({ "task_id": "t1", "event_type": "TaskMessageReceived", "timestamp": "2026-04-06T10:00:00+02:00" });
        let done = client(bench, &json!([["report", "t1", theirs], ["report", "t1", ended], ["observe", "t1", watched]]));
        assert_eq!(done, json!([true, true, true]));
        let history = plane.tasks().history(&task("t1"), 50).await.unwrap();
        assert_eq!(history.events.iter().map(|event| event.status().unwrap()).collect::<Vec<_>>(), ["Failed", "queued"]);
        assert!(plane.tasks().show(&task("t1")).await.unwrap().unwrap().ended);
        assert_eq!(plane.tasks().children(&task("p"), 10).await.unwrap().children, ["t1"]);
        assert_eq!(plane.tasks().feed(Part::After("e2"), 10).await.unwrap().unwrap().count, 1);
        assert_eq!(take(&plane, "t1", theirs.clone()).await, Taken::Duplicate(None), "by the hash of its content");
        assert_eq!(take(&plane, "t1", ended).await, Taken::Duplicate(None), "by its id");
        assert!(!plane.tasks().observe(&seen("t1", watched)).await.unwrap().unwrap(), "by the hash of its content");

        let mut ours = theirs.clone();
        ours["task_id"] = "t2".into();
        accept(&plane, "t2", ours.clone()).await;
        accept(&plane, "t2", json!({ "status": "completed", "event_id": "e9" })).await;
        let note = json!({ "task_id": "t2", "event_type": "X", "retry_attempt": 1 });
        plane.tasks().observe(&seen("t2", note.clone())).await.unwrap().unwrap();
        let asked = json!([["latest", "t2"], ["history", "t2"], ["children", "p"], ["feed"], ["observations", "t2"],
            ["report", "t2", ours], ["report", "t2", { "status": "completed", "event_id": "e9" }], ["observe", "t2", note]]);
        let read = client(bench, &asked);
        assert_eq!((&read[0]["status"], read[1].as_array().unwrap().len()), (&json!("completed"), 2));
        assert_eq!((&read[1][1]["message"], &read[1][1]["meta"]["n"]), (&json!("50 % ü"), &json!(1.5)));
        assert_eq!(read[2], json!(["t1", "t2"]));
        assert_eq!((&read[3][1]["cursor"], &read[3][1]["event_type"]), (&json!("e9"), &json!("status.completed")));
        assert_eq!(read[4][0]["event_type"], "X");
        assert_eq!([&read[5], &read[6], &read[7]], [&json!(false); 3], "it takes none of ours again");
    })
    .await;
}
