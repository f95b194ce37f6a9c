//! A reply that never arrives: the client repeats its request with the same key, and there is one effect.

use reqwest::Method;
use serde_json::{Value, json};
use tokio::io::AsyncWriteExt;

use crate::support::{Server, read};

/// Requests that each leave something countable, and where to count it.
fn changes() -> Vec<(Method, String, Value)> {
    vec![
        (Method::POST, "/api/v1/queues/low/push".into(), json!({ "payload": "x" })),
        (Method::POST, "/api/v1/messages".into(), json!({ "to": "w1", "from": "w1", "text": "hello" })),
        (
            Method::POST,
            "/api/v1/events/events:all".into(),
            json!({ "event": "x", "payload": "{}", "source": "t" }),
        ),
        (Method::POST, "/api/v1/metrics/hits/incr".into(), json!({ "by": 1 })),
        (Method::POST, "/api/v1/jobs".into(), json!({ "queue": "archive", "payload": "x", "in": "1h" })),
    ]
}

async fn effects(server: &Server) -> Vec<u64> {
    let count =
        async |path: &str, place: fn(&Value) -> Option<u64>| place(&server.get(path).await.1).unwrap_or(0);
    vec![
        count("/api/v1/queues/low", |body| body["depth"].as_u64()).await,
        count("/api/v1/messages/inbox/w1", |body| Some(body["messages"].as_array()?.len() as u64)).await,
        count("/api/v1/events/events:all", |body| Some(body.as_array()?.len() as u64)).await,
        count("/api/v1/metrics", |body| body[0]["value"].as_u64()).await,
        count("/api/v1/jobs", |body| Some(body["jobs"].as_array()?.len() as u64)).await,
    ]
}

/// Sends a whole request and goes away without waiting for its answer.
async fn send_and_hang_up(
    server: &Server,
    method: &Method,
    path: &str,
    key: &str,
    body: &Value,
    wait_ms: u64,
) {
    let (address, body) = (server.url.trim_start_matches("http://"), body.to_string());
    let head = format!(
        "{method} {path} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer {}\r\nidempotency-key: {key}\r\n\
         content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
        server.admin,
        body.len()
    );
    let mut stream = tokio::net::TcpStream::connect(address).await.expect("connects");
    stream.write_all(head.as_bytes()).await.expect("writes");
    tokio::time::sleep(std::time::Duration::from_millis(wait_ms)).await;
}

#[tokio::test]
async fn a_reply_that_was_swallowed_is_asked_for_again_and_there_is_one_effect() {
    quorate_testkit::check(&[], async |bench| {
        let server = Server::start(bench).await;
        let (status, body) = server.post("/api/v1/agents", json!({ "id": "w1" })).await;
        assert_eq!(status, 200, "{body}");
        let before = effects(&server).await;
        for (at, (method, path, body)) in changes().into_iter().enumerate() {
            let key = format!("key-{at}");
            for wait in [0, 3, 30] {
                send_and_hang_up(&server, &method, &path, &key, &body, wait).await;
            }
            let mut answers = Vec::new();
            while answers.len() < 3 {
                let request = server.ask(method.clone(), &path).header("idempotency-key", &key);
                let request = request.header("content-type", "application/json").body(body.to_string());
                let answer = read(request.send().await.expect("an answer")).await;
                if answer.1["code"] != "key_busy" {
                    answers.push(answer);
                }
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

/// X5: what is kept for repetitions has no secret, so whoever reads the store can sign in as nobody.
#[tokio::test]
async fn a_secret_is_in_the_first_answer_and_not_in_what_is_kept_of_it() {
    quorate_testkit::check(&[], async |bench| {
        let server = Server::start(bench).await;
        let secrets = [
            ("/api/v1/tokens", json!({ "name": "ci", "role": "viewer" }), "token"),
            ("/api/v1/sign-ins/ada/invite", json!({ "role": "viewer" }), "code"),
            ("/api/v1/webhooks", json!({ "url": "https://8.8.8.8/x" }), "secret"),
        ];
        let mut shown = Vec::new();
        for (path, body, member) in &secrets {
            let ask = async || {
                let request = server.ask(Method::POST, path).header("idempotency-key", *member);
                let request = request.header("content-type", "application/json").body(body.to_string());
                read(request.send().await.expect("an answer")).await
            };
            let ((first, one), (second, two)) = (ask().await, ask().await);
            assert_eq!((first, second), (200, 200), "{path} {one} {two}");
            assert_eq!(two[member], "(shown once)", "{path}");
            shown.push(one[member].as_str().expect("a secret").to_owned());
        }
        let mut all = String::new();
        let keys: Vec<String> = bench.scope.store.query(quorate_store::cmd("KEYS").arg("*")).await.unwrap();
        for key in keys.iter().filter(|key| !key.contains("webhook_secret")) {
            let dump: Vec<u8> = bench.scope.store.query(quorate_store::cmd("DUMP").arg(key)).await.unwrap();
            all += &String::from_utf8_lossy(&dump);
        }
        assert!(shown.iter().all(|secret| !all.contains(secret.as_str())), "a secret is in the store");
    })
    .await;
}
