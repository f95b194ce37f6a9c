//! Live streams: no gap, no duplicate, no reordering, whatever cuts them; and an end when the right to read ends.

use std::time::{Duration, Instant};

use quorate_plane::events::{Event, Stream};
use quorate_plane::tokens::Role;
use reqwest::{Method, Response};
use serde_json::{Value, json};

use crate::support::{Server, token};

/// An event as a client reads it.
#[derive(Debug, Clone)]
struct Heard {
    id: Option<String>,
    name: String,
    data: Value,
}

/// A client that reads events from a response.
struct Listener {
    response: Response,
    rest: String,
}

impl Listener {
    /// The next event; nothing when the stream has ended.
    async fn next(&mut self) -> Option<Heard> {
        loop {
            if let Some((block, rest)) = self.rest.split_once("\n\n") {
                let (block, rest) = (block.to_owned(), rest.to_owned());
                self.rest = rest;
                let field =
                    |name: &str| block.lines().find_map(|line| line.strip_prefix(name)).map(str::to_owned);
                if let Some(name) = field("event: ") {
                    let data = serde_json::from_str(&field("data: ").unwrap_or_default()).unwrap_or_default();
                    return Some(Heard { id: field("id: "), name, data });
                }
                continue;
            }
            let chunk = self.response.chunk().await.ok().flatten()?;
            self.rest.push_str(std::str::from_utf8(&chunk).expect("text"));
        }
    }

    /// The next event of a name.
    async fn wait_for(&mut self, name: &str) -> Heard {
        let found = async {
            loop {
                let heard = self.next().await.expect("the stream goes on");
                if heard.name == name {
                    return heard;
                }
            }
        };
        tokio::time::timeout(Duration::from_secs(10), found).await.unwrap_or_else(|_| panic!("no {name}"))
    }
}

async fn listen(server: &Server, path: &str, cursor: Option<&str>) -> Listener {
    let request = server.ask(Method::GET, path);
    let request = match cursor {
        Some(cursor) => request.header("last-event-id", cursor),
        None => request,
    };
    let response = request.send().await.expect("an answer");
    assert_eq!(response.status(), 200);
    Listener { response, rest: String::new() }
}

async fn publish(server: &Server, from: usize, to: usize) {
    let events: Vec<Event> = (from..to)
        .map(|n| Event { event: "count".into(), payload: format!("{{\"n\":{n}}}"), source: "test".into() })
        .collect();
    for page in events.chunks(100) {
        server.plane.events().publish(Stream::All, page).await.unwrap().unwrap();
    }
}

fn number(heard: &Heard) -> u64 {
    let payload = heard.data["fields"]["payload"].as_str().expect("a payload");
    serde_json::from_str::<Value>(payload).expect("JSON")["n"].as_u64().expect("a number")
}

const ALL: &str = "/api/v1/live/events/events:all";

