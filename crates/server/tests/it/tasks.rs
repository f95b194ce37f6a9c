//! The status of tasks as it changes, and Relayna's own addresses.

use std::time::Duration;

use quorate_catalog::ids::TaskId;
use quorate_plane::json::Object;
use quorate_plane::tasks::Report;
use quorate_store::cmd;
use quorate_testkit::{Bench, check, check_verbatim};
use reqwest::{Method, Response};
use serde_json::{Value, json};

use crate::support::Server;

async fn report(server: &Server, task: &str, document: Value) {
    let document = Object::parse(&document.to_string()).unwrap();
    let report = Report::of(TaskId::parse(task).unwrap(), document).unwrap();
    server.plane.tasks().report(&report).await.unwrap().unwrap();
}

async fn follow(server: &Server, path: &str, last: Option<&str>) -> Blocks {
    let mut request = server.ask(Method::GET, path);
    if let Some(last) = last {
        request = request.header("last-event-id", last);
    }
    let response = request.send().await.unwrap();
    assert_eq!(response.status(), 200);
    let mut blocks = Blocks { response, rest: String::new() };
    assert_eq!(
        blocks.next().await.as_deref(),
        Some("event: ready\ndata: {}"),
        "the first thing that is said"
    );
    blocks
}

/// What a stream sends, block by block.
struct Blocks {
    response: Response,
    rest: String,
}

impl Blocks {
    async fn next(&mut self) -> Option<String> {
        loop {
            if let Some((block, rest)) = self.rest.split_once("\n\n") {
                let (block, rest) = (block.to_owned(), rest.to_owned());
                self.rest = rest;
                return Some(block);
            }
            let chunk = tokio::time::timeout(Duration::from_secs(10), self.response.chunk()).await;
            let chunk = chunk.expect("the stream says something").ok().flatten()?;
            self.rest.push_str(std::str::from_utf8(&chunk).unwrap());
        }
    }

    /// The status of the next event.
    async fn status(&mut self) -> Option<String> {
        let block = self.next().await?;
        let data = block.lines().find_map(|line| line.strip_prefix("data: ")).expect("data");
        assert!(block.contains("event: status"), "{block}");
        Some(serde_json::from_str::<Value>(data).unwrap()["status"].as_str().unwrap().to_owned())
    }

    /// The statuses of all events until the stream ends.
    async fn rest(mut self) -> Vec<String> {
        let mut all = Vec::new();
        while let Some(status) = self.status().await {
            all.push(status);
        }
        all
    }
}

#[tokio::test]
async fn the_history_is_shown_from_the_oldest_on_then_what_comes_until_the_end() {
    check(&[], async |bench| {
        let server = Server::start(bench).await;
        report(&server, "t", json!({ "status": "queued", "event_id": "e1" })).await;
        report(&server, "t", json!({ "status": "running" })).await;
        let mut viewer = follow(&server, "/events/t", None).await;
        let first = viewer.next().await.unwrap();
        assert!(first.starts_with("id: e1\nevent: status\ndata: {"), "{first}");
        let second = viewer.next().await.unwrap();
        assert!(
            second.starts_with("event: status\ndata: {"),
            "without an id there is no line of it: {second}"
        );
        report(&server, "t", json!({ "status": "half", "event_id": "e2" })).await;
        report(&server, "t", json!({ "status": "Completed", "event_id": "e3" })).await;
        assert_eq!(viewer.rest().await, ["half", "Completed"], "and the stream ends");
        let again = follow(&server, "/api/v1/live/tasks/t", None).await;
        assert_eq!(
            again.rest().await,
            ["queued", "running", "half", "Completed"],
            "it ends before anything live"
        );
    })
    .await;
}

