//! Whoever is slow, big or many: each has its time and its room, and the others do not notice (X7).

use serde_json::json;

use crate::support::Server;

/// X7: whoever is slow, big or many hurts nobody else.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn slow_and_many_clients_leave_the_server_to_the_others() {
    use tokio::io::AsyncWriteExt;
    quorate_testkit::check(&[], async |bench| {
        let server = Server::start(bench).await;
        let address = server.url.trim_start_matches("http://").to_owned();
        server.get("/api/v1/queues/low").await;
        let memory = crate::viewers::memory();
        let mut slow = Vec::new();
        for n in 0..quorate_testkit::soak::size(200, 1_000) {
            let mut stream = tokio::net::TcpStream::connect(&address).await.unwrap();
            let head = match n % 2 {
                0 => "GET /healthz HTTP/1.1\r\nhost: loc".to_owned(),
                _ => format!("POST /api/v1/queues/low/push HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer {}\r\ncontent-type: application/json\r\ncontent-length: 900\r\n\r\n{{", server.admin),
            };
            stream.write_all(head.as_bytes()).await.unwrap();
            slow.push(stream);
        }
        // Streams that nobody reads; in full size more than one caller may have.
        let (mut open, mut refused) = (Vec::new(), 0);
        for _ in 0..quorate_testkit::soak::size(100, 2_100) {
            match stream(&address, &server.admin).await {
                (200, stream) => open.push(stream),
                (429, _) => refused += 1,
                (other, _) => panic!("{other}"),
            }
        }
        let expected = if quorate_testkit::soak::full() { (2_048, 52) } else { (100, 0) };
        assert_eq!((open.len(), refused), expected);
        let unread = tell_everybody(&server, quorate_testkit::soak::size(200, 5_000));
        let flood = flood(&address, &server.admin, quorate_testkit::soak::size(64 << 20, 1 << 30));
        let (_, sent) = tokio::join!(unread, flood);
        assert!(sent < 48 << 20, "what is too long is refused when that is known, not when it ends: {sent}");
        let mut took = Vec::new();
        for _ in 0..100 {
            let began = std::time::Instant::now();
            assert_eq!(server.get("/api/v1/queues/low").await.0, 200);
            took.push(began.elapsed());
        }
        took.sort();
        assert!(took[98] < std::time::Duration::from_millis(250), "p99 {:?}", took[98]);
        let grown = crate::viewers::memory().saturating_sub(memory) >> 20;
        quorate_testkit::soak::say(&format!(
            "x7: {} slow clients, {} streams that nobody reads, a body that was cut off after {} MiB: others p99 {:?}; server and clients took {grown} MiB",
            slow.len(), open.len(), sent >> 20, took[98]
        ));
        assert!(grown < 384, "{grown} MiB");
        drop((slow, open));
    })
    .await;
}

/// A stream of which no more than the status is ever read: a client library would take in and keep what comes.
async fn stream(address: &str, token: &str) -> (u16, tokio::net::TcpStream) {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    let mut stream = tokio::net::TcpStream::connect(address).await.unwrap();
    let head = format!(
        "GET /api/v1/live/events/events:all HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer {token}\r\n\r\n"
    );
    stream.write_all(head.as_bytes()).await.unwrap();
    let mut status = [0; 12];
    stream.read_exact(&mut status).await.unwrap();
    (String::from_utf8_lossy(&status[9..]).parse().unwrap_or_default(), stream)
}

/// Events for streams that nobody reads.
async fn tell_everybody(server: &Server, events: usize) {
    use quorate_plane::events::{Event, Stream};
    let event = Event {
        event: "x".into(),
        payload: json!({ "text": "y".repeat(1_000) }).to_string(),
        source: "x7".into(),
    };
    for _ in 0..events / 50 {
        // It shares its threads with the server, which is busy; what is published twice is as good here.
        while server.plane.events().publish(Stream::All, &vec![event.clone(); 50]).await.is_err() {
            tokio::time::sleep(std::time::Duration::from_millis(100)).await;
        }
    }
}

/// A body that says no length and goes on and on; how much of it was taken before the server had enough.
async fn flood(address: &str, token: &str, whole: usize) -> usize {
    use tokio::io::AsyncWriteExt;
    let mut stream = tokio::net::TcpStream::connect(address).await.unwrap();
    let head = format!(
        "POST /api/v1/queues/low/push HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer {token}\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n"
    );
    stream.write_all(head.as_bytes()).await.unwrap();
    let chunk = format!("10000\r\n{}\r\n", "x".repeat(65_536));
    let (mut sent, patience) = (0, std::time::Duration::from_secs(15));
    while sent < whole {
        match tokio::time::timeout(patience, stream.write_all(chunk.as_bytes())).await {
            Ok(Ok(())) => sent += chunk.len(),
            _ => break,
        }
    }
    sent
}

