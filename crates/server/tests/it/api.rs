//! Verbs over HTTP: answers, refusals, scopes, idempotency.

use quorate_plane::tokens::{NewToken, Role};
use reqwest::Method;
use serde_json::json;

use crate::support::{Server, read, token};

async fn register(server: &Server, agent: &str) {
    let id = quorate_catalog::ids::AgentId::parse(agent).unwrap();
    server.plane.agents().register(&quorate_plane::agents::Registration::new(id)).await.unwrap().unwrap();
}

#[tokio::test]
async fn a_job_is_pushed_claimed_and_acknowledged() {
    quorate_testkit::check(&[], async |bench| {
        let server = Server::start(bench).await;
        register(&server, "w1").await;
        let (status, pushed) = server.post("/api/v1/queues/normal/push", json!({ "payload": "x" })).await;
        assert_eq!((status, pushed["outcome"].as_str()), (200, Some("pushed")), "{pushed}");
        let (status, claimed) =
            server.post("/api/v1/queues/normal/claim?max=3", json!({ "agent": "w1" })).await;
        assert_eq!((status, claimed["outcome"].as_str()), (200, Some("claimed")), "{claimed}");
        assert_eq!(claimed["items"][0]["id"], pushed["id"]);
        let token = &claimed["items"][0]["token"];
        let (status, acked) =
            server.post("/api/v1/queues/ack", json!({ "token": token, "agent": "w1" })).await;
        assert_eq!((status, acked["outcome"].as_str()), (200, Some("acked")), "{acked}");
        let (status, late) =
            server.post("/api/v1/queues/ack", json!({ "token": token, "agent": "w1" })).await;
        assert_eq!(
            (status, late["outcome"].as_str(), late["code"].as_str()),
            (409, Some("stale"), Some("stale_claim"))
        );
        let (status, empty) = server.post("/api/v1/queues/normal/claim", json!({ "agent": "w1" })).await;
        assert_eq!((status, empty["outcome"].as_str()), (200, Some("empty")), "{empty}");
    })
    .await;
}

#[tokio::test]
async fn a_claim_waits_for_a_job_and_wakes_with_it() {
    quorate_testkit::check(&[], async |bench| {
        let server = Server::start(bench).await;
        register(&server, "w1").await;
        let waiting = server.post("/api/v1/queues/high/claim?wait=20s", json!({ "agent": "w1" }));
        let pushing = async {
            tokio::time::sleep(std::time::Duration::from_millis(300)).await;
            server.post("/api/v1/queues/high/push", json!({ "payload": "late" })).await
        };
        let started = std::time::Instant::now();
        let ((status, claimed), _) = tokio::join!(waiting, pushing);
        assert_eq!((status, claimed["items"][0]["payload"].as_str()), (200, Some("late")), "{claimed}");
        assert!(started.elapsed() < std::time::Duration::from_secs(3));
    })
    .await;
}

#[tokio::test]
async fn the_end_of_a_stream_is_its_end_however_little_is_asked_for() {
    quorate_testkit::check(&[], async |bench| {
        let server = Server::start(bench).await;
        for event in ["one", "two", "three"] {
            server.post("/api/v1/events/all", json!({ "event": event })).await;
        }
        let (status, newest) = server.get("/api/v1/events/all?limit=2").await;
        let told: Vec<&str> = newest
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(|one| one["fields"]["event"].as_str())
            .collect();
        assert_eq!((status, told), (200, vec!["two", "three"]));
    })
    .await;
}

