//! Changes under the condition that what the caller has read is still what is there, over every route.

use reqwest::Method;
use serde_json::json;

use crate::changes::{differing, method, state, without_secrets};
use crate::ready::{Stage, address};
use crate::support::{Server, read};

/// Of many who saw the same version one changes it; the others are told, and nothing of theirs is done.
#[tokio::test]
async fn of_many_who_saw_the_same_version_one_changes_it() {
    quorate_testkit::check(&[], async |bench| {
        let server = Server::start(bench).await;
        let stage = Stage::new(&server.plane).await;
        for round in 0..5 {
            let seen = server.ask(Method::GET, "/api/v1/agents/w1").send().await.unwrap();
            let tag = seen.headers()["etag"].clone();
            let patch = async |who: usize| {
                let request = server.ask(Method::PATCH, "/api/v1/agents/w1").header("if-match", &tag);
                let body = json!({ "task": format!("{round} by {who}") }).to_string();
                read(request.header("content-type", "application/json").body(body).send().await.unwrap())
                    .await
            };
            let all = futures_util::future::join_all((0..16).map(patch)).await;
            let done: Vec<usize> = (0..16).filter(|who| all[*who].0 == 200).collect();
            assert_eq!(done.len(), 1, "{all:?}");
            assert!(
                all.iter()
                    .all(|(status, body)| *status == 200 || (*status == 412 && body["code"] == "changed")),
                "{all:?}"
            );
            assert_eq!(server.get("/api/v1/agents/w1").await.1["task"], format!("{round} by {}", done[0]));
        }
        // A sign of life is no change of what was seen.
        let tag =
            server.ask(Method::GET, "/api/v1/agents/w2").send().await.unwrap().headers()["etag"].clone();
        stage.done("agents.heartbeat", json!({ "agent": "w2" })).await;
        let ask = async |path: &str, tag: &str| {
            let request = server.ask(Method::POST, path).header("if-match", tag);
            read(request.header("content-type", "application/json").body("{}").send().await.unwrap()).await
        };
        assert_eq!(ask("/api/v1/agents/w2/drain", tag.to_str().unwrap()).await.0, 200);
        assert_eq!(ask("/api/v1/agents/w2/drain", tag.to_str().unwrap()).await.0, 412);
        assert_eq!(ask("/api/v1/agents/w2/drain", "*").await.0, 200);
        assert_eq!(ask("/api/v1/agents/nobody/drain", "*").await.0, 412);
        assert_eq!(ask("/api/v1/agents/w2/drain", "nonsense").await.0, 412);
        assert_eq!(ask("/api/v1/queues/low/pause", "*").await.0, 200, "it is always there");
        assert_eq!(ask("/api/v1/metrics/m/incr", "*").await.0, 400, "it has no version");
    })
    .await;
}

/// Every address with a version: what was read once can be changed once.
#[tokio::test]
async fn every_version_counts_once() {
    quorate_testkit::check(&[], async |bench| {
        let server = Server::start(bench).await;
        let stage = Stage::new(&server.plane).await;
        let all = [
            "agents.update",
            "agents.deregister",
            "dead.drop",
            "dead.delete",
            "jobs.cancel",
            "services.update",
            "services.delete",
            "webhooks.rm",
            "workflows.start",
            "queues.pause",
            "queues.resume",
            "limits.set",
            "limits.unset",
            "tokens.create",
            "tokens.revoke",
            "notices.set",
        ];
        for (n, action) in all.into_iter().enumerate() {
            let mut input = stage.input(action, n).await;
            let entry = match action {
                // Defining a workflow again is a change of what is there.
                "workflows.start" => {
                    let topology =
                        json!({ "entry": ["only"], "stages": [{ "name": "only", "terminal": true }] });
                    input = json!({ "workflow": input["workflow"], "topology": topology });
                    stage.entry("workflows.define")
                }
                _ => stage.entry(action),
            };
            let (path, body) = address(entry, &input);
            let tag = seen_by(&server, &path).await;
            let ask = async |tag: &str, key: Option<&str>| {
                let mut request = server.ask(method(entry), &path).header("if-match", tag);
                if let Some(key) = key {
                    request = request.header("idempotency-key", key);
                }
                read(
                    request
                        .header("content-type", "application/json")
                        .body(body.to_string())
                        .send()
                        .await
                        .unwrap(),
                )
                .await
            };
            let wrong = ask("\"00.00\"", None).await;
            assert_eq!((wrong.0, wrong.1["code"].as_str()), (412, Some("changed")), "{action}: {wrong:?}");
            let key = format!("once-{n}");
            let first = ask(&tag, Some(&key)).await;
            assert_eq!(first.0, 200, "{action}: {first:?}");
            let again = ask(&tag, Some(&key)).await;
            let bodies = [again.1, first.1].map(without_secrets);
            assert_eq!((again.0, &bodies[0]), (first.0, &bodies[1]), "{action}: a repetition");
            // Who has gone is not there, or was seen otherwise.
            let again = ask(&tag, None).await.0;
            let gone = again == 404 && ["agents.deregister", "limits.unset"].contains(&action);
            assert!(again == 412 || gone, "{action}: {again}");
        }
    })
    .await;
}

/// The tag of the GET at an address, or at the one that it is a part of.
async fn seen_by(server: &Server, path: &str) -> String {
    let parent = path.rsplit_once('/').map_or("", |(parent, _)| parent);
    for address in [path, parent] {
        let seen = server.ask(Method::GET, address).send().await.unwrap();
        if let Some(tag) = seen.headers().get("etag").filter(|_| seen.status() == 200) {
            return tag.to_str().unwrap().to_owned();
        }
    }
    panic!("{path} has no tag");
}

/// Every route that changes something either knows a version and refuses another one, or says that it has none; what was
/// seen is never left out of account.
#[tokio::test]
async fn no_route_leaves_a_condition_out_of_account() {
    quorate_testkit::check(&[], async |bench| {
        let server = Server::start(bench).await;
        let stage = Stage::new(&server.plane).await;
        let document = quorate_server::openapi();
        let mut with = 0;
        for (n, entry) in stage.changing().enumerate() {
            let (path, body) = address(entry, &stage.input(&entry.about.action(), n).await);
            let name = method(entry).as_str().to_lowercase();
            let told = &document["paths"][format!("/api/v1{}", entry.about.path)][name]["parameters"];
            let known = told.as_array().is_some_and(|all| all.iter().any(|one| one["name"] == "If-Match"));
            let before = state(bench).await;
            let request = server.ask(method(entry), &path).header("if-match", "\"00.00\"");
            let request = request.header("content-type", "application/json").body(body.to_string());
            let (status, answer) = read(request.send().await.unwrap()).await;
            let expected = if known { (412, "changed") } else { (400, "bad_input") };
            assert_eq!((status, answer["code"].as_str()), (expected.0, Some(expected.1)), "{path}: {answer}");
            assert_eq!(differing(&before, &state(bench).await), Vec::<String>::new(), "{path} did it");
            with += usize::from(known);
        }
        assert!(with >= 30, "{with} have a version");
    })
    .await;
}