#[tokio::test]
async fn a_viewer_that_comes_back_goes_on_after_what_it_saw_and_an_unknown_id_is_a_gap_and_replays_all() {
    check(&[], async |bench| {
        let server = Server::start(bench).await;
        for number in 1..=4 {
            report(&server, "t", json!({ "status": format!("s{number}"), "event_id": format!("e{number}") }))
                .await;
        }
        report(&server, "t", json!({ "status": "failed" })).await;
        assert_eq!(follow(&server, "/events/t", Some("e3")).await.rest().await, ["s4", "failed"]);
        let all = ["s1", "s2", "s3", "s4", "failed"];
        for unknown in ["nobody", "../../x", "e"] {
            let mut again = follow(&server, "/events/t", Some(unknown)).await;
            let said = again.next().await.unwrap();
            let gap = json!({ "from": unknown, "to": "e1", "reason": "unknown" });
            assert_eq!(said, format!("event: gap\ndata: {gap}"));
            assert_eq!(again.rest().await, all, "{unknown}");
        }
        let said = follow(&server, "/api/v1/live/tasks/expired", Some("e9")).await.next().await.unwrap();
        assert!(said.contains("event: gap") && said.contains(r#""to":null"#), "{said}");
    })
    .await;
}

#[tokio::test]
async fn the_end_of_an_attempt_that_another_followed_is_not_the_end() {
    check(&[], async |bench| {
        let server = Server::start(bench).await;
        report(&server, "t", json!({ "status": "failed", "meta": { "retry_attempt": 0 } })).await;
        report(&server, "t", json!({ "status": "running", "meta": { "retry_attempt": 1 } })).await;
        let mut viewer = follow(&server, "/events/t", None).await;
        assert_eq!(
            (viewer.status().await.unwrap(), viewer.status().await.unwrap()),
            ("failed".into(), "running".into())
        );
        report(
            &server,
            "t",
            json!({ "status": "failed", "event_id": "late", "meta": { "retry_attempt": 0 } }),
        )
        .await;
        report(&server, "t", json!({ "status": "completed", "meta": { "retry_attempt": 1 } })).await;
        assert_eq!(viewer.rest().await, ["failed", "completed"]);
    })
    .await;
}

async fn publish(bench: &Bench, payload: &str) {
    let channel = bench.scope.keys.relayna().status_channel(&TaskId::parse("t").unwrap());
    bench.scope.store.query::<u64>(cmd("PUBLISH").arg(channel.as_str()).arg(payload)).await.unwrap();
}

#[tokio::test]
async fn other_clients_are_heard_what_comes_twice_is_shown_once_and_garbage_is_skipped() {
    check(&[], async |bench| {
        let server = Server::start(bench).await;
        report(&server, "t", json!({ "status": "queued", "event_id": "e1" })).await;
        let mut viewer = follow(&server, "/events/t", None).await;
        assert_eq!(viewer.status().await.unwrap(), "queued");
        for payload in ["not json", "[1]", "", r#"{"status":"again","event_id":"e1"}"#] {
            publish(bench, payload).await;
        }
        publish(bench, r#"{"task_id": "t", "status": "theirs", "event_id": "e2"}"#).await;
        publish(bench, r#"{"task_id": "t", "status": "theirs", "event_id": "e2"}"#).await;
        publish(bench, "{\"status\": \"failed\", \"message\": \"a\\n\\nevent: fake\"}").await;
        assert_eq!(viewer.rest().await, ["theirs", "failed"]);
    })
    .await;
}

#[tokio::test]
async fn a_message_that_was_lost_is_made_up_for_from_the_history() {
    check(&[], async |bench| {
        let server = Server::start(bench).await;
        let mut viewer = follow(&server, "/events/t", None).await;
        report(&server, "t", json!({ "status": "first" })).await;
        assert_eq!(viewer.status().await.unwrap(), "first");
        let history = bench.scope.keys.relayna().status_history(&TaskId::parse("t").unwrap());
        let mut push = cmd("LPUSH");
        push.arg(history.as_str()).arg(r#"{"task_id":"t","status":"unsaid","event_id":"e9"}"#);
        bench.scope.store.query::<u64>(&push).await.unwrap();
        let since = std::time::Instant::now();
        assert_eq!(viewer.status().await.unwrap(), "unsaid");
        assert!(since.elapsed() < Duration::from_secs(3), "it took {:?}", since.elapsed());
        bench.cli("CLIENT KILL TYPE pubsub").await;
        for number in 0..3 {
            report(&server, "t", json!({ "status": format!("s{number}") })).await;
        }
        report(&server, "t", json!({ "status": "completed" })).await;
        assert_eq!(viewer.rest().await, ["s0", "s1", "s2", "completed"], "though the connection was cut");
    })
    .await;
}

#[tokio::test]
async fn relaynas_own_addresses_answer_in_the_shape_its_clients_know() {
    check_verbatim(&[], async |bench| {
        let server = Server::start(bench).await;
        for number in 0..3 {
            report(&server, "t", json!({ "status": format!("s{number}"), "event_id": format!("e{number}") }))
                .await;
        }
        report(&server, "feed", json!({ "status": "mine", "event_id": "f" })).await;
        let (code, status) = server.get("/status/t").await;
        assert_eq!((code, &status["task_id"], &status["event"]["status"]), (200, &json!("t"), &json!("s2")));
        assert_eq!(server.get("/status/nobody").await.0, 404);
        let (code, page) = server.get("/events/feed?limit=2").await;
        assert_eq!(
            (code, &page["count"], &page["next_cursor"]),
            (200, &json!(2), &json!("e2")),
            "no task named feed"
        );
        let (_, older) = server.get("/events/feed?after=e2&limit=10").await;
        assert_eq!(
            (&older["items"][0]["cursor"], older.get("next_cursor")),
            (&json!("e1"), Some(&Value::Null))
        );
        assert_eq!(server.get("/events/feed?limit=501").await.0, 400);
        assert_eq!(server.get("/history").await.0, 422, "a question without bounds");
        let (_, history) = server.get("/history?task_id=t").await;
        assert_eq!((&history["count"], &history["events"][0]["status"]), (&json!(3), &json!("s2")));
        let (_, history) = server.get("/history?task_id=t&start_offset=first&max_scan=2").await;
        assert_eq!((&history["count"], &history["events"][0]["status"]), (&json!(2), &json!("s1")));
        let (_, all) = server.get("/history?max_seconds=60&max_scan=100").await;
        assert_eq!((&all["count"], &all["events"][0]["status"]), (&json!(4), &json!("mine")));
        assert_eq!(server.get("/history?task_id=nobody").await.1["count"], 0);
        let (code, body) = server.post("/api/v1/tasks/t/status", json!({ "status": "posted" })).await;
        assert_eq!((code, &body["seq"]), (200, &json!(4)));
        let (code, graph) = server.get("/executions/t/graph").await;
        assert_eq!((code, &graph["summary"]["graph_completeness"]), (200, &json!("partial")));
        assert_eq!(server.get("/executions/nobody/graph").await.0, 404);
        let (code, found) = server.get("/relayna/runtime/backpressure").await;
        assert!(code == 200 && found["signals"].as_array().is_some_and(|all| !all.is_empty()), "{found}");
        for path in ["/status/t", "/history?task_id=t", "/events/feed", "/events/t"] {
            assert_eq!(server.bare(Method::GET, path).send().await.unwrap().status(), 401, "{path}");
        }
        for path in ["/events/a:b", "/events/index", "/status/a%20b"] {
            assert_eq!(server.ask(Method::GET, path).send().await.unwrap().status(), 400, "{path}");
        }
    })
    .await;
}

#[tokio::test]
async fn relaynas_dead_letters_have_its_addresses_and_a_second_click_is_a_conflict() {
    check_verbatim(&[], async |bench| {
        let server = Server::start(bench).await;
        let record = json!({ "dlq_id": "d1", "queue_name": "tasks.dlq", "retry_queue_name": "tasks", "reason": "timeout",
            "task_id": "t", "traceback": "line 1", "headers": { "x-relayna-failure-reason": "timeout" } });
        assert_eq!(server.post("/api/v1/dead/records", json!({ "record": record })).await.0, 200);
        let (code, sums) = server.get("/dlq/queues").await;
        assert_eq!((code, &sums["queues"][0]["indexed_count"]), (200, &json!(1)));
        let (code, page) = server.get("/dlq/messages?queue_name=tasks.dlq&state=dead_lettered&limit=5").await;
        assert_eq!((code, &page["items"][0]["dlq_id"], &page["next_cursor"]), (200, &json!("d1"), &Value::Null));
        assert!(page["items"][0].get("traceback").is_none(), "a list leaves out what is long");
        let (code, shown) = server.get("/dlq/messages/d1").await;
        assert_eq!((code, &shown["reason"], &shown["traceback"]), (200, &json!("timeout"), &json!("line 1")));
        let replay = "/dlq/messages/d1/replay";
        assert_eq!(server.bare(Method::POST, replay).send().await.unwrap().status(), 401);
        let viewer = crate::support::token(&server.plane, "viewer", quorate_plane::tokens::Role::Viewer).await;
        let forbidden = server.bare(Method::POST, replay).bearer_auth(viewer).send().await.unwrap();
        assert_eq!(forbidden.status(), 403);
        bench.cli("SET relayna:dlq:replay-lock:d1 1 EX 30").await;
        let (code, why) = server.post(replay, json!({})).await;
        assert_eq!((code, &why["code"]), (409, &json!("replay_claimed")));
        bench.cli("DEL relayna:dlq:replay-lock:d1").await;
        let (code, done) = server.post(replay, json!({})).await;
        assert_eq!((code, &done["job_id"], &done["target_queue_name"]), (200, &json!("d1.r1"), &json!("tasks")));
        let (code, why) = server.post(replay, json!({})).await;
        assert_eq!((code, &why["code"]), (409, &json!("already_replayed")));
        let (code, done) = server.post("/dlq/messages/d1/replay?force=true", json!({})).await;
        assert_eq!((code, &done["replay_count"]), (200, &json!(2)));
        assert_eq!(server.get("/dlq/messages/nobody").await.0, 404);
        assert_eq!(server.get("/dlq/messages?cursor=nobody").await.0, 404);
        assert_eq!(server.get("/dlq/messages?limit=201").await.0, 400);
        assert_eq!(server.get("/dlq/messages?state=odd").await.0, 400);
        assert_eq!(server.get("/dlq/messages/a:b").await.0, 400);
    })
    .await;
}
