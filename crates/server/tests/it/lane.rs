//! The short way of plain requests: the same answers as the long one, in order, and nothing is done for who has gone.

use std::time::Duration;

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::{sleep, timeout};

use crate::support::Server;

async fn connect(server: &Server) -> TcpStream {
    let stream = TcpStream::connect(server.url.trim_start_matches("http://")).await.expect("connects");
    stream.set_nodelay(true).expect("no delay");
    stream
}

fn post(server: &Server, path: &str, body: &str) -> String {
    let length = body.len();
    let secret = &server.admin;
    format!(
        "POST {path} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer {secret}\r\ncontent-type: application/json\r\ncontent-length: {length}\r\n\r\n{body}"
    )
}

/// Status, headers and body of the next answer.
async fn answer(stream: &mut TcpStream) -> (String, Vec<String>, String) {
    let (mut text, mut byte) = (Vec::new(), [0]);
    while !text.ends_with(b"\r\n\r\n") {
        let read =
            timeout(Duration::from_secs(12), stream.read(&mut byte)).await.expect("in time").expect("reads");
        assert!(read > 0, "hung up after {}", String::from_utf8_lossy(&text));
        text.extend_from_slice(&byte);
    }
    let text = String::from_utf8(text).expect("text");
    let mut lines = text.trim_end().split("\r\n").map(str::to_owned);
    let status = lines.next().expect("a status");
    let mut headers: Vec<String> = lines.collect();
    headers.sort();
    let length = headers.iter().find_map(|line| line.strip_prefix("content-length: ")?.parse().ok());
    let mut body = vec![0; length.unwrap_or(0)];
    stream.read_exact(&mut body).await.expect("a body");
    (status, headers, String::from_utf8(body).expect("text"))
}

/// What differs from call to call.
fn without_ids((status, headers, body): (String, Vec<String>, String)) -> (String, Vec<String>, Value) {
    let ids = ["date: ", "x-request-id: ", "content-length: ", "ratelimit: "];
    let headers = headers.into_iter().map(|line| match ids.iter().find(|id| line.starts_with(**id)) {
        Some(id) => (*id).to_owned(),
        None => line,
    });
    let mut body: Value = serde_json::from_str(&body).unwrap_or(Value::String(body));
    for name in ["request_id", "id"] {
        body.as_object_mut().and_then(|body| body.remove(name));
    }
    (status, headers.collect(), body)
}

