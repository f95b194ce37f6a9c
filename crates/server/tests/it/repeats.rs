//! A reply that never arrives: the client repeats its request with the same key, and there is one effect.

use quorate_testkit::chaos::Proxy;
use reqwest::Method;
use serde_json::{Value, json};

use crate::support::{Server, read};

/// Requests that each leave something countable, and where to count it.
fn changes() -> Vec<(Method, String, Value)> {
    vec![
        (Method::POST, "/api/v1/queues/low/push".into(), json!({ "payload": "x" })),
        (Method::POST, "/api/v1/messages".into(), json!({ "to": "w1", "from": "w1", "text": "hello" })),
        (Method::POST, "/api/v1/events/events:all".into(), json!({ "event": "x", "payload": "{}", "source": "t" })),
        (Method::POST, "/api/v1/metrics/hits/incr".into(), json!({ "by": 1 })),
        (Method::POST, "/api/v1/jobs".into(), json!({ "queue": "archive", "payload": "x", "in": "1h" })),
    ]
}

async fn effects(server: &Server) -> Vec<u64> {
    let count = async |path: &str, place: fn(&Value) -> Option<u64>| place(&server.get(path).await.1).unwrap_or(0);
    vec![
        count("/api/v1/queues/low", |body| body["depth"].as_u64()).await,
        count("/api/v1/messages/inbox/w1", |body| Some(body["messages"].as_array()?.len() as u64)).await,
        count("/api/v1/events/events:all", |body| Some(body.as_array().or(body["entries"].as_array())?.len() as u64)).await,
        count("/api/v1/metrics", |body| body["hits"].as_u64().or(body["counters"]["hits"].as_u64())).await,
        count("/api/v1/jobs", |body| Some(body.as_array().or(body["jobs"].as_array())?.len() as u64)).await,
    ]
}

#[tokio::test]
async fn a_reply_that_was_swallowed_is_asked_for_again_and_there_is_one_effect() {
    quorate_testkit::check(&[], async |bench| {
        let server = Server::start(bench).await;
        let (status, body) = server.post("/api/v1/agents", json!({ "id": "w1" })).await;
        assert_eq!(status, 200, "{body}");
        let before = effects(&server).await;
        let proxy = Proxy::start(server.url.trim_start_matches("http://")).await;
        let client = reqwest::Client::builder().timeout(std::time::Duration::from_millis(700)).build().expect("a client");
        for (at, (method, path, body)) in changes().into_iter().enumerate() {
            let ask = async |base: &str| {
                let request = client.request(method.clone(), format!("{base}{path}")).bearer_auth(&server.admin);
                let request = request.header("idempotency-key", format!("key-{at}")).header("content-type", "application/json");
                request.header("host", "localhost").body(body.to_string()).send().await
            };
            proxy.swallow_replies(true);
            assert!(ask(&format!("http://{}", proxy.address())).await.is_err(), "{path}: the reply is swallowed");
            proxy.swallow_replies(false);
            let mut answers = Vec::new();
            for _ in 0..3 {
                answers.push(read(ask(&server.url).await.expect("an answer")).await);
            }
            assert!(answers.iter().all(|(status, _)| *status == 200), "{path}: {answers:?}");
            assert!(answers.windows(2).all(|two| two[0] == two[1]), "{path}: {answers:?}");
        }
        let after = effects(&server).await;
        let new: Vec<u64> = after.iter().zip(&before).map(|(after, before)| after - before).collect();
        assert_eq!(new, vec![1; new.len()], "before {before:?}, after {after:?}");
    })
    .await;
}
