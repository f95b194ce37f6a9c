//! One failed task of a service: asked for there, and retried once however often the button is pressed.

use quorate_catalog::ids::DeadLetterId;
use quorate_plane::services::Act;
use quorate_plane::{Outcome, Plane, invariants};
use quorate_testkit::check;
use serde_json::{Map, Value, json};

use super::support::{Fake, code, id, plane, register};

fn failure() -> DeadLetterId {
    DeadLetterId::parse("f1").unwrap()
}

async fn act(plane: &Plane, act: Act) -> Outcome<Value> {
    plane.services().failure(&id("pay"), &failure(), &act).await.unwrap()
}

fn retry(force: bool) -> Act {
    let mut how = Map::new();
    how.insert("retried_by".into(), "ann".into());
    Act::Retry { how, force }
}

#[tokio::test]
async fn a_failed_task_of_a_service_is_shown_reviewed_and_deleted_there() {
    check(&invariants(), async |bench| {
        let (plane, fake) = (plane(bench), Fake::start().await);
        register(&plane, "pay", &fake.url()).await;
        assert_eq!(code(&act(&plane, Act::Show).await), "unknown_there");
        for path in ["", "/mark-investigated", "/mark-uninvestigated"] {
            fake.answers(&format!("/failed-tasks/f1{path}"), json!({ "failure_id": "f1" }));
        }
        fake.asked();
        let shown = act(&plane, Act::Show).await.unwrap();
        assert_eq!((&shown["service_id"], &shown["failure_id"]), (&json!("pay"), &json!("f1")));
        act(&plane, Act::Investigated { by: "ann".into(), note: None }).await.unwrap();
        act(&plane, Act::Uninvestigated).await.unwrap();
        act(&plane, Act::Delete).await.unwrap();
        let asked = [
            "/failed-tasks/f1",
            "POST /failed-tasks/f1/mark-investigated",
            "POST /failed-tasks/f1/mark-uninvestigated",
            "DELETE /failed-tasks/f1",
        ];
        assert_eq!(fake.asked(), asked);
        fake.answers_all(Some(500));
        assert_eq!(code(&act(&plane, Act::Show).await), "service_failed");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sixteen_clicks_have_a_service_retry_once() {
    check(&invariants(), async |bench| {
        let (own, fake) = (plane(bench), Fake::start().await);
        register(&own, "pay", &fake.url()).await;
        fake.answers("/failed-tasks/f1/retry", json!({ "failure_id": "f1", "retry_status": "retried" }));
        fake.takes(std::time::Duration::from_millis(100));
        fake.asked();
        let clicks: Vec<_> = (0..16)
            .map(|_| {
                let plane = own.clone();
                tokio::spawn(async move { act(&plane, retry(false)).await })
            })
            .collect();
        let mut done = 0;
        for click in clicks {
            let ended = click.await.unwrap();
            done += usize::from(ended.refusal().is_none());
            assert!(["", "replay_claimed", "already_replayed"].contains(&code(&ended)), "{ended:?}");
        }
        assert_eq!((done, fake.asked().len()), (1, 1));
        assert_eq!(code(&act(&own, retry(false)).await), "already_replayed");
        act(&own, retry(true)).await.unwrap();
    })
    .await;
}

#[tokio::test]
async fn a_retry_that_was_refused_may_be_made_again_and_one_of_which_nobody_knows_may_not() {
    check(&invariants(), async |bench| {
        let (plane, fake) = (plane(bench), Fake::start().await);
        register(&plane, "pay", &fake.url()).await;
        fake.answers_all(Some(409));
        assert_eq!(code(&act(&plane, retry(false)).await), "refused_there");
        assert_eq!(code(&act(&plane, retry(false)).await), "refused_there", "nothing was remembered");
        fake.answers_all(Some(503));
        assert_eq!(code(&act(&plane, retry(false)).await), "retry_unknown");
        fake.answers_all(None);
        fake.answers("/failed-tasks/f1/retry", json!({}));
        assert_eq!(code(&act(&plane, retry(false)).await), "retry_unknown", "it could be the second time");
        act(&plane, retry(true)).await.unwrap();
    })
    .await;
}