#[tokio::test]
async fn plain_requests_get_the_same_answers_as_all_others() {
    quorate_testkit::check(&[], async |bench| {
        let server = Server::start(bench).await;
        let push = |body: &str| post(&server, "/api/v1/queues/low/push", body);
        let get = |path: &str, more: &str| {
            format!(
                "GET {path} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer {}\r\n{more}\r\n",
                server.admin
            )
        };
        let mut tag = connect(&server).await;
        tag.write_all(get("/api/v1/queues/high", "").as_bytes()).await.unwrap();
        let tag = answer(&mut tag)
            .await
            .1
            .into_iter()
            .find_map(|line| Some(line.strip_prefix("etag: ")?.to_owned()));
        for request in [
            push(r#"{"payload":"x"}"#),
            push(r#"{"payload":"#),
            push(r#"{"payload":"x","payload":"y"}"#),
            push(r#"{"other":1}"#),
            push(""),
            push(r#"{"payload":"x"}"#).replace("Bearer", "Basic"),
            push(r#"{"payload":"x"}"#).replace("host: localhost", "host: evil.example"),
            push(r#"{"payload":"x"}"#).replace("application/json", "text/plain"),
            post(&server, "/api/v1/queues/none/claim", r#"{"agent":"a"}"#),
            post(&server, "/api/v1/queues/%ff/claim", r#"{"agent":"a"}"#),
            post(&server, "/api/v1/queues/low/claim?max=2", r#"{"agent":"nobody"}"#),
            get("/api/v1/queues/high", ""),
            get("/api/v1/queues/high", &format!("if-none-match: {}\r\n", tag.expect("a tag"))),
            get("/api/v1/keys?limit=1", ""),
        ] {
            let mut short = connect(&server).await;
            short.write_all(request.as_bytes()).await.unwrap();
            let short = without_ids(answer(&mut short).await);
            // What begins with another kind of request stays with hyper.
            let mut long = connect(&server).await;
            long.write_all(b"GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n").await.unwrap();
            answer(&mut long).await;
            long.write_all(request.as_bytes()).await.unwrap();
            let long = without_ids(answer(&mut long).await);
            assert_eq!(short, long, "{request}");
        }
    })
    .await;
}

#[tokio::test]
async fn requests_in_one_piece_or_in_many_are_answered_in_their_order() {
    quorate_testkit::check(&[], async |bench| {
        let server = Server::start(bench).await;
        let push =
            |text: &str| post(&server, "/api/v1/queues/low/push", &json!({ "payload": text }).to_string());
        let mut stream = connect(&server).await;
        let unknown = post(&server, "/api/v1/queues/low/push", r#"{"other":1}"#);
        let (first, last) = (push("1"), push("2"));
        stream.write_all(format!("{first}{unknown}{last}").as_bytes()).await.unwrap();
        for expected in ["HTTP/1.1 200 OK", "HTTP/1.1 400 Bad Request", "HTTP/1.1 200 OK"] {
            assert_eq!(answer(&mut stream).await.0, expected);
        }
        let long = "y".repeat(20_000);
        for (pieces, text) in [(3, "3"), (40, "4"), (2, &long), (1, "5")] {
            let request = push(text);
            for piece in request.as_bytes().chunks(request.len().div_ceil(pieces)) {
                stream.write_all(piece).await.unwrap();
                sleep(Duration::from_millis(5)).await;
            }
            assert_eq!(answer(&mut stream).await.0, "HTTP/1.1 200 OK", "{pieces} pieces");
        }
        assert_eq!(server.get("/api/v1/queues/low").await.1["depth"], 6);
    })
    .await;
}

#[tokio::test]
async fn who_has_gone_while_it_waited_takes_nothing() {
    quorate_testkit::check(&[], async |bench| {
        let server = Server::start(bench).await;
        server.post("/api/v1/agents", json!({ "agent": "a1" })).await;
        let mut gone = connect(&server).await;
        let claim = post(&server, "/api/v1/queues/low/claim?wait=20s", r#"{"agent":"a1"}"#);
        gone.write_all(claim.as_bytes()).await.unwrap();
        sleep(Duration::from_millis(300)).await;
        drop(gone);
        sleep(Duration::from_millis(300)).await;
        server.post("/api/v1/queues/low/push", json!({ "payload": "x" })).await;
        sleep(Duration::from_millis(300)).await;
        let (status, claimed) = server.post("/api/v1/queues/low/claim", json!({ "agent": "a1" })).await;
        assert_eq!((status, &claimed["outcome"]), (200, &json!("claimed")), "{claimed}");
    })
    .await;
}

#[tokio::test]
async fn a_kept_connection_ends_when_the_server_stops_or_nothing_is_said_on_it() {
    quorate_testkit::check(&[], async |bench| {
        let server = Server::start(bench).await;
        let mut silent = connect(&server).await;
        let ended = timeout(Duration::from_secs(12), silent.read(&mut [0])).await.expect("it ends");
        assert_eq!(ended.expect("without a fault"), 0);
        let mut kept = connect(&server).await;
        kept.write_all(post(&server, "/api/v1/queues/low/push", r#"{"payload":"x"}"#).as_bytes())
            .await
            .unwrap();
        answer(&mut kept).await;
        server.stop();
        let ended = timeout(Duration::from_secs(1), kept.read(&mut [0])).await.expect("it ends at once");
        assert_eq!(ended.expect("without a fault"), 0);
    })
    .await;
}