#[tokio::test]
async fn what_is_new_goes_on_record_by_its_name() {
    quorate_testkit::check(&[], async |bench| {
        let server = Server::start(bench).await;
        server.post("/api/v1/agents", json!({ "agent": "w7" })).await;
        server.post("/api/v1/tokens", json!({ "name": "ci", "role": "viewer" })).await;
        let (_, trail) = server.get("/api/v1/audit").await;
        let targets: Vec<&str> = trail["records"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(|one| one["target"].as_str())
            .collect();
        assert!(targets.contains(&"w7") && targets.contains(&"ci"), "{targets:?}");
    })
    .await;
}

#[tokio::test]
async fn a_repetition_with_the_same_key_has_one_effect_and_the_first_answer() {
    quorate_testkit::check(&[], async |bench| {
        let server = Server::start(bench).await;
        let push = async |key: &str, payload: &str| {
            let request = server.ask(Method::POST, "/api/v1/queues/low/push").header("idempotency-key", key);
            let request = request
                .header("content-type", "application/json")
                .body(json!({ "payload": payload }).to_string());
            read(request.send().await.unwrap()).await
        };
        let all = futures_util::future::join_all((0..16).map(|_| push("k1", "x"))).await;
        let done: Vec<_> = all.iter().filter(|(status, _)| *status == 200).collect();
        assert!(
            !done.is_empty() && all.iter().all(|(status, body)| *status == 200 || body["code"] == "key_busy"),
            "{all:?}"
        );
        assert!(done.iter().all(|(_, body)| body["id"] == done[0].1["id"]), "{done:?}");
        assert_eq!(push("k1", "x").await.1["id"], done[0].1["id"]);
        let (status, other) = push("k1", "y").await;
        assert_eq!((status, other["code"].as_str()), (422, Some("key_reused")), "{other}");
        let (_, shown) = server.get("/api/v1/queues/low").await;
        assert_eq!(shown["depth"], 1, "{shown}");
        push("k2", "x").await;
        assert_eq!(server.get("/api/v1/queues/low").await.1["depth"], 2);
    })
    .await;
}

#[tokio::test]
async fn scopes_are_asked_for_before_anything_is_looked_at() {
    quorate_testkit::check(&[], async |bench| {
        let server = Server::start(bench).await;
        let viewer = token(&server.plane, "viewer", Role::Viewer).await;
        for (secret, path, expected) in [
            ("", "/api/v1/queues/normal/pause", 401),
            ("qt_nonsense", "/api/v1/queues/normal/pause", 401),
            (viewer.as_str(), "/api/v1/queues/normal/pause", 403),
            (viewer.as_str(), "/api/v1/queues/no%20queue/pause", 403),
            (server.admin.as_str(), "/api/v1/queues/no%20queue/pause", 400),
            (server.admin.as_str(), "/api/v1/queues/normal/pause", 200),
        ] {
            let request = server.bare(Method::POST, path);
            let request = if secret.is_empty() { request } else { request.bearer_auth(secret) };
            let (status, body) = read(request.send().await.unwrap()).await;
            assert_eq!(status, expected, "{path}: {body}");
            assert!(status == 200 || body["code"].is_string() && body["request_id"].is_string(), "{body}");
        }
        let revoked = server.plane.tokens().revoke(&"viewer".parse().unwrap(), "test").await.unwrap();
        revoked.unwrap();
        // What is known of a token is used for a tenth of a second.
        tokio::time::sleep(std::time::Duration::from_millis(150)).await;
        let gone = server.bare(Method::GET, "/api/v1/queues").bearer_auth(&viewer).send().await.unwrap();
        assert_eq!(gone.status(), 401);
    })
    .await;
}

#[tokio::test]
async fn a_limit_is_told_in_headers_and_kept() {
    quorate_testkit::check(&[], async |bench| {
        let server = Server::start(bench).await;
        let rule = quorate_plane::limits::Rule { limit: 3, window: std::time::Duration::from_secs(60) };
        server.plane.limits().set(&"queues:ls".parse().unwrap(), rule).await.unwrap();
        for left in [2, 1, 0] {
            let answer = server.ask(Method::GET, "/api/v1/queues").send().await.unwrap();
            assert_eq!(answer.status(), 200);
            let header = answer.headers()["ratelimit"].to_str().unwrap().to_owned();
            assert!(header.contains(&format!("r={left}")), "{header}");
        }
        let refused = server.ask(Method::GET, "/api/v1/queues").send().await.unwrap();
        assert_eq!(refused.status(), 429);
        let wait = refused.headers()["retry-after"].to_str().unwrap();
        assert!(wait.parse::<u64>().unwrap() >= 1);
        let told = ["ratelimit-policy", "ratelimit"].map(|name| refused.headers()[name].to_str().unwrap());
        assert_eq!(told, ["\"caller\";q=3;w=60", &format!("\"caller\";r=0;t={wait}")]);
        // What is refused for another reason has cost as much, and says so too.
        let wrong = server.ask(Method::GET, "/api/v1/agents?nope=1").send().await.unwrap();
        assert_eq!(wrong.status(), 400);
        assert!(wrong.headers()["ratelimit"].to_str().unwrap().contains("r=5999"), "{:?}", wrong.headers());
    })
    .await;
}

#[tokio::test]
async fn what_is_refused_is_counted_by_its_code() {
    quorate_testkit::check(&[], async |bench| {
        let server = Server::start(bench).await;
        register(&server, "w1").await;
        let (status, lock) = server.post("/api/v1/locks/name:x/acquire", json!({ "agent": "w1" })).await;
        assert_eq!(status, 200, "{lock}");
        let late = json!({ "token": 1, "write": ["SET", "metrics:x", "1"] });
        for _ in 0..2 {
            assert_eq!(
                server.post("/api/v1/locks/name:x/guard", late.clone()).await.1["code"],
                "stale_fence"
            );
        }
        let request = server.ask(Method::POST, "/api/v1/locks/name:x/release").header("idempotency-key", "k");
        let wrong = json!({ "agent": "w1", "token": 1 }).to_string();
        let wrong = request.header("content-type", "application/json").body(wrong).send().await.unwrap();
        assert_eq!(wrong.status(), 409);
        let text = server.ask(Method::GET, "/metrics").send().await.unwrap().text().await.unwrap();
        let counted = |line: &&str| line.starts_with("quorate_refusals_total");
        let sum: f64 = text
            .lines()
            .filter(counted)
            .filter_map(|line| line.rsplit(' ').next()?.parse::<f64>().ok())
            .sum();
        assert!(text.contains("quorate_refusals_total{code=\"stale_fence\"}") && sum == 3.0, "{text}");
    })
    .await;
}

#[tokio::test]
async fn a_page_names_the_next_one_whoever_made_its_cursor() {
    quorate_testkit::check(&[], async |bench| {
        let server = Server::start(bench).await;
        for agent in ["a1", "a2", "a3"] {
            register(&server, agent).await;
        }
        // Agents have a cursor of the plane's, limits one of the server's.
        for endpoint in ["x:one", "x:three", "x:two"] {
            server.send(Method::PUT, &format!("/api/v1/limits/{endpoint}"), json!({ "rule": "9/1m" })).await;
        }
        for list in ["agents", "limits"] {
            let (mut path, mut pages) = (format!("/api/v1/{list}?limit=2"), Vec::new());
            loop {
                let answer = server.ask(Method::GET, &path).send().await.unwrap();
                let link = answer.headers().get("link").map(|link| link.to_str().unwrap().to_owned());
                let (status, body) = read(answer).await;
                assert_eq!(status, 200, "{path}: {body}");
                pages.push(body.get("agents").unwrap_or(&body).as_array().map(Vec::len));
                let Some(link) = link else { break };
                path = link.trim_start_matches('<').split('>').next().unwrap().to_owned();
            }
            assert_eq!(pages, [Some(2), Some(1)], "{list}");
        }
    })
    .await;
}

#[tokio::test]
async fn who_waits_when_the_server_stops_is_told_that_there_is_nothing_yet() {
    quorate_testkit::check(&[], async |bench| {
        let server = Server::start(bench).await;
        register(&server, "w1").await;
        register(&server, "w2").await;
        server.post("/api/v1/locks/name:a/acquire", json!({ "agent": "w1" })).await;
        let waits = [
            ("/api/v1/queues/low/claim?wait=20s", json!({ "agent": "w1" })),
            ("/api/v1/events/all/read?wait=20s", json!({ "group": "g", "consumer": "c" })),
            ("/api/v1/locks/name:a/acquire?wait=20s", json!({ "agent": "w2" })),
        ];
        let waits = waits.map(|(path, body)| {
            let request = server.ask(Method::POST, path).header("content-type", "application/json");
            tokio::spawn(request.body(body.to_string()).send())
        });
        tokio::time::sleep(std::time::Duration::from_millis(700)).await;
        let stopped = std::time::Instant::now();
        server.stop();
        for wait in waits {
            let (status, body) = read(wait.await.unwrap().expect("an answer, and no cut")).await;
            if body["code"] == "timed_out" {
                continue;
            }
            assert_eq!(status, 200, "{body}");
            let left = body.get("items").or_else(|| body.get("entries")).and_then(|all| all.as_array());
            assert_eq!(left.map(Vec::len), Some(0), "{body}");
        }
        assert!(stopped.elapsed() < std::time::Duration::from_secs(3), "{:?}", stopped.elapsed());
        let plane = quorate_plane::Plane::new(bench.scope.clone()).unwrap();
        let shown = plane.locks().show(&"name:a".parse().unwrap(), 10).await.unwrap();
        assert_eq!(shown.waiting, 0, "the place is given up");
    })
    .await;
}

#[tokio::test]
async fn what_did_not_change_is_not_sent_again() {
    quorate_testkit::check(&[], async |bench| {
        let server = Server::start(bench).await;
        let first = server.ask(Method::GET, "/api/v1/queues/low").send().await.unwrap();
        let tag = first.headers()["etag"].clone();
        let again =
            server.ask(Method::GET, "/api/v1/queues/low").header("if-none-match", &tag).send().await.unwrap();
        assert_eq!(again.status(), 304);
        server.post("/api/v1/queues/low/push", json!({ "payload": "x" })).await;
        let changed =
            server.ask(Method::GET, "/api/v1/queues/low").header("if-none-match", &tag).send().await.unwrap();
        assert_eq!(changed.status(), 200);
    })
    .await;
}

#[tokio::test]
async fn metrics_need_a_token_and_leave_a_record_of_each_scrape() {
    quorate_testkit::check(&[], async |bench| {
        let server = Server::start(bench).await;
        server.post("/api/v1/queues/high/push", json!({ "payload": "x" })).await;
        assert_eq!(server.bare(Method::GET, "/metrics").send().await.unwrap().status(), 401);
        let text = server.ask(Method::GET, "/metrics").send().await.unwrap().text().await.unwrap();
        for line in [
            "quorate_queue_depth{queue=\"high\"} 1.0",
            "quorate_engine_keys ",
            "quorate_agents{state=\"online\"} 0.0",
            "quorate_stale_writes_refused{code=\"stale_fence\"} 0.0",
            "quorate_http_requests_total{",
        ] {
            assert!(text.contains(line), "{line} is missing in\n{text}");
        }
        let narrow = NewToken {
            scopes: vec!["queues:read".parse().unwrap()],
            ..NewToken::new(quorate_catalog::ids::TokenNameId::parse("narrow").unwrap(), Role::Viewer, "test")
        };
        let narrow = server.plane.tokens().create(&narrow).await.unwrap().unwrap().token;
        let refused = server.bare(Method::GET, "/metrics").bearer_auth(narrow).send().await.unwrap();
        assert_eq!(refused.status(), 403);
        let scrapes = server.plane.events().newest(quorate_plane::events::Stream::Scrapes, 10).await.unwrap();
        let status = |entry: &quorate_plane::events::Entry| entry.field("status").map(str::to_owned);
        assert_eq!(scrapes.iter().filter_map(status).collect::<Vec<_>>(), ["200", "403"]);
    })
    .await;
}

#[tokio::test]
async fn a_change_of_what_somebody_else_has_changed_is_refused() {
    quorate_testkit::check(&[], async |bench| {
        let server = Server::start(bench).await;
        register(&server, "w1").await;
        let seen = server.ask(Method::GET, "/api/v1/agents/w1").send().await.unwrap();
        let tag = seen.headers()["etag"].clone();
        let patch = async |task: &str| {
            let request = server.ask(Method::PATCH, "/api/v1/agents/w1").header("if-match", &tag);
            let request =
                request.header("content-type", "application/json").body(json!({ "task": task }).to_string());
            read(request.send().await.unwrap()).await
        };
        assert_eq!(patch("first").await.0, 200);
        let (status, body) = patch("second").await;
        assert_eq!((status, body["code"].as_str()), (412, Some("changed")), "{body}");
        assert_eq!(server.get("/api/v1/agents/w1").await.1["task"], "first");
    })
    .await;
}

/// A caller could choose one id for all its requests, and only the first of its changes went on record.
#[tokio::test]
async fn a_caller_that_chooses_the_same_request_id_again_hides_nothing() {
    quorate_testkit::check(&[], async |bench| {
        let server = Server::start(bench).await;
        for queue in ["low", "normal", "high"] {
            let request = server.ask(Method::POST, &format!("/api/v1/queues/{queue}/pause"));
            let answer = request.header("x-request-id", "always-the-same").send().await.expect("an answer");
            assert_eq!(
                (answer.status().as_u16(), &answer.headers()["x-request-id"]),
                (200, &"always-the-same".parse().unwrap())
            );
        }
        let (_, trail) = server.get("/api/v1/audit").await;
        let records = trail["records"].as_array().expect("records");
        let targets: Vec<&str> = records.iter().filter_map(|one| one["target"].as_str()).collect();
        assert_eq!(targets, ["high", "normal", "low"], "{trail}");
        assert!(
            records
                .iter()
                .all(|one| one["request"].as_str().is_some_and(|id| id.starts_with("always-the-same.")))
        );
    })
    .await;
}

#[tokio::test]
async fn what_could_never_be_done_says_which_field_is_wrong_and_leaves_no_record() {
    quorate_testkit::check(&[], async |bench| {
        let server = Server::start(bench).await;
        for (body, field) in [
            (json!({}), "agent"),
            (json!({ "agent": 5 }), "agent"),
            (json!({ "agent": "a:b" }), "agent"),
            (json!({ "agent": "a1", "capabilities": [7] }), "capabilities"),
            (json!({ "agent": "a1", "nonsense": 1 }), "nonsense"),
        ] {
            let (status, problem) = server.post("/api/v1/agents", body.clone()).await;
            assert_eq!((status, problem["field"].as_str()), (400, Some(field)), "{body}: {problem}");
        }
        assert_eq!(server.get("/api/v1/audit").await.1["records"], json!([]), "nothing was changed");
        assert_eq!(server.post("/api/v1/agents", json!({ "agent": "a1" })).await.0, 200);
        assert_eq!(server.get("/api/v1/audit").await.1["records"].as_array().map(Vec::len), Some(1));
    })
    .await;
}
