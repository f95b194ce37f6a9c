//! Bad inputs over every route that OpenAPI names: never a 5xx, never an effect, always a problem with a code.

use reqwest::Method;
use serde_json::{Value, json};

use crate::support::{Server, read};

/// Routes as `(method, path)`, their fields in braces.
fn routes() -> Vec<(Method, String)> {
    let document = quorate_server::openapi();
    let paths = document["paths"].as_object().expect("paths");
    let each = paths.iter().flat_map(|(path, item)| {
        let methods = item.as_object().expect("methods").keys();
        methods.map(move |method| (method.to_uppercase().parse().expect("a method"), path.clone()))
    });
    each.collect()
}

fn filled(path: &str, with: &str) -> String {
    let mut text = String::new();
    for (place, part) in path.split(['{', '}']).enumerate() {
        text.push_str(if place % 2 == 1 { with } else { part });
    }
    text
}

#[tokio::test]
async fn every_route_answers_bad_input_with_a_problem() {
    quorate_testkit::check(&[], async |bench| {
        let server = Server::start(bench).await;
        let deep = format!("{{\"x\":{}1{}}}", "[".repeat(1_001), "]".repeat(1_001));
        let bodies: Vec<(&str, String)> = vec![
            ("truncated", "{\"agent\":".into()),
            ("two names", "{\"agent\":\"a\",\"agent\":\"b\"}".into()),
            ("a scalar", "7".into()),
            ("a list", "[]".into()),
            ("deep", deep),
            ("unknown field", json!({ "no_such_field": 1 }).to_string()),
            ("proto", "{\"__proto__\":{}}".into()),
            ("bom", "\u{feff}{}".into()),
            ("nul", json!({ "agent": "a\u{0}b", "payload": 5 }).to_string()),
            (
                "numbers",
                json!({ "agent": 5, "ttl": -1, "lease": "1e309s", "max": 1.5, "limit": "x" }).to_string(),
            ),
        ];
        // A live stream takes no body, and does not end.
        for (method, path) in routes().into_iter().filter(|(_, path)| !path.contains("/live/")) {
            for id in
                ["a%20b", "%00", "..%2f..%2fx", "%7Bx%7D", "%2A", "%E2%80%AE", "%253A", &"x".repeat(300)]
            {
                let url = filled(&path, id);
                let (status, body) =
                    read(server.ask(method.clone(), &url).send().await.expect("an answer")).await;
                assert!(status < 500, "{method} {url}: {status} {body}");
            }
            for (name, text) in
                bodies.iter().filter(|_| method != Method::GET && !path.ends_with("/sign-out"))
            {
                let request = server
                    .ask(method.clone(), &filled(&path, "x"))
                    .header("content-type", "application/json");
                let (status, body) = read(request.body(text.clone()).send().await.expect("an answer")).await;
                let fine = (400..500).contains(&status) || path.ends_with("/sign-in");
                assert!(fine && status < 500, "{method} {path} with {name}: {status} {body}");
                assert!(
                    path.ends_with("/sign-in") || body["code"].is_string(),
                    "{method} {path} with {name}: {body}"
                );
            }
        }
    })
    .await;
}

#[tokio::test]
async fn every_route_needs_a_token_and_changes_need_json() {
    quorate_testkit::check(&[], async |bench| {
        let server = Server::start(bench).await;
        for (method, path) in routes() {
            let url = filled(&path, "x");
            let (status, body) =
                read(server.bare(method.clone(), &url).send().await.expect("an answer")).await;
            let sign_in = path.ends_with("/sign-in");
            assert!(status == 401 || sign_in && status == 400, "{method} {path}: {status} {body}");
            for secret in ["x", "qt_", "qt_0000000000000000000000000000000000000000000000000000000000000000"]
            {
                let answer =
                    server.bare(method.clone(), &url).bearer_auth(secret).send().await.expect("an answer");
                assert_eq!(answer.status(), 401, "{method} {path}");
            }
            if method == Method::POST && !path.contains("/sign-") {
                for kind in ["text/plain", "application/x-www-form-urlencoded"] {
                    let request = server.ask(method.clone(), &url).header("content-type", kind).body("{}");
                    assert_eq!(request.send().await.expect("an answer").status(), 415, "{path} {kind}");
                }
                let zipped = server.ask(method.clone(), &url).header("content-type", "application/json");
                let zipped =
                    zipped.header("content-encoding", "gzip").body("{}").send().await.expect("an answer");
                assert_eq!(zipped.status(), 415, "{path}");
            }
        }
    })
    .await;
}

#[tokio::test]
async fn odd_requests_get_the_status_that_fits() {
    quorate_testkit::check(&[], async |bench| {
        let server = Server::start(bench).await;
        let status = async |request: reqwest::RequestBuilder| {
            request.send().await.map(|answer| answer.status().as_u16()).unwrap_or(0)
        };
        assert_eq!(status(server.ask(Method::GET, "/api/v1/nothing")).await, 404);
        assert_eq!(status(server.ask(Method::TRACE, "/api/v1/queues")).await, 405);
        assert_eq!(status(server.ask(Method::PATCH, "/api/v1/queues")).await, 405);
        assert_eq!(
            status(server.ask(Method::GET, "/api/v1/queues").header("host", "evil.example")).await,
            421
        );
        assert_eq!(status(server.ask(Method::GET, "/api/v1/queues?limit=1")).await, 400);
        assert_eq!(status(server.ask(Method::GET, "/api/v1/queues/low?limit=1e9")).await, 400);
        assert_eq!(
            status(server.ask(Method::GET, "/api/v1/queues").header("x-long", "y".repeat(60_000))).await,
            431
        );
        let method = server.ask(Method::GET, "/api/v1/queues").header("x-http-method-override", "DELETE");
        assert_eq!(status(method).await, 200);
        let long =
            server.ask(Method::POST, "/api/v1/queues/low/push").header("content-type", "application/json");
        let long = long.body(json!({ "payload": "x".repeat(11 * 1024 * 1024) }).to_string());
        assert!([413, 0].contains(&status(long).await));
        let document: Value = serde_json::from_str(
            &server.bare(Method::GET, "/api/openapi.json").send().await.unwrap().text().await.unwrap(),
        )
        .unwrap();
        assert_eq!(document, quorate_server::openapi());
        assert_eq!(status(server.bare(Method::GET, "/api/docs")).await, 200);
    })
    .await;
}

#[tokio::test]
async fn a_head_or_a_body_that_takes_too_long_ends_the_connection() {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    quorate_testkit::check(&[], async |bench| {
        let server = Server::start(bench).await;
        let address = server.url.trim_start_matches("http://").to_owned();
        let slow = async |text: String| {
            let mut stream = tokio::net::TcpStream::connect(&address).await.unwrap();
            stream.write_all(text.as_bytes()).await.unwrap();
            let mut answer = Vec::new();
            let read = stream.read_to_end(&mut answer);
            tokio::time::timeout(std::time::Duration::from_secs(12), read).await.expect("the connection ends").ok();
            String::from_utf8_lossy(&answer).into_owned()
        };
        let head = slow("GET /healthz HTTP/1.1\r\nhost: localhost\r\n".to_owned());
        let body = format!(
            "POST /api/v1/queues/low/push HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer {}\r\ncontent-type: application/json\r\ncontent-length: 100\r\nconnection: close\r\n\r\n{{",
            server.admin
        );
        let (_, body) = tokio::join!(head, slow(body));
        assert!(body.starts_with("HTTP/1.1 408"), "{body}");
    })
    .await;
}