#[tokio::test]
async fn a_viewer_that_is_cut_off_again_and_again_sees_everything_once_in_order() {
    quorate_testkit::check(&[], async |bench| {
        let server = Server::start(bench).await;
        const COUNT: usize = 3_000;
        let mut first = listen(&server, ALL, None).await;
        let mut cursor = first.wait_for("ready").await.id.expect("a cursor");
        drop(first);
        let viewing = async {
            let mut seen: Vec<u64> = Vec::new();
            let mut cuts = 0;
            while seen.len() < COUNT {
                let mut listener = listen(&server, ALL, Some(&cursor)).await;
                // Cut at uneven places: in the replay, at its end, in what is live.
                let (until, had) = (Instant::now() + Duration::from_millis(20 + cuts * 37 % 150), seen.len());
                // On a busy machine little comes in that time, and who is cut off before it sees nothing for ever.
                while seen.len() < COUNT
                    && (Instant::now() < until || seen.len() as u64 <= had as u64 + cuts * 37 % 150)
                {
                    match tokio::time::timeout(Duration::from_millis(50), listener.next()).await {
                        Ok(Some(heard)) if heard.name == "entry" => {
                            seen.push(number(&heard));
                            cursor = heard.id.expect("an id");
                        }
                        Ok(Some(heard)) => assert_eq!(heard.name, "ready"),
                        Ok(None) => break,
                        Err(_) => {}
                    }
                }
                cuts += 1;
            }
            (seen, cuts)
        };
        let writing = async {
            for from in (0..COUNT).step_by(50) {
                publish(&server, from, from + 50).await;
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        };
        let ((seen, cuts), ()) = tokio::join!(viewing, writing);
        assert_eq!(seen, (0..COUNT as u64).collect::<Vec<_>>());
        assert!(cuts > 3, "{cuts} cuts");
    })
    .await;
}

#[tokio::test]
async fn a_cursor_that_is_gone_or_was_never_given_is_said() {
    quorate_testkit::check(&[], async |bench| {
        let server = Server::start(bench).await;
        publish(&server, 0, 10).await;
        let mut listener = listen(&server, ALL, Some("0-0")).await;
        let cursor = listener.wait_for("entry").await.id.expect("an id");
        let key = Stream::All.key(server.plane.keys());
        bench.cli(&format!("XTRIM {} MAXLEN 3", key.as_str())).await;
        let mut listener = listen(&server, ALL, Some(&cursor)).await;
        let gap = listener.wait_for("gap").await;
        assert_eq!(
            (gap.data["reason"].as_str(), gap.data["from"].as_str()),
            (Some("trimmed"), Some(cursor.as_str()))
        );
        assert_eq!(number(&listener.wait_for("entry").await), 7);
        for odd in ["../../x", "99999999999999-0", "abc", "1-2-3"] {
            let mut listener = listen(&server, ALL, Some(odd)).await;
            let gap = listener.wait_for("gap").await;
            assert_eq!(gap.data["reason"], "unknown", "{odd}");
            listener.wait_for("ready").await;
        }
    })
    .await;
}

#[tokio::test]
async fn a_revoked_token_ends_its_streams_within_five_seconds() {
    quorate_testkit::check(&[], async |bench| {
        let server = Server::start(bench).await;
        let secret = token(&server.plane, "viewer", Role::Viewer).await;
        let response = server.bare(Method::GET, ALL).bearer_auth(&secret).send().await.unwrap();
        let mut listener = Listener { response, rest: String::new() };
        listener.wait_for("ready").await;
        server.plane.tokens().revoke(&"viewer".parse().unwrap(), "test").await.unwrap().unwrap();
        let ended = async { while listener.next().await.is_some() {} };
        tokio::time::timeout(Duration::from_secs(5), ended).await.expect("the stream ends");
        let again = server.bare(Method::GET, ALL).bearer_auth(&secret).send().await.unwrap();
        assert_eq!(again.status(), 401);
        assert_eq!(
            server.bare(Method::GET, &format!("{ALL}?token={secret}")).send().await.unwrap().status(),
            401
        );
    })
    .await;
}

#[tokio::test]
async fn hostile_text_arrives_as_data() {
    quorate_testkit::check(&[], async |bench| {
        let server = Server::start(bench).await;
        let mut listener = listen(&server, ALL, None).await;
        listener.wait_for("ready").await;
        let key = Stream::All.key(server.plane.keys());
        let mut add = quorate_store::cmd("XADD");
        add.arg(key.as_str()).arg("*").arg("event").arg("x\n\nevent: fake\ndata: {}\r\n\0");
        server.plane.store().query::<String>(&add).await.unwrap();
        let heard = listener.next().await.unwrap();
        assert_eq!(heard.name, "entry");
        assert_eq!(heard.data["fields"]["event"], "x\n\nevent: fake\ndata: {}\r\n\0");
    })
    .await;
}

#[tokio::test]
async fn queues_are_shown_whole_and_then_by_what_changed() {
    quorate_testkit::check(&[], async |bench| {
        let server = Server::start(bench).await;
        let mut listener = listen(&server, "/api/v1/live/queues", None).await;
        let whole = listener.wait_for("snapshot").await;
        assert!(whole.data["items"].as_array().unwrap().iter().any(|queue| queue["queue"] == "normal"));
        server
            .plane
            .queues()
            .push(&"low".parse().unwrap(), &quorate_plane::queues::Push::new("x"))
            .await
            .unwrap()
            .unwrap();
        let change = listener.wait_for("change").await;
        assert_eq!(
            (change.data["set"][0]["queue"].as_str(), change.data["set"][0]["depth"].as_u64()),
            (Some("low"), Some(1))
        );
    })
    .await;
}

#[tokio::test]
async fn services_are_shown_with_their_verdict_and_what_went_is_said() {
    quorate_testkit::check(&[], async |bench| {
        let server = Server::start(bench).await;
        let wanted = json!({ "service_id": "pay", "base_url": "https://8.8.8.8", "environment": "dev" });
        server.post("/api/v1/services", wanted).await;
        let mut view = listen(&server, "/api/v1/live/services", None).await;
        let whole = view.wait_for("snapshot").await.data;
        assert_eq!(
            (&whole["items"][0]["service_id"], &whole["items"][0]["overall_status"]),
            (&"pay".into(), &"degraded".into())
        );
        server.post("/api/v1/services/pay/disable", json!({})).await;
        let changed = view.wait_for("change").await.data;
        assert_eq!(
            (&changed["set"][0]["overall_status"], &changed["set"][0]["reasons"][0]),
            (&"disabled".into(), &"it is disabled".into())
        );
        server.send(Method::DELETE, "/api/v1/services/pay", json!({})).await;
        let went = view.wait_for("change").await.data;
        assert_eq!((&went["set"], &went["gone"][0]["service_id"]), (&json!([]), &"pay".into()));
    })
    .await;
}

#[tokio::test]
async fn several_streams_are_followed_in_one_line_and_each_event_says_whose_it_is() {
    quorate_testkit::check(&[], async |bench| {
        let server = Server::start(bench).await;
        let path = "/api/v1/live/events?stream=all&stream=lock";
        let mut both = listen(&server, path, None).await;
        let ready = both.wait_for("ready").await;
        publish(&server, 0, 1).await;
        let one = both.wait_for("entry").await;
        assert_eq!(one.data["stream"], "all");
        server.post("/api/v1/agents", json!({ "agent": "a" })).await;
        server.post("/api/v1/locks/task:x/acquire", json!({ "agent": "a" })).await;
        let two = both.wait_for("entry").await;
        assert_eq!(two.data["stream"], "lock");
        // Who comes back with the cursor of the beginning is told both again.
        let mut again = listen(&server, path, ready.id.as_deref()).await;
        let streams = [
            again.wait_for("entry").await.data["stream"].clone(),
            again.wait_for("entry").await.data["stream"].clone(),
        ];
        assert!(streams.contains(&"all".into()) && streams.contains(&"lock".into()), "{streams:?}");
        for wrong in ["", "?stream=nope", "?stream=all&stream=../x"] {
            assert_eq!(server.get(&format!("/api/v1/live/events{wrong}")).await.0, 400, "{wrong}");
        }
        let mut lost = listen(&server, path, Some("all=abc,lock=0-0")).await;
        assert_eq!(lost.wait_for("gap").await.data["stream"], "all", "a gap says whose it is too");
        let free = server.bare(Method::GET, &path.replace("all", "nope")).send().await.unwrap();
        assert_eq!(free.status(), 401, "who may not look is not told what there is");
    })
    .await;
}

/// Each viewer had the server wait for as long as it waits for anybody.
#[tokio::test]
async fn a_server_that_stops_ends_its_streams_at_once() {
    quorate_testkit::check(&[], async |bench| {
        let server = Server::start(bench).await;
        let mut open = Vec::new();
        for path in ["events/events:all", "queues", "tasks/t1"] {
            let path = format!("/api/v1/live/{path}");
            open.push(server.ask(Method::GET, &path).send().await.expect("an answer"));
        }
        let stopped = Instant::now();
        server.stop();
        for stream in open {
            let rest = tokio::time::timeout(Duration::from_secs(3), stream.text()).await;
            assert!(rest.is_ok_and(|rest| rest.is_ok()), "the stream ends as it should");
        }
        assert!(stopped.elapsed() < Duration::from_secs(3));
    })
    .await;
}

/// What is shown must not pass for what is: a viewer is told that the store does not answer, how old what it has is, and when it does again.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_store_that_does_not_answer_is_said_on_every_line_and_so_is_its_return() {
    quorate_testkit::check(&[], async |bench| {
        let server = Server::start(bench).await;
        let mut queues = listen(&server, "/api/v1/live/queues", None).await;
        let mut events = listen(&server, "/api/v1/live/events?stream=all&stream=lock", None).await;
        queues.wait_for("snapshot").await;
        events.wait_for("ready").await;
        let stopped = Instant::now();
        bench.node.pause();
        let away = queues.wait_for("away").await;
        let age = Duration::from_millis(away.data["age_ms"].as_u64().expect("how old it is"));
        assert!(age <= stopped.elapsed() + Duration::from_secs(2), "{away:?}");
        assert!(away.data["detail"].as_str().is_some_and(|text| text.contains("STORE")), "{away:?}");
        assert!(away.id.is_none(), "it is no place to go on from");
        events.wait_for("away").await;
        bench.node.resume();
        queues.wait_for("back").await;
        events.wait_for("back").await;
        let pushed = server.post("/api/v1/queues/normal/push", json!({ "payload": "x" })).await;
        assert_eq!(pushed.0, 200, "{pushed:?}");
        assert_eq!(queues.wait_for("change").await.data["set"][0]["depth"], 1);
        publish(&server, 0, 1).await;
        assert_eq!(number(&events.wait_for("entry").await), 0);
    })
    .await;
}