#[tokio::test]
async fn a_head_or_a_body_that_takes_too_long_is_told_so_and_ends_the_connection() {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    quorate_testkit::check(&[], async |bench| {
        let server = Server::start(bench).await;
        let address = server.url.trim_start_matches("http://").to_owned();
        let slow = async |text: String| {
            let mut stream = tokio::net::TcpStream::connect(&address).await.unwrap();
            stream.write_all(text.as_bytes()).await.unwrap();
            let mut answer = Vec::new();
            let read = stream.read_to_end(&mut answer);
            tokio::time::timeout(std::time::Duration::from_millis(10_900), read).await.expect("the connection ends in ten seconds").ok();
            String::from_utf8_lossy(&answer).into_owned()
        };
        let head = slow("GET /healthz HTTP/1.1\r\nhost: localhost\r\n".to_owned());
        let body = format!(
            "POST /api/v1/queues/low/push HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer {}\r\ncontent-type: application/json\r\ncontent-length: 100\r\nconnection: close\r\n\r\n{{",
            server.admin
        );
        // However many pieces it comes in: its time runs from the first.
        let dripping = async {
            let mut stream = tokio::net::TcpStream::connect(&address).await.unwrap();
            let began = std::time::Instant::now();
            let mut answer = [0; 12];
            for letter in "GET /healthz HTTP/1.1\r\nhost: localhost\r\nx-slow: yes".chars() {
                let pause = std::time::Duration::from_millis(700);
                let ended = tokio::time::timeout(pause, stream.read_exact(&mut answer)).await;
                if ended.is_ok() || stream.write_all(letter.to_string().as_bytes()).await.is_err() {
                    break;
                }
            }
            (began.elapsed(), String::from_utf8_lossy(&answer).into_owned())
        };
        // Who has said nothing, or nothing more after an answer, has asked for none.
        let answered = "GET /healthz HTTP/1.1\r\nhost: localhost\r\nx-long-way: 1\r\n\r\n";
        let idle = async { (slow(String::new()).await, slow(answered.to_owned()).await) };
        let (head, body, (dripped, dripping), (silent, idle)) =
            tokio::join!(head, slow(body), dripping, idle);
        assert!(body.starts_with("HTTP/1.1 408") && body.contains("slow_body"), "{body}");
        assert!(head.starts_with("HTTP/1.1 408") && head.contains("slow_head"), "{head}");
        assert_eq!(dripping, "HTTP/1.1 408");
        assert!(dripped < std::time::Duration::from_secs(12), "{dripped:?}");
        assert_eq!(silent, "");
        assert_eq!(idle.matches("HTTP/1.1").count(), 1, "{idle}");
    })
    .await;
}

/// Also what no route ever sees is told why, in the words of all other problems.
#[tokio::test]
async fn what_is_no_request_and_a_head_that_is_too_large_are_problems_like_any_other() {
    quorate_testkit::check(&[], async |bench| {
        let server = Server::start(bench).await;
        let many: String = (0..200).map(|n| format!("x-{n}: 1\r\n")).collect();
        let all = [
            ("GARBAGE\r\n\r\n".to_owned(), "400 Bad Request", "malformed"),
            ("GET / HTTP/1.1\r\nno header\r\n\r\n".to_owned(), "400 Bad Request", "malformed"),
            (
                format!("GET / HTTP/1.1\r\n{many}\r\n"),
                "431 Request Header Fields Too Large",
                "head_too_large",
            ),
            (format!("GET /{} HTTP/1.1\r\n\r\n", "a".repeat(70_000)), "431 Request Header", "head_too_large"),
        ];
        for (sent, status, code) in all {
            let answer = raw(&server, &sent).await;
            let (head, body) = answer.split_once("\r\n\r\n").unwrap_or_default();
            assert!(head.starts_with(&format!("HTTP/1.1 {status}")), "{answer}");
            assert!(head.contains("content-type: application/problem+json"), "{answer}");
            assert!(head.contains(&format!("content-length: {}", body.len())), "{answer}");
            let body: serde_json::Value = serde_json::from_str(body).expect("a problem");
            assert_eq!(body["code"], code);
            assert!(body["request_id"].is_string() && body["message"].is_string(), "{body}");
            assert_eq!(
                server.bare(reqwest::Method::GET, &format!("/errors/{code}")).send().await.unwrap().status(),
                200
            );
        }
    })
    .await;
}

/// What comes back for these bytes, until the connection is closed.
async fn raw(server: &Server, sent: &str) -> String {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    let address = server.url.trim_start_matches("http://");
    let mut stream = tokio::net::TcpStream::connect(address).await.unwrap();
    stream.write_all(sent.as_bytes()).await.unwrap();
    let (mut answer, mut part) = (Vec::new(), [0; 4096]);
    // What was sent and not read may reset the connection after the answer.
    while let Ok(count @ 1..) = stream.read(&mut part).await {
        answer.extend_from_slice(&part[..count]);
    }
    String::from_utf8(answer).unwrap()
}
