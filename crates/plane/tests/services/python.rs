//! A backend in the shape of Relayna's studio, written with redis-py, reads what we write, and we read what it writes.

use quorate_plane::invariants;
use quorate_plane::services::{EventFilter, Took};
use quorate_testkit::{Bench, check_verbatim};
use serde_json::{Value, json};

use super::support::{Fake, code, event, id, ingest, plane, register, task, wanted};
use crate::support::raw::python;

fn backend(bench: &Bench, asked: &Value) -> Value {
    python(bench, "services/studio_client.py", asked)
}

#[tokio::test]
async fn a_backend_in_relaynas_shape_and_the_plane_read_each_other() {
    check_verbatim(&invariants(), async |bench| {
        let (plane, fake) = (plane(bench), Fake::start().await);
        let record = |name: &str, url: &str| {
            json!({ "service_id": name, "name": name, "base_url": url, "environment": "dev", "tags": [], "auth_mode": "internal_network", "status": "healthy" })
        };
        let theirs = json!({ "task_id": "t0", "event_type": "status.queued", "source_kind": "status", "event_id": "e0", "timestamp": "2026-04-06T10:00:00Z", "payload": {} });
        let asked = json!([["create", record("mail", "http://mail.example.com")], ["insert", "mail", theirs]]);
        assert_eq!(backend(bench, &asked), json!([true, true]));
        let shown = plane.services().show(&id("mail")).await.unwrap().unwrap();
        assert_eq!(shown.base_url, "http://mail.example.com");
        assert_eq!(code(&plane.services().register(&wanted("other", "http://mail.example.com")).await.unwrap()), "url_taken");
        assert_eq!(ingest(&plane, "mail", theirs.clone()).await, Took::Duplicate);
        let of = EventFilter { task: Some(task("t0")), ..EventFilter::default() };
        assert_eq!(plane.services().events(&id("mail"), &of, None, 10).await.unwrap().unwrap().count, 1);
        let mut older = theirs;
        (older["event_id"], older["timestamp"]) = ("e1".into(), "2026-04-06T09:00:00Z".into());
        assert_eq!(ingest(&plane, "mail", older).await, Took::Late);

        register(&plane, "pay", &fake.url()).await;
        plane.services().check(&id("pay")).await.unwrap().unwrap();
        fake.reports(0, 3);
        plane.services().pull(&id("pay")).await.unwrap().unwrap();
        let asked = json!([["services"], ["service", "pay"], ["events", "pay"], ["health", "pay"], ["cursor", "pay"], ["latest", "pay", "t2"],
            ["create", record("pay", "http://x")], ["create", record("third", &fake.url())], ["insert", "pay", event(1)]]);
        let read = backend(bench, &asked);
        assert_eq!(read[0], json!(["mail", "pay"]));
        assert_eq!((&read[1]["status"], &read[1]["capabilities"]["topology_kind"]), (&json!("healthy"), &json!("single")));
        assert_eq!((read[2].as_array().unwrap().len(), &read[2][0]["payload"]), (3, &json!({ "n": 2 })));
        assert_eq!((&read[3]["registry_status"], &read[4]), (&json!("healthy"), &json!("c2")));
        assert_eq!(read[5], "2026-04-06T10:00:02Z");
        assert_eq!([&read[6], &read[7], &read[8]], [&json!(false); 3], "it finds ours taken");
    })
    .await;
}
